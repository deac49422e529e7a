#include "kernels/estimators/variance_components.hpp"

#include <vector>

namespace toposim::estimators {

VarianceComponents variance_components(const Products& products) {
  const Observations& seen = products.seen();
  const std::size_t width = seen.width;
  double squares = 0, domain_part = 0, sizes_squared = 0, count = 0, domains = 0;
  std::vector<double> total(width, 0.0), sum(width);
  for (const auto& members : products.survivors_by_domain()) {
    if (members.empty()) continue;
    sum.assign(width, 0.0);
    for (const std::uint32_t w : members) {
      const float* x = seen.steps[0].rows.data() + w * width;
      for (std::size_t k = 0; k < width; ++k) {
        const auto value = static_cast<double>(x[k]);
        sum[k] += value;
        squares += value * value;
      }
    }
    const auto n = static_cast<double>(members.size());
    double length = 0;
    for (std::size_t k = 0; k < width; ++k) {
      length += sum[k] * sum[k];
      total[k] += sum[k];
    }
    domain_part += length / n;
    sizes_squared += n * n;
    count += n;
    ++domains;
  }
  VarianceComponents found;
  if (domains < 2 || count <= domains) return found;
  double all = 0;
  for (const double t : total) all += t * t;
  found.within = (squares - domain_part) / (count - domains);
  const double mean_size = (count - sizes_squared / count) / (domains - 1);
  found.between = ((domain_part - all / count) / (domains - 1) - found.within) / mean_size;
  found.known = true;
  return found;
}

}  // namespace toposim::estimators
