#pragma once
// What an entry of a scenario's `schemes` list says. One struct for all schemes: a key that a scheme does not use is an
// error of the scenario reader, so nothing here is silently ignored.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/lifecycle/recovery_spec.hpp"

namespace toposim::sim {

enum class SchemeKind : std::uint8_t { checkpoint_restart, drop_replica, compensate };

/// Statistical cost of missing or estimated replicas: an assumption, and labelled so in every result, unless `accuracy`
/// names a measurement, which then replaces all of it.
/// Progress of one step with batch B' and learning rate scaled by s, over the fault-free step's, by the quadratic model
/// of arXiv 1812.06162 (eq. 2.6-2.7): 2s - s^2 (1 + B_noise/B') / (1 + B_noise/B), clipped at 0.
struct StatisticsSpec {
  double noise_scale_samples = -1;  ///< B_noise; < 0: B_noise >> B, the pessimistic end
  enum class LearningRate : std::uint8_t { keep, linear, sqrt } learning_rate = LearningRate::keep;
  double estimation_penalty = 0;  ///< compensate: progress lost per unit of dead fraction, beyond the missing samples

  std::string accuracy;             ///< accuracy.json of an accuracy study; empty: assumed
  std::string scheme;               ///< of that study; empty: the estimator's, or drop
  std::vector<std::string> faults;  ///< its fault cases, each by name or by the start of names; empty: all
  bool measured() const { return !accuracy.empty(); }
};

struct SchemeSpec {
  std::string name;  ///< unique; the key in results. Default: the kind
  SchemeKind kind = SchemeKind::checkpoint_restart;
  RecoverySpec recovery;
  CheckpointSpec checkpoint;  ///< replica schemes checkpoint too: for what no replica scheme survives
  StatisticsSpec statistics;

  // drop_replica and compensate
  double minimum_replicas = 0.5;     ///< share of data-parallel replicas below which the job recovers in full
  bool redistribute_batch = false;   ///< survivors take over the micro-batches, else the batch shrinks
  bool keep_step_in_flight = false;  ///< the interrupted step is finished by the survivors instead of redone
  double step_overhead_s = 0;        ///< every step, always: what fault tolerance costs when nothing fails
  double rejoin_stall_s = 5;         ///< the whole job waits this long while a replica rejoins

  // compensate
  std::string estimator = "shrink";
  double domain_threshold = 0.25;  ///< more than this share of a domain dead: full recovery
  double job_threshold = 0.25;     ///< more than this share of the job dead: full recovery
  enum class Threshold : std::uint8_t { domain, job, either } threshold = Threshold::domain;
  std::int64_t sketch_width = 512;
};

}  // namespace toposim::sim
