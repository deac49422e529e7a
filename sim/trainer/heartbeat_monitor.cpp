#include "sim/trainer/heartbeat_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace toposim::trainer {

HeartbeatMonitor::HeartbeatMonitor(std::vector<std::uint32_t> domain, HeartbeatSpec spec)
    : domain_(std::move(domain)), last_beat_s_(domain_.size(), 0.0), spec_(spec) {
  if (domain_.empty()) throw std::invalid_argument("heartbeat monitor: no workers");
  if (!(spec_.timeout_s > 0))
    throw std::invalid_argument(fmt::format("heartbeat monitor: timeout = {} s must be above 0", spec_.timeout_s));
  members_.resize(*std::max_element(domain_.begin(), domain_.end()) + std::size_t{1});
  for (std::uint32_t w = 0; w < domain_.size(); ++w) {
    members_[domain_[w]].push_back(w);
    everyone_.push_back(w);
  }
}

void HeartbeatMonitor::beat(std::uint32_t worker, double now_s) {
  double& last = last_beat_s_.at(worker);
  last = std::max(last, now_s);
}

bool HeartbeatMonitor::fresh(std::uint32_t worker, double now_s) const {
  return now_s < suspected_from_s(worker);
}

double HeartbeatMonitor::suspected_from_s(std::uint32_t worker) const {
  return last_beat_s_.at(worker) + spec_.timeout_s;
}

Verdict HeartbeatMonitor::ask(std::uint32_t worker, double now_s) const {
  if (fresh(worker, now_s)) return Verdict::alive;
  const auto majority = [&](const std::vector<std::uint32_t>& voters) {
    const auto there =
        std::count_if(voters.begin(), voters.end(), [&](std::uint32_t other) { return fresh(other, now_s); });
    return 2 * static_cast<std::size_t>(there) > voters.size();
  };
  return majority(members_[domain_[worker]]) || majority(everyone_) ? Verdict::dead : Verdict::no_quorum;
}

}  // namespace toposim::trainer
