// What must hold whatever the faults.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "random_faults.hpp"

namespace toposim::sim::test {
namespace {

using Kind = RandomFault::Kind;

void expect_same(const LifecycleResult& a, const LifecycleResult& b) {
  EXPECT_EQ(buckets(a), buckets(b));
  EXPECT_EQ(a.bucket_ns, b.bucket_ns);
  EXPECT_EQ(a.kept_steps, b.kept_steps);
  EXPECT_EQ(a.lost_steps, b.lost_steps);
  EXPECT_EQ(a.kept_samples, b.kept_samples);
  EXPECT_EQ(a.recompute_ns, b.recompute_ns);
  EXPECT_EQ(a.faults_felt, b.faults_felt);
  EXPECT_EQ(a.full_recoveries, b.full_recoveries);
  EXPECT_EQ(a.replica_losses, b.replica_losses);
  EXPECT_EQ(a.rejoins, b.rejoins);
  EXPECT_EQ(a.checkpoints, b.checkpoints);
  EXPECT_EQ(a.faults_in_recovery, b.faults_in_recovery);
  EXPECT_EQ(a.spares_in_use_p50, b.spares_in_use_p50);
  EXPECT_EQ(a.spares_in_use_max, b.spares_in_use_max);
  EXPECT_EQ(a.replicas_missing_mean, b.replicas_missing_mean);
}

// 54 days of 10 s steps: 466,560, all productive; with 20 s of checkpoint after every tenth, 38,880 cycles of 120 s.
TEST(Property, NoFaultsIsTheIdealToTheNanosecond) {
  for (const SchemeKind kind : all_schemes) {
    SchemeSpec spec = plain_spec(kind);
    LifecycleResult r = run(SmallJob{}, spec, Faults(54 * 86400));
    EXPECT_EQ(r.kept_steps, 388'800);
    EXPECT_EQ(r.kept_samples, 388'800);
    EXPECT_EQ(r.progress_steps, 388'800);
    EXPECT_EQ(r.checkpoints, 38'880);
    EXPECT_EQ(r.bucket(Bucket::productive), seconds(3'888'000));
    EXPECT_EQ(r.bucket(Bucket::checkpoint), seconds(777'600));
    spec.checkpoint.write_s = 0;
    r = run(SmallJob{}, spec, Faults(54 * 86400));
    EXPECT_EQ(r.kept_steps, 466'560);
    EXPECT_EQ(r.bucket(Bucket::productive), r.wall_ns);
    EXPECT_EQ(ettr(r), 1);
    EXPECT_EQ(goodput_steps(r, seconds(10)), 1);
    EXPECT_EQ(goodput_samples(r, seconds(10)), 1);
  }
}

/// Takes faults away until none is left, so that the sets nest: fewer never keep fewer steps. How often they kept more.
int expect_thinning_never_hurts(Random& random, const SmallJob& job, const Scheme& scheme, PlainCosts& costs,
                                std::vector<RandomFault> faults, std::int64_t horizon_ns) {
  int different = 0;
  for (std::int64_t kept = -1;;) {
    const LifecycleResult r = simulate(job.map(), scheme, outages_of(faults, horizon_ns), costs);
    EXPECT_GE(r.kept_steps, kept) << scheme.name() << " with " << faults.size() << " faults";
    different += r.kept_steps > kept;
    kept = r.kept_steps;
    if (faults.empty()) return different;
    std::erase_if(faults, [&](const RandomFault&) { return random.chance(0.3); });
  }
}

// Faults that hit whatever the job is doing (job-wide, cables), thinned so that the sets nest. Faults of nodes are
// left out: a spare that took over moves the job to other nodes, out of the way of a later fault or into it.
TEST(Property, RemovingFaultsNeverHurts) {
  Random random(11);
  const std::int64_t horizon_ns = seconds(40'000);
  SmallJob job;
  PlainCosts costs(4);
  int different = 0;
  for (int draw = 0; draw < 200; ++draw) {
    SchemeSpec spec = random_spec(random, all_schemes[draw % 3]);
    spec.checkpoint.interval_s = 10 + random.below(500);
    const auto scheme = make_scheme(spec, job.context());
    std::vector<RandomFault> faults =
        random_faults(random, {Kind::job, Kind::job, Kind::cable}, 60, 8, horizon_ns, seconds(2000));
    different += expect_thinning_never_hurts(random, job, *scheme, costs, faults, horizon_ns);
  }
  EXPECT_GT(different, 1000);
}

// Node faults where the nodes do not depend on history: every node of the job fails at most once, spares never do and
// there is one for each, so a fault always hits the slot it was drawn for. Two things that can make a fault pay are
// left out: comm_init per rank, since fewer survivors regroup faster, and, where survivors go on, the time of a
// checkpoint, since one that a loss interrupts is not written again until the next is due.
TEST(Property, RemovingNodeFaultsNeverHurts) {
  Random random(21);
  const std::int64_t horizon_ns = seconds(40'000);
  SmallJob job{8, 2, 16, 4};
  PlainCosts costs(8);
  int different = 0;
  for (int draw = 0; draw < 200; ++draw) {
    SchemeSpec spec = random_spec(random, all_schemes[draw % 3]);
    spec.checkpoint.interval_s = 10 + random.below(500);
    spec.recovery.comm_init_per_rank_s = 0;
    if (spec.kind != SchemeKind::checkpoint_restart) spec.checkpoint.write_s = spec.checkpoint.snapshot_s = 0;
    const auto scheme = make_scheme(spec, job.context());
    std::vector<RandomFault> faults =
        random_faults(random, {Kind::nodes, Kind::nodes, Kind::job}, 60, 16, horizon_ns, seconds(2000));
    std::set<std::uint32_t> failed;
    std::erase_if(faults, [&](RandomFault& f) {
      f.nodes.resize(1);
      return f.kind == Kind::nodes && !failed.insert(f.nodes[0]).second;
    });
    different += expect_thinning_never_hurts(random, job, *scheme, costs, faults, horizon_ns);
  }
  EXPECT_GT(different, 700);
}

// Replicas of one node each are all alike, so names of nodes must not matter.
TEST(Property, RelabellingNodesChangesNothing) {
  Random random(12);
  const std::int64_t horizon_ns = seconds(40'000);
  SmallJob job{8, 1, 3, 4};
  PlainCosts costs(8);
  for (int draw = 0; draw < 150; ++draw) {
    SchemeSpec spec = random_spec(random, all_schemes[draw % 3]);
    spec.threshold = SchemeSpec::Threshold::job;
    const auto scheme = make_scheme(spec, job.context());
    std::vector<RandomFault> faults =
        random_faults(random, {Kind::nodes, Kind::nodes, Kind::job, Kind::slow}, 30, 11, horizon_ns, seconds(4000));
    const LifecycleResult before = simulate(job.map(), *scheme, outages_of(faults, horizon_ns), costs);
    std::vector<std::uint32_t> label(11);  // spares 8-10 keep their place in the line
    std::iota(label.begin(), label.end(), 0U);
    for (std::uint32_t i = 7; i > 0; --i) std::swap(label[i], label[random.below(i + 1)]);
    for (RandomFault& f : faults)
      for (std::uint32_t& node : f.nodes) node = label[node];
    expect_same(before, simulate(job.map(), *scheme, outages_of(faults, horizon_ns), costs));
    if (HasFailure()) FAIL() << "draw " << draw;
  }
}

// With nothing to pay for the estimates and no threshold reached, what happens when is the same.
TEST(Property, CompensateAndDropReplicaHaveTheSameTimeline) {
  Random random(13);
  const std::int64_t horizon_ns = seconds(40'000);
  SmallJob job{8, 2, 3, 4};
  PlainCosts costs(8);
  faults::FaultSpec classes;
  classes.classes.resize(1);
  std::int64_t rejoins = 0;
  for (int draw = 0; draw < 100; ++draw) {
    SchemeSpec drop = random_spec(random, SchemeKind::drop_replica);
    drop.domain_threshold = drop.job_threshold = 1;
    SchemeSpec compensate = drop;
    compensate.kind = SchemeKind::compensate;
    const auto faults = random_faults(random, {Kind::nodes, Kind::nodes, Kind::nodes, Kind::job, Kind::slow}, 40, 19,
                                      horizon_ns, seconds(4000));
    const Outages outages = outages_of(faults, horizon_ns);
    LifecycleLog log_drop(classes), log_compensate(classes);
    const LifecycleResult a = simulate(job.map(), *make_scheme(drop, job.context()), outages, costs, &log_drop);
    const LifecycleResult b =
        simulate(job.map(), *make_scheme(compensate, job.context()), outages, costs, &log_compensate);
    expect_same(a, b);
    ASSERT_EQ(log_drop.events.size(), log_compensate.events.size());
    for (std::size_t i = 0; i < log_drop.events.size(); ++i) {
      EXPECT_EQ(log_drop.events[i].time_ns, log_compensate.events[i].time_ns);
      EXPECT_EQ(log_drop.events[i].event, log_compensate.events[i].event);
    }
    rejoins += a.rejoins;
  }
  EXPECT_GT(rejoins, 500);
}

// Random schemes, jobs and faults of every kind, many of them at awkward moments: it ends, and the accounts are right.
TEST(Property, AccountsAreRightWhateverHappens) {
  Random random(14);
  int shrunk = 0, waited = 0, met = 0, blocked = 0;
  for (int draw = 0; draw < 3000; ++draw) {
    const std::uint32_t replicas = 1 + random.below(9), nodes_each = 1 + random.below(3), spares = random.below(4);
    SmallJob job{replicas, nodes_each, spares, 1 + random.below(4)};
    const std::uint32_t nodes = replicas * nodes_each + spares;
    const std::int64_t horizon_ns = 1 + random.up_to(seconds(20'000));
    const SchemeSpec spec = random_spec(random, all_schemes[draw % 3]);
    SchemeContext context = job.context();
    context.bytes.shard_per_gpu = random.chance(0.3) ? 1e12 * random.share() : 0;
    context.compensation_always_s = random.share();
    context.compensation_while_missing_s = random.share();
    const auto scheme = make_scheme(spec, context);
    const auto faults = random_faults(random, {Kind::nodes, Kind::nodes, Kind::job, Kind::slow, Kind::cable},
                                      static_cast<int>(random.below(80)), nodes, horizon_ns, seconds(6000));
    const Outages outages = outages_of(faults, horizon_ns);
    PlainCosts costs(replicas, 1 + random.up_to(seconds(20)));
    costs.no_route_when_down = random.chance(0.5);
    faults::FaultSpec classes;
    classes.classes.resize(1);
    LifecycleLog log(classes);
    const LifecycleResult r = simulate(job.map(), *scheme, outages, costs, random.chance(0.5) ? &log : nullptr);

    EXPECT_EQ(r.wall_ns, horizon_ns);
    EXPECT_EQ(std::accumulate(r.bucket_ns.begin(), r.bucket_ns.end(), std::int64_t{0}), horizon_ns);
    for (const std::int64_t ns : r.bucket_ns) EXPECT_GE(ns, 0);
    EXPECT_LE(ettr(r), 1);
    EXPECT_GE(r.kept_steps, 0);
    EXPECT_GE(r.lost_steps, 0);
    EXPECT_LE(r.kept_samples, static_cast<double>(r.kept_steps));
    EXPECT_GE(r.progress_steps, 0);
    EXPECT_LE(r.progress_steps, static_cast<double>(r.kept_steps) + 1e-9);
    EXPECT_GE(r.recompute_ns, 0);
    EXPECT_LE(r.recompute_ns, r.bucket(Bucket::productive) + r.bucket(Bucket::overhead));
    EXPECT_LE(r.spares_in_use_p50, r.spares_in_use_p99);
    EXPECT_LE(r.spares_in_use_p99, r.spares_in_use_max);
    EXPECT_LE(r.spares_in_use_max, spares);
    EXPECT_LE(r.rejoins, r.replica_losses);
    EXPECT_LE(r.faults_felt, r.faults);
    EXPECT_LE(r.replicas_missing_mean, replicas);
    for (std::size_t i = 1; i < log.events.size(); ++i)
      EXPECT_LE(log.events[i - 1].time_ns, log.events[i].time_ns) << log.events[i].event;
    expect_same(r, simulate(job.map(), *scheme, outages, costs));  // with a log or without
    shrunk += r.rejoins > 0;
    waited += r.bucket(Bucket::spare_wait) > 0;
    met += r.faults_in_recovery > 0;
    blocked += costs.no_route_when_down;
    if (HasFailure()) FAIL() << "draw " << draw << ", " << to_string(spec.kind);
  }
  // The draws do reach the interesting cases.
  EXPECT_GT(shrunk, 300);
  EXPECT_GT(waited, 300);
  EXPECT_GT(met, 1000);
  EXPECT_GT(blocked, 1000);
}

// On a setting like a real one, a scheme keeps something: ETTR in (0, 1].
TEST(Property, EttrIsAboveZero) {
  Random random(15);
  SmallJob job{4, 2, 4, 4};
  PlainCosts costs(4);
  for (int draw = 0; draw < 60; ++draw) {
    const auto faults = random_faults(random, {Kind::nodes, Kind::job, Kind::slow, Kind::cable}, 40, 12,
                                      seconds(54 * 86400), seconds(86400));
    for (const SchemeKind kind : all_schemes) {
      const LifecycleResult r = simulate(job.map(), *make_scheme(plain_spec(kind), job.context()),
                                         outages_of(faults, seconds(54 * 86400)), costs);
      EXPECT_GT(ettr(r), 0);
      EXPECT_LE(ettr(r), 1);
    }
  }
}

}  // namespace
}  // namespace toposim::sim::test
