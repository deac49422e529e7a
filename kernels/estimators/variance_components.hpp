#pragma once
// How much of a gradient is its domain's and how much is its own: the one-way random effects model, G_i = m + b_domain
// + e_i with |b|^2 = between and |e|^2 = within on average (traces of covariances; Searle, Casella, McCulloch,
// "Variance Components", 1992, section 3.6: the analysis-of-variance estimators for unequal groups).
#include <cstddef>
#include <vector>

#include "kernels/estimators/observations.hpp"

namespace toposim::estimators {

/// Of one domain with at least two survivors and a survivor elsewhere.
struct DomainVariances {
  double within = 0;   ///< of its workers' gradients around their mean
  double between = 0;  ///< of its mean around the others' survivors' mean, squared; may be below 0, as `between` may
  bool known = false;
};

struct VarianceComponents {
  double within = 0;   ///< of one worker's gradient around its domain's mean
  double between = 0;  ///< of domains' means around the mean of all; may be below 0, as unbiased estimates of it may
  bool known = false;  ///< false: a single domain, or nowhere two survivors of one
  std::vector<DomainVariances> domains;
};

/// Of this step's survivors.
VarianceComponents variance_components(const Products& products);

}  // namespace toposim::estimators
