#include "sim/lifecycle/training.hpp"

#include <algorithm>
#include <limits>

namespace toposim::sim {

namespace {

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

__extension__ using Wide = __int128;

std::int64_t multiply_saturating(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? forever : product;
}

std::int64_t add_saturating(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? forever : sum;
}

/// value x to / from, rounded up.
std::int64_t rescale(std::int64_t value, std::int64_t to, std::int64_t from) {
  const Wide scaled = (static_cast<Wide>(value) * to + from - 1) / from;
  return scaled > forever ? forever : static_cast<std::int64_t>(scaled);
}

}  // namespace

Training::Training(const CheckpointPlan& plan, const Pace& pace)
    : plan_(plan), pace_(pace), step_left_(pace.total_ns()), to_checkpoint_(plan.interval_steps) {
  set_pace(pace);
}

void Training::set_pace(const Pace& pace) {
  const std::int64_t before = pace_.total_ns(), after = pace.total_ns();
  pace_ = pace;
  const std::int64_t computing = multiply_saturating(plan_.interval_steps, after);
  cycle_ns_ = add_saturating(std::max(computing, plan_.write_ns), plan_.stall_ns);
  if (before == after) return;
  step_left_ = step_elapsed_ == 0 ? after : rescale(step_left_, after, before);
  if (furthest_done_ > 0) furthest_done_ = rescale(furthest_done_, after, before);
}

std::int64_t Training::time_to_boundary_ns() const {
  switch (phase_) {
    case Phase::computing:
      return step_elapsed_ == 0 ? 0 : step_left_;
    case Phase::stalled:
      return stall_left_;
    case Phase::waiting:
      return write_left_ + plan_.stall_ns;
  }
  return 0;
}

/// Computing time until the job is where it was before the last rollback; 0 or less once it is.
std::int64_t Training::time_to_known_end() const {
  if (work_.steps > furthest_steps_) return 0;
  const std::int64_t whole = multiply_saturating(furthest_steps_ - work_.steps, pace_.total_ns());
  const std::int64_t done = step_elapsed_ == 0 ? 0 : pace_.total_ns() - step_left_;
  return add_saturating(whole, furthest_done_ - done);
}

void Training::made_durable(const Work& work, std::int64_t at_ns) {
  durable_ = work;
  durable_at_ = at_ns;
  ++checkpoints_;
}

void Training::write_on(std::int64_t dt_ns) {
  if (write_left_ == 0) return;
  const std::int64_t written = std::min(dt_ns, write_left_);
  write_left_ -= written;
  if (write_left_ == 0) made_durable(pending_, clock_ + written);
}

void Training::wait(std::int64_t dt_ns) {
  write_on(dt_ns);
  clock_ += dt_ns;
}

void Training::add_steps(std::int64_t count) {
  work_.steps += count;
  work_.productive_ns += count * pace_.step_ns;
  work_.overhead_ns += count * pace_.overhead_ns;
  work_.samples += static_cast<double>(count) * pace_.samples;
  work_.progress += static_cast<double>(count) * pace_.progress;
}

void Training::finish_step() {
  --to_checkpoint_;
  const std::int64_t spent = step_elapsed_ + step_left_;
  const std::int64_t overhead = std::min(pace_.overhead_ns, spent);
  work_.steps += 1;
  work_.productive_ns += spent - overhead;
  work_.overhead_ns += overhead;
  work_.samples += pace_.samples;
  work_.progress += pace_.progress;
  step_elapsed_ = 0;
  step_left_ = pace_.total_ns();
}

void Training::compute(std::int64_t dt_ns) {
  write_on(dt_ns);
  clock_ += dt_ns;
  const std::int64_t known = std::clamp<std::int64_t>(time_to_known_end(), 0, dt_ns);
  if (dt_ns < step_left_) {
    step_elapsed_ += dt_ns;
    step_left_ -= dt_ns;
    step_recompute_ += known;
    return;
  }
  const std::int64_t rest = dt_ns - step_left_;
  finish_step();
  const std::int64_t whole = rest / pace_.total_ns();
  add_steps(whole);
  to_checkpoint_ -= whole;
  step_elapsed_ = rest - whole * pace_.total_ns();
  step_left_ = pace_.total_ns() - step_elapsed_;
  const std::int64_t known_in_flight = std::max<std::int64_t>(0, known - (dt_ns - step_elapsed_));
  work_.recompute_ns += step_recompute_ + known - known_in_flight;
  step_recompute_ = known_in_flight;
}

/// At the start of a checkpoint cycle that every following one will repeat.
bool Training::steady() const {
  return step_elapsed_ == 0 && to_checkpoint_ == plan_.interval_steps && write_left_ == plan_.write_ns;
}

void Training::jump(std::int64_t cycles) {
  const std::int64_t computing = plan_.interval_steps * pace_.total_ns();
  const auto add_cycles = [&](std::int64_t count) {
    const std::int64_t compute_ns = count * computing;
    work_.recompute_ns += std::clamp<std::int64_t>(time_to_known_end(), 0, compute_ns);
    add_steps(count * plan_.interval_steps);
    checkpoint_ns_ += count * (cycle_ns_ - computing);
    clock_ += count * cycle_ns_;
  };
  add_cycles(cycles - 1);
  const Work before_last = work_;
  add_cycles(1);
  checkpoints_ += cycles;
  if (plan_.write_ns == 0) {
    durable_ = work_;
    durable_at_ = clock_;
  } else {  // the last one has just begun to be written
    durable_ = before_last;
    durable_at_ = clock_ - cycle_ns_ + plan_.write_ns;
    pending_ = work_;
  }
}

/// Phases of no length end here, so that one that is left always takes time.
void Training::settle() {
  if (phase_ == Phase::waiting && write_left_ == 0) {
    phase_ = Phase::stalled;
    stall_left_ = plan_.stall_ns;
  }
  if (phase_ == Phase::stalled && stall_left_ == 0) {
    phase_ = Phase::computing;
    to_checkpoint_ = plan_.interval_steps;
    if (plan_.write_ns == 0) {
      made_durable(work_, clock_);
    } else {
      pending_ = work_;
      write_left_ = plan_.write_ns;
    }
  }
}

void Training::run(std::int64_t dt_ns) {
  while (dt_ns > 0) {
    std::int64_t spent = 0;
    if (phase_ == Phase::waiting) {
      spent = std::min(dt_ns, write_left_);
      checkpoint_ns_ += spent;
      wait(spent);
    } else if (phase_ == Phase::stalled) {
      spent = std::min(dt_ns, stall_left_);
      checkpoint_ns_ += spent;
      stall_left_ -= spent;
      wait(spent);
    } else if (cycle_ns_ <= dt_ns && steady()) {
      const std::int64_t cycles = dt_ns / cycle_ns_;
      spent = cycles * cycle_ns_;
      jump(cycles);
    } else {
      const std::int64_t to_due = add_saturating(step_left_, multiply_saturating(to_checkpoint_ - 1, pace_.total_ns()));
      spent = std::min(dt_ns, to_due);
      compute(spent);
      if (spent == to_due) phase_ = Phase::waiting;
    }
    settle();
    dt_ns -= spent;
  }
}

void Training::abandon_checkpoint() {
  if (phase_ != Phase::computing) to_checkpoint_ = plan_.interval_steps;
  phase_ = Phase::computing;
  stall_left_ = 0;
  write_left_ = 0;
}

void Training::drop_step() {
  lost_ns_ += step_elapsed_;
  step_elapsed_ = 0;
  step_left_ = pace_.total_ns();
  step_recompute_ = 0;
}

void Training::roll_back() {
  abandon_checkpoint();
  const std::int64_t done = step_elapsed_ == 0 ? 0 : pace_.total_ns() - step_left_;
  if (work_.steps > furthest_steps_ || (work_.steps == furthest_steps_ && done > furthest_done_)) {
    furthest_steps_ = work_.steps;
    furthest_done_ = done;
  }
  drop_step();
  lost_ns_ += work_.productive_ns + work_.overhead_ns - durable_.productive_ns - durable_.overhead_ns;
  lost_steps_ += work_.steps - durable_.steps;
  work_ = durable_;
  to_checkpoint_ = plan_.interval_steps;
}

void Training::finish() {
  const std::int64_t step_part = std::min(step_elapsed_, std::max(pace_.step_ns, step_elapsed_ - pace_.overhead_ns));
  work_.productive_ns += step_part;
  work_.overhead_ns += step_elapsed_ - step_part;
  work_.recompute_ns += step_recompute_;
  step_elapsed_ = 0;
  step_recompute_ = 0;
  step_left_ = pace_.total_ns();
}

}  // namespace toposim::sim
