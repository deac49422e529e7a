#include "sim/lifecycle/node_slots.hpp"

#include <algorithm>
#include <numeric>

namespace toposim::sim {

NodeSlots::NodeSlots(const JobMap& job)
    : spares_(job.spares()), slot_of_(job.nodes(), none), faults_(job.nodes(), 0), idle_(job.spares()) {
  std::iota(slot_of_.begin(), slot_of_.begin() + job.slots(), 0U);
  std::iota(idle_.begin(), idle_.end(), job.slots());
}

std::uint32_t NodeSlots::fail(std::uint32_t node) {
  if (faults_[node]++ > 0) return none;
  const std::uint32_t slot = slot_of_[node];
  if (slot == none) {
    idle_.erase(std::find(idle_.begin(), idle_.end(), node));
  } else {
    slot_of_[node] = none;
    vacant_.push_back(slot);
  }
  return slot;
}

bool NodeSlots::repair(std::uint32_t node) {
  if (--faults_[node] > 0) return false;
  idle_.push_back(node);
  return true;
}

std::uint32_t NodeSlots::fill() {
  if (idle_.empty() || vacant_.empty()) return none;
  const std::uint32_t slot = vacant_.front();
  slot_of_[idle_.front()] = slot;
  idle_.erase(idle_.begin());
  vacant_.erase(vacant_.begin());
  return slot;
}

}  // namespace toposim::sim
