#pragma once
#include <stdexcept>
#include <string_view>
#include <vector>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// Results that do not hold together, or a value that is not a finite number. The message says which.
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws ResultsError at the first thing that is wrong: a metric with more or fewer values than replicas, a scheme
/// whose metrics differ from the first one's, a NaN or infinity, a duration without _s in its name, a name used twice,
/// buckets that do not sum to wall_s to the nanosecond, exposed times that do not sum to the step (1e-9 relative).
/// Everything that writes results calls it, so that nothing wrong reaches a file.
void check(const Results& results);

/// The metric of that name; nullptr where there is none.
const Metric* find_metric(const std::vector<Metric>& metrics, std::string_view name);
const Metric* find_metric(const SchemeResults& scheme, std::string_view name);
/// The value of that name; `otherwise` where there is none.
double value_of(const Named& named, std::string_view name, double otherwise);
bool has(const Named& named, std::string_view name);

}  // namespace toposim::analysis
