#pragma once
// One YAML file as plain values: everything checked, presets resolved, quantities in SI base units.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/gates/gate.hpp"
#include "faults/fault_spec.hpp"
#include "faults/replay/replay_spec.hpp"
#include "sim/accuracy/accuracy_spec.hpp"
#include "sim/fabric/fabric_model.hpp"
#include "sim/schemes/scheme_spec.hpp"
#include "sim/step/job_spec.hpp"
#include "topology/cluster_spec.hpp"
#include "topology/domains.hpp"

namespace toposim::faults {
class Replay;
}

namespace toposim::sim {

struct RunSpec {
  double duration_s = 0;
  std::int64_t replicas = 100;  ///< independent failure histories; the most, with a target precision
  double target_precision = 0;  ///< stop when every scheme's ETTR has a 95 % half-width below this; 0: off
  std::uint64_t seed = 1;
  Fidelity fidelity = Fidelity::bottleneck;
  std::int64_t cross_check_states = 5;  ///< broken states solved by `flow` too, beside the healthy one
};

enum class Study : std::uint8_t {
  lifecycle,  ///< how long a step takes, and what of weeks of failures is useful
  accuracy,   ///< what standing in for lost gradients does to the model
};

struct Scenario {
  std::string name;
  std::string description;
  Study study = Study::lifecycle;
  accuracy::AccuracySpec accuracy;  ///< of an accuracy study, which has nothing of what follows but gates and hash
  topology::ClusterSpec cluster;
  GpuSpec gpu;
  JobSpec job;
  topology::DomainsSpec domains;
  faults::FaultSpec faults;
  faults::ReplaySpec replay;                       ///< where faults come from a trace: then `faults` is what it holds,
  std::shared_ptr<const faults::Replay> replayed;  ///< and this too, once load_replay() (sim/app) has read it
  std::vector<SchemeSpec> schemes;
  RunSpec run;
  std::vector<analysis::Gate> gates;
  std::string hash;  ///< of the effective scenario: file and --set overrides, comments and layout not included
};

}  // namespace toposim::sim
