#include "sim/exact/exact_player.hpp"

#include <utility>

#include "topology/error.hpp"

namespace toposim::sim {

void ExactPlayer::begin(StepParts parts) {
  parts_ = std::move(parts);
  part_ = 0;
  enter_part();
}

void ExactPlayer::enter_part() {
  compute_.set(parts_[part_].compute_s);
  operation_ = 0;
  begun_ = sent_ = blocked_ = false;
}

void ExactPlayer::change(StepParts parts) {
  const double before_s = parts_[part_].compute_s, after_s = parts[part_].compute_s;
  if (before_s > 0) compute_.set(compute_.left_s() * after_s / before_s);
  // The part under way keeps its operations: the plan is the same, only routes differ, and those are looked up anew.
  std::swap(parts[part_].operations, parts_[part_].operations);
  parts_ = std::move(parts);
  blocked_ = false;
}

ExactPlayer::Outcome ExactPlayer::play(const topology::FabricState& state,
                                       const std::vector<std::uint32_t>& node_of_slot) {
  while (part_ < parts_.size()) {
    const bool finished = workers_.run({[this] { compute_.sleep([this] { return now_s(); }); },
                                        [this, &state, &node_of_slot] { network(state, node_of_slot); }});
    if (!finished) return Outcome::interrupted;
    if (blocked_) return Outcome::blocked;
    ++part_;
    if (part_ < parts_.size()) enter_part();
  }
  return Outcome::done;
}

void ExactPlayer::network(const topology::FabricState& state, const std::vector<std::uint32_t>& node_of_slot) {
  const std::vector<Operation>& operations = parts_[part_].operations;
  for (; operation_ < operations.size(); ++operation_) {
    const Operation& operation = operations[operation_];
    if (operation.phase == nullptr) {
      if (!sent_) latency_.set(operation.wait_s);
      sent_ = true;
    } else if (!sent_ && !send(*operation.phase, operation.bytes_scale, state, node_of_slot)) {
      blocked_ = true;
      return;
    }
    latency_.sleep([this] { return now_s(); });
    begun_ = sent_ = false;
  }
}

bool ExactPlayer::send(const Phase& phase, double scale, const topology::FabricState& state,
                       const std::vector<std::uint32_t>& node_of_slot) {
  if (!begun_) {
    bytes_left_.clear();
    for (const Flow& flow : phase.flows) bytes_left_.push_back(flow.bytes * scale);
    for (const ArcFlow& flow : phase.arc_flows) bytes_left_.push_back(flow.bytes * scale);
    begun_ = true;
  }
  ExactFabric::Routes routes;
  try {
    routes = fabric_.route(phase, state, node_of_slot);
  } catch (const topology::TopologyError&) {
    return false;
  }
  in_flight_.assign(bytes_left_.size(), nullptr);
  for (std::size_t i = 0; i < bytes_left_.size(); ++i)
    if (bytes_left_[i] > 0 && !routes.flows[i].arcs.empty())
      in_flight_[i] = fabric_.start(routes.flows[i], bytes_left_[i]);
  // A copy: cancel() empties the other one while this actor, killed, may still be in a wait.
  for (const auto& comm : std::vector(in_flight_))
    if (comm != nullptr) comm->wait();
  in_flight_.clear();
  latency_.set(routes.latency_s);
  sent_ = true;
  return true;
}

void ExactPlayer::keep_account() {
  compute_.stop(now_s());
  latency_.stop(now_s());
  for (std::size_t i = 0; i < in_flight_.size(); ++i)
    bytes_left_[i] = in_flight_[i] == nullptr ? 0 : in_flight_[i]->get_remaining();
}

void ExactPlayer::cancel() {
  for (const auto& comm : in_flight_)
    if (comm != nullptr) comm->cancel();
  in_flight_.clear();
}

}  // namespace toposim::sim
