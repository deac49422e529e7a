#pragma once
// The exact error of a linear estimate, without forming it: sum c_i x_i - sum t_i x_i = sum v_i x_i, so its square is
// the quadratic form v' K v in the inner products K of the vectors.
#include <functional>
#include <span>

#include "kernels/estimators/estimator.hpp"

namespace toposim::estimators {

/// <x_a, x_b> of any two vectors that the terms name.
using InnerProduct = std::function<double(const Term& a, const Term& b)>;

/// |estimate - truth| / |truth|. 0 where both are zero; infinite where only the truth is.
double relative_error(std::span<const Term> estimate, std::span<const Term> truth, const InnerProduct& product);

}  // namespace toposim::estimators
