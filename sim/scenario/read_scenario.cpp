#include "sim/scenario/read_scenario.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sim/scenario/canonical.hpp"
#include "sim/scenario/cross_checks.hpp"
#include "sim/scenario/load_text.hpp"
#include "sim/scenario/memory.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

constexpr std::pair<std::string_view, Study> study_words[] = {{"lifecycle", Study::lifecycle},
                                                              {"accuracy", Study::accuracy}};

/// Returns whether the list of schemes is right.
bool read_lifecycle(Section& root, Scenario& scenario, double available_bytes, const std::string& folder) {
  Problems& problems = root.problems();
  root.require({{"cluster", "the machine: gpu, nodes, fabric"},
                {"job", "the model and how it is split"},
                {"faults", "what breaks and how often: a preset, classes or none"},
                {"schemes", "a list of ways to survive failures"},
                {"run", "how long, how often: duration, replicas, seed"}});
  root.refuse({"training", "recorded", "placement", "compensation", "correction", "gradient"},
              "belongs to study: accuracy; remove it, or write that");
  SchemeDefaults defaults;
  std::size_t before = problems.count();
  Section cluster = root.section("cluster");
  read_cluster(cluster, scenario.cluster, scenario.gpu, defaults.checkpoint, folder);
  const bool cluster_ok =
      cluster.present() && problems.count() == before && check_cluster(scenario.cluster, cluster, available_bytes);

  before = problems.count();
  Section job = root.section("job");
  read_job(job, scenario.job);
  bool job_ok = job.present() && cluster_ok && problems.count() == before;
  if (job_ok) check_job(scenario.cluster, scenario.gpu, scenario.job, job);
  job_ok = job_ok && problems.count() == before;

  before = problems.count();
  Section domains = root.section("domains");
  read_domains(domains, scenario.domains);
  if (job_ok && problems.count() == before) check_domains(scenario.job, scenario.domains, domains);

  // Rates per node-day need the cluster's counts: only where it is right.
  before = problems.count();
  const YamlEntry* faults = root.find("faults");
  if (faults != nullptr)
    read_faults(*faults, problems, scenario.faults, scenario.replay, cluster_ok ? &scenario.cluster : nullptr);
  const bool faults_ok = faults != nullptr && cluster_ok && problems.count() == before;

  Section recovery = root.section("recovery");
  read_recovery(recovery, defaults.recovery);
  Section checkpoint = root.section("checkpoint");
  read_checkpoint(checkpoint, defaults.checkpoint);
  const YamlEntry* schemes = root.find("schemes");
  before = problems.count();
  if (schemes != nullptr) read_schemes(*schemes, problems, defaults, scenario.schemes);
  const bool schemes_ok = problems.count() == before;
  Section run = root.section("run");
  read_run(run, scenario.run);
  if (cluster_ok) check_exact(scenario.cluster, scenario.schemes, scenario.run, run);
  if (faults_ok && scenario.run.duration_s > 0)
    check_fault_count(scenario.cluster, scenario.faults, scenario.run.duration_s, faults->mark, problems);
  return schemes_ok;
}

/// Names of the schemes that results will have.
std::vector<std::string> scheme_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const SchemeSpec& scheme : scenario.schemes) names.push_back(scheme.name);
  for (const accuracy::SchemeSpec& scheme : scenario.accuracy.schemes) names.push_back(scheme.name);
  if (scenario.study == Study::accuracy && !names.empty()) names.emplace_back("fault_free");
  return names;
}

GateNames gate_names(const Scenario& scenario, bool schemes_ok) {
  GateNames names;
  if (schemes_ok) names.schemes = scheme_names(scenario);
  names.has_cases = scenario.study == Study::accuracy;
  if (schemes_ok && names.has_cases) {
    for (const accuracy::FaultCaseSpec& faults : scenario.accuracy.faults) names.cases.push_back(faults.name);
    names.cases.emplace_back("none");
  }
  return names;
}

void read_root(Section& root, Scenario& scenario, double available_bytes, const std::string& folder) {
  Problems& problems = root.problems();
  root.require({{"name", "what its results are called"}});
  read_name(root, "name", scenario.name);
  root.text(scenario.description, "description");
  // Of an unknown study nothing is known that could be wrong.
  if (!root.choice<Study>(scenario.study, "study", study_words) && root.has("study")) return;
  const bool schemes_ok = scenario.study == Study::accuracy ? read_accuracy(root, scenario.accuracy)
                                                            : read_lifecycle(root, scenario, available_bytes, folder);
  // Against half a list of schemes a gate might be wrong that is right.
  if (const YamlEntry* gates = root.find("gates"))
    read_gates(*gates, problems, scenario.gates, gate_names(scenario, schemes_ok));
  root.finish();
}

void read_document(std::string_view text, const std::vector<Override>& overrides, double available_bytes,
                   const std::string& folder, Problems& problems, Scenario& scenario) {
  auto document = parse_yaml(text, 0, problems);
  if (!document) return;
  if (document->kind == YamlNode::Kind::null)
    return problems.add({},
                        "the file is empty; a scenario has the sections name, cluster, job, faults, schemes and run");
  if (document->kind != YamlNode::Kind::map)
    return problems.add(document->mark, fmt::format("expected a mapping with the sections name, cluster, job, faults, "
                                                    "schemes and run, got {}",
                                                    describe(*document)));
  const std::size_t before = problems.count();
  for (std::size_t i = 0; i < overrides.size(); ++i)
    apply_override(*document, overrides[i], static_cast<int>(i), problems);
  if (problems.count() > before) return;  // reading on would tell of the value that the override was to replace
  Section root(&*document, "", {0, 1, 1}, problems);
  read_root(root, scenario, available_bytes, folder);
  scenario.hash = content_hash(*document);
}

}  // namespace

ScenarioOrProblems read_scenario_text(std::string_view text, const std::string& file_name,
                                      const std::vector<Override>& overrides, double available_bytes) {
  ScenarioOrProblems result;
  Problems problems;
  const auto clean = clean_text(text, 0, problems);
  if (clean)
    read_document(*clean, overrides, available_bytes > 0 ? available_bytes : available_memory_bytes(),
                  std::filesystem::path(file_name).parent_path().string(), problems, result.scenario);
  resolve_paths(result.scenario.accuracy, file_name);
  resolve_paths(result.scenario.schemes, file_name);
  resolve_paths(result.scenario.replay, file_name);
  std::vector<std::string> changes;
  for (const Override& change : overrides) changes.push_back(change.text());
  result.problems = problems.in_file_order(file_name, clean ? std::string_view(*clean) : std::string_view(), changes);
  return result;
}

ScenarioOrProblems read_scenario(const std::string& file, const std::vector<Override>& overrides,
                                 double available_bytes) {
  Problems problems;
  const auto text = load_file(file, problems);
  if (text) return read_scenario_text(*text, file, overrides, available_bytes);
  return {{}, problems.in_file_order(file, {}, {})};
}

}  // namespace toposim::sim
