#pragma once
#include <cstdint>

#include "analysis/statistics.hpp"

namespace toposim::analysis {

/// A mean and what is known of its uncertainty; n >= 2.
struct Sample {
  std::int64_t n = 0;
  double mean = 0, sd = 0;
};

/// Of the difference of two means, a - b, whose samples may differ in size and spread: B. L. Welch, Biometrika 34
/// (1947), with the degrees of freedom of Welch and Satterthwaite. Samples without any spread give the difference
/// itself.
Interval welch_interval(const Sample& a, const Sample& b, double confidence);

}  // namespace toposim::analysis
