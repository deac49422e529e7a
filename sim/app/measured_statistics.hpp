#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/schemes/measured_progress.hpp"

namespace toposim::sim {

/// What an accuracy study measured, as a scheme of a lifecycle study takes it.
struct MeasuredStatistics {
  MeasuredProgress mean;                   ///< over the seeds
  std::vector<MeasuredProgress> per_seed;  ///< seed by seed, for the uncertainty
  std::string measured_on;                 ///< "measured on a small model: ..."
  std::string source;                      ///< scheme, fault cases and file, and under which conditions
  std::vector<std::string> warnings;
};

/// Of statistics.accuracy; none where the scheme names no measurement. Takes the cells of one scheme whose fault cases
/// were asked for, and nothing that would have to be guessed: no case with seeds that never reached the goal (their
/// efficiency is a bound), no two cases of one dead share, no mixture of kinds of faults that was not asked for, not
/// less than two seeds (no spread). Throws ScenarioError.
std::optional<MeasuredStatistics> measured_statistics(const SchemeSpec& spec, const topology::DomainsSpec& domains);

}  // namespace toposim::sim
