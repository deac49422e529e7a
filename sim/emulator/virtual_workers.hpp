#pragma once
// The backward pass of many virtual workers, on as many threads as there are.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/workloads/workload.hpp"

namespace toposim::emulator {

class VirtualWorkers {
 public:
  /// The workload must outlive this.
  VirtualWorkers(const workloads::Workload& workload, std::size_t workers, std::size_t batch, int threads);
  ~VirtualWorkers();

  std::size_t workers() const { return workers_; }

  /// samples: workers x batch. Gradients and losses of all workers, valid until the next call; the same bits for any
  /// number of threads.
  void backward(std::span<const float> parameters, std::span<const std::uint32_t> samples, workloads::StepKey key);
  /// Of workers first .. first + count - 1 alone; samples: count x batch.
  void backward(std::span<const float> parameters, std::span<const std::uint32_t> samples, workloads::StepKey key,
                std::size_t first, std::size_t count);
  std::span<float> gradients() { return gradients_; }  ///< row per worker, parameter_count numbers
  std::span<const double> losses() const { return losses_; }

 private:
  static constexpr std::size_t chunk = 32;  ///< workers of one call
  std::size_t workers_, batch_, parameters_;
  std::vector<std::unique_ptr<workloads::GradientPass>> passes_;  ///< one per thread
  std::vector<float> gradients_;
  std::vector<double> losses_;
};

}  // namespace toposim::emulator
