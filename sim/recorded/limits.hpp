#pragma once
#include <cstdint>

namespace toposim::recorded {

// Sizes beyond these are refused.
inline constexpr std::uint64_t index_bytes_max = 16u << 20;
inline constexpr std::uint64_t workers_max = 1'000'000;
inline constexpr std::uint64_t parameters_max = std::uint64_t{1} << 40;

}  // namespace toposim::recorded
