#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "faults/fit/maximum_likelihood.hpp"

namespace toposim::faults {

/// Largest distance between the share of the times up to any time and the distribution's (Kolmogorov, Smirnov).
double ks_distance(std::span<const double> sorted_h, const Distribution& distribution);

struct Bootstrap {
  std::uint64_t seed = 1;
  std::uint32_t draws = 1000;             ///< 0: none
  std::uint64_t values_max = 50'000'000;  ///< drawn in all; fewer draws for large samples, none below 99
};

/// Probability that a sample of this size from the fitted distribution lies as far from its own fit as the sample from
/// its: (1 + draws at least as far) / (1 + draws). The tables of Kolmogorov and Smirnov do not hold where the
/// parameters come from the same data. None for a sample that is too large or censored, or with no draws.
/// name: of the random stream, so that samples draw independently.
std::optional<double> ks_p_value(const Sample& sample, const Fit& fit, const Bootstrap& bootstrap,
                                 std::string_view name);

}  // namespace toposim::faults
