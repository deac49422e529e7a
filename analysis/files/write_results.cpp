#include "analysis/files/write_results.hpp"

#include "analysis/check.hpp"
#include "analysis/files/csv_writer.hpp"
#include "analysis/files/json_writer.hpp"
#include "analysis/files/study_files.hpp"
#include "analysis/gates/junit.hpp"

namespace toposim::analysis {

void write_results(const std::filesystem::path& directory, const Results& results) {
  std::vector<OutputFile> files = {{"replicas.csv", replicas_csv(results)}, {"timeline.csv", timeline_csv(results)}};
  if (!results.gates.empty())
    files.push_back(
        {"junit.xml", junit_xml(results.scenario_name, value_of(results.cost, "wall_s", 0), results.gates)});
  files.push_back({"results.json", results_json(results)});
  write_study(directory, files, "accuracy.json");  // a lifecycle study may have read it
}

}  // namespace toposim::analysis
