#pragma once
// Which GPU holds which rank. A rank is a coordinate in (tensor, context, pipeline, data); a *replica* is all ranks of
// one data coordinate. Expert parallelism regroups data coordinates and adds no ranks.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::topology {

enum class Axis : std::uint8_t { tensor, context, pipeline, data };

struct ParallelLayout {
  std::int64_t tensor = 1, context = 1, pipeline = 1, data = 1;
  std::int64_t expert = 1;                                                             ///< divides data
  std::array<Axis, 4> order{Axis::tensor, Axis::context, Axis::pipeline, Axis::data};  ///< fastest varying first
  std::int64_t ranks() const { return tensor * context * pipeline * data; }
  std::int64_t ranks_per_replica() const { return tensor * context * pipeline; }
};

struct Coordinate {
  std::uint32_t tensor = 0, context = 0, pipeline = 0, data = 0;
  friend bool operator==(const Coordinate&, const Coordinate&) = default;
};

/// Ranks fill nodes in order, node slot s being node s: the job takes the first ranks/gpus_per_node nodes, spares
/// follow. Pure arithmetic: nothing is stored per rank. Ranks, replicas, slots and GPUs outside the job are a
/// TopologyError.
class Placement {
 public:
  /// Throws TopologyError if the job does not fit or does not fill whole nodes.
  Placement(const Cluster& cluster, const ParallelLayout& layout);

  const ParallelLayout& layout() const { return layout_; }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t replicas() const { return extent(Axis::data); }
  std::uint32_t job_nodes() const { return ranks_ / gpus_per_node_; }
  std::uint32_t rank_of(const Coordinate& c) const;
  Coordinate coordinate_of(std::uint32_t rank) const;
  VertexId gpu_of_rank(std::uint32_t rank) const;
  VertexId gpu_of(const Coordinate& c) const { return gpu_of_rank(rank_of(c)); }
  std::uint32_t rank_of_gpu(VertexId gpu) const;
  std::uint32_t replica_of_gpu(VertexId gpu) const;
  /// The index-th GPU of a replica, 0 <= index < ranks_per_replica(), in rank order.
  VertexId gpu_of_replica(std::uint32_t replica, std::uint32_t index) const;
  /// GPUs with the same (tensor, context, pipeline) coordinate in every replica, in replica order.
  std::vector<VertexId> peers(VertexId gpu) const;
  /// Replicas that have a GPU on the node slot / node slots that a replica touches; ascending.
  std::vector<std::uint32_t> replicas_on_node(std::uint32_t slot) const;
  std::vector<std::uint32_t> nodes_of_replica(std::uint32_t replica) const;

 private:
  std::uint32_t extent(Axis axis) const { return extent_[static_cast<std::size_t>(axis)]; }
  std::uint32_t along(std::uint32_t rank, Axis axis) const {
    return rank / stride_[static_cast<std::size_t>(axis)] % extent(axis);
  }

  ParallelLayout layout_;
  std::uint32_t gpus_per_node_ = 0, ranks_ = 0;
  std::array<std::uint32_t, 4> extent_{}, stride_{};  // by axis; stride: ranks between neighbours along it
};

}  // namespace toposim::topology
