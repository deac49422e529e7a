#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "analysis/loss_spectrum.hpp"
#include "sim/accuracy/collect.hpp"

namespace toposim::accuracy {
namespace {

using analysis::Metric;
using analysis::Unit;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr double reached = 1.01;  // of the fault-free final loss: close enough to count as the same quality

double finite_or_none(double value) {
  return std::isfinite(value) ? value : no_value;
}

double relative(double value, double reference) {
  return finite_or_none((value - reference) / reference);
}

double worst_class(const workloads::Evaluation& evaluation) {
  double worst = no_value;
  for (const double value : evaluation.per_class) {
    if (std::isnan(value)) continue;
    const bool worse = evaluation.higher_is_better ? value < worst : value > worst;
    if (std::isnan(worst) || worse) worst = value;
  }
  return worst;
}

/// Over the last half of the run; NaN where there is one copy.
double mean_distance(const std::vector<double>& distances) {
  if (distances.empty()) return no_value;
  const std::size_t first = distances.size() / 2;
  double sum = 0;
  for (std::size_t i = first; i < distances.size(); ++i) sum += distances[i];
  return sum / static_cast<double>(distances.size() - first);
}

const TrainingCell& find(const std::vector<TrainingCell>& cells, const FaultCaseSpec* faults, std::string_view scheme,
                         std::uint64_t steps) {
  return *std::find_if(cells.begin(), cells.end(), [&](const TrainingCell& cell) {
    return cell.faults == faults && cell.steps == steps && (faults == nullptr || cell.scheme->name == scheme);
  });
}

/// The plain mean over survivors: the scheme of that estimator, or fault-free for the fault-free cell.
const TrainingCell& drop_of(const AccuracySpec& spec, const std::vector<TrainingCell>& cells,
                            const TrainingCell& cell) {
  const auto drop = std::find_if(spec.schemes.begin(), spec.schemes.end(),
                                 [](const SchemeSpec& scheme) { return scheme.estimator == "drop" && !scheme.int8; });
  if (drop == spec.schemes.end())
    throw std::invalid_argument("accuracy study: drop, the baseline, is not among the schemes");
  return find(cells, cell.faults, drop->name, cell.steps);
}

analysis::AccuracyCell cell_of(const TrainingCell& cell, const TrainingCell& fault_free, const TrainingCell& drop) {
  analysis::AccuracyCell made{cell.faults == nullptr ? analysis::no_faults : cell.faults->name,
                              cell.faults == nullptr ? analysis::fault_free : cell.scheme->name,
                              cell.steps,
                              {}};
  std::vector<Metric> reals = {
      {"final_loss", Unit::number, {}, {}, false},         {"final_loss_delta", Unit::ratio, {}, {}, false},
      {"final_loss_to_drop", Unit::ratio, {}, {}, false},  {"final_metric", Unit::number, {}, {}, false},
      {"final_metric_delta", Unit::number, {}, {}, false}, {"worst_class_metric", Unit::number, {}, {}, false},
      {"loss_swing", Unit::ratio, {}, {}, false},          {"copy_distance", Unit::ratio, {}, {}, false}};
  Metric compensated{"compensated_steps", Unit::count, {}, {}, false},
      recoveries{"full_recoveries", Unit::count, {}, {}, false}, dead{"dead_worker_steps", Unit::count, {}, {}, false};
  for (std::size_t i = 0; i < cell.runs.size(); ++i) {
    const workloads::Evaluation &own = cell.runs[i].evaluation, &clean = fault_free.runs[i].evaluation;
    const double values[] = {finite_or_none(own.loss),
                             relative(own.loss, clean.loss),
                             relative(own.loss, drop.runs[i].evaluation.loss),
                             finite_or_none(own.metric),
                             finite_or_none(own.metric - clean.metric),
                             worst_class(own),
                             analysis::loss_swing(cell.runs[i].losses).relative_sd,
                             mean_distance(cell.runs[i].copy_distances)};
    for (std::size_t m = 0; m < reals.size(); ++m) reals[m].reals.push_back(values[m]);
    compensated.integers.push_back(static_cast<std::int64_t>(cell.runs[i].compensated_steps));
    recoveries.integers.push_back(static_cast<std::int64_t>(cell.runs[i].full_recoveries));
    dead.integers.push_back(static_cast<std::int64_t>(cell.runs[i].dead_worker_steps));
  }
  made.metrics = std::move(reals);
  made.metrics.push_back(std::move(compensated));
  made.metrics.push_back(std::move(recoveries));
  made.metrics.push_back(std::move(dead));
  return made;
}

/// Steps of the shortest run that ends at the target, between lengths by the straight line of their losses; NaN where
/// none does. Where the shortest run does, that length: no shorter one is known.
double steps_needed(const std::vector<const TrainingCell*>& by_length, std::size_t run, double target) {
  for (std::size_t b = 0; b < by_length.size(); ++b) {
    const double loss = by_length[b]->runs[run].evaluation.loss;
    if (!(loss <= target)) continue;
    const auto steps = static_cast<double>(by_length[b]->steps);
    if (b == 0) return steps;
    const double before = by_length[b - 1]->runs[run].evaluation.loss;
    const auto before_steps = static_cast<double>(by_length[b - 1]->steps);
    if (!std::isfinite(before)) return steps;
    return before_steps + (steps - before_steps) * (before - target) / (before - loss);
  }
  return no_value;
}

void collect_efficiency(const AccuracySpec& spec, const std::vector<TrainingCell>& cells,
                        analysis::AccuracyResults& results) {
  const auto all_lengths = [&](const FaultCaseSpec* faults, std::string_view scheme) {
    std::vector<const TrainingCell*> found;
    for (const double budget : spec.training.budgets)
      found.push_back(&find(cells, faults, scheme, steps_of(spec.training, budget)));
    return found;
  };
  const std::vector<const TrainingCell*> fault_free = all_lengths(nullptr, "");
  const TrainingCell& whole = find(cells, nullptr, "", spec.training.steps);
  const auto add = [&](const std::string& faults, const std::string& scheme,
                       const std::vector<const TrainingCell*>& lengths) {
    analysis::AccuracyCell cell{faults, scheme, 0, {}};
    Metric needed{"steps_needed", Unit::number, {}, {}, false},
        efficiency{"statistical_efficiency", Unit::ratio, {}, {}, false};
    for (std::size_t i = 0; i < spec.seeds; ++i) {
      const double target = reached * whole.runs[i].evaluation.loss;
      needed.reals.push_back(steps_needed(lengths, i, target));
      efficiency.reals.push_back(steps_needed(fault_free, i, target) / needed.reals.back());
    }
    cell.metrics = {std::move(needed), std::move(efficiency)};
    results.efficiency.push_back(std::move(cell));
  };
  add(analysis::no_faults, analysis::fault_free, fault_free);
  for (const FaultCaseSpec& faults : spec.faults)
    for (const SchemeSpec& scheme : spec.schemes) add(faults.name, scheme.name, all_lengths(&faults, scheme.name));
  for (std::size_t i = 0; i < spec.seeds; ++i)
    if (steps_needed(fault_free, i, reached * whole.runs[i].evaluation.loss) ==
        static_cast<double>(fault_free.front()->steps)) {
      results.warnings.push_back(
          "the shortest fault-free run already ends within 1 % of the full one's loss: statistical efficiencies are "
          "too coarse; add a shorter budget to training.budgets");
      break;
    }
}

}  // namespace

void collect_training(const AccuracySpec& spec, const std::vector<TrainingCell>& cells,
                      analysis::AccuracyResults& results) {
  if (spec.seeds == 0) return;
  for (std::uint32_t i = 0; i < spec.seeds; ++i) results.seeds.push_back(spec.seed + i);
  const workloads::Evaluation& any = cells.front().runs.front().evaluation;
  results.metric_name = any.metric_name;
  results.metric_higher_is_better = any.higher_is_better;
  for (const TrainingCell& cell : cells) {
    const TrainingCell& fault_free = find(cells, nullptr, "", cell.steps);
    results.training.push_back(
        cell_of(cell, fault_free, cell.faults == nullptr ? fault_free : drop_of(spec, cells, cell)));
    for (std::size_t i = 0; i < cell.runs.size(); ++i)
      results.curves.push_back({results.training.back().faults, results.training.back().scheme, spec.seed + i,
                                cell.steps, cell.runs[i].losses, cell.runs[i].held_out});
  }
  if (spec.training.budgets.size() > 1) collect_efficiency(spec, cells, results);
}

}  // namespace toposim::accuracy
