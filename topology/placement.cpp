#include "topology/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/error.hpp"

namespace toposim::topology {
namespace {

constexpr std::size_t index_of(Axis axis) {
  return static_cast<std::size_t>(axis);
}

void check_degrees(const ParallelLayout& layout) {
  const std::pair<const char*, std::int64_t> degrees[] = {{"tensor", layout.tensor},
                                                          {"context", layout.context},
                                                          {"pipeline", layout.pipeline},
                                                          {"data", layout.data},
                                                          {"expert", layout.expert}};
  constexpr std::int64_t limit = 1 << 24;
  for (const auto& [name, degree] : degrees) {
    if (degree < 1 || degree > limit) {
      throw TopologyError(fmt::format("placement: {} parallel degree is {}; it must be 1 to {}", name, degree, limit));
    }
  }
  if (layout.data % layout.expert != 0) {
    throw TopologyError(fmt::format("placement: expert parallel degree {} does not divide the data parallel degree {}",
                                    layout.expert, layout.data));
  }
  std::array<bool, 4> seen{};
  for (const Axis axis : layout.order) {
    if (index_of(axis) >= seen.size() || seen[index_of(axis)]) {
      throw TopologyError("placement: the order of axes must name tensor, context, pipeline and data once each");
    }
    seen[index_of(axis)] = true;
  }
}

// tensor x context x pipeline x data, without overflow: each factor is below 2^24 and the product is cut off.
std::int64_t checked_ranks(const ParallelLayout& layout, std::int64_t gpus) {
  std::int64_t ranks = 1;
  for (const std::int64_t degree : {layout.tensor, layout.context, layout.pipeline, layout.data}) {
    ranks *= degree;
    if (ranks > gpus) {
      throw TopologyError(
          fmt::format("placement: tensor {} x context {} x pipeline {} x data {} is more ranks than the job's {} GPUs",
                      layout.tensor, layout.context, layout.pipeline, layout.data, gpus));
    }
  }
  return ranks;
}

void check_below(const char* what, std::uint32_t index, std::uint32_t count) {
  if (index >= count) throw TopologyError(fmt::format("placement: the job has no {} {}, only {}", what, index, count));
}

}  // namespace

Placement::Placement(const Cluster& cluster, const ParallelLayout& layout)
    : layout_(layout), gpus_per_node_(cluster.gpus_per_node()) {
  check_degrees(layout);
  const std::int64_t ranks = checked_ranks(layout, cluster.spec().nodes * gpus_per_node_);
  if (ranks % gpus_per_node_ != 0) {
    throw TopologyError(
        fmt::format("placement: tensor {} x context {} x pipeline {} x data {} is {} ranks, which do not fill whole "
                    "nodes of {} GPUs",
                    layout.tensor, layout.context, layout.pipeline, layout.data, ranks, gpus_per_node_));
  }
  ranks_ = static_cast<std::uint32_t>(ranks);
  extent_[index_of(Axis::tensor)] = static_cast<std::uint32_t>(layout.tensor);
  extent_[index_of(Axis::context)] = static_cast<std::uint32_t>(layout.context);
  extent_[index_of(Axis::pipeline)] = static_cast<std::uint32_t>(layout.pipeline);
  extent_[index_of(Axis::data)] = static_cast<std::uint32_t>(layout.data);
  std::uint32_t stride = 1;
  for (const Axis axis : layout.order) {
    stride_[index_of(axis)] = stride;
    stride *= extent(axis);
  }
}

std::uint32_t Placement::rank_of(const Coordinate& c) const {
  check_below("tensor coordinate", c.tensor, extent(Axis::tensor));
  check_below("context coordinate", c.context, extent(Axis::context));
  check_below("pipeline coordinate", c.pipeline, extent(Axis::pipeline));
  check_below("data coordinate", c.data, extent(Axis::data));
  return c.tensor * stride_[index_of(Axis::tensor)] + c.context * stride_[index_of(Axis::context)] +
         c.pipeline * stride_[index_of(Axis::pipeline)] + c.data * stride_[index_of(Axis::data)];
}

Coordinate Placement::coordinate_of(std::uint32_t rank) const {
  check_below("rank", rank, ranks_);
  return {along(rank, Axis::tensor), along(rank, Axis::context), along(rank, Axis::pipeline), along(rank, Axis::data)};
}

// Node slot s is node s, and a node's GPUs are consecutive vertices: rank and GPU are the same number.
VertexId Placement::gpu_of_rank(std::uint32_t rank) const {
  check_below("rank", rank, ranks_);
  return rank;
}

std::uint32_t Placement::rank_of_gpu(VertexId gpu) const {
  check_below("GPU", gpu, ranks_);
  return gpu;
}

std::uint32_t Placement::replica_of_gpu(VertexId gpu) const {
  return along(rank_of_gpu(gpu), Axis::data);
}

// Ranks below the data axis come first, those above it jump over whole blocks of it.
VertexId Placement::gpu_of_replica(std::uint32_t replica, std::uint32_t index) const {
  check_below("replica", replica, replicas());
  check_below("rank within a replica", index, ranks_ / replicas());
  const std::uint32_t stride = stride_[index_of(Axis::data)];
  return gpu_of_rank(index / stride * stride * replicas() + replica * stride + index % stride);
}

std::vector<VertexId> Placement::peers(VertexId gpu) const {
  const std::uint32_t rank = rank_of_gpu(gpu);
  const std::uint32_t stride = stride_[index_of(Axis::data)];
  const std::uint32_t first = rank - along(rank, Axis::data) * stride;
  std::vector<VertexId> result(replicas());
  for (std::uint32_t replica = 0; replica < result.size(); ++replica) {
    result[replica] = gpu_of_rank(first + replica * stride);
  }
  return result;
}

std::vector<std::uint32_t> Placement::replicas_on_node(std::uint32_t slot) const {
  check_below("node slot", slot, job_nodes());
  std::vector<std::uint32_t> result(gpus_per_node_);
  for (std::uint32_t g = 0; g < gpus_per_node_; ++g) result[g] = along(slot * gpus_per_node_ + g, Axis::data);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<std::uint32_t> Placement::nodes_of_replica(std::uint32_t replica) const {
  std::vector<std::uint32_t> result;
  const std::uint32_t ranks = ranks_ / replicas();
  for (std::uint32_t i = 0; i < ranks; ++i) {  // ascending ranks, so ascending nodes
    const std::uint32_t node = gpu_of_replica(replica, i) / gpus_per_node_;
    if (result.empty() || result.back() != node) result.push_back(node);
  }
  return result;
}

}  // namespace toposim::topology
