#pragma once
// A fault timeline as the lifecycle replays it: what each fault takes down, and a list of starts and repairs in order.
// Made once per run and shared by all schemes.
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "faults/fault_timeline.hpp"
#include "faults/impact.hpp"
#include "topology/cluster.hpp"

namespace toposim::sim {

class Outages {
 public:
  struct Event {
    std::int64_t time_ns = 0;
    std::uint32_t fault = 0;  ///< in the order of add()
    bool start = false;       ///< else the repair
  };
  struct Cable {
    topology::ArcId up = 0, down = 0;  ///< both directions
    double factor = 1;                 ///< share of the bandwidth left
  };
  struct SlowNode {
    std::uint32_t node = 0;
    double speed = 1;
  };
  struct Fault {
    std::uint32_t fault_class = 0;
    bool stops_job = false, planned = false;
    std::span<const std::uint32_t> nodes_down;
    std::span<const Cable> cables;
    std::span<const SlowNode> slow_nodes;
  };

  explicit Outages(std::int64_t horizon_ns) : horizon_ns_(horizon_ns) {}

  /// Faults that start at or after the horizon are left out; repairs after it too.
  void add(std::int64_t start_ns, std::int64_t repair_ns, const Fault& fault);
  /// Orders the events: by time, repairs before starts at the same instant, then by fault. Call once, after the last
  /// add().
  void sort();

  std::int64_t horizon_ns() const { return horizon_ns_; }
  std::span<const Event> events() const { return events_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(faults_.size()); }
  Fault fault(std::uint32_t index) const;

 private:
  struct Ranges {
    std::uint32_t fault_class = 0;
    bool stops_job = false, planned = false;
    std::uint32_t nodes_end = 0, cables_end = 0, slow_end = 0;  // each begins where the previous fault's ends
  };
  std::int64_t horizon_ns_;
  std::vector<Event> events_;
  std::vector<Ranges> faults_;
  std::vector<std::uint32_t> nodes_;
  std::vector<Cable> cables_;
  std::vector<SlowNode> slow_nodes_;
};

/// Looks up the blast radius of every fault (faults::impact_of) and orders the events.
Outages make_outages(const faults::FaultTimeline& timeline, const faults::FaultSpec& spec,
                     const topology::Cluster& cluster, std::int64_t horizon_ns);

}  // namespace toposim::sim
