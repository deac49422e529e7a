#include "sim/exact/exact_job.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "topology/error.hpp"

namespace toposim::sim {

ExactJob::ExactJob(ExactFabric& fabric, const StepPlanner& planner, const JobMap& job, const Scheme& scheme,
                   const Outages& outages, std::int64_t steps)
    : fabric_(fabric),
      planner_(planner),
      map_(job),
      scheme_(scheme),
      outages_(outages),
      steps_(steps),
      workers_(fabric.control()),
      player_(fabric, workers_),
      faults_on_(job.nodes(), 0),
      nodes_(job),
      node_of_slot_(job.slots()) {}

ExactResult ExactJob::run() {
  injector_ = simgrid::s4u::Actor::create("injector", fabric_.control(), [this] { inject(); });
  simgrid::s4u::Actor::create("job", fabric_.control(), [this] {
    try {
      live();
    } catch (const std::exception&) {
      error_ = std::current_exception();
    }
    injector_->kill();
  });
  fabric_.engine().run();
  injector_ = nullptr;
  if (error_) std::rethrow_exception(error_);
  settle_write();
  result_.wall_ns = booked_ns_;
  result_.kept_steps = kept();
  result_.bucket_ns[static_cast<std::size_t>(Bucket::productive)] =
      std::accumulate(result_.step_ns.begin(), result_.step_ns.end(), step_spent_ns_);
  result_.transfers = fabric_.transfers();
  return std::move(result_);
}

// ---- the injector

void ExactJob::inject() {
  const auto sleep_until = [this](std::int64_t time_ns) {
    const double left_s = static_cast<double>(time_ns) * 1e-9 - fabric_.engine().elapsed_s();
    if (left_s > 0) simgrid::s4u::this_actor::sleep_for(left_s);
  };
  const auto keep_account = [this] {
    player_.keep_account();
    wait_.stop(fabric_.engine().elapsed_s());
  };
  const auto events = outages_.events();
  for (std::uint32_t next = 0; next < events.size();) {
    const std::int64_t time_ns = events[next].time_ns;
    sleep_until(time_ns);
    workers_.interrupt(keep_account, [&] {
      player_.cancel();
      for (; next < events.size() && events[next].time_ns == time_ns; ++next) apply(next);
    });
  }
  sleep_until(outages_.horizon_ns());
  workers_.interrupt(keep_account, [&] {
    player_.cancel();
    horizon_reached_ = true;
  });
}

void ExactJob::apply(std::uint32_t event) {
  const Outages::Event& what = outages_.events()[event];
  const Outages::Fault fault = outages_.fault(what.fault);
  if (what.start)
    degradation_.start(what.fault, fault);
  else
    degradation_.end(what.fault, fault);
  for (const Outages::Cable& cable : fault.cables)
    for (const topology::ArcId arc : {cable.up, cable.down}) fabric_.set_arc(arc, degradation_.fabric().factor(arc));
  for (const std::uint32_t node : fault.nodes_down) {
    if (what.start)
      ++faults_on_[node];
    else
      --faults_on_[node];
    fabric_.set_node(node, faults_on_[node] == 0);
  }
  inbox_.push_back(event);
}

// ---- the job

void ExactJob::live() {
  locate_slots();
  for (News news = News::none; news != News::over;) {
    news = step();
    if (news == News::none) {
      if (kept() == steps_) return;
      news = checkpoint();
    }
    if (news == News::stopped) news = recover();
  }
}

ExactJob::News ExactJob::step() {
  step_spent_ns_ = 0;
  player_.begin(parts());
  for (;;) {
    const ExactPlayer::Outcome outcome = player_.play(degradation_.fabric(), node_of_slot_);
    step_spent_ns_ += now_ns() - booked_ns_;
    booked_ns_ = now_ns();
    if (outcome == ExactPlayer::Outcome::done) {
      result_.step_ns.push_back(step_spent_ns_);
      step_spent_ns_ = 0;
      return News::none;
    }
    // Blocked: until a repair, whatever it is.
    const News news = outcome == ExactPlayer::Outcome::blocked ? wait(forever_ns, Bucket::spare_wait) : take_in();
    if (news != News::none) return news;
    player_.change(parts());
  }
}

ExactJob::News ExactJob::checkpoint() {
  const CheckpointPlan& plan = scheme_.checkpoints();
  if (kept() % plan.interval_steps != 0) return News::none;
  if (writing_) {
    if (const News news = wait_through(written_ns_ - now_ns(), Bucket::checkpoint); news != News::none) return news;
    settle_write();
  }
  if (const News news = wait_through(plan.stall_ns, Bucket::checkpoint); news != News::none) return news;
  writing_ = true;
  written_steps_ = kept();
  written_ns_ = now_ns() + plan.write_ns;
  settle_write();
  return News::none;
}

ExactJob::News ExactJob::recover() {
  roll_back();
  ++result_.full_recoveries;
  recovering_ = true;
  News news = News::stopped;
  while (news == News::stopped) news = restart();  // a further loss begins the recovery again
  recovering_ = false;
  missing_.clear();
  locate_slots();
  return news;
}

ExactJob::News ExactJob::restart() {
  losses_.missing = missing_;
  const Response response = scheme_.respond(losses_);
  for (const Stage& stage : response.stages.all()) {
    News news = News::none;
    if (stage.bucket == Bucket::spare_wait) {
      news = fill_slots();
    } else {
      const std::int64_t ns = stage.ns == Stage::by_state ? scheme_.costs().comm_init_ns(map_.replicas()) : stage.ns;
      news = wait_through(ns, stage.bucket);
    }
    if (news != News::none) return news;
  }
  return News::none;
}

ExactJob::News ExactJob::fill_slots() {
  for (;;) {
    while (nodes_.fill() != NodeSlots::none) {
    }
    std::uint32_t filled = 0;
    for (std::uint32_t node = 0; node < nodes_.count(); ++node) filled += nodes_.slot_of(node) != NodeSlots::none;
    if (filled == map_.slots()) return News::none;
    if (const News news = wait(forever_ns, Bucket::spare_wait); news != News::none) return news;
  }
}

ExactJob::News ExactJob::wait(std::int64_t ns, Bucket bucket) {
  wait_.set(static_cast<double>(ns) * 1e-9);
  const bool finished = workers_.run({[this] { wait_.sleep([this] { return fabric_.engine().elapsed_s(); }); }});
  book(bucket);
  return finished ? News::none : take_in();
}

ExactJob::News ExactJob::wait_through(std::int64_t ns, Bucket bucket) {
  const std::int64_t until_ns = now_ns() + ns;
  for (News news = News::none; now_ns() < until_ns;)
    if (news = wait(until_ns - now_ns(), bucket); news != News::none) return news;
  return News::none;
}

ExactJob::News ExactJob::take_in() {
  workers_.resume();
  bool stopped = false;
  for (const std::uint32_t index : inbox_) {
    const Outages::Event& event = outages_.events()[index];
    const Outages::Fault fault = outages_.fault(event.fault);
    bool stops = event.start && fault.stops_job;
    for (const std::uint32_t node : fault.nodes_down) {
      if (!event.start) {
        nodes_.repair(node);
      } else if (const std::uint32_t slot = nodes_.fail(node); slot != NodeSlots::none) {
        stops = true;
        missing_.insert(missing_.end(), map_.replicas_on(slot).begin(), map_.replicas_on(slot).end());
      }
    }
    if (!stops) continue;
    if (!recovering_ && !stopped) losses_ = {false, true, {}};
    losses_.planned = losses_.planned && fault.planned;
    losses_.job_wide = losses_.job_wide || fault.stops_job || recovering_;
    stopped = true;
  }
  inbox_.clear();
  std::ranges::sort(missing_);
  missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
  if (horizon_reached_) return News::over;
  return stopped ? News::stopped : News::none;
}

void ExactJob::settle_write() {
  if (!writing_ || now_ns() < written_ns_) return;
  durable_steps_ = written_steps_;
  ++result_.checkpoints;
  writing_ = false;
}

void ExactJob::roll_back() {
  settle_write();
  writing_ = false;  // what is being written is lost
  std::int64_t& lost_ns = result_.bucket_ns[static_cast<std::size_t>(Bucket::lost_work)];
  for (; kept() > durable_steps_; ++result_.lost_steps) {
    lost_ns += result_.step_ns.back();
    result_.step_ns.pop_back();
  }
  lost_ns += step_spent_ns_;
  step_spent_ns_ = 0;
}

StepParts ExactJob::parts() {
  const double speed = degradation_.compute_speed(nodes_, [](std::uint32_t) { return true; });
  const double overhead_s = static_cast<double>(scheme_.step_terms({}).overhead_ns) * 1e-9;
  StepState state;
  state.compute_speed = speed;
  try {
    state.fabric = degradation_.fabric();
    return planner_.parts(state, overhead_s);
  } catch (const topology::TopologyError&) {
    state.fabric = {};  // no route for something: the player will meet it, or it is not the data-parallel traffic
    return planner_.parts(state, overhead_s);
  }
}

void ExactJob::locate_slots() {
  for (std::uint32_t node = 0; node < nodes_.count(); ++node)
    if (const std::uint32_t slot = nodes_.slot_of(node); slot != NodeSlots::none) node_of_slot_[slot] = node;
}

void ExactJob::book(Bucket bucket) {
  result_.bucket_ns[static_cast<std::size_t>(bucket)] += now_ns() - booked_ns_;
  booked_ns_ = now_ns();
}

}  // namespace toposim::sim
