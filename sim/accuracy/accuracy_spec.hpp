#pragma once
// An accuracy study as plain values: what is trained, where its data go, who dies, what stands in, what is measured.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/emulator/correction.hpp"
#include "sim/emulator/dealer.hpp"
#include "sim/emulator/step_faults.hpp"
#include "sim/workloads/optimizer.hpp"
#include "sim/workloads/workload.hpp"

namespace toposim::accuracy {

struct TrainingSpec {
  std::string workload = "fashion-mlp";
  workloads::DataPaths data;
  std::uint32_t workers = 64;
  std::uint32_t batch = 8;  ///< samples of a worker in a step
  std::uint64_t steps = 300;
  std::vector<double> budgets{1};  ///< run lengths, as multiples of `steps`, rising; one of them is 1
  workloads::OptimizerSettings optimizer;
  double clip_norm = 0;                               ///< length that the step's gradient is shortened to; 0: not
  bool normalise = false;                             ///< it gets that length whatever it was
  workloads::CosineSchedule schedule{2e-3, 0, 0, 1};  ///< total_steps is that of the run
  std::uint64_t evaluate_every = 0;                   ///< held-out loss in between; 0: at the end only
  std::uint32_t evaluation_samples = 10'000;
};

/// Gradients from somebody's own training in place of a workload: nothing is trained then.
struct RecordedSpec {
  std::string path;         ///< index, or folder with an index.json; empty: no recording
  std::uint32_t batch = 0;  ///< samples behind one worker's gradient; 0: as recorded
};

enum class EmbeddingSource : std::uint8_t {
  content,  ///< principal components of images, latent semantic analysis of texts
  labels,   ///< domains are filled label by label: what a perfect clustering of the labels would find
  file,     ///< the user's .npy, a row per training sample
};

struct PlacementSpec {
  std::uint32_t domain_size = 8;  ///< workers; the last domain may be smaller
  EmbeddingSource source = EmbeddingSource::content;
  std::string embeddings;         ///< file
  std::uint32_t dims = 48;        ///< of `content`
  double slack = 0.1;             ///< of a domain's samples around its fair share
  double temperature = 0;         ///< how loosely samples stick to their cluster; 0: nearest with room
  std::uint64_t samples_max = 0;  ///< per domain; 0: what slack allows
  emulator::Sharing sharing = emulator::Sharing::shared;
  double global_mix = 0.15;
};

struct FaultCaseSpec {
  std::string name;
  emulator::StepFaultSpec faults;                    ///< its seed is that of the run or draw
  std::string timeline, timeline_scheme;             ///< timeline: a lifecycle's timeline.csv, and whose rows
  double from = 0;                                   ///< share of the training after which lasting faults begin
  emulator::Redeal redeal = emulator::Redeal::none;  ///< of the data of workers that are gone for good
};

struct SchemeSpec {
  std::string name, estimator;
  double domain_threshold = 0.25;  ///< dead share of a domain above which there is a full recovery
  bool int8 = false;               ///< gradients are exchanged in int8
};

struct GradientSpec {
  std::vector<double> at{0, 0.5, 1};  ///< points of the fault-free run, as shares of its steps
  std::uint32_t draws = 200;          ///< of faults per point, fault case and scheme; 0: no gradient study
};

struct AccuracySpec {
  TrainingSpec training;
  RecordedSpec recorded;
  PlacementSpec placement;
  std::vector<FaultCaseSpec> faults;
  std::vector<SchemeSpec> schemes;  ///< drop among them
  emulator::CorrectionSpec correction;
  std::uint32_t sketch_width = 512;
  GradientSpec gradient;
  std::uint32_t seeds = 5;  ///< training runs of each scheme and fault case, seeds seed, seed + 1, ...; 0: none
  std::uint64_t seed = 1;
};

/// Domain of each worker: consecutive ones of domain_size; a last one of a single worker joins the one before.
std::vector<std::uint32_t> worker_domains(std::uint32_t workers, std::uint32_t domain_size);

}  // namespace toposim::accuracy
