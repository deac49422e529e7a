#pragma once
// A job small enough to work out by hand: steps of 10 s, a checkpoint every 10 steps that takes 20 s, one GPU per node.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/lifecycle/lifecycle.hpp"
#include "sim/schemes/make_scheme.hpp"
#include "topology/error.hpp"

namespace toposim::sim::test {

inline std::int64_t seconds(double s) {
  return std::llround(s * 1e9);
}

/// 10 s; divided by the compute speed; with redistribution x D / (D - k); 1.5 times as long while any cable is cut. A
/// cable that is quite down leaves no route where asked.
class PlainCosts final : public StepCostModel {
 public:
  explicit PlainCosts(double replicas, std::int64_t step_ns = seconds(10)) : replicas_(replicas), step_ns_(step_ns) {}
  std::int64_t step_time_ns(const StepState& state) override {
    double factor = state.fabric.healthy() ? 1 : 1.5;
    for (const auto& entry : state.fabric.entries())
      if (entry.factor == 0 && no_route_when_down) throw topology::TopologyError("no route");
    factor /= state.compute_speed;
    if (state.redistribute) factor *= replicas_ / (replicas_ - static_cast<double>(state.missing_replicas.size()));
    return std::llround(static_cast<double>(step_ns_) * factor);
  }
  bool no_route_when_down = false;

 private:
  double replicas_;
  std::int64_t step_ns_;
};

/// Replica r stands on nodes r * nodes_per_replica ...; spares follow.
struct SmallJob {
  std::int64_t replicas = 4, nodes_per_replica = 2, spares = 1;
  std::int64_t domain_size = 4;

  JobMap map() const {
    std::vector<std::vector<std::uint32_t>> slots;
    for (std::uint32_t r = 0; r < replicas; ++r)
      for (std::int64_t n = 0; n < nodes_per_replica; ++n) slots.push_back({r});
    return JobMap(static_cast<std::uint32_t>(spares), slots);
  }

  SchemeContext context() const {
    topology::ClusterSpec cluster;
    cluster.nodes = replicas * nodes_per_replica;
    cluster.spares = spares;
    cluster.gpus_per_node = cluster.nics_per_node = 1;
    cluster.access.bandwidth_Bps = 50e9;
    topology::ParallelLayout layout;
    layout.data = replicas;
    layout.pipeline = nodes_per_replica;
    SchemeContext c{cluster, layout, topology::Domains(static_cast<std::uint32_t>(replicas), {domain_size}), {}};
    // 50 s at 50e9 bytes/s for each GPU of the replica.
    c.bytes.per_replica_load = 50 * 50e9 * static_cast<double>(nodes_per_replica);
    c.step_time_ns = seconds(10);
    return c;
  }
};

/// detect 30, quorum 5, reallocate 60, comm-init 10, load 40, catch-up 7, rejoin stall 5 (and the catch-up): seconds.
inline SchemeSpec plain_spec(SchemeKind kind) {
  SchemeSpec spec;
  spec.kind = kind;
  spec.recovery = {30, 5, 60, 10, 0, 7};
  spec.checkpoint.interval_rule = CheckpointSpec::Interval::fixed;
  spec.checkpoint.interval_s = 100;
  spec.checkpoint.write = CheckpointSpec::Write::blocking;
  spec.checkpoint.write_s = 20;
  spec.checkpoint.load_s = 40;
  spec.rejoin_stall_s = 5;
  return spec;
}

/// Faults written down one by one, in seconds.
class Faults {
 public:
  explicit Faults(double horizon_s) : outages_(seconds(horizon_s)) {}
  Faults& nodes(double start_s, double repair_s, const std::vector<std::uint32_t>& nodes, bool planned = false) {
    outages_.add(seconds(start_s), seconds(repair_s), {0, false, planned, nodes, {}, {}});
    return *this;
  }
  Faults& job(double start_s, bool planned = false) {
    outages_.add(seconds(start_s), seconds(1), {0, true, planned, {}, {}, {}});
    return *this;
  }
  Faults& slow(double start_s, double repair_s, std::uint32_t node, double speed) {
    const std::vector<Outages::SlowNode> nodes{{node, speed}};
    outages_.add(seconds(start_s), seconds(repair_s), {0, false, false, {}, {}, nodes});
    return *this;
  }
  Faults& cable(double start_s, double repair_s, topology::ArcId up, double factor) {
    const std::vector<Outages::Cable> cables{{up, up + 1, factor}};
    outages_.add(seconds(start_s), seconds(repair_s), {0, false, false, {}, cables, {}});
    return *this;
  }
  Outages done() const {
    Outages sorted = outages_;
    sorted.sort();
    return sorted;
  }

 private:
  Outages outages_;
};

inline LifecycleResult run(const SmallJob& job, const SchemeSpec& spec, const Faults& faults,
                           LifecycleLog* log = nullptr) {
  PlainCosts costs(static_cast<double>(job.replicas));
  return simulate(job.map(), *make_scheme(spec, job.context()), faults.done(), costs, log);
}

/// Buckets in seconds, in the order of Bucket: productive, lost_work, overhead, checkpoint, detect, quorum, reallocate,
/// spare_wait, comm_init, load, catch_up.
inline std::vector<double> buckets(const LifecycleResult& result) {
  std::vector<double> list;
  for (const std::int64_t ns : result.bucket_ns) list.push_back(static_cast<double>(ns) / 1e9);
  return list;
}

using Seconds = std::vector<double>;

}  // namespace toposim::sim::test
