#include "analysis/student.hpp"

#include <boost/math/distributions/students_t.hpp>

namespace toposim::analysis {

double student_quantile(double degrees, double confidence) {
  const boost::math::students_t distribution(degrees);
  return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

double student_above(double t, double degrees) {
  return boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), t));
}

}  // namespace toposim::analysis
