#include "topology/import/connected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>

namespace toposim::topology {

void check_connected(const Wiring& wiring, FileProblems& problems) {
  const auto devices = static_cast<std::uint32_t>(wiring.devices.size());
  if (devices == 0) return;
  std::vector<std::uint32_t> rank(devices, 0), parent(devices), size(devices, 0);
  boost::disjoint_sets<std::uint32_t*, std::uint32_t*> sets(rank.data(), parent.data());
  for (std::uint32_t d = 0; d < devices; ++d) sets.make_set(d);
  for (const Wiring::Cable& cable : wiring.cables) sets.union_set(cable.a.device, cable.b.device);
  for (std::uint32_t d = 0; d < devices; ++d) ++size[sets.find_set(d)];
  const auto largest = static_cast<std::uint32_t>(std::max_element(size.begin(), size.end()) - size.begin());
  for (std::uint32_t d = 0; d < devices; ++d) {
    const std::uint32_t root = sets.find_set(d);
    if (root == largest || size[root] == 0) continue;
    problems.add(wiring.devices[d].line,
                 fmt::format("'{}' and {} more devices are joined to nothing else; import fabrics one by one",
                             wiring.devices[d].name, size[root] - 1));
    size[root] = 0;  // each island is told once
  }
}

}  // namespace toposim::topology
