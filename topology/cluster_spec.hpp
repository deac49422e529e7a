#pragma once
// What a scenario's `cluster` section says about the machine. Plain values; nothing is built here.
#include <cstdint>
#include <memory>
#include <string>

namespace toposim::topology {

struct ImportedFabric;

/// One direction of a full-duplex link. Bandwidth in bytes/s (1 GB = 1e9 bytes), latency in seconds.
struct LinkSpec {
  double bandwidth_Bps = 0;
  double latency_s = 0;
};

/// The fabrics toposim builds. A folded Clos network differs in two things only: whether a leaf serves one rail of
/// many nodes (rail-optimised) or every NIC of a few nodes, and whether pods are joined by a core tier.
enum class FabricKind : std::uint8_t {
  rail_fat_tree,  ///< a leaf per (pod or leaf group, rail); core tier if nodes_per_pod > 0
  leaf_spine,     ///< a leaf serves every NIC of nodes_per_leaf nodes; two tiers
  fat_tree,       ///< the same, three tiers: leaves and spines in pods of nodes_per_pod nodes, cores join the pods
  single_node,    ///< NVSwitch only, no NICs
  imported,       ///< a real one, read from files: imported_fabric.hpp
};

/// How a switch picks among equal uplinks. Rules: router.hpp.
enum class RoutingMode : std::uint8_t {
  adaptive,  ///< spread by where a flow enters the leaf: what adaptive routing, the norm on InfiniBand, settles to
  ecmp,      ///< a static hash of the flow: collisions included, the norm on Ethernet
};

struct ClusterSpec {
  FabricKind fabric = FabricKind::rail_fat_tree;
  std::int64_t nodes = 0;   ///< that the job runs on
  std::int64_t spares = 0;  ///< beside them, in the same fabric, idle until a node fails
  std::int64_t gpus_per_node = 8;
  std::int64_t nics_per_node = 8;  ///< divides gpus_per_node; GPU g of a node uses NIC g * nics / gpus, its rail
  std::string gpu;                 ///< preset name, such as h100

  LinkSpec nvlink{450e9, 0.25e-6};  ///< GPU to NVSwitch, half a hop
  LinkSpec pcie{64e9, 0};           ///< GPU to its NIC
  LinkSpec access{50e9, 1e-6};      ///< NIC to leaf
  LinkSpec uplink{50e9, 0};         ///< leaf to spine, one cable
  LinkSpec core_link{50e9, 0};      ///< spine to core, one cable

  std::int64_t nodes_per_leaf = 32;
  std::int64_t nodes_per_pod = 0;    ///< 0: no core tier. A multiple of nodes_per_leaf
  double leaf_oversubscription = 1;  ///< down : up capacity of a leaf
  double spine_oversubscription = 1;
  std::int64_t spines = 0;           ///< per pod (or in all, without a core tier); 0: as many as a leaf has uplinks
  std::int64_t cores_per_spine = 0;  ///< cores that a spine has cables to; 0: as many as it has uplinks
  std::int64_t switch_radix = 0;     ///< ports of a switch; 0: not checked
  RoutingMode routing = RoutingMode::adaptive;
  bool nvlink_sharp = false;   ///< NVSwitch reduces in the switch (NVLS)
  bool fabric_sharp = false;   ///< leaves and spines reduce in the switch (SHARP)
  bool port_failover = false;  ///< a node that lost a port goes on over its other NICs

  /// Of FabricKind::imported, which takes the switches and their cables from it; nodes + spares are its first nodes.
  std::shared_ptr<const ImportedFabric> import;

  double price_per_gpu_hour = 0;  ///< in the user's currency; 0: not given

  std::int64_t total_nodes() const { return nodes + spares; }
};

}  // namespace toposim::topology
