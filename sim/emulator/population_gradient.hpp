#pragma once
// The gradient that training would follow with all its data in every step: what mini-batches estimate.
#include <cstdint>
#include <span>
#include <vector>

#include "sim/workloads/workload.hpp"

namespace toposim::emulator {

/// Row per domain of parameter_count numbers: the mean gradient over every sample of the domain. Samples of a workload
/// with random draws (diffusion) get one draw each, that of `key`. Throws std::invalid_argument for a domain without a
/// sample. The same bits for any number of threads.
std::vector<float> domain_gradients(const workloads::Workload& workload, std::span<const float> parameters,
                                    std::span<const std::uint32_t> sample_domain, workloads::StepKey key, int threads);

/// What the mean over all workers estimates without bias: each worker's batch takes the share `global_mix` from all
/// samples and the rest from its domain's. `by_domain`: domain_gradients().
std::vector<float> population_gradient(std::span<const float> by_domain, std::span<const std::uint32_t> sample_domain,
                                       std::span<const std::uint32_t> worker_domain, double global_mix);

}  // namespace toposim::emulator
