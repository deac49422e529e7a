#include "analysis/compare/welch.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/student.hpp"

namespace toposim::analysis {

Interval welch_interval(const Sample& a, const Sample& b, double confidence) {
  const double difference = a.mean - b.mean;
  const double sd = std::max(a.sd, b.sd);
  if (sd == 0) return {difference, difference};
  // Relative to the larger spread: squares of what a file says may overflow.
  const auto variance = [&](const Sample& s) { return (s.sd / sd) * (s.sd / sd) / static_cast<double>(s.n); };
  const auto share = [](double v, const Sample& s) { return v * v / static_cast<double>(s.n - 1); };
  const double va = variance(a), vb = variance(b);
  const double degrees = (va + vb) * (va + vb) / (share(va, a) + share(vb, b));
  const double half_width = student_quantile(degrees, confidence) * sd * std::sqrt(va + vb);
  return {difference - half_width, difference + half_width};
}

}  // namespace toposim::analysis
