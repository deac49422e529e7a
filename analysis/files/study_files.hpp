#pragma once
#include <filesystem>
#include <string_view>
#include <vector>

#include "analysis/files/atomic_file.hpp"

namespace toposim::analysis {

/// write_files(), so that the directory then holds one study: files that an earlier one of either kind left there under
/// names that this one does not write (replicas.csv, gradient.csv, junit.xml, ...) are removed with the same step, for
/// they would pass for this one's. `kept` stays: a file that says itself which study measured it.
void write_study(const std::filesystem::path& directory, const std::vector<OutputFile>& files,
                 std::string_view kept = {});

}  // namespace toposim::analysis
