#pragma once
// What a scenario's `cluster.import` says. Empty and 0: as the files have it, or as can be inferred from them.
#include <string>
#include <vector>

namespace toposim::topology {

struct ImportSpec {
  std::string file{};                  ///< what ibnetdiscover printed, or GraphML
  std::string tables{};                ///< what dump_lfts printed
  std::vector<std::string> hosts{};    ///< nodes to use
  std::vector<std::string> rails{};    ///< device names of the adapters to use, in order of rails
  std::vector<std::string> without{};  ///< devices and cables to take out: take_out.hpp; not with tables
  double link_rate_Bps = 0;            ///< what the most common link really carries; others keep their ratio to it
};

}  // namespace toposim::topology
