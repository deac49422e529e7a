#include "sim/app/topology_app.hpp"

#include <unistd.h>

#include <filesystem>

#include "analysis/files/atomic_file.hpp"
#include "sim/app/study.hpp"
#include "sim/app/topology_report.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/survey/picture.hpp"

namespace toposim::sim {

std::string look_at_topology(const CommandLine& line, const Scenario* scenario) {
  topology::ClusterSpec spec;
  if (scenario != nullptr) {
    if (scenario->study == Study::accuracy)
      throw ScenarioError("study: accuracy has no fabric; give a scenario with a cluster, or a fabric file");
    spec = scenario->cluster;
  } else {
    topology::ImportSpec import;
    import.file = line.scenario;
    import.tables = line.topology.tables;
    import.link_rate_Bps = line.topology.link_rate_Bps;
    topology::use_fabric(std::make_shared<const topology::ImportedFabric>(topology::import_fabric(import)), spec);
  }
  const topology::Cluster cluster = topology::build_cluster(spec);
  const std::filesystem::path dot = line.topology.dot;
  if (dot == "-") return topology::graphviz(cluster);
  if (!dot.empty()) {
    const std::filesystem::path folder = dot.has_parent_path() ? dot.parent_path() : std::filesystem::path(".");
    analysis::write_files(folder, {{dot.filename().string(), topology::graphviz(cluster)}});
  }
  return topology_report(line.scenario, cluster, analysis::style_of(STDOUT_FILENO));
}

}  // namespace toposim::sim
