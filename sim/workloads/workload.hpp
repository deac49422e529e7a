#pragma once
// Small real models on real data, as virtual workers see them: a gradient for every worker, of that worker's samples.
//
// Parameters are one flat fp32 vector. A model, its data and its arithmetic are fixed: the same parameters, samples and
// step give the same bits on every x86-64-v3 machine, whatever else is in the call and however calls are threaded.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::workloads {

/// A named part of the parameters, [begin, end). Groups follow one another and cover all parameters.
struct LayerGroup {
  std::string name;
  std::size_t begin = 0, end = 0;
};

/// How good parameters are on held-out samples.
struct Evaluation {
  double loss = 0;    ///< mean loss per held-out sample, nats or squared error; NaN or infinite where training diverged
  double metric = 0;  ///< in the unit of metric_name, over all samples evaluated
  std::string metric_name;
  bool higher_is_better = false;
  std::vector<std::string> class_names;
  std::vector<double> per_class;  ///< the metric of each class alone; NaN for a class without a sample
  std::size_t samples = 0;        ///< evaluated
};

/// What the random draws of a step hang on, apart from the sample's index: the same sample in the same step of the same
/// seed gets the same draws, whichever worker holds it.
struct StepKey {
  std::uint64_t seed = 0, step = 0;
};

/// Gradients of many workers in one call. Holds scratch memory: one per thread, kept from call to call.
class GradientPass {
 public:
  virtual ~GradientPass() = default;

  /// `samples`: row per worker of `batch` indices below sample_count(); as many workers as there are rows, at most
  /// max_workers. `gradients`: row per worker, `stride` floats apart (at least parameter_count()), overwritten with the
  /// mean over the worker's batch of the gradient of the loss. `losses`: per worker, the mean over its batch of that
  /// same loss, auxiliary terms included; NaN or infinity is reported, not refused.
  ///
  /// A worker's row depends on nothing but the parameters, its own samples and the key. Throws WorkloadError where
  /// sizes do not fit or an index is out of range.
  virtual void run(std::span<const float> parameters, std::span<const std::uint32_t> samples, StepKey key,
                   std::span<float> gradients, std::size_t stride, std::span<double> losses) = 0;

  /// Of the last run: row per worker of expert_count() numbers, the tokens that each expert took. Empty for models
  /// without experts.
  virtual std::span<const std::uint32_t> expert_tokens() const { return {}; }
};

/// What the bytes of a sample are, for those who embed samples.
enum class SampleKind : std::uint8_t { image, text };

/// Constant once made; all members may be called from any thread.
class Workload {
 public:
  virtual ~Workload() = default;

  virtual std::string_view name() const = 0;
  virtual std::size_t parameter_count() const = 0;
  virtual const std::vector<LayerGroup>& groups() const = 0;
  virtual std::size_t expert_count() const { return 0; }

  /// Training samples, in a fixed order.
  virtual std::size_t sample_count() const = 0;
  virtual std::uint32_t sample_label(std::size_t sample) const = 0;  ///< below label_names().size()
  virtual const std::vector<std::string>& label_names() const = 0;   ///< class or semantic field
  virtual SampleKind sample_kind() const = 0;
  virtual std::size_t sample_byte_count() const = 0;                                 ///< the same for every sample
  virtual std::span<const std::uint8_t> sample_bytes(std::size_t sample) const = 0;  ///< pixels row by row, or ASCII

  /// Floating-point operations of one forward and backward pass of one sample; a multiply-add counts as two.
  virtual double flops_per_sample() const = 0;

  virtual std::vector<float> initial_parameters(std::uint64_t seed) const = 0;

  /// The workload must outlive its passes. `max_workers` and `batch` are at least 1.
  virtual std::unique_ptr<GradientPass> make_pass(std::size_t max_workers, std::size_t batch) const = 0;

  /// On at most `limit` held-out samples, spread evenly over all of them; the same ones for the same limit. None of
  /// them is among the training samples.
  virtual Evaluation evaluate(std::span<const float> parameters,
                              std::size_t limit = std::numeric_limits<std::size_t>::max()) const = 0;
};

/// Where the data lie; the defaults are where Debian's dataset-fashion-mnist and wordnet-base put them.
struct DataPaths {
  std::string fashion_mnist = "/usr/share/datasets/fashion-mnist";
  std::string wordnet = "/usr/share/wordnet";
};

/// The names that make_workload knows, in a fixed order.
std::vector<std::string> workload_names();

/// Reads the data (fractions of a second) and returns the workload. Throws WorkloadError: an unknown name, data that
/// are missing or broken, a processor without AVX2 and FMA.
std::unique_ptr<Workload> make_workload(std::string_view name, const DataPaths& paths = {});

}  // namespace toposim::workloads
