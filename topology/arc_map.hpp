#pragma once
// Where the arcs of each cable lie in the cluster's graph, as arithmetic. Vertices are numbered gpus, nvswitches, nics,
// leaves, spines, cores, each kind in index order; the arcs of a vertex are sorted by target, parallel cables side by
// side. So every arc follows from the positions of its ends, and a route costs no search.
//
// Indices are within the kind: leaf 0 is the first leaf. `cable` counts parallel cables from 0.
#include <cstdint>
#include <vector>

#include "topology/fabric_shape.hpp"

namespace toposim::topology {

using VertexId = std::uint32_t;
using ArcId = std::uint32_t;

class ArcMap {
 public:
  ArcMap() = default;
  explicit ArcMap(const FabricShape& shape);

  ArcId gpu_to_nvswitch(std::uint32_t gpu) const { return gpu * gpu_degree_; }
  ArcId gpu_to_nic(std::uint32_t gpu) const { return gpu * gpu_degree_ + 1; }
  ArcId nvswitch_to_gpu(std::uint32_t gpu) const { return nvswitch_row_ + gpu; }
  ArcId nic_to_gpu(std::uint32_t nic, std::uint32_t gpu_on_nic) const {
    return nic_row_ + nic * (gpus_per_nic_ + 1) + gpu_on_nic;
  }
  ArcId nic_to_leaf(std::uint32_t nic) const { return nic_to_gpu(nic, gpus_per_nic_); }
  ArcId leaf_to_nic(std::uint32_t leaf, std::uint32_t port) const { return leaf_row_[leaf] + port; }
  ArcId leaf_to_spine(std::uint32_t leaf, std::uint32_t spine_in_pod, std::uint32_t cable) const {
    return leaf_row_[leaf + 1] - leaf_uplinks_ + spine_in_pod * leaf_cables_ + cable;
  }
  ArcId spine_to_leaf(std::uint32_t spine, std::uint32_t leaf_in_pod, std::uint32_t cable) const {
    return spine_row_[spine] + leaf_in_pod * leaf_cables_ + cable;
  }
  ArcId spine_to_core(std::uint32_t spine, std::uint32_t core_in_plane, std::uint32_t cable) const {
    return spine_row_[spine + 1] - spine_uplinks_ + core_in_plane * core_cables_ + cable;
  }
  ArcId core_to_spine(std::uint32_t core, std::uint32_t pod, std::uint32_t cable) const {
    return core_row_ + (core * pods_ + pod) * core_cables_ + cable;
  }

 private:
  std::uint32_t gpu_degree_ = 0, gpus_per_nic_ = 0, leaf_uplinks_ = 0, leaf_cables_ = 0, spine_uplinks_ = 0,
                core_cables_ = 0, pods_ = 0;
  ArcId nvswitch_row_ = 0, nic_row_ = 0, core_row_ = 0;
  std::vector<ArcId> leaf_row_, spine_row_;  // first arc of each, and one past the last: partly filled ones are shorter
};

}  // namespace toposim::topology
