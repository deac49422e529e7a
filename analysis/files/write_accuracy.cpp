#include "analysis/files/write_accuracy.hpp"

#include "analysis/check.hpp"
#include "analysis/files/accuracy_csv.hpp"
#include "analysis/files/accuracy_json.hpp"
#include "analysis/files/efficiency_json.hpp"
#include "analysis/files/study_files.hpp"
#include "analysis/gates/junit.hpp"

namespace toposim::analysis {

void write_accuracy(const std::filesystem::path& directory, const AccuracyResults& results) {
  std::vector<OutputFile> files = {
      {"gradient.csv", gradient_csv(results)}, {"runs.csv", runs_csv(results)}, {"losses.csv", losses_csv(results)}};
  if (!results.efficiency.empty()) files.push_back({"accuracy.json", efficiency_json(results)});
  if (!results.gates.empty())
    files.push_back(
        {"junit.xml", junit_xml(results.scenario_name, value_of(results.cost, "wall_s", 0), results.gates)});
  files.push_back({"results.json", accuracy_results_json(results)});
  write_study(directory, files);
}

}  // namespace toposim::analysis
