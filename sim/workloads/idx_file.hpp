#pragma once
// The IDX format of the MNIST family: 0 0 TYPE RANK, RANK big-endian 32-bit sizes, then the numbers, last index
// fastest.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace toposim::workloads {

struct IdxArray {
  std::vector<std::size_t> sizes;
  std::vector<std::uint8_t> values;
};

/// Bytes (TYPE 8) of the given rank. Throws WorkloadError with the offset of what is wrong; `name` is for messages.
IdxArray parse_idx(std::string_view bytes, std::string_view name, std::size_t rank);

}  // namespace toposim::workloads
