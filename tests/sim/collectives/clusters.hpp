#pragma once
// Clusters and requests that the collectives' tests share.
#include <numeric>
#include <utility>
#include <vector>

#include "sim/collectives/collective.hpp"
#include "topology/router.hpp"

namespace toposim::test {

/// The setting of the hand-derived tests: a network hop of 2 us (two access links) at 50e9 B/s, an NVLink hop of 0.5 us
/// at 450e9 B/s.
inline topology::ClusterSpec hand_spec(std::int64_t nodes, std::int64_t gpus_per_node = 8) {
  topology::ClusterSpec spec;
  spec.fabric = topology::FabricKind::rail_fat_tree;
  spec.nodes = nodes;
  spec.gpus_per_node = spec.nics_per_node = gpus_per_node;
  spec.nvlink = {450e9, 0.25e-6};
  spec.pcie = {64e9, 0};
  spec.access = {50e9, 1e-6};
  spec.uplink = {50e9, 0};
  return spec;
}

struct Fabric {
  explicit Fabric(const topology::ClusterSpec& spec)
      : cluster(topology::build_cluster(spec)), router(cluster), model(sim::make_bottleneck_model(router)) {}
  topology::Cluster cluster;
  topology::Router router;
  std::unique_ptr<sim::FabricModel> model;

  std::vector<topology::VertexId> everyone() const {
    std::vector<topology::VertexId> all(cluster.gpu_count());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  sim::CollectiveTime time(const sim::CollectiveRequest& request, sim::Algorithm algorithm,
                           const sim::LatencySpec& latency = sim::by_hand()) {
    return sim::run_collective(request, algorithm, cluster, latency, *model, {});
  }
};

}  // namespace toposim::test
