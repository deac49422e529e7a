#include <filesystem>

#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

void from_folder(std::string& path, const std::filesystem::path& folder) {
  if (!path.empty() && std::filesystem::path(path).is_relative()) path = (folder / path).string();
}

}  // namespace

void resolve_paths(accuracy::AccuracySpec& study, const std::string& scenario_file) {
  const std::filesystem::path folder = std::filesystem::path(scenario_file).parent_path();
  from_folder(study.recorded.path, folder);
  from_folder(study.placement.embeddings, folder);
  from_folder(study.training.data.fashion_mnist, folder);
  from_folder(study.training.data.wordnet, folder);
  for (accuracy::FaultCaseSpec& faults : study.faults) from_folder(faults.timeline, folder);
}

void resolve_paths(faults::ReplaySpec& replay, const std::string& scenario_file) {
  from_folder(replay.file, std::filesystem::path(scenario_file).parent_path());
}

void resolve_paths(std::vector<SchemeSpec>& schemes, const std::string& scenario_file) {
  const std::filesystem::path folder = std::filesystem::path(scenario_file).parent_path();
  for (SchemeSpec& scheme : schemes) from_folder(scheme.statistics.accuracy, folder);
}

}  // namespace toposim::sim
