#pragma once
// The job as a SimGrid actor: steps, checkpoints, restarts; and the injector, the actor that breaks things.
#include <cstdint>
#include <exception>
#include <limits>
#include <vector>

#include "sim/exact/exact_fabric.hpp"
#include "sim/exact/exact_player.hpp"
#include "sim/exact/exact_run.hpp"
#include "sim/exact/exact_workers.hpp"
#include "sim/lifecycle/degradation.hpp"
#include "sim/lifecycle/node_slots.hpp"

namespace toposim::sim {

/// One exact run. Keeps references; used once, on SimGrid's thread.
class ExactJob {
 public:
  ExactJob(ExactFabric& fabric, const StepPlanner& planner, const JobMap& job, const Scheme& scheme,
           const Outages& outages, std::int64_t steps);

  ExactResult run();

 private:
  /// none: what was to be done is done. stopped: the job has lost something and must recover. over: the horizon.
  enum class News : std::uint8_t { none, stopped, over };

  static constexpr std::int64_t forever_ns = std::numeric_limits<std::int64_t>::max();

  // The two actors.
  void live();
  void inject();
  void apply(std::uint32_t event);

  // What the job does.
  News step();
  News checkpoint();
  News recover();
  News restart();  ///< once through the stages of a recovery
  News fill_slots();
  News wait(std::int64_t ns, Bucket bucket);          ///< or until the next news, if it comes first
  News wait_through(std::int64_t ns, Bucket bucket);  ///< or until news that stops the job
  News take_in();                                     ///< what the injector has told

  void roll_back();
  void settle_write();
  StepParts parts();
  void locate_slots();
  void book(Bucket bucket);
  std::int64_t kept() const { return static_cast<std::int64_t>(result_.step_ns.size()); }
  std::int64_t now_ns() const { return fabric_.now_ns(); }

  ExactFabric& fabric_;
  const StepPlanner& planner_;
  const JobMap& map_;
  const Scheme& scheme_;
  const Outages& outages_;
  const std::int64_t steps_;
  ExactWorkers workers_;
  ExactPlayer player_;
  ExactWait wait_;
  simgrid::s4u::ActorPtr injector_;
  std::exception_ptr error_;

  // What the injector knows and tells.
  Degradation degradation_;
  std::vector<std::uint32_t> faults_on_;  // by node
  std::vector<std::uint32_t> inbox_;      // events that the job has not seen
  bool horizon_reached_ = false;

  // What the job knows.
  NodeSlots nodes_;
  std::vector<std::uint32_t> node_of_slot_;
  bool recovering_ = false;
  Losses losses_;                       // since the job last ran
  std::vector<std::uint32_t> missing_;  // replicas, sorted
  std::int64_t durable_steps_ = 0;
  bool writing_ = false;  // a checkpoint of written_steps_, durable at written_ns_
  std::int64_t written_steps_ = 0, written_ns_ = 0;
  std::int64_t booked_ns_ = 0;      // everything before is in a bucket, or in step_spent_ns_
  std::int64_t step_spent_ns_ = 0;  // on the step in flight
  ExactResult result_;
};

}  // namespace toposim::sim
