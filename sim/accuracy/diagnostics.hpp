#pragma once
// Advice on the placement of data, from what a study measured: domains that pull apart, losses that swing, crowds.
#include <span>
#include <string>
#include <vector>

#include "analysis/accuracy_results.hpp"
#include "sim/accuracy/data_placement.hpp"

namespace toposim::accuracy {

/// Mean cosine of two domains' mean gradients if all workers drew from the same data: a mean over n workers of b
/// samples has noise, B_noise / (n b) of the gradient's square, and two have cosine 1 / (1 + B_noise / (n b)); domains
/// of different sizes have the geometric mean of theirs. 0 for a single domain.
double iid_domain_cosine(double noise_scale_samples, std::uint32_t batch, std::span<const std::uint32_t> worker_domain);

/// One sentence where the cosine is below `drift_share` of that at some measured step, and its interval over the
/// pairs of domains is below all of it (under much noise both are near 0, and what is found is chance); by the step
/// where most is missing; else empty. Two domains are one pair, which has no interval. Scenes whose noise scale is
/// unknown say nothing, nor do studies in which all samples are global. What more global samples would leave is told by
/// a model: a domain's gradient is off by what is its own, in proportion to its own samples.
inline constexpr double drift_share = 0.8, drift_confidence = 0.999;
std::string drift_advice(std::span<const analysis::GradientScene> scenes, std::span<const std::uint32_t> worker_domain,
                         std::uint32_t batch, const AccuracySpec& spec);

/// Steps until a deck is dealt once. 0: there are none.
struct DeckEpoch {
  double shortest_steps = 0, longest_steps = 0;
};
/// Of the domains' decks, or of the one deck of sharing: iid. Decks of a worker are as long, on average.
DeckEpoch deck_epoch(const DataPlacement& placement, const AccuracySpec& spec);

/// One sentence where the fault-free training losses of most seeds swing with one period: Fisher's p below 0.001, and
/// at least four periods in the half of the curve that is looked at, as longer ones are the course of the training.
std::string period_advice(std::span<const analysis::LossCurve> curves, std::uint64_t steps, const DeckEpoch& epoch);

/// One sentence where a domain has more than `crowded` times as many samples per worker as there are on average: load
/// by worker is what balanced clusters are to keep equal.
inline constexpr double crowded = 1.2;
std::string crowd_advice(const DataPlacement& placement, const AccuracySpec& spec);

/// Adds all of it to the results' advice.
void add_advice(const AccuracySpec& spec, const DataPlacement& placement, std::uint32_t batch,
                analysis::AccuracyResults& results);

}  // namespace toposim::accuracy
