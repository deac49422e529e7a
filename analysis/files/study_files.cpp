#include "analysis/files/study_files.hpp"

#include <algorithm>
#include <string>

namespace toposim::analysis {
namespace {

/// Of all kinds of study, but for results.json, which every study writes.
constexpr const char* file_names[] = {"replicas.csv",  "timeline.csv", "gradient.csv", "runs.csv",     "losses.csv",
                                      "accuracy.json", "junit.xml",    "hazard.csv",   "quantiles.csv"};

}  // namespace

void write_study(const std::filesystem::path& directory, const std::vector<OutputFile>& files, std::string_view kept) {
  std::vector<std::string> obsolete;
  for (const std::string name : file_names) {
    const auto written = [&](const OutputFile& file) { return file.name == name; };
    if (name != kept && std::none_of(files.begin(), files.end(), written)) obsolete.push_back(name);
  }
  write_files(directory, files, obsolete);
}

}  // namespace toposim::analysis
