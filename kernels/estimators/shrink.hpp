#pragma once
// The weight between a domain's neighbours and all survivors, and how it is chosen. Sums can be added over steps.
#include "kernels/estimators/estimator.hpp"

namespace toposim::estimators {

/// lambda = along / square, within 0 and 1; 0 where nothing speaks for the neighbours.
struct LambdaSums {
  double along = 0, square = 0;
};
LambdaSums lambda_sums(const Products& products);
double lambda_of(const LambdaSums& sums);

/// G_d = lambda (mean of the neighbours) + (1 - lambda) (mean of the survivors), for every dead worker.
Estimates blend(const Products& products, double lambda);

}  // namespace toposim::estimators
