#pragma once
#include <cstdint>

namespace toposim::topology {

/// A count or index that fabric_shape has already bounded to 32 bits.
constexpr std::uint32_t u32(std::int64_t value) {
  return static_cast<std::uint32_t>(value);
}

}  // namespace toposim::topology
