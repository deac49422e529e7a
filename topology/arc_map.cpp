#include "topology/arc_map.hpp"

#include "topology/narrow.hpp"

namespace toposim::topology {
namespace {}  // namespace

ArcMap::ArcMap(const FabricShape& s)
    : gpu_degree_(s.nics_per_node > 0 ? 2 : 1),
      gpus_per_nic_(u32(s.gpus_per_nic())),
      leaf_uplinks_(u32(s.leaf_uplinks)),
      leaf_cables_(u32(s.cables_per_leaf_spine)),
      spine_uplinks_(u32(s.spine_uplinks)),
      core_cables_(u32(s.cables_per_spine_core)),
      pods_(u32(s.pods)),
      nvswitch_row_(u32(s.gpus() * gpu_degree_)),
      nic_row_(u32(nvswitch_row_ + s.gpus())) {
  ArcId row = nic_row_ + u32(s.nics() * (s.gpus_per_nic() + 1));
  leaf_row_.push_back(row);
  for (std::int64_t leaf = 0; leaf < s.leaves(); ++leaf) {
    const std::int64_t down = s.nodes_in_group(leaf / s.leaves_per_group) * s.nics_per_leaf_of_node();
    leaf_row_.push_back(row += u32(down + s.leaf_uplinks));
  }
  spine_row_.push_back(row);
  for (std::int64_t spine = 0; spine < s.spines(); ++spine) {
    const std::int64_t leaves = s.groups_in_pod(spine / s.spines_per_pod) * s.leaves_per_group;
    spine_row_.push_back(row += u32(leaves * s.cables_per_leaf_spine + s.spine_uplinks));
  }
  core_row_ = row;
}

}  // namespace toposim::topology
