#pragma once
// Forwarding tables as `dump_lfts` (dump_fts) of infiniband-diags prints them: by switch, the port for each LID.
#include <cstdint>
#include <string>
#include <vector>

#include "topology/import/wiring.hpp"

namespace toposim::topology {

struct ForwardingTables {
  static constexpr std::uint8_t no_port = 255;
  struct Table {
    std::uint32_t line = 0;           ///< of its heading; 0: the file has none for this device
    std::vector<std::uint8_t> ports;  ///< by LID; no_port where there is no entry
  };
  std::string file;
  std::vector<Table> tables;  ///< by device of the wiring
};

/// Plain or gzip, up to 8 GiB of text. Throws ImportError with what is wrong: lines that are none of its own, tables
/// cut short or told twice, switches that are not in the wiring, LIDs that belong to another adapter there.
ForwardingTables read_lfts(const std::string& path, const Wiring& wiring);

}  // namespace toposim::topology
