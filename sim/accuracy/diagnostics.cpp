#include "sim/accuracy/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/check.hpp"
#include "analysis/loss_spectrum.hpp"
#include "analysis/number_text.hpp"
#include "analysis/statistics.hpp"

namespace toposim::accuracy {
namespace {

constexpr double p_significant = 0.001;
constexpr double periods_least = 4;  // in the part of a curve that is looked at
constexpr int epochs_most = 4;       // a period of more epochs of a deck is not called one of its multiples

std::vector<double> workers_per_domain(std::span<const std::uint32_t> worker_domain) {
  std::vector<double> workers(*std::max_element(worker_domain.begin(), worker_domain.end()) + std::size_t{1}, 0.0);
  for (const std::uint32_t domain : worker_domain) ++workers[domain];
  return workers;
}

/// Of pairs of domains, of which there are two or more; cosines: domains x domains.
analysis::Summary<double> summary_of_pairs(const std::vector<double>& cosines, std::size_t domains) {
  std::vector<double> pairs;
  for (std::size_t a = 0; a < domains; ++a)
    for (std::size_t b = 0; b < a; ++b) pairs.push_back(cosines[a * domains + b]);
  return analysis::summarise(pairs, drift_confidence);
}

/// Whole samples of a batch that come from the deck of all samples, as the dealer rounds.
std::uint32_t global_samples(double global_mix, std::uint32_t batch) {
  return static_cast<std::uint32_t>(std::lround(global_mix * batch));
}

/// What to do about domains whose means have cosine `found` where noise alone leaves `expected`.
std::string remedy(double found, double expected, std::uint32_t batch, const AccuracySpec& spec) {
  if (!spec.recorded.path.empty())
    return "take a larger part of every batch from all data, or normalise the step's gradient";
  const std::uint32_t now = global_samples(spec.placement.global_mix, batch);
  const std::uint32_t more = std::min(std::max(global_samples(0.2, batch), now + 1), batch);
  const double own = static_cast<double>(batch - more) / (batch - now);
  std::string text = fmt::format("raise placement.global_mix to {:.3g} % ({} of a worker's {} samples, now {})",
                                 100.0 * more / batch, more, batch, now);
  // 1 / cosine = 1 + (noise + what is the domain's own) / |g|^2, and the latter goes with its samples' square share.
  if (found > 0)
    text += fmt::format(", which should leave {:.2f}", 1 / (1 / expected + (1 / found - 1 / expected) * own * own));
  if (!spec.training.normalise) text += ", or set training.clip_norm and normalise";
  return text;
}

/// "as long as an epoch of the domains' decks (134 steps)". A spectrum tells whole numbers of periods apart.
std::string beside_epoch(double period_steps, double periods, const DeckEpoch& epoch) {
  if (!(epoch.longest_steps > 0)) return {};
  const double steps = period_steps * periods, shortest = steps / (periods + 0.5), longest = steps / (periods - 0.5);
  const std::string length = std::lround(epoch.shortest_steps) == std::lround(epoch.longest_steps)
                                 ? fmt::format("{:.0f} steps", epoch.longest_steps)
                                 : fmt::format("{:.0f} to {:.0f} steps", epoch.shortest_steps, epoch.longest_steps);
  for (int m = 1; m <= epochs_most; ++m) {
    // Too coarse to tell one multiple from the next: nothing is said of any.
    if (longest - shortest + m * (epoch.longest_steps - epoch.shortest_steps) > epoch.shortest_steps / 2) break;
    if (m * epoch.shortest_steps > longest || m * epoch.longest_steps < shortest) continue;
    return fmt::format(
        ", as long as {} of the domains' decks ({}): it follows the order of the data; raise placement.global_mix",
        m == 1 ? "an epoch" : fmt::format("{} epochs", m), length);
  }
  return fmt::format(", not known to be a multiple of an epoch of the domains' decks ({})", length);
}

}  // namespace

double iid_domain_cosine(double noise_scale_samples, std::uint32_t batch,
                         std::span<const std::uint32_t> worker_domain) {
  const std::vector<double> workers = workers_per_domain(worker_domain);
  if (workers.size() < 2) return 0;
  // Over pairs of 1 / (length x length): the square of the sum, less the pairs with oneself.
  double sum = 0, squares = 0;
  for (const double n : workers) {
    const double square = 1 / (1 + noise_scale_samples / (n * batch));
    sum += std::sqrt(square);
    squares += square;
  }
  const auto domains = static_cast<double>(workers.size());
  return (sum * sum - squares) / (domains * (domains - 1));
}

std::string drift_advice(std::span<const analysis::GradientScene> scenes, std::span<const std::uint32_t> worker_domain,
                         std::uint32_t batch, const AccuracySpec& spec) {
  const std::size_t domains = workers_per_domain(worker_domain).size();
  const bool all_global =
      spec.placement.sharing == emulator::Sharing::iid || global_samples(spec.placement.global_mix, batch) == batch;
  if (domains < 2 || (all_global && spec.recorded.path.empty())) return {};
  const analysis::GradientScene* worst = nullptr;
  double worst_found = 0, worst_expected = 0;
  std::size_t known = 0, below = 0;
  for (const analysis::GradientScene& scene : scenes) {
    const double noise_scale = analysis::value_of(scene.values, "noise_scale_samples", 0);
    if (!(noise_scale > 0) || scene.domain_cosines.size() != domains * domains) continue;
    ++known;
    const analysis::Summary<double> found = summary_of_pairs(scene.domain_cosines, domains);
    const double expected = iid_domain_cosine(noise_scale, batch, worker_domain);
    if (!found.interval || found.interval->high >= expected || found.mean >= drift_share * expected) continue;
    ++below;
    if (worst != nullptr && expected - found.mean <= worst_expected - worst_found) continue;
    worst = &scene;
    worst_found = found.mean;
    worst_expected = expected;
  }
  if (worst == nullptr) return {};
  return fmt::format(
      "gradient drift: at step {} two domains' mean gradients have a cosine of {:.2f} on average, and batch noise "
      "alone would leave {:.2f} (far below it at {} of {} measured steps); {}",
      analysis::grouped(static_cast<double>(worst->step)), worst_found, worst_expected, below, known,
      remedy(worst_found, worst_expected, batch, spec));
}

DeckEpoch deck_epoch(const DataPlacement& placement, const AccuracySpec& spec) {
  const std::uint32_t batch = spec.training.batch;
  const std::vector<double> workers = workers_per_domain(placement.worker_domain);
  if (placement.samples.size() != workers.size()) return {};
  if (spec.placement.sharing == emulator::Sharing::iid) {
    const double steps = static_cast<double>(placement.sample_domain.size()) /
                         (static_cast<double>(placement.worker_domain.size()) * batch);
    return {steps, steps};
  }
  const std::uint32_t own = batch - global_samples(spec.placement.global_mix, batch);
  if (own == 0) return {};
  std::vector<double> steps;
  for (std::size_t d = 0; d < workers.size(); ++d)
    steps.push_back(static_cast<double>(placement.samples[d]) / (workers[d] * own));
  const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
  return {*least, *most};
}

std::string period_advice(std::span<const analysis::LossCurve> curves, std::uint64_t steps, const DeckEpoch& epoch) {
  std::vector<analysis::LossSwing> swings;
  std::size_t seeds = 0;
  for (const analysis::LossCurve& curve : curves) {
    if (curve.scheme != analysis::fault_free || curve.steps != steps) continue;
    ++seeds;
    const analysis::LossSwing swing = analysis::loss_swing(curve.training);
    if (swing.p_value < p_significant && swing.periods >= periods_least) swings.push_back(swing);
  }
  if (swings.empty()) return {};
  std::sort(swings.begin(), swings.end(), [](const auto& a, const auto& b) { return a.periods < b.periods; });
  const analysis::LossSwing& middle = swings[swings.size() / 2];
  const auto alike = static_cast<std::size_t>(std::count_if(
      swings.begin(), swings.end(), [&](const auto& swing) { return std::fabs(swing.periods - middle.periods) <= 1; }));
  if (2 * alike <= seeds) return {};
  return fmt::format(
      "loss swings: without faults the training loss has a period of {:.3g} steps (Fisher's test, p < {:g}, {} of {} "
      "seeds){}",
      middle.period_steps, p_significant, alike, seeds, beside_epoch(middle.period_steps, middle.periods, epoch));
}

std::string crowd_advice(const DataPlacement& placement, const AccuracySpec& spec) {
  const std::vector<double> workers = workers_per_domain(placement.worker_domain);
  if (placement.samples.size() != workers.size() || spec.placement.sharing == emulator::Sharing::iid) return {};
  double total = 0;
  for (const std::uint64_t samples : placement.samples) total += static_cast<double>(samples);
  const double mean = total / static_cast<double>(placement.worker_domain.size());
  std::size_t most = 0, count = 0;
  const auto load = [&](std::size_t d) { return static_cast<double>(placement.samples[d]) / workers[d]; };
  for (std::size_t d = 0; d < workers.size(); ++d) {
    if (load(d) > crowded * mean) ++count;
    if (load(d) > load(most)) most = d;
  }
  if (count == 0) return {};
  std::string text = fmt::format(
      "hot spot: domain {} has {} samples per worker, {:.2f} times the mean, and meets each of them as much less often "
      "({} of {} domains are above {:g}); lower placement.slack to {:.0f} %",
      most, analysis::grouped(load(most)), load(most) / mean, count, workers.size(), crowded, 100 * (crowded - 1));
  // It caps every domain alike, and has to leave room for the largest one's fair share.
  if (workers[most] == *std::max_element(workers.begin(), workers.end()))
    text += fmt::format(", set samples_max to {:.0f}", std::ceil(crowded * mean * workers[most]));
  return text + ", or raise temperature, which spreads a crowded cluster over those beside it";
}

void add_advice(const AccuracySpec& spec, const DataPlacement& placement, std::uint32_t batch,
                analysis::AccuracyResults& results) {
  for (const std::string& text :
       {crowd_advice(placement, spec), drift_advice(results.scenes, placement.worker_domain, batch, spec),
        period_advice(results.curves, spec.training.steps, deck_epoch(placement, spec))})
    if (!text.empty()) results.placement.advice.push_back(text);
}

}  // namespace toposim::accuracy
