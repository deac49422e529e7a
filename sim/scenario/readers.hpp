#pragma once
// One reader per section of a scenario. Each fills a spec from the mapping, reports what is wrong with it on its own,
// and leaves to cross_checks.hpp what two sections say together. Every key, with its default: the commented
// scenarios/quickstart.yaml.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/section.hpp"
#include "topology/fabric_shape.hpp"

namespace toposim::sim {

/// Of built and of imported fabrics.
inline constexpr std::pair<std::string_view, topology::RoutingMode> routing_words[] = {
    {"adaptive", topology::RoutingMode::adaptive}, {"ecmp", topology::RoutingMode::ecmp}};

/// Longest time that a scenario may name, 100 years: nanoseconds in 63 bits hold 292.
inline constexpr double longest_s = 36500.0 * 86400;
inline constexpr Range time_range{0, longest_s};
inline constexpr Range time_above_zero{0, longest_s, true};

/// What schemes start from: the sections `recovery`, `checkpoint` and `cluster.storage`.
struct SchemeDefaults {
  RecoverySpec recovery;
  CheckpointSpec checkpoint;
};

/// folder: the scenario's own, from which cluster.import names its files.
void read_cluster(Section& section, topology::ClusterSpec& cluster, GpuSpec& gpu, CheckpointSpec& storage,
                  const std::string& folder);
/// cluster.import, which is there: reads the files and fills what they say of nodes, adapters and links.
void read_import(Section& cluster_section, topology::ClusterSpec& cluster, const std::string& folder);
/// data_parallel is left 0 where the file does not give it: it is what the cluster leaves.
void read_job(Section& section, JobSpec& job);
void read_domains(Section& section, topology::DomainsSpec& domains);
/// cluster: for rates per node; null where it is wrong (then those rates are checked, and not used).
void read_faults(const YamlEntry& entry, Problems& problems, faults::FaultSpec& faults, faults::ReplaySpec& replay,
                 const topology::ClusterSpec* cluster);
void read_replay(Section& section, faults::ReplaySpec& replay);
/// How many components of a kind a cluster of this shape has; faults::component_count without building it.
std::int64_t components_of(faults::Component component, const topology::FabricShape& shape);
void read_recovery(Section& section, RecoverySpec& recovery);
void read_checkpoint(Section& section, CheckpointSpec& checkpoint);
void read_schemes(const YamlEntry& entry, Problems& problems, const SchemeDefaults& defaults,
                  std::vector<SchemeSpec>& schemes);
void read_run(Section& section, RunSpec& run);
void read_training(Section& section, accuracy::TrainingSpec& training);
void read_placement(Section& section, accuracy::PlacementSpec& placement);
void read_correction(Section& section, emulator::CorrectionSpec& correction);
/// Files that a scenario names lie where it says from the scenario's own folder.
void resolve_paths(accuracy::AccuracySpec& study, const std::string& scenario_file);
void resolve_paths(faults::ReplaySpec& replay, const std::string& scenario_file);
void resolve_paths(std::vector<SchemeSpec>& schemes, const std::string& scenario_file);
/// All sections of `study: accuracy` but the gates. Returns whether the lists of faults and schemes are right.
bool read_accuracy(Section& root, accuracy::AccuracySpec& study);
/// What gates may name.
struct GateNames {
  std::vector<std::string> schemes;  ///< empty: not known, as some of them could not be read
  bool has_cases = true;             ///< of faults: an accuracy study
  std::vector<std::string> cases;    ///< likewise
};
void read_gates(const YamlEntry& entry, Problems& problems, std::vector<analysis::Gate>& gates, const GateNames& names);

/// A name that becomes a file name and a key in results: letters, digits, '.', '_', '-'; not starting with '.' or '-'.
bool read_name(Section& section, std::string_view key, std::string& out);

}  // namespace toposim::sim
