#include "sim/app/cross_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/app/study.hpp"

namespace toposim::sim {
namespace {

/// Indices of the broken states to look at: alternately the next most frequent and the next slowest.
std::set<std::size_t> sample(const std::vector<StateUse>& states, std::int64_t count) {
  std::vector<std::size_t> broken;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (!states[i].state.nominal()) broken.push_back(i);
  std::vector<std::size_t> by_use = broken, by_time = broken;
  std::stable_sort(by_use.begin(), by_use.end(),
                   [&](std::size_t a, std::size_t b) { return states[a].queries > states[b].queries; });
  std::stable_sort(by_time.begin(), by_time.end(),
                   [&](std::size_t a, std::size_t b) { return states[a].step_time_ns > states[b].step_time_ns; });
  const std::size_t wanted = std::min(broken.size(), static_cast<std::size_t>(count));
  std::set<std::size_t> chosen;
  for (std::size_t i = 0; i < broken.size() && chosen.size() < wanted; ++i) {
    chosen.insert(by_use[i]);
    if (chosen.size() < wanted) chosen.insert(by_time[i]);
  }
  return chosen;
}

}  // namespace

CrossCheck cross_check(const StepModel& step_model, FabricModel& flow, const std::vector<StateUse>& states,
                       std::int64_t broken_states) {
  CrossCheck result;
  const auto look_at = [&](const StepState& state) {
    const double fast_s = step_model.step_incremental(state).step_time_s;
    const double flow_s = step_model.step(state, flow).step_time_s;
    const double deviation = std::abs(fast_s - flow_s) / flow_s;
    ++result.states;
    if (!(deviation <= result.largest_deviation)) {  // NaN is the largest deviation of all

      result.largest_deviation = deviation;
      result.largest_deviation_s = std::abs(fast_s - flow_s);
    }
    return deviation;
  };
  result.healthy_deviation = look_at(StepState{});
  for (const std::size_t index : sample(states, broken_states)) look_at(states[index].state);
  return result;
}

void require_close(const CrossCheck& check) {
  if (check.largest_deviation <= cross_check_bound) return;
  throw StudyError(fmt::format(
      "the fast fabric model is {:.1f} % off the SimGrid solve ({:.3g} s of a step) in one of {} states checked, more "
      "than {:.0f} %: its step times cannot be trusted here; set run.fidelity: flow",
      100 * check.largest_deviation, check.largest_deviation_s, check.states, 100 * cross_check_bound));
}

}  // namespace toposim::sim
