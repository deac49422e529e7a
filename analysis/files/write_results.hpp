#pragma once
#include <filesystem>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// Writes replicas.csv, timeline.csv, junit.xml where there are gates and, last, results.json into the directory, all
/// or none; what an earlier study left there is removed (analysis/files/study_files.hpp), but for accuracy.json, which
/// is an input of lifecycle studies. Throws FileError or ResultsError; nothing is written then.
void write_results(const std::filesystem::path& directory, const Results& results);

}  // namespace toposim::analysis
