#pragma once
// Fabrics as ibnetdiscover prints them, made by hand or from a built cluster.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::test {

/// Devices and cables in the order they are added; ports, GUIDs (0x10 x number, switches from 0x200000) and LIDs (from
/// 1) are counted.
class FabricText {
 public:
  std::uint32_t a_switch(std::string name) { return add(true, std::move(name)); }
  std::uint32_t adapter(std::string name) { return add(false, std::move(name)); }
  void cable(std::uint32_t a, std::uint32_t b, const std::string& speed = "4xNDR") {
    const auto pa = static_cast<std::uint32_t>(devices_[a].ports.size() + 1);
    const auto pb = static_cast<std::uint32_t>(devices_[b].ports.size() + 1);
    devices_[a].ports.push_back({b, pb, speed});
    devices_[b].ports.push_back({a, pa, speed});
  }
  std::uint32_t lid(std::uint32_t device) const { return device + 1; }
  /// The port (from 1) of a that its n-th cable to b is in.
  std::uint32_t port_to(std::uint32_t a, std::uint32_t b, std::uint32_t n = 0) const {
    for (std::uint32_t p = 0; p < devices_[a].ports.size(); ++p)
      if (devices_[a].ports[p].peer == b && n-- == 0) return p + 1;
    throw std::logic_error(devices_[a].name + " has no such cable to " + devices_[b].name);
  }

  std::string text() const {
    std::string out = "#\n# Topology file: generated on Mon Nov 30 00:25:28 2026\n#\n";
    for (std::uint32_t d = 0; d < devices_.size(); ++d) {
      const Device& device = devices_[d];
      out += fmt::format("\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{0:x}\n{1}guid=0x{0:x}\n", guid(d),
                         device.is_switch ? "switch" : "ca");
      out += device.is_switch
                 ? fmt::format("Switch\t{} \"S-{:016x}\"\t\t# \"{}\" base port 0 lid {} lmc 0\n",
                               std::max<std::size_t>(64, device.ports.size()), guid(d), device.name, lid(d))
                 : fmt::format("Ca\t{} \"H-{:016x}\"\t\t# \"{}\"\n", device.ports.size(), guid(d), device.name);
      for (std::uint32_t p = 0; p < device.ports.size(); ++p) out += port_line(d, p);
    }
    return out;
  }

  /// Tables from `port(switch, adapter)`; 0 leaves an entry out.
  std::string tables(const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& port) const {
    std::string out;
    for (std::uint32_t s = 0; s < devices_.size(); ++s) {
      if (!devices_[s].is_switch) continue;
      out += fmt::format(
          "Unicast lids [0x0-0x{:x}] of switch Lid {} guid 0x{:016x} ({}):\n  Lid  Out   Destination\n"
          "       Port     Info \n",
          devices_.size(), lid(s), guid(s), devices_[s].name);
      int rows = 0;
      for (std::uint32_t d = 0; d < devices_.size(); ++d) {
        const std::uint32_t out_port = devices_[d].is_switch ? 0 : port(s, d);
        if (out_port == 0) continue;
        out += fmt::format("0x{:04x} {:03} : (Channel Adapter portguid 0x{:016x}: '{}')\n", lid(d), out_port,
                           guid(d) + 1, devices_[d].name);
        ++rows;
      }
      out += fmt::format("{} valid lids dumped \n\n", rows);
    }
    return out;
  }

 private:
  struct Port {
    std::uint32_t peer, peer_port;
    std::string speed;
  };
  struct Device {
    bool is_switch;
    std::string name;
    std::vector<Port> ports;
  };
  std::uint32_t add(bool is_switch, std::string name) {
    devices_.push_back({is_switch, std::move(name), {}});
    return static_cast<std::uint32_t>(devices_.size() - 1);
  }
  std::uint64_t guid(std::uint32_t d) const { return (devices_[d].is_switch ? 0x200000 : 0x100000) + 0x10 * d; }
  std::string port_line(std::uint32_t d, std::uint32_t p) const {
    const Port& port = devices_[d].ports[p];
    const Device& peer = devices_[port.peer];
    const std::string to =
        fmt::format("\"{}-{:016x}\"[{}]", peer.is_switch ? 'S' : 'H', guid(port.peer), port.peer_port);
    if (!devices_[d].is_switch)
      return fmt::format("[{}]({:x}) \t{}\t\t# lid {} lmc 0 \"{}\" lid {} {}\n", p + 1, guid(d) + 1, to, lid(d),
                         peer.name, lid(port.peer), port.speed);
    const std::string port_guid = peer.is_switch ? "" : fmt::format("({:x}) ", guid(port.peer) + 1);
    return fmt::format("[{}]\t{}{}\t\t# \"{}\" lid {} {}\n", p + 1, to, port_guid, peer.name, lid(port.peer),
                       port.speed);
  }

  std::vector<Device> devices_;
};

/// The NICs and switches of a built cluster, at 4xNDR (50e9 B/s), adapters named "node0003 mlx5_2".
inline FabricText text_of(const topology::Cluster& cluster) {
  FabricText text;
  std::vector<std::uint32_t> device(cluster.vertex_count());
  const topology::VertexId first = cluster.nic(0, 0);
  for (topology::VertexId v = first; v < cluster.vertex_count(); ++v) {
    const topology::Vertex& vertex = cluster.graph()[v];
    device[v] = vertex.kind == topology::VertexKind::nic
                    ? text.adapter(fmt::format("node{:04} mlx5_{}", vertex.node, vertex.local))
                    : text.a_switch(cluster.name(v));
  }
  for (topology::VertexId v = first; v < cluster.vertex_count(); ++v) {
    const auto out = cluster.out_arcs(v);
    for (topology::ArcId arc = out.first; arc < out.last; ++arc)
      if (cluster.target(arc) > v) text.cable(device[v], device[cluster.target(arc)]);
  }
  return text;
}

}  // namespace toposim::test
