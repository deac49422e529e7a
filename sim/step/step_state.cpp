#include "sim/step/step_state.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace toposim::sim {
namespace {

/// One round of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) over the running value and the next word.
std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  std::uint64_t z = hash + 0x9e3779b97f4a7c15ULL + word;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

bool entry_less(const topology::FabricState::Entry& a, const topology::FabricState::Entry& b) {
  return std::tie(a.arc, a.factor) < std::tie(b.arc, b.factor);
}

}  // namespace

std::uint64_t StepState::hash() const {
  std::uint64_t h = mix(redistribute ? 1 : 0, std::bit_cast<std::uint64_t>(compute_speed));
  for (const std::uint32_t replica : missing_replicas) h = mix(h, replica);
  return mix(h, fabric.hash());
}

bool state_less(const StepState& a, const StepState& b) {
  if (a.missing_replicas != b.missing_replicas) return a.missing_replicas < b.missing_replicas;
  if (a.fabric != b.fabric) {
    const auto &x = a.fabric.entries(), &y = b.fabric.entries();
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), entry_less);
  }
  return std::tie(a.compute_speed, a.redistribute) < std::tie(b.compute_speed, b.redistribute);
}

}  // namespace toposim::sim
