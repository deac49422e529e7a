#pragma once
#include <filesystem>

#include "analysis/accuracy_results.hpp"

namespace toposim::analysis {

/// Writes gradient.csv, runs.csv, losses.csv, accuracy.json where statistical efficiencies were measured, junit.xml
/// where there are gates and, last, results.json into the directory, all or none; what an earlier study left there is
/// removed (analysis/files/study_files.hpp). Throws FileError or ResultsError; nothing is written then.
void write_accuracy(const std::filesystem::path& directory, const AccuracyResults& results);

}  // namespace toposim::analysis
