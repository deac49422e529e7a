#pragma once
// How a group of GPUs lies on the nodes. Everything that picks leaders, rings or trees starts from here.
#include <cstdint>
#include <span>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::sim {

/// The group's GPUs by node, nodes ascending, GPUs ascending within a node: neighbours in the list are neighbours in
/// the fabric, whatever the order of ranks.
class GroupShape {
 public:
  GroupShape(const topology::Cluster& cluster, std::span<const topology::VertexId> group);

  std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  std::span<const topology::VertexId> node(std::uint32_t index) const {
    return {members_.data() + first_[index], first_[index + 1] - first_[index]};
  }
  const std::vector<topology::VertexId>& members() const { return members_; }

  std::uint32_t smallest_node() const { return smallest_; }  ///< members
  std::uint32_t largest_node() const { return largest_; }
  bool even() const { return smallest_ == largest_; }

  /// One GPU of each node per channel, channels = smallest_node(): leaders(node)[channel]. The members whose index
  /// within the node is found on every node come first, so that the leaders of a channel share a rail where they can.
  std::vector<topology::VertexId> leaders(std::uint32_t node_index) const;

 private:
  std::vector<topology::VertexId> members_;
  std::vector<std::uint32_t> first_;   // per node, and an end
  std::vector<std::uint16_t> common_;  // local indices found on every node, ascending
  std::uint32_t smallest_ = 0, largest_ = 0;
  std::uint32_t gpus_per_node_ = 1;
};

}  // namespace toposim::sim
