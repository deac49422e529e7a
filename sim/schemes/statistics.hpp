#pragma once
#include "sim/schemes/scheme_spec.hpp"

namespace toposim::sim {

/// Progress of one step on a share of the global batch, over the fault-free step's: with B' = share x B and the
/// learning rate scaled by s (keep: 1, linear: share, sqrt: its root), 2s - s^2 (1 + B_noise/B') / (1 + B_noise/B), not
/// below 0 (arXiv 1812.06162, eq. 2.6-2.7). 1 for the whole batch. An assumption: MeasuredProgress stands in its place
/// where there is a measurement.
double step_progress(const StatisticsSpec& spec, double global_batch_samples, double share);

}  // namespace toposim::sim
