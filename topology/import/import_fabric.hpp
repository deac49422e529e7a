#pragma once
#include <memory>

#include "topology/cluster_spec.hpp"
#include "topology/import/import_spec.hpp"
#include "topology/imported_fabric.hpp"

namespace toposim::topology {

/// Reads the files and infers what they leave open. Throws ImportError with all that is wrong with a file.
ImportedFabric import_fabric(const ImportSpec& spec);

/// A cluster of that fabric: nodes, adapters and links as it has them, a GPU per adapter, no spares. What the caller
/// knows better it sets afterwards. The links' latencies stay.
void use_fabric(std::shared_ptr<const ImportedFabric> fabric, ClusterSpec& cluster);

}  // namespace toposim::topology
