#pragma once
#include <filesystem>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// Writes replicas.csv, timeline.csv, junit.xml where there are gates and, last, results.json into the directory, all
/// or none (analysis/atomic_file.hpp). Without gates the junit.xml of an earlier run is removed. Throws FileError or
/// ResultsError; nothing is written then.
void write_results(const std::filesystem::path& directory, const Results& results);

}  // namespace toposim::analysis
