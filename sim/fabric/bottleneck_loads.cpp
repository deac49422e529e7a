#include "sim/fabric/bottleneck_loads.hpp"

namespace toposim::sim {

ArcLoads& ArcLoads::start(std::uint32_t arc_count) {
  thread_local ArcLoads loads;
  if (loads.slots_.size() < arc_count) loads.slots_.resize(arc_count);
  if (++loads.epoch_ == 0) {  // wrapped: every old stamp would look current
    for (Slot& slot : loads.slots_) slot.epoch = 0;
    loads.epoch_ = 1;
  }
  loads.touched_.clear();
  return loads;
}

}  // namespace toposim::sim
