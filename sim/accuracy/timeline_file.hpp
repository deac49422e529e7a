#pragma once
// The failures that a lifecycle study went through (its timeline.csv), as absences of virtual workers.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/emulator/step_faults.hpp"

namespace toposim::accuracy {

/// A timeline larger than this is refused.
inline constexpr std::uint64_t timeline_bytes_max = 1ULL << 30;

struct Timeline {
  std::uint32_t replicas = 0;  ///< of the job
  std::int64_t steps = 0;      ///< done by its end
  struct Absence {
    std::uint32_t replica = 0;
    std::int64_t from_step = 0, to_step = 0;  ///< missing in [from, to)
  };
  std::vector<Absence> absences;  ///< by from_step; of no steps where the replica was back before the next
};

/// The rows of one scheme; empty: of the only one that loses replicas. A timeline tells who is lost and how many are
/// there: those lost first are taken to be back first. Throws AccuracyError with file, line, what is wrong and what to
/// do.
Timeline read_timeline(const std::string& path, const std::string& scheme);

/// Worker w of `workers` is as replica w x replicas / workers, so that neighbours stay neighbours; times are shares of
/// the whole timeline.
std::vector<emulator::Absence> worker_absences(const Timeline& timeline, std::uint32_t workers);

}  // namespace toposim::accuracy
