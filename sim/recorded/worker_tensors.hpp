#pragma once
// Tensors of a .safetensors file, and whose they are.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/recorded/safetensors_header.hpp"
#include "sim/recorded/survey.hpp"

namespace toposim::recorded {

struct WorkerTensor {
  std::uint64_t worker = 0;
  Tensor tensor;
  Place place;
};

/// Of a file with one worker's tensors.
std::vector<WorkerTensor> tensors_of_one(const std::vector<SafetensorsEntry>& entries);

/// Of a file with all workers' tensors, by worker: worker.<i>, flat (name and shape go), or worker.<i>/<tensor>. Throws
/// RecordedError: another name, a worker beyond `workers`, one with both forms, one that is missing.
std::vector<WorkerTensor> tensors_of_workers(const std::vector<SafetensorsEntry>& entries, std::uint64_t workers,
                                             const std::string& file);

}  // namespace toposim::recorded
