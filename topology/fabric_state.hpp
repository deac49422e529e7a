#pragma once
// What is broken in a fabric right now, as a small sorted value: equal states compare equal and hash equal, so that
// step costs can be memoised by it.
#include <cstdint>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::topology {

class FabricState {
 public:
  struct Entry {
    ArcId arc;
    double factor;  ///< remaining share of the arc's bandwidth; 0: down
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  bool healthy() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }
  double factor(ArcId arc) const;  ///< 1 where nothing is said
  bool down(ArcId arc) const { return factor(arc) == 0; }

  /// Sets the remaining share of one direction / of both directions of a cable; 1 removes the entry.
  void set_arc(ArcId arc, double factor);
  void set_cable(const Cluster& cluster, ArcId either_arc, double factor);
  /// Takes every cable of a vertex down (a dead switch, NIC or node's GPU).
  void take_down(const Cluster& cluster, VertexId v);

  std::uint64_t hash() const;
  friend bool operator==(const FabricState&, const FabricState&) = default;

 private:
  std::vector<Entry> entries_;  // sorted by arc, factors in [0, 1)
};

}  // namespace toposim::topology
