#include "topology/import/follow_tables.hpp"

#include <fmt/format.h>

#include <array>

#include "topology/import/import_error.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint32_t nothing = 0xfffffffe;  // a port without a cable to another switch or to a used adapter

class TableWalk {
 public:
  TableWalk(const ForwardingTables& tables, const Wiring& wiring, InferredFabric& inferred)
      : tables_(tables), wiring_(wiring), inferred_(inferred), fabric_(inferred.fabric), problems_(tables.file) {}

  void follow() {
    check_lids();
    problems_.throw_if_any();
    index_ports();
    const std::size_t adapters = fabric_.adapters();
    fabric_.next.assign(fabric_.switches.size() * adapters, ImportedFabric::deliver);
    for (std::uint32_t s = 0; s < fabric_.switches.size() && !problems_.many(); ++s) fill(s);
    problems_.throw_if_any();
    for (std::uint32_t adapter = 0; adapter < adapters && !problems_.many(); ++adapter) walk(adapter);
    problems_.throw_if_any();
    fabric_.findings.push_back("routes: as the forwarding tables have them");
  }

 private:
  void check_lids() {
    for (std::size_t i = 0; i < inferred_.lids.size(); ++i)
      if (inferred_.lids[i] == 0)
        problems_.add(
            0, fmt::format("{} {} has no LID in {}; forwarding tables need them", node(i), rail(i), wiring_.file));
  }

  /// What each port of each switch leads to: a cable of the fabric, or nothing / deliver + the adapter.
  void index_ports() {
    number_.assign(wiring_.devices.size(), nothing);
    for (std::uint32_t s = 0; s < inferred_.switch_devices.size(); ++s) number_[inferred_.switch_devices[s]] = s;
    Ports unused;
    unused.fill({nothing, nothing});
    ports_.assign(fabric_.switches.size(), unused);
    for (std::uint32_t c = 0; c < inferred_.cable_of_cable.size(); ++c) {
      const Wiring::Cable& cable = wiring_.cables[inferred_.cable_of_cable[c]];
      for (const Wiring::End& end : {cable.a, cable.b}) ports_[number_[end.device]][end.port].cable = c;
    }
    for (std::uint32_t a = 0; a < inferred_.cable_of_access.size(); ++a) {
      const Wiring::Cable& cable = wiring_.cables[inferred_.cable_of_access[a]];
      for (const Wiring::End& end : {cable.a, cable.b})
        if (number_[end.device] != nothing) ports_[number_[end.device]][end.port].adapter = a;
    }
  }

  void fill(std::uint32_t s) {
    const ForwardingTables::Table& table = tables_.tables[inferred_.switch_devices[s]];
    const std::string& name = fabric_.switches[s].name;
    if (table.line == 0) return problems_.add(0, fmt::format("no table of '{}'; take both files again", name));
    std::uint32_t* next = fabric_.next.data() + s * fabric_.adapters();
    for (std::uint32_t a = 0; a < fabric_.adapters(); ++a) {
      const std::uint32_t lid = inferred_.lids[a];
      const std::uint8_t port = lid < table.ports.size() ? table.ports[lid] : ForwardingTables::no_port;
      if (port == ForwardingTables::no_port) {
        problems_.add(table.line, fmt::format("the table of '{}' has no entry for LID {}, {} {}; take both files again",
                                              name, lid, node(a), rail(a)));
        continue;
      }
      const Port& to = ports_[s][port];
      if (to.adapter == a)
        next[a] = ImportedFabric::deliver;
      else if (to.cable != nothing)
        next[a] = to.cable;
      else
        problems_.add(table.line, fmt::format("the table of '{}' sends LID {}, {} {}, out of port {}, which does not "
                                              "lead there; take both files again",
                                              name, lid, node(a), rail(a), port));
    }
  }

  /// From every leaf; a switch that a good way has passed is not followed again.
  void walk(std::uint32_t adapter) {
    hops_.assign(fabric_.switches.size(), 0);
    for (std::uint32_t leaf = 0; leaf < fabric_.switches.size(); ++leaf) {
      if (fabric_.switches[leaf].tier != ImportedFabric::Tier::leaf) break;
      std::uint32_t at = leaf, hops = 0;
      for (; next(at, adapter) != ImportedFabric::deliver && hops_[at] == 0 && hops <= imported_hops_max; ++hops)
        at = across(next(at, adapter), at);
      if (hops + hops_[at] > imported_hops_max)
        return problems_.add(0,
                             fmt::format("from '{}' the tables lead to {} {} in more than {} switches, or in a circle "
                                         "past '{}'; take both files again",
                                         fabric_.switches[leaf].name, node(adapter), rail(adapter), imported_hops_max,
                                         fabric_.switches[at].name));
      std::uint32_t left = hops + hops_[at];
      for (at = leaf; hops_[at] == 0 && left > 0; --left) {
        hops_[at] = left;
        at = across(next(at, adapter), at);
      }
    }
  }

  std::uint32_t next(std::uint32_t s, std::uint32_t adapter) const {
    return fabric_.next[s * fabric_.adapters() + adapter];
  }
  std::uint32_t across(std::uint32_t cable, std::uint32_t s) const {
    const ImportedFabric::Cable& c = fabric_.cables[cable];
    return c.lower == s ? c.upper : c.lower;
  }
  const std::string& node(std::size_t adapter) const { return fabric_.nodes[adapter / fabric_.rails.size()]; }
  const std::string& rail(std::size_t adapter) const { return fabric_.rails[adapter % fabric_.rails.size()]; }

  struct Port {
    std::uint32_t cable, adapter;
  };
  using Ports = std::array<Port, 256>;

  const ForwardingTables& tables_;
  const Wiring& wiring_;
  InferredFabric& inferred_;
  ImportedFabric& fabric_;
  FileProblems problems_;
  std::vector<std::uint32_t> number_;  // of a switch in the fabric, by device
  std::vector<Ports> ports_;           // by switch
  std::vector<std::uint32_t> hops_;    // of a switch to the adapter being walked to; 0: not known
};

}  // namespace

void follow_tables(const ForwardingTables& tables, const Wiring& wiring, InferredFabric& inferred) {
  TableWalk(tables, wiring, inferred).follow();
}

}  // namespace toposim::topology
