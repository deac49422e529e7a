#include "sim/app/accuracy_app.hpp"

#include "sim/accuracy/accuracy_study.hpp"
#include "sim/app/resources.hpp"
#include "sim/app/version.hpp"
#include "sim/scenario/memory.hpp"

namespace toposim::sim {

analysis::AccuracyResults run_accuracy_study(const Scenario& scenario, int threads, Progress& progress) {
  const double wall_start = wall_seconds();
  const accuracy::StudyHooks hooks{
      [&](const std::string& words) { progress.stage(words); },
      [&](const std::string& words, std::int64_t done, std::int64_t total) { progress.count(words, done, total); }};
  analysis::AccuracyResults results =
      accuracy::run_accuracy(scenario.accuracy, available_memory_bytes(), threads, hooks);
  results.scenario_name = scenario.name;
  results.scenario_hash = scenario.hash;
  results.versions = version_facts();
  results.cost = {{"cpu_s", cpu_seconds()},
                  {"wall_s", wall_seconds() - wall_start},
                  {"memory_peak_bytes", static_cast<double>(peak_memory_bytes())},
                  {"threads", static_cast<double>(threads)}};
  return results;
}

}  // namespace toposim::sim
