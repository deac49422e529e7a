#include "sim/accuracy/recorded_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/estimators/estimator.hpp"

namespace toposim::accuracy {
namespace {

constexpr double bytes_at_once = 256e6;  // of pieces of gradients
constexpr double strip = 4096;           // of the kernels: pieces of whole strips add up to the same sums

/// Pieces of gradients, read as they are asked for: one buffer per age and worker.
class Pieces {
 public:
  Pieces(const recorded::RecordedGradients& recording, std::size_t step, std::size_t ages)
      : recording_(recording), step_(step), buffers_(ages * recording.workers()) {}

  std::span<const float> read(std::size_t age, std::size_t worker, std::size_t begin, std::size_t end) {
    std::vector<float>& buffer = buffers_[age * recording_.workers() + worker];
    buffer.resize(end - begin);
    recording_.read(step_ - age, worker, begin, buffer);
    return buffer;
  }

 private:
  const recorded::RecordedGradients& recording_;
  std::size_t step_;
  std::vector<std::vector<float>> buffers_;
};

/// Recorded steps just before this one, without a gap.
std::size_t unbroken_before(const std::vector<std::uint64_t>& steps, std::size_t at) {
  std::size_t back = 0;
  while (back < at && steps[at - back - 1] + back + 1 == steps[at]) ++back;
  return back;
}

}  // namespace

std::uint32_t recorded_batch(const recorded::RecordedGradients& recording, const AccuracySpec& spec) {
  if (spec.recorded.batch > 0) return spec.recorded.batch;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(recording.batch().value_or(1), 1, 1U << 30));
}

DataPlacement place_recorded(const recorded::RecordedGradients& recording, const AccuracySpec& spec) {
  DataPlacement made;
  const auto workers = static_cast<std::uint32_t>(recording.workers());
  made.worker_domain =
      recording.domains().empty() ? worker_domains(workers, spec.placement.domain_size) : recording.domains();
  made.domains = *std::max_element(made.worker_domain.begin(), made.worker_domain.end()) + 1;
  if (const topology::Embeddings* embeddings = recording.embeddings()) {
    made.centroid_width = embeddings->dims();
    made.worker_centroids.resize(workers * made.centroid_width);
    embeddings->read(0, workers, made.worker_centroids.data());
  }
  for (const FaultCaseSpec& faults : spec.faults) {
    try {
      [[maybe_unused]] const emulator::StepFaults possible(faults.faults, made.worker_domain);
    } catch (const std::invalid_argument& error) {
      throw AccuracyError(fmt::format("faults: {} of {} recorded workers: {}", faults.name, workers, error.what()));
    }
  }
  return made;
}

std::vector<GradientPoint> measure_recorded(const recorded::RecordedGradients& recording, const AccuracySpec& spec,
                                            const DataPlacement& placement, double available_bytes, int threads,
                                            const StudyHooks& hooks) {
  const Lookback back = lookback_of(spec);
  const std::size_t workers = recording.workers(), most_ages = 1 + back.gradients;
  const double needed =
      bytes_at_once + similarity_bytes(workers, most_ages + (any_int8(spec) ? 1 : 0), recording.groups().size());
  if (needed > available_bytes)
    throw AccuracyError(
        fmt::format("{}: the inner products of {} workers' gradients need {:.1f} GB, and {:.1f} GB are "
                    "free; record fewer workers, or larger layer groups",
                    recording.index_path(), workers, needed * 1e-9, available_bytes * 1e-9));
  std::vector<std::size_t> points;
  for (const double at : spec.gradient.at)
    points.push_back(static_cast<std::size_t>(std::llround(at * static_cast<double>(recording.steps().size() - 1))));
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());

  SimilaritySpec wanted;
  wanted.workers = workers;
  for (const recorded::Group& group : recording.groups()) wanted.groups.push_back({group.name, group.begin, group.end});
  wanted.sketch_width = spec.sketch_width;
  wanted.seed = spec.seed;
  wanted.quantised = any_int8(spec);
  wanted.threads = threads;
  const double vectors = static_cast<double>(workers) * static_cast<double>(most_ages + 1);
  wanted.coordinates_at_once =
      static_cast<std::size_t>(std::max(strip, std::floor(bytes_at_once / 4 / vectors / strip) * strip));
  std::vector<GradientPoint> measured;
  for (const std::size_t point : points) {
    wanted.step = recording.steps()[point];
    const std::size_t before = unbroken_before(recording.steps(), point);
    wanted.ages = 1 + std::min(back.gradients, before);
    std::vector<std::vector<float>> sketches;
    for (std::size_t age = 0; age <= std::min(back.sketches, before); ++age) {
      if (hooks.stage) hooks.stage(fmt::format("step {}: sketches", recording.steps()[point - age]));
      Pieces pieces(recording, point - age, 1);
      sketches.push_back(sketches_of(wanted, [&](std::size_t, std::size_t worker, std::size_t begin, std::size_t end) {
        return pieces.read(0, worker, begin, end);
      }));
    }
    if (hooks.stage) hooks.stage(fmt::format("step {}: inner products of all gradients", wanted.step));
    Pieces pieces(recording, point, wanted.ages);
    const StepSimilarities similarities = similarities_of(
        wanted,
        [&](std::size_t age, std::size_t worker, std::size_t begin, std::size_t end) {
          return pieces.read(age, worker, begin, end);
        },
        std::move(sketches));
    measured.push_back(measure_point(similarities, spec, placement, recorded_batch(recording, spec), threads, hooks));
  }
  return measured;
}

}  // namespace toposim::accuracy
