#include "sim/lifecycle/roster.hpp"

#include <algorithm>

namespace toposim::sim {

Roster::Roster(const JobMap& job) : job_(&job), seats_(job.replicas()) {}

void Roster::leave(std::uint32_t replica) {
  seats_[replica].takes_part = false;
  missing_.insert(std::lower_bound(missing_.begin(), missing_.end(), replica), replica);
}

Roster::Lost Roster::vacate(std::uint32_t slot) {
  Lost lost;
  for (const std::uint32_t replica : job_->replicas_on(slot)) {
    Seat& seat = seats_[replica];
    ++seat.vacant_slots;
    seat.ready_ns = never;
    if (!seat.takes_part) continue;
    leave(replica);
    if (lost.count++ == 0) lost.first = replica;
  }
  return lost;
}

void Roster::fill(std::uint32_t slot) {
  for (const std::uint32_t replica : job_->replicas_on(slot)) --seats_[replica].vacant_slots;
}

void Roster::start_loading(std::int64_t ready_ns) {
  for (const std::uint32_t replica : missing_) {
    Seat& seat = seats_[replica];
    if (seat.vacant_slots == 0 && seat.ready_ns == never) seat.ready_ns = ready_ns;
  }
}

std::int64_t Roster::earliest_ready_ns() const {
  std::int64_t earliest = never;
  for (const std::uint32_t replica : missing_) earliest = std::min(earliest, seats_[replica].ready_ns);
  return earliest;
}

std::uint32_t Roster::join_ready(std::int64_t now_ns) {
  joining_.clear();
  std::erase_if(missing_, [&](std::uint32_t replica) {
    Seat& seat = seats_[replica];
    if (seat.ready_ns > now_ns) return false;
    seat = {0, true, never};
    joining_.push_back(replica);
    return true;
  });
  return static_cast<std::uint32_t>(joining_.size());
}

void Roster::undo_join(std::int64_t now_ns) {
  for (const std::uint32_t replica : joining_) {
    if (!seats_[replica].takes_part) continue;
    leave(replica);
    seats_[replica].ready_ns = now_ns;
  }
  joining_.clear();
}

void Roster::join_complete() {
  std::erase_if(missing_, [&](std::uint32_t replica) {
    if (seats_[replica].vacant_slots > 0) return false;
    seats_[replica] = Seat{};
    return true;
  });
}

bool Roster::takes_part(std::uint32_t slot) const {
  const auto replicas = job_->replicas_on(slot);
  return std::any_of(replicas.begin(), replicas.end(), [&](std::uint32_t r) { return seats_[r].takes_part; });
}

std::vector<std::uint32_t> Roster::incomplete() const {
  std::vector<std::uint32_t> replicas;
  for (const std::uint32_t replica : missing_)
    if (seats_[replica].vacant_slots > 0) replicas.push_back(replica);
  return replicas;
}

}  // namespace toposim::sim
