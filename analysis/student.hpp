#pragma once
// Student's t distribution.
namespace toposim::analysis {

/// t with P(|T| <= t) = confidence; degrees of freedom > 0, confidence in (0, 1).
double student_quantile(double degrees, double confidence);

/// P(T >= t).
double student_above(double t, double degrees);

}  // namespace toposim::analysis
