#include "analysis/accuracy_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "analysis/accuracy_cells.hpp"
#include "analysis/check_parts.hpp"

namespace toposim::analysis {
namespace {

using Cells = std::vector<AccuracyCell>;

void check_declarations(const AccuracyResults& results) {
  std::set<std::string_view> names;
  for (const FaultCase& faults : results.fault_cases) {
    if (faults.name == no_faults)
      throw ResultsError(fmt::format("a fault case is named {}, which means no faults", no_faults));
    if (!names.insert(faults.name).second) throw ResultsError(fmt::format("two fault cases are named {}", faults.name));
    if (!(faults.dead_share >= 0 && faults.dead_share <= 1))
      throw ResultsError(fmt::format("dead_share of {} is {}, not in [0, 1]", faults.name, faults.dead_share));
  }
  names.clear();
  for (const AccuracyScheme& scheme : results.schemes) {
    if (scheme.name == fault_free)
      throw ResultsError(fmt::format("a scheme is named {}, which means no faults", fault_free));
    if (!names.insert(scheme.name).second) throw ResultsError(fmt::format("two schemes are named {}", scheme.name));
  }
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t seed : results.seeds)
    if (!seeds.insert(seed).second) throw ResultsError(fmt::format("seed {} is there twice", seed));
}

/// fault_free goes with none, and both stand for themselves.
void check_place(const AccuracyResults& results, std::string_view faults, std::string_view scheme,
                 std::string_view where) {
  if ((scheme == fault_free) != (faults == no_faults))
    throw ResultsError(fmt::format("{}: {} and {} belong together", where, fault_free, no_faults));
  const auto named = [](std::string_view name) { return [name](const auto& x) { return x.name == name; }; };
  if (faults != no_faults && std::none_of(results.fault_cases.begin(), results.fault_cases.end(), named(faults)))
    throw ResultsError(fmt::format("{}: fault case {} is not declared", where, faults));
  if (scheme != fault_free && std::none_of(results.schemes.begin(), results.schemes.end(), named(scheme)))
    throw ResultsError(fmt::format("{}: scheme {} is not declared", where, scheme));
}

std::string place_of(const AccuracyCell& cell, std::string_view table) {
  return fmt::format("{} of scheme {} under {} at step {}", table, cell.scheme, cell.faults, cell.step);
}

void check_cells(const AccuracyResults& results, const Cells& cells, std::string_view table, std::string_view each,
                 std::int64_t values) {
  std::set<std::tuple<std::string_view, std::string_view, std::uint64_t>> seen;
  for (const AccuracyCell& cell : cells) {
    const std::string where = place_of(cell, table);
    check_place(results, cell.faults, cell.scheme, where);
    if (!seen.insert({cell.faults, cell.scheme, cell.step}).second)
      throw ResultsError(fmt::format("{} is there twice", where));
    check_same_columns(cell.metrics, where, cells.front().metrics, place_of(cells.front(), table));
    check_columns(cell.metrics, {where, each, values, true});
  }
}

/// loss / reference - 1; NaN where that does not exist.
double relative_difference(double loss, double reference) {
  const double difference = (loss - reference) / reference;
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::quiet_NaN();
}

/// The column says the difference of the losses relative to those of the reference, seed by seed.
void check_loss_difference(const AccuracyResults& results, const AccuracyCell& cell, std::string_view column,
                           const AccuracyCell* reference) {
  const Metric *difference = find_metric(cell.metrics, column), *loss = find_metric(cell.metrics, "final_loss");
  const Metric* other = reference ? find_metric(reference->metrics, "final_loss") : nullptr;
  if (!difference || !loss || !other || loss->reals.size() != difference->reals.size()) return;
  for (std::size_t s = 0; s < difference->reals.size(); ++s) {
    const double is = difference->reals[s], should_be = relative_difference(loss->reals[s], other->reals[s]);
    const bool both_unknown = std::isnan(is) && std::isnan(should_be);
    if (!both_unknown && !(std::abs(is - should_be) <= 1e-9 * (1 + std::abs(should_be))))
      throw ResultsError(fmt::format("{} of {} is {} for seed {}, the losses give {}", column,
                                     place_of(cell, "training"), is, results.seeds[s], should_be));
  }
}

void check_training(const AccuracyResults& results) {
  check_cells(results, results.training, "training", "seed", static_cast<std::int64_t>(results.seeds.size()));
  for (const AccuracyCell& cell : results.training) {
    check_loss_difference(results, cell, "final_loss_delta",
                          find_cell(results.training, no_faults, fault_free, cell.step));
    check_loss_difference(results, cell, "final_loss_to_drop",
                          find_cell(results.training, cell.faults, drop_scheme, cell.step));
  }
}

void check_efficiency(const AccuracyResults& results) {
  check_cells(results, results.efficiency, "efficiency", "seed", static_cast<std::int64_t>(results.seeds.size()));
  for (const AccuracyCell& cell : results.efficiency) {
    if (cell.step != 0) throw ResultsError(fmt::format("{}: it is of no step", place_of(cell, "efficiency")));
    for (const char* column : {"steps_needed", "statistical_efficiency"}) {
      const Metric* metric = find_metric(cell.metrics, column);
      if (!metric || (metric->unit != Unit::number && metric->unit != Unit::ratio))
        throw ResultsError(fmt::format("{} has no real column {}", place_of(cell, "efficiency"), column));
    }
  }
}

/// Empty, or domains x domains; square where the number of domains is not known.
void check_matrix(const std::vector<double>& matrix, const Named& numbers, std::string_view where) {
  if (matrix.empty()) return;
  const auto side = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(matrix.size()))));
  if (side * side != matrix.size())
    throw ResultsError(fmt::format("{} has {} values, which is no square", where, matrix.size()));
  const double domains = value_of(numbers, "domains", static_cast<double>(side));
  if (static_cast<double>(side) != domains)
    throw ResultsError(fmt::format("{} is {} x {} for {} domains", where, side, side, domains));
  for (const double v : matrix)
    if (!std::isfinite(v)) throw ResultsError(fmt::format("{} holds {}, not a finite number", where, v));
}

