#include "faults/fit/goodness.hpp"

#include <algorithm>
#include <cmath>

#include "faults/random_stream.hpp"

namespace toposim::faults {
namespace {

constexpr std::uint32_t least_draws = 99;

/// (0, 1), 53 bits.
double uniform(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return (static_cast<double>(bits) + 0.5) * 0x1p-53;
}

}  // namespace

double ks_distance(std::span<const double> sorted_h, const Distribution& distribution) {
  const auto n = static_cast<double>(sorted_h.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted_h.size(); ++i) {
    const double f = cdf(distribution, sorted_h[i]);
    distance = std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return distance;
}

std::optional<double> ks_p_value(const Sample& sample, const Fit& fitted, const Bootstrap& bootstrap,
                                 std::string_view name) {
  const std::size_t n = sample.values_h.size();
  const auto draws = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(bootstrap.draws, bootstrap.values_max / std::max<std::size_t>(n, 1)));
  if (draws < std::min(least_draws, bootstrap.draws) || draws == 0 || !sample.censored_h.empty()) return std::nullopt;
  std::vector<double> sorted = sample.values_h;
  std::sort(sorted.begin(), sorted.end());
  const double observed = ks_distance(sorted, fitted.distribution);

  const StreamKey key = stream_key(bootstrap.seed, StreamPurpose::fit_bootstrap, name);
  std::uint32_t as_far = 0;
  Sample drawn;
  drawn.values_h.resize(n);
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    for (std::size_t i = 0; i < n; i += 2) {
      const auto words = random_block(key, static_cast<std::uint32_t>(i), draw,
                                      static_cast<std::uint32_t>(fitted.distribution.family), 0);
      drawn.values_h[i] = quantile_h(fitted.distribution, uniform(words[0], words[1]));
      if (i + 1 < n) drawn.values_h[i + 1] = quantile_h(fitted.distribution, uniform(words[2], words[3]));
    }
    std::sort(drawn.values_h.begin(), drawn.values_h.end());
    const auto refit = fit(fitted.distribution.family, drawn);
    as_far += refit && ks_distance(drawn.values_h, refit->distribution) >= observed ? 1 : 0;
  }
  return (1.0 + as_far) / (1.0 + draws);
}

}  // namespace toposim::faults
