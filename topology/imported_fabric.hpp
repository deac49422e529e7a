#pragma once
// A fabric that somebody has, as plain values: what the readers of topology/import make of its files, and what
// build_cluster() turns into a Cluster. Nothing in it needs to be regular, but for as many adapters in each node.
#include <cstdint>
#include <string>
#include <vector>

namespace toposim::topology {

struct ImportedFabric {
  enum class Tier : std::uint8_t { leaf, spine, core };
  struct Switch {
    std::string name;
    Tier tier{};
    std::uint32_t pod = 0;   ///< of a leaf or spine, where cores join several pods; else 0
    std::uint16_t rail = 0;  ///< of a leaf whose adapters are all of one rail; else 0
  };
  /// The adapter of one rail of one node, and the leaf that it is wired to.
  struct Access {
    std::uint32_t leaf = 0;
    double bandwidth_Bps = 0;
  };
  /// Between switches; lower < upper.
  struct Cable {
    std::uint32_t lower = 0, upper = 0;
    double bandwidth_Bps = 0;
  };
  static constexpr std::uint32_t deliver = 0xffffffff;  ///< in `next`: out of the port that the adapter is wired to

  std::string file;                ///< where it was read
  std::vector<Switch> switches;    ///< leaves, spines, cores, each in order of what hangs below
  std::vector<std::string> nodes;  ///< host names, in natural order
  std::vector<std::string> rails;  ///< device names of a node's adapters
  bool rail_optimised = false;     ///< a leaf serves one rail
  std::vector<Access> access;      ///< by node, then rail
  std::vector<Cable> cables;       ///< in order of the lower switch and its port
  /// Forwarding tables: by switch, then adapter (node, rail), which cable a packet takes. Empty where none were read.
  std::vector<std::uint32_t> next;
  std::vector<std::string> findings;  ///< what was inferred, for people
  std::vector<std::string> warnings;  ///< what looks wrong or is left out

  std::size_t adapters() const { return access.size(); }
  std::size_t count(Tier tier) const {
    std::size_t n = 0;
    for (const Switch& s : switches) n += s.tier == tier ? 1 : 0;
    return n;
  }
  /// The kind of a cable is that of its upper end; two leaves are joined by what joins leaves to spines.
  bool is_core_cable(const Cable& cable) const {
    return switches[cable.upper].tier == Tier::core || switches[cable.lower].tier == Tier::spine;
  }
};

/// Switches that a packet passes between its first and its last leaf are at most this many hops apart.
inline constexpr std::uint32_t imported_hops_max = 6;

}  // namespace toposim::topology
