#include "sim/lifecycle/lifecycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "sim/lifecycle/degradation.hpp"
#include "sim/lifecycle/level_times.hpp"
#include "sim/lifecycle/node_slots.hpp"
#include "sim/lifecycle/roster.hpp"
#include "sim/lifecycle/training.hpp"
#include "topology/error.hpp"

namespace toposim::sim {

namespace {

constexpr std::int64_t never = Roster::never;

class Lifecycle {
 public:
  Lifecycle(const JobMap& job, const Scheme& scheme, const Outages& outages, StepCostModel& costs, LifecycleLog* log)
      : scheme_(scheme),
        outages_(outages),
        costs_(costs),
        log_(log),
        nodes_(job),
        roster_(job),
        spares_in_use_(job.spares()),
        terms_(scheme.step_terms({})),
        step_ns_(priced_ns()),
        training_(scheme.checkpoints(), pace()) {}

  LifecycleResult run() {
    const auto events = outages_.events();
    std::size_t next_event = 0;
    note("start");
    while (true) {
      const std::int64_t own = own_event_ns();
      const std::int64_t outage = next_event < events.size() ? events[next_event].time_ns : never;
      advance(std::min({own, outage, outages_.horizon_ns()}));
      if (now_ == outages_.horizon_ns()) break;
      if (own == now_)
        own_event();
      else if (const Outages::Event& event = events[next_event++]; event.start)
        fault(event.fault);
      else
        repair(event.fault);
    }
    return finish();
  }

 private:
  enum class Mode : std::uint8_t { running, recovering, rejoining };

  // ---- time

  std::int64_t own_event_ns() const {
    if (mode_ != Mode::running) return stage_left_ == never ? never : later(stage_left_);
    const std::int64_t ready = roster_.earliest_ready_ns();
    if (ready > now_) return ready;
    const std::int64_t boundary = training_.time_to_boundary_ns();
    return blocked_ && boundary > 0 ? never : later(boundary);
  }

  std::int64_t later(std::int64_t dt) const { return dt < never - now_ ? now_ + dt : never; }

  void advance(std::int64_t to) {
    const std::int64_t dt = to - now_;
    spares_in_use_.add(nodes_.spares_in_use(), dt);
    now_ = to;
    if (mode_ == Mode::running && !blocked_) {
      training_.run(dt);
      running_ns_ += dt;
      missing_ns_ += static_cast<double>(dt) * static_cast<double>(roster_.missing().size());
      return;
    }
    training_.wait(dt);
    result_.bucket(mode_ == Mode::running ? Bucket::spare_wait : stages().front().bucket) += dt;
    if (mode_ != Mode::running && stage_left_ != never) stage_left_ -= dt;
  }

  void own_event() {
    if (mode_ != Mode::running) {
      ++stage_;
      enter_stage();
    } else if (roster_.earliest_ready_ns() <= now_ && training_.time_to_boundary_ns() == 0) {
      begin_rejoin();
    }
  }

  // ---- what happens to the cluster

  void fault(std::uint32_t index) {
    const Outages::Fault fault = outages_.fault(index);
    note_checkpoint();
    bool stops = fault.stops_job;
    Roster::Lost lost;
    for (const std::uint32_t node : fault.nodes_down) {
      if (node >= nodes_.count())
        throw std::invalid_argument(fmt::format("fault on node {}: the cluster has {} nodes", node, nodes_.count()));
      const std::uint32_t slot = nodes_.fail(node);
      if (slot == NodeSlots::none) continue;
      const Roster::Lost here = roster_.vacate(slot);
      if (lost.count == 0) lost.first = here.first;
      lost.count += here.count;
      stops = stops || here.count > 0 || down_;
    }
    degradation_.start(index, fault);
    note("fault", &fault, lost.count > 0 ? static_cast<std::int64_t>(lost.first) : -1);
    const bool slows = (!fault.cables.empty() || !fault.slow_nodes.empty()) && reprice(false);
    if (stops || slows) ++result_.faults_felt;
    if (stops)
      stop(fault.planned, fault.stops_job);
    else if (!fault.nodes_down.empty())
      start_loading();
  }

