#include "kernels/estimators/variance_components.hpp"

#include <vector>

namespace toposim::estimators {

VarianceComponents variance_components(const Products& products) {
  const Observations& seen = products.seen();
  const std::size_t width = seen.width;
  double squares = 0, domain_part = 0, sizes_squared = 0, count = 0, domains = 0;
  const auto& survivors = products.survivors_by_domain();
  std::vector<double> total(width, 0.0), sums(survivors.size() * width, 0.0), own_squares(survivors.size(), 0.0);
  for (std::size_t d = 0; d < survivors.size(); ++d) {
    const auto& members = survivors[d];
    if (members.empty()) continue;
    double* const sum = sums.data() + d * width;
    for (const std::uint32_t w : members) {
      const float* x = seen.steps[0].rows.data() + w * width;
      for (std::size_t k = 0; k < width; ++k) {
        const auto value = static_cast<double>(x[k]);
        sum[k] += value;
        own_squares[d] += value * value;
      }
    }
    const auto n = static_cast<double>(members.size());
    double length = 0;
    for (std::size_t k = 0; k < width; ++k) {
      length += sum[k] * sum[k];
      total[k] += sum[k];
    }
    squares += own_squares[d];
    own_squares[d] -= length / n;  // now around the domain's mean
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
  found.domains.resize(survivors.size());
  for (std::size_t d = 0; d < survivors.size(); ++d) {
    const auto n = static_cast<double>(survivors[d].size());
    if (n < 2 || n == count) continue;
    double distance = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const double own = sums[d * width + k], apart = own / n - (total[k] - own) / (count - n);
      distance += apart * apart;
    }
    const double within = own_squares[d] / (n - 1);
    found.domains[d] = {within, distance - within / n - found.within / (count - n), true};
  }
  return found;
}

}  // namespace toposim::estimators
