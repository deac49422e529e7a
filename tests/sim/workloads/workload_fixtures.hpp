#pragma once
// Real workloads, made once; tests of them skip where the data are not installed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/workloads/workload.hpp"

namespace toposim::workloads::testing {

inline bool data_installed() {
  const DataPaths paths;
  return std::filesystem::exists(paths.fashion_mnist + "/train-images-idx3-ubyte.gz") &&
         std::filesystem::exists(paths.wordnet + "/data.noun");
}

#define TOPOSIM_NEED_DATA()                             \
  if (!::toposim::workloads::testing::data_installed()) \
  GTEST_SKIP() << "needs Debian's packages dataset-fashion-mnist and wordnet-base"

inline const Workload& workload(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Workload>> made;
  auto& slot = made[name];
  if (!slot) slot = make_workload(name);
  return *slot;
}

/// A workload's name as part of a test's.
inline std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// A worker's samples: far apart, different for each worker and step.
inline std::uint32_t sample_of(const Workload& w, std::size_t step, std::size_t worker, std::size_t k) {
  return static_cast<std::uint32_t>((step * 1009 + worker * 7919 + k * 104729) % w.sample_count());
}

struct Gradients {
  std::vector<float> values;
  std::vector<double> losses;
};

/// The gradients of the named workers, `chunk` workers a call.
inline Gradients gradients(const Workload& w, const std::vector<float>& parameters, std::size_t step,
                           const std::vector<std::size_t>& workers, std::size_t batch, std::size_t chunk) {
  const std::size_t n = w.parameter_count();
  Gradients result{std::vector<float>(workers.size() * n), std::vector<double>(workers.size())};
  const auto pass = w.make_pass(chunk, batch);
  for (std::size_t first = 0; first < workers.size(); first += chunk) {
    const std::size_t count = std::min(chunk, workers.size() - first);
    std::vector<std::uint32_t> samples;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < batch; ++k) samples.push_back(sample_of(w, step, workers[first + i], k));
    pass->run(parameters, samples, {5, step}, {result.values.data() + first * n, count * n}, n,
              {result.losses.data() + first, count});
  }
  return result;
}

}  // namespace toposim::workloads::testing
