#pragma once
// Finding one's way among the cells of an accuracy study.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/accuracy_results.hpp"
#include "analysis/check.hpp"

namespace toposim::analysis {

/// nullptr where there is none.
const AccuracyCell* find_cell(const std::vector<AccuracyCell>& cells, std::string_view faults, std::string_view scheme,
                              std::uint64_t step);
/// A column of that cell; nullptr where there is no such cell or column.
const Metric* find_column(const std::vector<AccuracyCell>& cells, std::string_view faults, std::string_view scheme,
                          std::uint64_t step, std::string_view column);

/// Ascending, each once.
std::vector<std::uint64_t> steps_of(const std::vector<AccuracyCell>& cells);
/// Steps of the runs that a report speaks of: numbers' steps, where runs of that length are there; else the longest. 0
/// without runs. Shorter and longer runs are there for statistical efficiencies.
std::uint64_t run_length(const AccuracyResults& results);

/// "step 1,200".
std::string at_step(std::uint64_t step);
/// Those of the fault case that have cells at that step, in the order of the study: drop first, never fault_free.
std::vector<std::string> schemes_of(const AccuracyResults& results, const std::vector<AccuracyCell>& cells,
                                    std::string_view faults, std::uint64_t step);

}  // namespace toposim::analysis