  void repair(std::uint32_t index) {
    const Outages::Fault fault = outages_.fault(index);
    bool joined = false;
    for (const std::uint32_t node : fault.nodes_down) joined = nodes_.repair(node) || joined;
    degradation_.end(index, fault);
    note("repair", &fault);
    if (!fault.cables.empty() || !fault.slow_nodes.empty()) reprice(false);
    if (!joined) return;
    if (mode_ == Mode::recovering && stage_left_ == never) {
      if (duration(stages().front()) == never) return;
      ++stage_;
      enter_stage();
    } else {
      start_loading();
    }
  }

  // ---- recovery

  void stop(bool planned, bool job_wide) {
    if (mode_ != Mode::running) ++result_.faults_in_recovery;
    if (mode_ == Mode::rejoining) roster_.undo_join(now_);
    if (mode_ != Mode::recovering) losses_ = {false, true, {}};
    losses_.planned = losses_.planned && planned;
    losses_.job_wide = losses_.job_wide || job_wide || down_;
    losses_.missing = roster_.missing();
    mode_ = Mode::recovering;
    const Response response = scheme_.respond(losses_);
    stages_ = response.stages;
    training_.abandon_checkpoint();
    if (response.from == ResumeFrom::last_step) training_.drop_step();
    if (response.from == ResumeFrom::checkpoint) training_.roll_back();
    if (stages_.has(Bucket::reallocate) && !down_) {
      down_ = true;
      ++result_.full_recoveries;
    }
    if (response.from == ResumeFrom::checkpoint) note("rollback");
    stage_ = 0;
    enter_stage();
  }

  void begin_rejoin() {
    rejoining_ = roster_.join_ready(now_);
    mode_ = Mode::rejoining;
    stages_ = StageList{};
    stages_.add(Bucket::comm_init, Stage::by_state)
        .add(Bucket::catch_up, scheme_.costs().rejoin_stall_ns + scheme_.costs().catch_up_ns);
    stage_ = 0;
    enter_stage();
  }

  std::span<const Stage> stages() const { return stages_.all().subspan(stage_); }

  void enter_stage() {
    for (; !stages().empty(); ++stage_) {
      stage_left_ = duration(stages().front());
      if (stage_left_ == 0) continue;
      if (log_ != nullptr) note(to_string(stages().front().bucket));
      return;
    }
    go_on();
  }

  std::int64_t duration(const Stage& stage) {
    if (stage.bucket == Bucket::spare_wait) {
      fill_slots();
      return scheme_.can_run(roster_.incomplete()) ? 0 : never;
    }
    if (stage.ns != Stage::by_state) return stage.ns;
    if (down_) return scheme_.costs().comm_init_ns(roster_.replicas() - std::ssize(roster_.incomplete()));
    return scheme_.costs().regroup_ns(roster_.replicas() - std::ssize(roster_.missing()));
  }

  void go_on() {
    if (mode_ == Mode::rejoining) {
      result_.rejoins += rejoining_;
      roster_.forget_join();
    } else if (down_) {
      roster_.join_complete();
      down_ = false;
    }
    for (const std::uint32_t replica : roster_.missing())
      result_.replica_losses += !std::ranges::binary_search(state_.missing_replicas, replica);
    const bool rejoined = mode_ == Mode::rejoining;
    mode_ = Mode::running;
    reprice(true);
    note(rejoined ? "rejoin" : "resume");
    start_loading();
  }

  void fill_slots() {
    for (std::uint32_t slot = nodes_.fill(); slot != NodeSlots::none; slot = nodes_.fill()) roster_.fill(slot);
  }

  /// Spares take vacant slots and load from a peer, while the others run.
  void start_loading() {
    if (mode_ == Mode::recovering || roster_.missing().empty()) return;
    fill_slots();
    roster_.start_loading(later(scheme_.costs().reallocate_ns + scheme_.costs().peer_load_ns));
  }

  // ---- steps

  /// Brings the step in line with what is slow and, once the job runs with them, with the replicas that take part.
  /// Returns whether steps take another time than before.
  bool reprice(bool roster_changed) {
    const auto missing = roster_.missing();
    const double speed =
        degradation_.compute_speed(nodes_, [&](std::uint32_t slot) { return roster_.takes_part(slot); });
    const bool same_missing = !roster_changed || std::ranges::equal(missing, state_.missing_replicas);
    if (same_missing && speed == state_.compute_speed && degradation_.fabric() == state_.fabric) return false;
    if (!same_missing) {
      state_.missing_replicas.assign(missing.begin(), missing.end());
      terms_ = scheme_.step_terms(missing);
      state_.redistribute = terms_.redistribute;
    }
    state_.compute_speed = speed;
    state_.fabric = degradation_.fabric();
    const bool was_blocked = blocked_;
    const std::int64_t before_ns = step_ns_;
    try {
      step_ns_ = priced_ns();
      blocked_ = false;
    } catch (const topology::TopologyError&) {
      blocked_ = true;
      if (!was_blocked) note("blocked");
      return !was_blocked;
    }
    training_.set_pace(pace());
    return was_blocked || step_ns_ != before_ns;
  }

