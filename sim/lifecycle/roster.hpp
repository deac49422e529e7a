#pragma once
// Which replicas take part in the steps, which are missing, and how far the missing ones are on their way back.
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/lifecycle/job_map.hpp"

namespace toposim::sim {

class Roster {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  explicit Roster(const JobMap& job);

  /// A slot lost its node. Returns how many replicas that took part do so no more; `first` is the lowest of them.
  struct Lost {
    std::uint32_t count = 0, first = 0;
  };
  Lost vacate(std::uint32_t slot);
  void fill(std::uint32_t slot);  ///< a node stands in it again

  /// Missing replicas that have all their nodes and are not loading yet will be ready then.
  void start_loading(std::int64_t ready_ns);
  std::int64_t earliest_ready_ns() const;  ///< never: nobody is loading
  /// Those that are ready by `now_ns` take part again; returns how many.
  std::uint32_t join_ready(std::int64_t now_ns);
  /// The last join_ready did not come about: who of them still has all nodes is missing again, ready at once.
  void undo_join(std::int64_t now_ns);
  void forget_join() { joining_.clear(); }  ///< it did
  /// All that have all their nodes take part, as after a full restart.
  void join_complete();

  std::span<const std::uint32_t> missing() const { return missing_; }  ///< sorted
  std::vector<std::uint32_t> incomplete() const;                       ///< replicas that lack a node, sorted
  bool takes_part(std::uint32_t slot) const;                           ///< any replica on the slot does
  std::uint32_t replicas() const { return static_cast<std::uint32_t>(seats_.size()); }
  std::uint32_t active() const { return static_cast<std::uint32_t>(seats_.size() - missing_.size()); }

 private:
  struct Seat {
    std::uint32_t vacant_slots = 0;
    bool takes_part = true;
    std::int64_t ready_ns = never;
  };
  void leave(std::uint32_t replica);

  const JobMap* job_;
  std::vector<Seat> seats_;
  std::vector<std::uint32_t> missing_, joining_;
};

}  // namespace toposim::sim
