#include "sim/exact/exact_workers.hpp"

#include <algorithm>

namespace toposim::sim {

bool ExactWorkers::run(const std::vector<std::function<void()>>& bodies) {
  if (!interrupted_) {
    for (const auto& body : bodies) actors_.push_back(simgrid::s4u::Actor::create("worker", host_, body));
    // Every call into SimGrid lets other actors run: the injector may have come in between and killed only some.
    if (interrupted_)
      for (const auto& actor : actors_) actor->kill();
    for (const auto& actor : actors_) actor->join();
    actors_.clear();
  }
  while (changing_) simgrid::s4u::this_actor::yield();
  return !interrupted_;
}

void ExactWorkers::interrupt(const std::function<void()>& keep_account, const std::function<void()>& change) {
  interrupted_ = changing_ = true;
  keep_account();
  for (const auto& actor : std::vector(actors_)) actor->kill();
  change();
  changing_ = false;
}

void ExactWait::sleep(const std::function<double()>& now_s) {
  if (left_s_ > 0) {
    since_s_ = now_s();
    running_ = true;
    simgrid::s4u::this_actor::sleep_for(left_s_);
    running_ = false;
  }
  left_s_ = 0;
}

void ExactWait::stop(double now_s) {
  if (running_) left_s_ = std::max(0.0, left_s_ - (now_s - since_s_));
  running_ = false;
}

}  // namespace toposim::sim
