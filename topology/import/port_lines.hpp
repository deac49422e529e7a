#pragma once
// A fabric told port by port, from both ends of every cable, joined into cables.
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "topology/import/import_error.hpp"
#include "topology/import/wiring.hpp"

namespace toposim::topology {

struct PortLine {
  std::uint32_t device = 0, port = 0;
  std::uint64_t own_guid = 0, peer_guid = 0, peer_port_guid = 0;
  std::uint32_t peer_port = 0, own_lid = 0, peer_lid = 0;
  double bandwidth_Bps = 0;
  std::uint32_t line = 0;
};

class PortLines {
 public:
  explicit PortLines(std::string file) : file_(std::move(file)) {}

  /// Adds a device / a port of the last device. Returns the line that has the same GUID or port already, or 0.
  std::uint32_t add(Wiring::Device device);
  std::uint32_t add(PortLine port);
  const std::vector<Wiring::Device>& devices() const { return devices_; }

  /// Throws ImportError where ends do not fit together, or the whole does not hang together.
  Wiring wiring() &&;

 private:
  static std::uint64_t key(std::uint32_t device, std::uint32_t port) { return std::uint64_t{device} << 32 | port; }
  std::string end_name(std::uint32_t device, std::uint32_t port) const;
  void join(const PortLine& p, FileProblems& problems, std::vector<Wiring::Cable>& cables) const;

  std::string file_;
  std::vector<Wiring::Device> devices_;
  std::vector<PortLine> ports_;                                // by device
  std::unordered_map<std::uint64_t, std::uint32_t> by_guid_;   // looked up only: its order reaches nothing
  std::unordered_map<std::uint64_t, std::uint32_t> by_place_;  // (device, port) to index in ports_
};

}  // namespace toposim::topology
