#include "sim/emulator/population_gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/emulator/virtual_workers.hpp"

namespace toposim::emulator {
namespace {

constexpr std::size_t piece = 64, pieces_at_once = 64;  // samples of a virtual worker, workers of a pass

std::vector<std::vector<std::uint32_t>> by_domain(std::span<const std::uint32_t> sample_domain) {
  std::vector<std::vector<std::uint32_t>> samples;
  for (std::uint32_t s = 0; s < sample_domain.size(); ++s) {
    if (sample_domain[s] >= samples.size()) samples.resize(sample_domain[s] + std::size_t{1});
    samples[sample_domain[s]].push_back(s);
  }
  return samples;
}

/// Adds the sum of the gradients of these samples.
void add_up(const workloads::Workload& workload, std::span<const float> parameters,
            std::span<const std::uint32_t> samples, std::size_t batch, workloads::StepKey key, int threads,
            std::span<double> sum) {
  const std::size_t n = sum.size(), workers = samples.size() / batch;
  VirtualWorkers pass(workload, workers, batch, threads);
  pass.backward(parameters, samples, key);
  const std::span<const float> gradients = pass.gradients();
  for (std::size_t w = 0; w < workers; ++w)
    for (std::size_t k = 0; k < n; ++k)
      sum[k] += static_cast<double>(batch) * static_cast<double>(gradients[w * n + k]);
}

}  // namespace

std::vector<float> domain_gradients(const workloads::Workload& workload, std::span<const float> parameters,
                                    std::span<const std::uint32_t> sample_domain, workloads::StepKey key, int threads) {
  const auto domains = by_domain(sample_domain);
  const std::size_t n = workload.parameter_count();
  std::vector<float> rows(domains.size() * n);
  std::vector<double> sum(n);
  for (std::size_t d = 0; d < domains.size(); ++d) {
    const std::span<const std::uint32_t> samples = domains[d];
    if (samples.empty()) throw std::invalid_argument(fmt::format("population gradient: domain {} has no sample", d));
    std::fill(sum.begin(), sum.end(), 0.0);
    std::size_t at = 0;
    while (samples.size() - at >= piece) {
      const std::size_t take = std::min((samples.size() - at) / piece, pieces_at_once) * piece;
      add_up(workload, parameters, samples.subspan(at, take), piece, key, threads, sum);
      at += take;
    }
    if (at < samples.size()) add_up(workload, parameters, samples.subspan(at), samples.size() - at, key, threads, sum);
    for (std::size_t k = 0; k < n; ++k)
      rows[d * n + k] = static_cast<float>(sum[k] / static_cast<double>(samples.size()));
  }
  return rows;
}

std::vector<float> population_gradient(std::span<const float> by_domain, std::span<const std::uint32_t> sample_domain,
                                       std::span<const std::uint32_t> worker_domain, double global_mix) {
  const std::size_t domains = *std::max_element(sample_domain.begin(), sample_domain.end()) + std::size_t{1};
  const std::size_t n = by_domain.size() / domains;
  // Of a domain: its workers' own part, and its samples' part of what is mixed from all.
  std::vector<double> weight(domains, 0.0);
  for (const std::uint32_t d : worker_domain) weight[d] += (1 - global_mix) / static_cast<double>(worker_domain.size());
  for (const std::uint32_t d : sample_domain) weight[d] += global_mix / static_cast<double>(sample_domain.size());
  std::vector<double> sum(n, 0.0);
  for (std::size_t d = 0; d < domains; ++d)
    for (std::size_t k = 0; k < n; ++k) sum[k] += weight[d] * static_cast<double>(by_domain[d * n + k]);
  return {sum.begin(), sum.end()};
}

}  // namespace toposim::emulator
