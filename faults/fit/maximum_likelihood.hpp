#pragma once
#include <optional>

#include "faults/fit/distribution.hpp"
#include "faults/fit/sample.hpp"

namespace toposim::faults {

struct Fit {
  Distribution distribution;
  double log_likelihood = 0;  ///< of densities per hour
  double aic = 0;             ///< 2 x parameters - 2 x log_likelihood
};

/// The distribution under which the sample is likeliest, location 0; censored times count with the probability of being
/// longer. None where the sample has fewer than two different times: nothing can be told of its shape.
/// Weibull: the profile equation in k (Cohen, Technometrics 7(4), 1965). Lognormal: Newton in (mu / sigma, 1 / sigma),
/// in which the likelihood is concave (Olsen, Econometrica 46(5), 1978).
std::optional<Fit> fit(Family family, const Sample& sample);

}  // namespace toposim::faults
