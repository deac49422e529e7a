#pragma once
// An accuracy study from values to results: place the data, measure gradients under failure draws, train.
#include "analysis/accuracy_results.hpp"
#include "sim/accuracy/accuracy_spec.hpp"
#include "sim/accuracy/study_hooks.hpp"

namespace toposim::accuracy {

/// Everything but the scenario's name, file and hash, versions and cost. Throws AccuracyError (timelines, memory),
/// workloads::WorkloadError, recorded::RecordedError (data), topology::TopologyError (placement),
/// std::invalid_argument. The same results for any number of threads.
analysis::AccuracyResults run_accuracy(const AccuracySpec& spec, double available_bytes, int threads,
                                       const StudyHooks& hooks);

/// Reads the data and places them, trains nothing: for `lint`. Throws likewise.
void check_accuracy(const AccuracySpec& spec, int threads);

}  // namespace toposim::accuracy
