#include "sim/emulator/virtual_workers.hpp"

#include <algorithm>
#include <exception>

// All that is needed of <omp.h>, which only the compiler that builds this has for certain.
extern "C" int omp_get_thread_num();

namespace toposim::emulator {

VirtualWorkers::VirtualWorkers(const workloads::Workload& workload, std::size_t workers, std::size_t batch, int threads)
    : workers_(workers),
      batch_(batch),
      parameters_(workload.parameter_count()),
      gradients_(workers * workload.parameter_count()),
      losses_(workers) {
  for (int t = 0; t < std::max(threads, 1); ++t) passes_.push_back(workload.make_pass(std::min(chunk, workers), batch));
}

VirtualWorkers::~VirtualWorkers() = default;

void VirtualWorkers::backward(std::span<const float> parameters, std::span<const std::uint32_t> samples,
                              workloads::StepKey key) {
  backward(parameters, samples, key, 0, workers_);
}

void VirtualWorkers::backward(std::span<const float> parameters, std::span<const std::uint32_t> samples,
                              workloads::StepKey key, std::size_t first_worker, std::size_t count_of_workers) {
  const std::size_t chunks = (count_of_workers + chunk - 1) / chunk;
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(static_cast <int>(passes_.size()))
  for (std::size_t c = 0; c < chunks; ++c) {
    const std::size_t at = c * chunk, first = first_worker + at, count = std::min(chunk, count_of_workers - at);
    try {
      passes_[static_cast<std::size_t>(omp_get_thread_num())]->run(
          parameters, samples.subspan(at * batch_, count * batch_), key,
          std::span<float>(gradients_).subspan(first * parameters_, count * parameters_), parameters_,
          std::span<double>(losses_).subspan(first, count));
    } catch (...) {
#pragma omp critical(toposim_backward_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace toposim::emulator
