#pragma once
#include <cstddef>
#include <cstdint>

namespace toposim::topology {

/// IEEE 754 binary16 to binary32, exact; a NaN becomes quiet and keeps its sign and payload.
void widen_halves(const std::uint16_t* halves, std::size_t count, float* out);

}  // namespace toposim::topology
