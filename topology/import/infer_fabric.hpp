#pragma once
#include <vector>

#include "topology/import/import_spec.hpp"
#include "topology/import/wiring.hpp"
#include "topology/imported_fabric.hpp"

namespace toposim::topology {

struct InferredFabric {
  ImportedFabric fabric;
  /// Where the parts of `fabric` are in the wiring: for forwarding tables.
  std::vector<std::uint32_t> switch_devices;         ///< by switch
  std::vector<std::uint32_t> cable_of_cable;         ///< by cable of the fabric
  std::vector<std::uint32_t> cable_of_access, lids;  ///< by adapter; lid 0: not told
};

/// Nodes, rails, tiers and pods, from names first, then from how things are wired: hosts.hpp, tiers.hpp. Leaves come in
/// order of the nodes on them, spines of the leaves, cores of the spines, equals by name. Throws ImportError.
InferredFabric infer_fabric(const Wiring& wiring, const ImportSpec& spec);

}  // namespace toposim::topology
