#include "sim/app/topology_app.hpp"

#include <unistd.h>

#include <filesystem>

#include "analysis/files/atomic_file.hpp"
#include "sim/app/study.hpp"
#include "sim/app/topology_report.hpp"
#include "topology/import/graphml_file.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/survey/picture.hpp"

namespace toposim::sim {
namespace {

void write(const std::filesystem::path& file, const std::string& contents) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  analysis::write_files(folder, {{file.filename().string(), contents}});
}

}  // namespace

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
  const std::string &dot = line.topology.dot, &graphml = line.topology.graphml;
  if (!dot.empty() && dot != "-") write(dot, topology::graphviz(cluster));
  if (!graphml.empty() && graphml != "-") write(graphml, topology::graphml(cluster));
  if (dot == "-") return topology::graphviz(cluster);
  if (graphml == "-") return topology::graphml(cluster);
  return topology_report(line.scenario, cluster, analysis::style_of(STDOUT_FILENO));
}

}  // namespace toposim::sim
