#include "sim/lifecycle/degradation.hpp"

#include <algorithm>

namespace toposim::sim {

namespace {
constexpr auto by_cable = [](const auto& cut, topology::ArcId up) { return cut.cable.up < up; };
}

void Degradation::start(std::uint32_t index, const Outages::Fault& fault) {
  for (const Outages::SlowNode& slow : fault.slow_nodes) slow_.push_back({index, slow.node, slow.speed});
  for (const Outages::Cable& cable : fault.cables) {
    cuts_.insert(std::lower_bound(cuts_.begin(), cuts_.end(), cable.up, by_cable), {index, cable});
    refresh(cable);
  }
}

void Degradation::end(std::uint32_t index, const Outages::Fault& fault) {
  if (!fault.slow_nodes.empty()) std::erase_if(slow_, [&](const Slow& slow) { return slow.fault == index; });
  if (!fault.cables.empty()) std::erase_if(cuts_, [&](const Cut& cut) { return cut.fault == index; });
  for (const Outages::Cable& cable : fault.cables) refresh(cable);
}

void Degradation::refresh(const Outages::Cable& cable) {
  double factor = 1;
  auto cut = std::lower_bound(cuts_.begin(), cuts_.end(), cable.up, by_cable);
  for (; cut != cuts_.end() && cut->cable.up == cable.up; ++cut) factor = std::min(factor, cut->cable.factor);
  fabric_.set_arc(cable.up, factor);
  fabric_.set_arc(cable.down, factor);
}

}  // namespace toposim::sim
