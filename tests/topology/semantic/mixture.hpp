#pragma once
// Synthetic embeddings: topics of unequal popularity with normal scatter around each, by Philox.
#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

namespace toposim::topology {

struct Mixture {
  std::uint64_t samples = 0, dims = 0, topics = 1, seed = 1;
  double scatter = 1;     ///< standard deviation within a topic; topics' centres have 1
  double popularity = 1;  ///< topic k has weight 1 / (k + 1)^popularity
};

/// Nearly normal: the sum of four uniform numbers, scaled. Enough for data, and cheap.
inline float rough_normal(std::uint64_t seed, std::uint64_t row, std::uint32_t column, std::uint32_t use) {
  const r123::Philox4x32_R<10>::ctr_type counter = {
      {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32), column, use}};
  const r123::Philox4x32_R<10>::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto words = r123::Philox4x32_R<10>()(counter, key);
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += static_cast<double>(words[i]) * 0x1p-32;
  return static_cast<float>((sum - 2) * std::sqrt(3.0));  // the variance of four is 4/12
}

/// The topic of a row.
inline std::uint64_t topic_of(const Mixture& mixture, const std::vector<double>& cumulated, std::uint64_t row) {
  const r123::Philox4x32_R<10>::ctr_type counter = {
      {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32), 0, 3}};
  const r123::Philox4x32_R<10>::key_type key = {{static_cast<std::uint32_t>(mixture.seed), 0}};
  const double u = static_cast<double>(r123::Philox4x32_R<10>()(counter, key)[0]) * 0x1p-32 * cumulated.back();
  const auto at = std::upper_bound(cumulated.begin(), cumulated.end(), u) - cumulated.begin();
  return std::min<std::uint64_t>(static_cast<std::uint64_t>(at), cumulated.size() - 1);
}

inline std::vector<double> cumulated_weights(const Mixture& mixture) {
  std::vector<double> result;
  double sum = 0;
  for (std::uint64_t k = 0; k < mixture.topics; ++k) {
    result.push_back(sum += std::pow(static_cast<double>(k + 1), -mixture.popularity));
  }
  return result;
}

inline std::vector<float> mixture(const Mixture& m) {
  std::vector<float> centres(m.topics * m.dims), result(m.samples * m.dims);
  for (std::uint64_t t = 0; t < m.topics; ++t) {
    for (std::uint32_t k = 0; k < m.dims; ++k) centres[t * m.dims + k] = rough_normal(m.seed, t, k, 1);
  }
  const std::vector<double> cumulated = cumulated_weights(m);
  const auto fill = [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t i = first; i < end; ++i) {
      const float* const centre = centres.data() + topic_of(m, cumulated, i) * m.dims;
      for (std::uint32_t k = 0; k < m.dims; ++k) {
        result[i * m.dims + k] = centre[k] + static_cast<float>(m.scatter) * rough_normal(m.seed, i, k, 2);
      }
    }
  };
  std::jthread half(fill, m.samples / 2, m.samples);
  fill(0, m.samples / 2);
  half.join();
  return result;
}

}  // namespace toposim::topology
