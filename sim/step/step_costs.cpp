#include "sim/step/step_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "sim/step/step_model.hpp"

namespace toposim::sim {

MemoisedStepCosts::MemoisedStepCosts(Price price_s) : price_s_(std::move(price_s)) {}

MemoisedStepCosts::MemoisedStepCosts(const StepModel& model)
    : price_s_([&model](const StepState& state) { return model.step_incremental(state).step_time_s; }) {}

std::int64_t MemoisedStepCosts::price_ns(const StepState& state) const {
  const double ns = price_s_(state) * 1e9;
  if (!(ns > 0) || !(ns < 9.2e18)) {
    throw std::invalid_argument(fmt::format("a step that takes {} s cannot be simulated", ns / 1e9));
  }
  return std::max<std::int64_t>(1, std::llround(ns));
}

std::int64_t MemoisedStepCosts::step_time_ns(const StepState& state) {
  if (state.nominal()) {
    std::int64_t ns = nominal_ns_.load(std::memory_order_relaxed);
    if (ns == 0) {
      ns = price_ns(StepState{});
      nominal_ns_.store(ns, std::memory_order_relaxed);
    }
    nominal_queries_.fetch_add(1, std::memory_order_relaxed);
    return ns;
  }
  if (state.redistribute && state.missing_replicas.empty()) {
    StepState same = state;
    same.redistribute = false;
    return step_time_ns(same);
  }
  Shard& shard = shards_[state.hash() % shard_count];
  {
    const std::shared_lock lock(shard.mutex);
    const auto found = shard.entries.find(state);
    if (found != shard.entries.end()) {
      found->second->queries.fetch_add(1, std::memory_order_relaxed);
      return found->second->step_time_ns;
    }
  }
  auto entry = std::make_unique<Entry>();
  entry->step_time_ns = price_ns(state);
  const std::unique_lock lock(shard.mutex);
  const auto [place, inserted] = shard.entries.try_emplace(state, std::move(entry));
  place->second->queries.fetch_add(1, std::memory_order_relaxed);
  return place->second->step_time_ns;
}

std::int64_t MemoisedStepCosts::queries() const {
  std::int64_t sum = nominal_queries_.load();
  for (const Shard& shard : shards_) {
    const std::shared_lock lock(shard.mutex);
    for (const auto& [state, entry] : shard.entries) sum += entry->queries.load();
  }
  return sum;
}

std::int64_t MemoisedStepCosts::misses() const {
  std::int64_t sum = nominal_queries_.load() > 0 ? 1 : 0;
  for (const Shard& shard : shards_) {
    const std::shared_lock lock(shard.mutex);
    sum += static_cast<std::int64_t>(shard.entries.size());
  }
  return sum;
}

std::vector<StateUse> MemoisedStepCosts::states() const {
  std::vector<StateUse> uses;
  if (nominal_queries_.load() > 0) uses.push_back({StepState{}, nominal_ns_.load(), nominal_queries_.load()});
  for (const Shard& shard : shards_) {
    const std::shared_lock lock(shard.mutex);
    for (const auto& [state, entry] : shard.entries)
      uses.push_back({state, entry->step_time_ns, entry->queries.load()});
  }
  std::sort(uses.begin(), uses.end(),
            [](const StateUse& a, const StateUse& b) { return state_less(a.state, b.state); });
  return uses;
}

}  // namespace toposim::sim
