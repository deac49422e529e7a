#pragma once
// Actors that do the job's waiting and sending, and can be stopped in the middle.
#include <functional>
#include <simgrid/s4u.hpp>
#include <vector>

namespace toposim::sim {

/// Owned by the job's actor; the injector's actor interrupts it.
class ExactWorkers {
 public:
  explicit ExactWorkers(simgrid::s4u::Host* host) : host_(host) {}

  /// Runs the bodies side by side, each as an actor, until all are over; false if interrupted meanwhile or before, in
  /// which case they were killed wherever they were (not begun, perhaps). The bodies must use only what outlives this.
  bool run(const std::vector<std::function<void()>>& bodies);

  /// From another actor, all at one instant: keep account (what runs is still as it was), kill, then change the world.
  /// run() returns after that.
  void interrupt(const std::function<void()>& keep_account, const std::function<void()>& change);
  bool interrupted() const { return interrupted_; }
  void resume() { interrupted_ = false; }  ///< the job has seen what happened

 private:
  simgrid::s4u::Host* host_;
  std::vector<simgrid::s4u::ActorPtr> actors_;
  bool interrupted_ = false, changing_ = false;
};

/// A wait of which it is known how much is left.
class ExactWait {
 public:
  void set(double seconds) { left_s_ = seconds; }
  double left_s() const { return left_s_; }
  void sleep(const std::function<double()>& now_s);  ///< in an actor: what is left
  void stop(double now_s);                           ///< the actor is about to be killed

 private:
  double left_s_ = 0, since_s_ = 0;
  bool running_ = false;
};

}  // namespace toposim::sim
