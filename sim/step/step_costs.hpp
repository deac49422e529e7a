#pragma once
// Step times memoised by state, shared by all threads.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "sim/step/step_state.hpp"

namespace toposim::sim {

class StepModel;

/// What the lifecycle needs to know about steps; tests give it constants.
class StepCostModel {
 public:
  virtual ~StepCostModel() = default;
  virtual std::int64_t step_time_ns(const StepState& state) = 0;  ///< > 0, a pure function of state, any thread
};

/// One state that was asked for, and how often.
struct StateUse {
  StepState state;
  std::int64_t step_time_ns = 0;
  std::int64_t queries = 0;
};

/// Each distinct state is priced once; `redistribute` makes no difference, and no state, while no replica is missing.
/// Counts depend on what is asked only, not on threads: misses are the distinct states (two threads that meet a new
/// state together price it twice and count it once), hits the other queries.
class MemoisedStepCosts final : public StepCostModel {
 public:
  /// Seconds of a step; a pure function, callable from any thread. An exception passes through and memoises nothing.
  using Price = std::function<double(const StepState&)>;
  explicit MemoisedStepCosts(Price price_s);
  explicit MemoisedStepCosts(const StepModel& model);  ///< by step_incremental; keeps a reference

  /// Rounded to the nearest nanosecond, at least 1. Throws std::invalid_argument for a time that is not positive, not
  /// finite or beyond 292 years.
  std::int64_t step_time_ns(const StepState& state) override;

  std::int64_t queries() const;
  std::int64_t misses() const;
  std::int64_t hits() const { return queries() - misses(); }
  /// Every state asked for so far, in the order of state_less. To be read when no thread is asking.
  std::vector<StateUse> states() const;

 private:
  struct Entry {
    std::int64_t step_time_ns = 0;
    std::atomic<std::int64_t> queries{0};
  };
  struct Hash {
    std::size_t operator()(const StepState& state) const { return static_cast<std::size_t>(state.hash()); }
  };
  struct Shard {
    mutable std::shared_mutex mutex;
    std::unordered_map<StepState, std::unique_ptr<Entry>, Hash> entries;
  };
  static constexpr std::size_t shard_count = 16;

  std::int64_t price_ns(const StepState& state) const;

  Price price_s_;
  // Nearly all of a lifecycle is nominal: answered without a hash or a lock. 0: not priced yet.
  std::atomic<std::int64_t> nominal_ns_{0}, nominal_queries_{0};
  std::array<Shard, shard_count> shards_;
};

}  // namespace toposim::sim
