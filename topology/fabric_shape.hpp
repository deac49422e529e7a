#pragma once
// A cluster spec turned into counts: how many switches of each tier, how many cables between them. Everything the
// builder, the router and the memory estimate need to know about a folded Clos network, as plain numbers.
//
// Tiers. A leaf group is nodes_per_leaf nodes; it has one leaf per rail in a rail-optimised fabric, else one leaf. A
// pod is groups_per_pod groups and its spines. Leaf to spine is a full mesh within the pod. Spine j of every pod
// belongs to plane j: its cores, and no others, are wired to it. The last group and the last pod may be partly filled;
// their switches keep all their uplinks.
//
//   leaf_uplinks  = ceil(nominal down ports x access / (uplink x leaf_oversubscription))
//   spine_uplinks = ceil(nominal down cables x uplink / (core_link x spine_oversubscription))
//
// where nominal means those of a full leaf or pod, or of the whole cluster where it is smaller than one.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "topology/cluster_spec.hpp"

namespace toposim::topology {

struct FabricShape {
  std::int64_t nodes = 0;
  std::int64_t gpus_per_node = 0;
  std::int64_t nics_per_node = 0;  ///< 0: single_node
  bool rail_optimised = false;

  std::int64_t nodes_per_group = 0;
  std::int64_t groups = 0;
  std::int64_t leaves_per_group = 0;
  std::int64_t groups_per_pod = 0;
  std::int64_t pods = 1;

  std::int64_t leaf_uplinks = 0;
  std::int64_t spines_per_pod = 0;
  std::int64_t cables_per_leaf_spine = 0;
  std::int64_t spine_uplinks = 0;  ///< 0: no core tier, here and below
  std::int64_t cores_per_plane = 0;
  std::int64_t cables_per_spine_core = 0;

  /// Of an imported fabric, whose switches and cables are counted, and follow no rule.
  struct Counted {
    std::int64_t leaves = 0, spines = 0, cores = 0, uplink_cables = 0, core_cables = 0;
  };
  std::optional<Counted> counted;

  std::int64_t gpus() const { return nodes * gpus_per_node; }
  std::int64_t nics() const { return nodes * nics_per_node; }
  std::int64_t leaves() const { return counted ? counted->leaves : groups * leaves_per_group; }
  std::int64_t spines() const { return counted ? counted->spines : pods * spines_per_pod; }
  std::int64_t cores() const { return counted ? counted->cores : spines_per_pod * cores_per_plane; }
  std::int64_t vertices() const { return gpus() + nodes + nics() + leaves() + spines() + cores(); }

  std::int64_t gpus_per_nic() const { return nics_per_node > 0 ? gpus_per_node / nics_per_node : 0; }
  std::int64_t nics_per_leaf_of_node() const { return rail_optimised ? 1 : nics_per_node; }
  std::int64_t leaves_per_pod() const { return groups_per_pod * leaves_per_group; }
  std::int64_t nodes_in_group(std::int64_t group) const {
    return std::min(nodes_per_group, nodes - group * nodes_per_group);
  }
  std::int64_t groups_in_pod(std::int64_t pod) const { return std::min(groups_per_pod, groups - pod * groups_per_pod); }

  std::int64_t nvlink_cables() const { return gpus(); }
  std::int64_t pcie_cables() const { return nics_per_node > 0 ? gpus() : 0; }
  std::int64_t access_cables() const { return nics(); }
  std::int64_t uplink_cables() const { return counted ? counted->uplink_cables : leaves() * leaf_uplinks; }
  std::int64_t core_cables() const { return counted ? counted->core_cables : spines() * spine_uplinks; }
  std::int64_t cables() const {
    return nvlink_cables() + pcie_cables() + access_cables() + uplink_cables() + core_cables();
  }
  std::int64_t arcs() const { return 2 * cables(); }
};

/// Throws TopologyError, naming the numbers, where the spec contradicts itself or its switches lack ports.
FabricShape shape_of(const ClusterSpec& spec);

}  // namespace toposim::topology
