#include "analysis/accuracy_cells.hpp"

#include <algorithm>
#include <set>

#include "analysis/number_text.hpp"

namespace toposim::analysis {

const AccuracyCell* find_cell(const std::vector<AccuracyCell>& cells, std::string_view faults, std::string_view scheme,
                              std::uint64_t step) {
  for (const AccuracyCell& cell : cells)
    if (cell.step == step && cell.faults == faults && cell.scheme == scheme) return &cell;
  return nullptr;
}

const Metric* find_column(const std::vector<AccuracyCell>& cells, std::string_view faults, std::string_view scheme,
                          std::uint64_t step, std::string_view column) {
  const AccuracyCell* cell = find_cell(cells, faults, scheme, step);
  return cell ? find_metric(cell->metrics, column) : nullptr;
}

std::vector<std::uint64_t> steps_of(const std::vector<AccuracyCell>& cells) {
  std::set<std::uint64_t> steps;
  for (const AccuracyCell& cell : cells) steps.insert(cell.step);
  return {steps.begin(), steps.end()};
}

std::uint64_t run_length(const AccuracyResults& results) {
  const std::vector<std::uint64_t> lengths = steps_of(results.training);
  const double asked_for = value_of(results.numbers, "steps", 0);
  for (const std::uint64_t length : lengths)
    if (static_cast<double>(length) == asked_for) return length;
  return lengths.empty() ? 0 : lengths.back();
}

std::string at_step(std::uint64_t step) {
  return "step " + grouped(static_cast<double>(step));
}

std::vector<std::string> schemes_of(const AccuracyResults& results, const std::vector<AccuracyCell>& cells,
                                    std::string_view faults, std::uint64_t step) {
  std::vector<std::string> names;
  for (const AccuracyScheme& scheme : results.schemes)
    if (find_cell(cells, faults, scheme.name, step)) names.push_back(scheme.name);
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return name == drop_scheme; });
  return names;
}

}  // namespace toposim::analysis