void check_scenes(const AccuracyResults& results) {
  std::set<std::uint64_t> steps;
  for (const GradientScene& scene : results.scenes) {
    const std::string where = fmt::format("the gradients of step {}", scene.step);
    if (!steps.insert(scene.step).second) throw ResultsError(fmt::format("{} are there twice", where));
    check_named(scene.values, where);
    check_matrix(scene.domain_cosines, results.numbers, fmt::format("domain_cosines of {}", where));
    const auto& first = results.scenes.front().groups;
    const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (!std::equal(scene.groups.begin(), scene.groups.end(), first.begin(), first.end(), same_name))
      throw ResultsError(
          fmt::format("{} have other layer groups than those of step {}", where, results.scenes.front().step));
    std::set<std::string_view> groups;
    for (const auto& [name, values] : scene.groups) {
      if (!groups.insert(name).second) throw ResultsError(fmt::format("layer group {} is twice in {}", name, where));
      check_named(values, fmt::format("layer group {} of {}", name, where));
    }
  }
}

void check_curves(const AccuracyResults& results) {
  std::set<std::tuple<std::string_view, std::string_view, std::uint64_t, std::uint64_t>> seen;
  for (const LossCurve& curve : results.curves) {
    const std::string where = fmt::format("the loss curve of {} under {}, {} steps, seed {}", curve.scheme,
                                          curve.faults, curve.steps, curve.seed);
    check_place(results, curve.faults, curve.scheme, where);
    if (!seen.insert({curve.faults, curve.scheme, curve.steps, curve.seed}).second)
      throw ResultsError(fmt::format("{} is there twice", where));
    if (std::find(results.seeds.begin(), results.seeds.end(), curve.seed) == results.seeds.end())
      throw ResultsError(fmt::format("{}: no run has that seed", where));
    if (curve.training.size() > curve.steps)
      throw ResultsError(fmt::format("{} has {} losses", where, curve.training.size()));
    for (std::size_t i = 0; i < curve.held_out.size(); ++i)
      if (curve.held_out[i].first > curve.steps || (i > 0 && curve.held_out[i].first <= curve.held_out[i - 1].first))
        throw ResultsError(fmt::format("{}: held-out losses out of order or after its end", where));
  }
}

void check_placement(const AccuracyResults& results) {
  const PlacementFindings& placement = results.placement;
  if (!std::isfinite(placement.explained) || !std::isfinite(placement.purity))
    throw ResultsError("explained or purity of the placement is not a finite number");
  const auto domains = static_cast<double>(placement.samples.size());
  if (!placement.samples.empty() && value_of(results.numbers, "domains", domains) != domains)
    throw ResultsError(fmt::format("the placement has samples of {} domains for {} domains", domains,
                                   value_of(results.numbers, "domains", domains)));
  check_matrix(placement.cosines, results.numbers, "cosines of the placement");
}

}  // namespace

void check(const AccuracyResults& results) {
  if (results.draws < 0) throw ResultsError("the number of draws is negative");
  check_facts(results.setting, "setting");
  check_facts(results.versions, "versions");
  check_named(results.numbers, "numbers");
  check_named(results.cost, "cost");
  check_declarations(results);
  check_scenes(results);
  check_cells(results, results.gradient, "gradient", "draw", results.draws);
  check_training(results);
  check_efficiency(results);
  check_curves(results);
  check_placement(results);
}

}  // namespace toposim::analysis
