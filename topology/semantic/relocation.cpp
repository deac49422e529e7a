#include "topology/semantic/relocation.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

constexpr double too_few = 0.7, too_many = 1.4;

using Members = std::vector<std::uint32_t>;

std::vector<double> mean_of(const Rows& rows, const Members& members) {
  std::vector<double> mean(rows.dims, 0.0);
  for (const std::uint32_t i : members)
    for (std::uint64_t k = 0; k < rows.dims; ++k) mean[k] += rows.row(i)[k];
  for (double& value : mean) value /= static_cast<double>(members.size());
  return mean;
}

void set_row(Rows& centroids, std::uint64_t which, const std::vector<double>& mean) {
  std::transform(mean.begin(), mean.end(), centroids.row(which),
                 [](double value) { return static_cast<float>(value); });
}

// The upper half along the line from the mean to a row drawn at random leaves `members` and is returned. (A row itself
// would be no centroid: in many dimensions samples are farther from each other than from their mean.)
Members split_off(const Rows& rows, Members& members, double u) {
  const std::vector<double> mean = mean_of(rows, members);
  const float* const towards = rows.row(members[static_cast<std::size_t>(u * static_cast<double>(members.size()))]);
  std::vector<std::pair<double, std::uint32_t>> along;
  for (const std::uint32_t i : members) {
    double product = 0;
    for (std::uint64_t k = 0; k < rows.dims; ++k) product += (rows.row(i)[k] - mean[k]) * (towards[k] - mean[k]);
    along.emplace_back(product, i);
  }
  std::sort(along.begin(), along.end());
  Members upper;
  members.clear();
  for (std::size_t at = 0; at < along.size(); ++at)
    (at * 2 < along.size() ? members : upper).push_back(along[at].second);
  return upper;
}

}  // namespace

std::uint64_t relocate(const Rows& rows, const std::vector<std::uint32_t>& labels, const DomainBounds& bounds,
                       std::uint64_t seed, std::uint32_t round, Rows& centroids) {
  const std::uint64_t clusters = centroids.rows;
  std::vector<std::vector<std::uint32_t>> members(clusters);
  for (std::uint32_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(i);
  std::vector<double> fair(clusters);
  for (std::uint64_t j = 0; j < clusters; ++j) fair[j] = 0.5 * static_cast<double>(bounds.least[j] + bounds.most[j]);
  const auto fill = [&](std::uint64_t j) { return static_cast<double>(members[j].size()) / fair[j]; };
  std::vector<std::uint32_t> emptiest(clusters);
  std::iota(emptiest.begin(), emptiest.end(), 0u);
  std::stable_sort(emptiest.begin(), emptiest.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return fill(a) < fill(b); });
  std::priority_queue<std::pair<double, std::uint32_t>> fullest;
  for (std::uint32_t j = 0; j < clusters; ++j) fullest.emplace(fill(j), j);
  std::uint64_t moved = 0;
  for (const std::uint32_t mover : emptiest) {
    while (fullest.top().first != fill(fullest.top().second)) fullest.pop();  // since split, or gone
    const auto [full, host] = fullest.top();
    if (fill(mover) >= too_few || full <= too_many) break;
    const double u = random_unit(seed, RandomUse::relocation, std::uint64_t{round} << 32 | mover, 0);
    members[mover] = split_off(rows, members[host], u);
    set_row(centroids, host, mean_of(rows, members[host]));
    set_row(centroids, mover, mean_of(rows, members[mover]));
    fullest.pop();
    fullest.emplace(fill(host), host);
    fullest.emplace(fill(mover), mover);
    ++moved;
  }
  return moved;
}

}  // namespace toposim::topology
