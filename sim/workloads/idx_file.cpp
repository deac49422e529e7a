#include "sim/workloads/idx_file.hpp"

#include <fmt/format.h>

#include "sim/workloads/error.hpp"

namespace toposim::workloads {

IdxArray parse_idx(std::string_view bytes, std::string_view name, std::size_t rank) {
  const auto refuse = [&](std::size_t offset, std::string_view what) {
    throw WorkloadError(fmt::format("{}: offset {}: {}; reinstall the file", name, offset, what));
  };
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  const std::size_t header = 4 + 4 * rank;
  if (bytes.size() < header) refuse(bytes.size(), fmt::format("ends inside the IDX header of {} bytes", header));
  if (byte(0) != 0 || byte(1) != 0) refuse(0, "an IDX file starts with two zero bytes");
  if (byte(2) != 8) refuse(2, fmt::format("IDX type {}, expected 8 (bytes)", byte(2)));
  if (byte(3) != rank) refuse(3, fmt::format("an array of rank {}, expected rank {}", byte(3), rank));
  IdxArray array;
  std::size_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::size_t at = 4 + 4 * d;
    const std::size_t size = static_cast<std::size_t>(byte(at)) << 24 | static_cast<std::size_t>(byte(at + 1)) << 16 |
                             static_cast<std::size_t>(byte(at + 2)) << 8 | byte(at + 3);
    if (size == 0) refuse(at, fmt::format("size 0 in dimension {}", d));
    if (size > (bytes.size() - header) / count)
      refuse(at, fmt::format("size {} in dimension {}: the file holds only {} values", size, d, bytes.size() - header));
    array.sizes.push_back(size);
    count *= size;
  }
  if (bytes.size() != header + count)
    refuse(header + count, fmt::format("{} bytes after the last value", bytes.size() - header - count));
  array.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(header), bytes.end());
  return array;
}

}  // namespace toposim::workloads
