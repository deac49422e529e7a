#pragma once
#include "topology/import/infer_fabric.hpp"
#include "topology/import/read_lfts.hpp"

namespace toposim::topology {

/// Fills ImportedFabric::next from forwarding tables, and walks every way from a leaf to an adapter. Throws ImportError
/// for switches without a table, LIDs without an entry, ports without a cable, loops, and ways of more than
/// imported_hops_max switches.
void follow_tables(const ForwardingTables& tables, const Wiring& wiring, InferredFabric& inferred);

}  // namespace toposim::topology
