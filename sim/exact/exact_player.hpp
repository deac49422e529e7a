#pragma once
// Plays one step: compute and network side by side, resumable after anything that happens in between.
#include <cstddef>
#include <vector>

#include "sim/exact/exact_fabric.hpp"
#include "sim/exact/exact_step.hpp"
#include "sim/exact/exact_workers.hpp"

namespace toposim::sim {

class ExactPlayer {
 public:
  ExactPlayer(ExactFabric& fabric, ExactWorkers& workers) : fabric_(fabric), workers_(workers) {}

  void begin(StepParts parts);
  /// The step in flight goes on at another pace: what is left of compute is stretched, operations not begun are
  /// replaced, and what is in flight is sent again by where it goes now, as far as it was not through.
  void change(StepParts parts);

  /// Called by the job's actor. done: the step is. blocked: something has to be sent and there is no route. Else
  /// interrupted; call again to go on.
  enum class Outcome : std::uint8_t { done, blocked, interrupted };
  Outcome play(const topology::FabricState& state, const std::vector<std::uint32_t>& node_of_slot);

  /// For ExactWorkers::interrupt, before and after the kill.
  void keep_account();
  void cancel();

 private:
  void enter_part();
  void network(const topology::FabricState& state, const std::vector<std::uint32_t>& node_of_slot);
  bool send(const Phase& phase, double scale, const topology::FabricState& state,
            const std::vector<std::uint32_t>& node_of_slot);
  double now_s() const { return fabric_.engine().elapsed_s(); }

  ExactFabric& fabric_;
  ExactWorkers& workers_;
  StepParts parts_;
  std::size_t part_ = 0;
  ExactWait compute_;
  // The network's operation under way.
  std::size_t operation_ = 0;
  bool begun_ = false;  // its bytes are set
  bool sent_ = false;   // its bytes are through, its latency is being waited for
  bool blocked_ = false;
  ExactWait latency_;
  std::vector<double> bytes_left_;
  std::vector<simgrid::s4u::CommPtr> in_flight_;
};

}  // namespace toposim::sim
