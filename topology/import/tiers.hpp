#pragma once
// Which switches are leaves, spines and cores, and which pods they are in.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/import/hosts.hpp"
#include "topology/imported_fabric.hpp"

namespace toposim::topology {

struct Tiers {
  std::vector<std::optional<ImportedFabric::Tier>> of;  ///< by device; none for what is no switch
  std::vector<std::uint32_t> pod;                       ///< by device; 0 but where cores join several pods
  std::vector<std::string> findings;
};

/// A switch with adapters of nodes is a leaf, and so is one with other adapters on at least half of its cables
/// (storage, login nodes), unless its name says spine or core. The next switches are spines, those after them cores.
/// A switch that is further from the leaves is a problem. Pods are what is left in one piece without the cores.
Tiers find_tiers(const Wiring& wiring, const Hosts& hosts, FileProblems& problems);

}  // namespace toposim::topology
