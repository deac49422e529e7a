#include "sim/collectives/group_shape.hpp"

#include <algorithm>

namespace toposim::sim {

using topology::VertexId;

GroupShape::GroupShape(const topology::Cluster& cluster, std::span<const VertexId> group)
    : members_(group.begin(), group.end()), gpus_per_node_(static_cast<std::uint32_t>(cluster.spec().gpus_per_node)) {
  std::sort(members_.begin(), members_.end());  // GPUs are numbered in (node, local) order
  std::vector<std::uint32_t> seen(gpus_per_node_, 0);
  for (std::uint32_t i = 0; i < members_.size(); ++i) {
    if (i == 0 || members_[i] / gpus_per_node_ != members_[i - 1] / gpus_per_node_) first_.push_back(i);
    ++seen[members_[i] % gpus_per_node_];
  }
  first_.push_back(size());
  smallest_ = size();
  for (std::uint32_t i = 0; i < nodes(); ++i) {
    smallest_ = std::min(smallest_, first_[i + 1] - first_[i]);
    largest_ = std::max(largest_, first_[i + 1] - first_[i]);
  }
  for (std::uint16_t local = 0; local < gpus_per_node_; ++local)
    if (seen[local] == nodes()) common_.push_back(local);
}

std::vector<VertexId> GroupShape::leaders(std::uint32_t node_index) const {
  const auto here = node(node_index);
  if (even() && common_.size() == smallest_) return {here.begin(), here.end()};
  std::vector<VertexId> chosen;
  const auto is_common = [&](VertexId gpu) {
    return std::binary_search(common_.begin(), common_.end(), static_cast<std::uint16_t>(gpu % gpus_per_node_));
  };
  for (const VertexId gpu : here)
    if (is_common(gpu) && chosen.size() < smallest_) chosen.push_back(gpu);
  for (const VertexId gpu : here)
    if (!is_common(gpu) && chosen.size() < smallest_) chosen.push_back(gpu);
  return chosen;
}

}  // namespace toposim::sim
