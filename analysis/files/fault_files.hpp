#pragma once
#include <filesystem>
#include <string>

#include "analysis/fault_results.hpp"

namespace toposim::analysis {

std::string fault_json(const FaultResults& results);
/// Per kind of time a row for each bin: events, faults or repairs per hour, and what each model says.
std::string hazard_csv(const FaultResults& results);
/// Per kind of time a row for each probability: the time observed and that of each model, for a Q-Q plot.
std::string quantiles_csv(const FaultResults& results);

/// hazard.csv, quantiles.csv and results.json, all or none. Throws FileError.
void write_faults(const std::filesystem::path& directory, const FaultResults& results);

}  // namespace toposim::analysis
