#pragma once
// Random fault histories for property tests: a list that can be thinned and relabelled, then made into Outages.
#include <algorithm>
#include <random>
#include <vector>

#include "small_job.hpp"

namespace toposim::sim::test {

struct RandomFault {
  enum class Kind : std::uint8_t { nodes, job, slow, cable } kind{};
  std::int64_t start_ns = 0, repair_ns = 0;
  std::vector<std::uint32_t> nodes;
  double factor = 1;
  bool planned = false;
};

/// std::mt19937 is the same everywhere; the standard distributions are not.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_()) % n; }
  std::int64_t up_to(std::int64_t n) {
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(engine_()) << 32 | engine_()) >> 1) % (n + 1);
  }
  bool chance(double p) { return static_cast<double>(engine_()) < p * 4294967296.0; }
  double share() { return (static_cast<double>(engine_()) + 0.5) / 4294967296.0; }

 private:
  std::mt19937 engine_;
};

using Kinds = std::vector<RandomFault::Kind>;

inline std::vector<RandomFault> random_faults(Random& random, const Kinds& kinds, int count, std::uint32_t nodes,
                                              std::int64_t horizon_ns, std::int64_t repair_max_ns) {
  std::vector<RandomFault> list;
  for (int i = 0; i < count; ++i) {
    RandomFault f;
    f.kind = kinds[random.below(static_cast<std::uint32_t>(kinds.size()))];
    f.start_ns = random.up_to(horizon_ns);
    f.repair_ns = 1 + random.up_to(random.chance(0.2) ? seconds(20) : repair_max_ns);
    f.planned = random.chance(0.2);
    f.factor = f.kind == RandomFault::Kind::cable && random.chance(0.3) ? 0 : 0.2 + 0.7 * random.share();
    f.nodes = {random.below(nodes)};
    if (f.kind == RandomFault::Kind::nodes && random.chance(0.1))
      for (std::uint32_t n = f.nodes[0] + 1; n < std::min(nodes, f.nodes[0] + 5); ++n) f.nodes.push_back(n);
    list.push_back(f);
  }
  // Two things at the very same instant, now and then.
  if (list.size() > 1 && random.chance(0.3)) list[1].start_ns = list[0].start_ns;
  std::stable_sort(list.begin(), list.end(),
                   [](const RandomFault& a, const RandomFault& b) { return a.start_ns < b.start_ns; });
  return list;
}

inline Outages outages_of(const std::vector<RandomFault>& list, std::int64_t horizon_ns) {
  Outages outages(horizon_ns);
  for (const RandomFault& f : list) {
    switch (f.kind) {
      case RandomFault::Kind::nodes:
        outages.add(f.start_ns, f.repair_ns, {0, false, f.planned, f.nodes, {}, {}});
        break;
      case RandomFault::Kind::job:
        outages.add(f.start_ns, f.repair_ns, {0, true, f.planned, {}, {}, {}});
        break;
      case RandomFault::Kind::slow: {
        const std::vector<Outages::SlowNode> slow{{f.nodes[0], f.factor}};
        outages.add(f.start_ns, f.repair_ns, {0, false, false, {}, {}, slow});
        break;
      }
      case RandomFault::Kind::cable: {
        const std::vector<Outages::Cable> cables{{2 * f.nodes[0], 2 * f.nodes[0] + 1, f.factor}};
        outages.add(f.start_ns, f.repair_ns, {0, false, false, {}, cables, {}});
        break;
      }
    }
  }
  outages.sort();
  return outages;
}

inline SchemeSpec random_spec(Random& random, SchemeKind kind) {
  SchemeSpec spec = plain_spec(kind);
  const auto s = [&](double most) { return random.chance(0.15) ? 0 : most * random.share(); };
  spec.recovery = {s(60), s(10), s(100), s(20), s(0.5), s(30)};
  spec.checkpoint.interval_s = 5 + s(400);
  spec.checkpoint.write = random.chance(0.5) ? CheckpointSpec::Write::blocking : CheckpointSpec::Write::asynchronous;
  spec.checkpoint.snapshot_s = s(5);
  spec.checkpoint.write_s = s(150);
  spec.checkpoint.load_s = s(60);
  spec.minimum_replicas = s(1);
  spec.redistribute_batch = random.chance(0.3);
  spec.keep_step_in_flight = random.chance(0.4);
  spec.step_overhead_s = s(1);
  spec.rejoin_stall_s = s(20);
  spec.threshold = static_cast<SchemeSpec::Threshold>(random.below(3));
  spec.domain_threshold = random.share();
  spec.job_threshold = random.share();
  spec.statistics.learning_rate = static_cast<StatisticsSpec::LearningRate>(random.below(3));
  spec.statistics.noise_scale_samples = random.chance(0.5) ? -1 : 100 * random.share();
  spec.statistics.estimation_penalty = s(1);
  return spec;
}

inline constexpr SchemeKind all_schemes[] = {SchemeKind::checkpoint_restart, SchemeKind::drop_replica,
                                             SchemeKind::compensate};

}  // namespace toposim::sim::test
