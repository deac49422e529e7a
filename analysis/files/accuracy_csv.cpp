#include "analysis/files/accuracy_csv.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/accuracy_check.hpp"
#include "analysis/files/csv_writer.hpp"
#include "analysis/number_text.hpp"

namespace toposim::analysis {
namespace {

/// "transient_5,shrink,400,11": what a line begins with.
std::string line_start(const std::string& faults, const std::string& scheme, std::uint64_t steps,
                       std::uint64_t number) {
  return csv_field(faults) + ',' + csv_field(scheme) + ',' + std::to_string(steps) + ',' + std::to_string(number);
}

/// One line per value of the columns; `numbers` says which draw or seed it is.
std::string cells_csv(const std::vector<AccuracyCell>& cells, std::string heading,
                      const std::vector<std::uint64_t>& numbers) {
  std::string csv = std::move(heading);
  if (!cells.empty())
    for (const Metric& metric : cells.front().metrics) csv += ',' + csv_field(metric.name);
  csv += '\n';
  for (const AccuracyCell& cell : cells)
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      csv += line_start(cell.faults, cell.scheme, cell.step, numbers[i]);
      for (const Metric& metric : cell.metrics) csv += ',' + csv_value(metric, i);
      csv += '\n';
    }
  return csv;
}

std::string loss_text(double loss) {
  return std::isfinite(loss) ? number_text(loss) : "";
}

void add_curve(std::string& csv, const LossCurve& curve) {
  auto held_out = curve.held_out.begin();
  const std::uint64_t last = held_out == curve.held_out.end() ? 0 : curve.held_out.back().first + 1;
  const std::uint64_t lines = std::max<std::uint64_t>(curve.training.size(), last);
  for (std::uint64_t step = 0; step < lines; ++step) {
    const bool measured = held_out != curve.held_out.end() && held_out->first == step;
    if (step >= curve.training.size() && !measured) continue;
    csv += line_start(curve.faults, curve.scheme, curve.steps, curve.seed) + ',' + std::to_string(step) + ',';
    if (step < curve.training.size()) csv += loss_text(curve.training[step]);
    csv += ',';
    if (measured) csv += loss_text((held_out++)->second);
    csv += '\n';
  }
}

}  // namespace

std::string gradient_csv(const AccuracyResults& results) {
  check(results);
  std::vector<std::uint64_t> draws(static_cast<std::size_t>(results.draws));
  for (std::size_t i = 0; i < draws.size(); ++i) draws[i] = i;
  return cells_csv(results.gradient, "faults,scheme,step,draw", draws);
}

std::string runs_csv(const AccuracyResults& results) {
  check(results);
  return cells_csv(results.training, "faults,scheme,steps,seed", results.seeds);
}

std::string losses_csv(const AccuracyResults& results) {
  check(results);
  std::string csv = "faults,scheme,steps,seed,step,training_loss,held_out_loss\n";
  for (const LossCurve& curve : results.curves) add_curve(csv, curve);
  return csv;
}

}  // namespace toposim::analysis
