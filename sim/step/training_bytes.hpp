#pragma once
// Bytes per value in mixed-precision training with Adam (arXiv 1910.02054, section 3.1).

namespace toposim::sim {

inline constexpr double weight_bytes = 2;      ///< per parameter: 16-bit copy that computes
inline constexpr double optimizer_bytes = 12;  ///< per parameter: fp32 master weight and two moments
inline constexpr double activation_bytes = 2;  ///< per value kept for, or sent in, the forward or backward pass

}  // namespace toposim::sim