  std::int64_t priced_ns() {
    const std::int64_t ns = costs_.step_time_ns(state_);
    if (ns <= 0) throw std::invalid_argument(fmt::format("the step cost model gave a step of {} ns", ns));
    return ns;
  }

  Pace pace() const { return {step_ns_, terms_.overhead_ns, terms_.samples, terms_.progress}; }

  // ---- results

  void note(std::string_view event, const Outages::Fault* fault = nullptr, std::int64_t replica = -1) {
    if (log_ == nullptr) return;
    note_checkpoint();
    LifecycleEvent& line = log_->events.emplace_back(line_at(now_, event, training_.kept().steps));
    if (fault == nullptr) return;
    line.cause = log_->faults->classes[fault->fault_class].name;
    if (!fault->nodes_down.empty())
      line.node = fault->nodes_down.front();
    else if (!fault->slow_nodes.empty())
      line.node = fault->slow_nodes.front().node;
    line.replica = replica;
  }

  void note_checkpoint() {
    if (log_ == nullptr || training_.checkpoints() == checkpoints_noted_) return;
    checkpoints_noted_ = training_.checkpoints();
    log_->events.push_back(line_at(training_.durable_since_ns(), "checkpoint", training_.durable().steps));
  }

  LifecycleEvent line_at(std::int64_t time_ns, std::string_view event, std::int64_t step) const {
    return {time_ns, std::string(event), {}, -1, -1, step, roster_.active(), nodes_.idle()};
  }

  LifecycleResult finish() {
    training_.finish();
    const Work& kept = training_.kept();
    result_.wall_ns = now_;
    result_.bucket(Bucket::productive) += kept.productive_ns;
    result_.bucket(Bucket::overhead) += kept.overhead_ns;
    result_.bucket(Bucket::lost_work) += training_.lost_ns();
    result_.bucket(Bucket::checkpoint) += training_.checkpoint_ns();
    result_.kept_steps = kept.steps;
    result_.lost_steps = training_.lost_steps();
    result_.kept_samples = kept.samples;
    result_.progress_steps = kept.progress;
    result_.recompute_ns = kept.recompute_ns;
    result_.faults = outages_.count();
    result_.checkpoints = training_.checkpoints();
    result_.spares_in_use_p50 = spares_in_use_.percentile(0.5);
    result_.spares_in_use_p99 = spares_in_use_.percentile(0.99);
    result_.spares_in_use_max = spares_in_use_.highest();
    result_.replicas_missing_mean = running_ns_ > 0 ? missing_ns_ / static_cast<double>(running_ns_) : 0;
    note("end");
    return result_;
  }

  const Scheme& scheme_;
  const Outages& outages_;
  StepCostModel& costs_;
  LifecycleLog* log_;

  std::int64_t now_ = 0;
  Mode mode_ = Mode::running;
  // The cluster.
  NodeSlots nodes_;
  Degradation degradation_;
  Roster roster_;
  LevelTimes spares_in_use_;
  // The recovery, or rejoin, under way.
  Losses losses_;
  StageList stages_;
  std::size_t stage_ = 0;
  std::int64_t stage_left_ = 0;  // never: until a repair
  bool down_ = false;            // the whole job is: no replica is left running
  std::uint32_t rejoining_ = 0;
  // Steps.
  StepState state_;
  StepTerms terms_;
  std::int64_t step_ns_;
  bool blocked_ = false;  // no route is left for some traffic
  Training training_;
  // Results.
  LifecycleResult result_;
  std::int64_t running_ns_ = 0;
  double missing_ns_ = 0;
  std::int64_t checkpoints_noted_ = 0;
};

}  // namespace

LifecycleResult simulate(const JobMap& job, const Scheme& scheme, const Outages& outages, StepCostModel& costs,
                         LifecycleLog* log) {
  return Lifecycle(job, scheme, outages, costs, log).run();
}

}  // namespace toposim::sim
