#pragma once
// Limits of what the exact fidelity is meant for. 200 steps take 0.2 CPU s on 64 GPUs and 1.5 s on 512; time grows with
// the square of the flows in flight, to some minutes at both limits.
#include <cstdint>

namespace toposim::sim {

inline constexpr std::int64_t exact_gpus_max = 1024;
inline constexpr std::int64_t exact_steps_max = 10'000;

}  // namespace toposim::sim
