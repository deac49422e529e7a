#pragma once
// What is plugged into what: a fabric as its file tells it, before anybody says what it is for.
#include <cstdint>
#include <string>
#include <vector>

namespace toposim::topology {

struct Wiring {
  enum class Kind : std::uint8_t { a_switch, adapter, router };
  struct Device {
    Kind kind{};
    std::string name;  ///< of a switch; "host device" of an adapter. Printable ASCII
    std::uint64_t guid = 0;
    std::uint32_t ports = 0;
    std::uint32_t line = 0;
  };
  struct End {
    std::uint32_t device = 0, port = 0;
    std::uint32_t lid = 0;        ///< 0: not told
    std::uint64_t port_guid = 0;  ///< of an adapter; 0: not told
  };
  struct Cable {
    End a, b;  ///< a before b in (device, port)
    double bandwidth_Bps = 0;
    std::uint32_t line = 0;  ///< of a
  };

  std::string file;
  std::vector<Device> devices;  ///< in the file's order
  std::vector<Cable> cables;    ///< by (device, port) of a
};

}  // namespace toposim::topology
