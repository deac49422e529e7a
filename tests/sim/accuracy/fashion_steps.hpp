#pragma once
// Real gradients for the tests of this folder: the smallest workload, made once, and steps of its virtual workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "sim/accuracy/data_placement.hpp"
#include "sim/accuracy/failure_draws.hpp"
#include "sim/accuracy/step_similarities.hpp"
#include "sim/emulator/dealer.hpp"
#include "sim/emulator/population_gradient.hpp"
#include "sim/emulator/virtual_workers.hpp"

namespace toposim::accuracy::test {

/// Null where the data are not installed.
inline const workloads::Workload* fashion() {
  static const auto workload = []() -> std::unique_ptr<workloads::Workload> {
    if (!std::filesystem::exists(workloads::DataPaths{}.fashion_mnist)) return nullptr;
    return workloads::make_workload("fashion-mlp");
  }();
  return workload.get();
}
#define TOPOSIM_NEEDS_FASHION()                        \
  if (::toposim::accuracy::test::fashion() == nullptr) \
  GTEST_SKIP() << "no Fashion-MNIST at " << ::toposim::workloads::DataPaths{}.fashion_mnist

/// A study of labels on `workers` in domains of 8: nothing of it is left to chance or to clustering.
inline AccuracySpec labelled_spec(std::uint32_t workers, emulator::Sharing sharing = emulator::Sharing::shared,
                                  double global_mix = 0) {
  AccuracySpec spec;
  spec.training.workers = workers;
  spec.placement.source = EmbeddingSource::labels;
  spec.placement.sharing = sharing;
  spec.placement.global_mix = global_mix;
  return spec;
}

/// Gradients of several deals at the same parameters: independent steps.
class Steps {
 public:
  Steps(const AccuracySpec& spec, std::vector<float> parameters)
      : spec_(spec),
        placement_(place_data(*fashion(), spec, 2)),
        parameters_(std::move(parameters)),
        dealer_({spec.seed, spec.training.batch, spec.placement.sharing, spec.placement.global_mix},
                placement_.sample_domain, placement_.worker_domain, placement_.sample_worker),
        workers_(*fashion(), spec.training.workers, spec.training.batch, 2) {}
  explicit Steps(const AccuracySpec& spec) : Steps(spec, fashion()->initial_parameters(spec.seed)) {}

  const DataPlacement& placement() const { return placement_; }

  /// Row per worker, valid until the next call.
  std::span<const float> next() {
    std::vector<std::uint32_t> samples(std::size_t{spec_.training.workers} * spec_.training.batch);
    dealer_.deal(samples);
    workers_.backward(parameters_, samples, {spec_.seed, dealer_.step()});
    return workers_.gradients();
  }

  std::vector<float> population() const {
    const bool iid = spec_.placement.sharing == emulator::Sharing::iid;
    return emulator::population_gradient(
        emulator::domain_gradients(*fashion(), parameters_, placement_.sample_domain, {spec_.seed, 0}, 2),
        placement_.sample_domain, placement_.worker_domain, iid ? 1 : spec_.placement.global_mix);
  }

  /// Of the next step.
  StepSimilarities similarities(std::span<const float> population = {}, bool quantised = false) {
    SimilaritySpec made;
    made.workers = spec_.training.workers;
    made.quantised = quantised;
    made.population = population;
    made.threads = 2;
    for (const workloads::LayerGroup& group : fashion()->groups())
      made.groups.push_back({group.name, group.begin, group.end});
    const std::span<const float> rows = next();
    const auto row = [&](std::size_t, std::size_t worker, std::size_t begin, std::size_t end) {
      return rows.subspan(worker * fashion()->parameter_count() + begin, end - begin);
    };
    return similarities_of(made, row, {sketches_of(made, row)});
  }

  DrawSpec draw_spec(std::uint32_t draws) const {
    DrawSpec made;
    made.domain = placement_.worker_domain;
    made.draws = draws;
    made.threads = 2;
    return made;
  }

 private:
  AccuracySpec spec_;
  DataPlacement placement_;
  std::vector<float> parameters_;
  emulator::Dealer dealer_;
  emulator::VirtualWorkers workers_;
};

inline FaultCaseSpec fault_case(emulator::FaultPattern pattern, double share) {
  FaultCaseSpec made;
  made.name = "deaths";
  made.faults.pattern = pattern;
  made.faults.share = share;
  return made;
}

inline SchemeSpec scheme(const char* estimator, bool int8 = false) {
  return {estimator, estimator, 1, int8};
}

/// Over draws.
inline double mean_of(const std::vector<DrawErrors>& draws, double DrawErrors::*field) {
  double sum = 0;
  for (const DrawErrors& draw : draws) sum += draw.*field;
  return sum / static_cast<double>(draws.size());
}

}  // namespace toposim::accuracy::test
