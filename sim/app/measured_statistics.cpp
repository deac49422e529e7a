#include "sim/app/measured_statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>

#include "analysis/files/efficiency_file.hpp"
#include "sim/app/study.hpp"
#include "sim/scenario/did_you_mean.hpp"

namespace toposim::sim {
namespace {

using analysis::MeasuredCell;
using analysis::MeasuredEfficiency;
using Cells = std::vector<const MeasuredCell*>;

[[noreturn]] void refuse(const SchemeSpec& spec, std::string_view key, const std::string& what) {
  throw ScenarioError(fmt::format("scheme {}: statistics.{}: {}", spec.name, key, what));
}

std::string listed(const std::set<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// ": there is no 'shrnk'; did you mean 'shrink'? There are drop, shrink"
std::string no_such(const std::string& written, const std::set<std::string>& names) {
  const std::string near = nearest(written, {names.begin(), names.end()});
  return fmt::format("there is no '{}'{}; there are {}", written,
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near), listed(names));
}

Cells of_scheme(const SchemeSpec& spec, const MeasuredEfficiency& file) {
  const bool estimates = spec.kind == SchemeKind::compensate;
  const std::string name = !spec.statistics.scheme.empty() ? spec.statistics.scheme
                           : estimates                     ? spec.estimator
                                                           : "drop";
  Cells cells;
  std::set<std::string> names;
  for (const MeasuredCell& cell : file.cells) {
    names.insert(cell.scheme);
    if (cell.scheme == name) cells.push_back(&cell);
  }
  if (cells.empty()) refuse(spec, "scheme", fmt::format("{}: {}", file.file, no_such(name, names)));
  return cells;
}

/// The name, or its beginning up to an underscore: `permanent` is permanent_5 and permanent_10.
bool is_meant(const std::string& faults, const std::string& written) {
  return faults == written || faults.starts_with(written + "_");
}

/// "permanent" of "permanent_12.5".
std::string kind_of(const std::string& faults) {
  const std::size_t end = faults.find_last_not_of("0123456789.");
  return end == faults.npos || faults[end] != '_' || end + 1 == faults.size() ? faults : faults.substr(0, end);
}

Cells asked_for(const SchemeSpec& spec, const MeasuredEfficiency& file, const Cells& all) {
  std::set<std::string> names, kinds;
  for (const MeasuredCell* cell : all)
    if (cell->dead_share > 0) names.insert(cell->faults), kinds.insert(kind_of(cell->faults));
  if (names.empty()) refuse(spec, "faults", fmt::format("{}: no fault case in which workers are dead", file.file));
  const std::vector<std::string>& written = spec.statistics.faults;
  if (written.empty() && kinds.size() > 1)
    refuse(spec, "faults",
           fmt::format("{} has faults of more than one kind, which do not lie on one line; say which to take: {}. "
                       "Replicas that are missing until a repair are most like permanent ones",
                       file.file, listed(kinds)));
  for (const std::string& one : written)
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return is_meant(name, one); }))
      refuse(spec, "faults", fmt::format("{}: {}", file.file, no_such(one, names)));
  Cells cells;
  for (const MeasuredCell* cell : all)
    if (cell->dead_share > 0 && (written.empty() || std::any_of(written.begin(), written.end(), [&](const auto& one) {
                                   return is_meant(cell->faults, one);
                                 })))
      cells.push_back(cell);
  std::sort(cells.begin(), cells.end(), [](const auto* a, const auto* b) { return a->dead_share < b->dead_share; });
  return cells;
}

void require_measured(const SchemeSpec& spec, const MeasuredEfficiency& file, const Cells& cells) {
  if (file.seeds < 2)
    refuse(spec, "accuracy",
           fmt::format("{} is of one seed, so that nothing is known of its spread; set seeds to 5 or more in the "
                       "accuracy study",
                       file.file));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const MeasuredCell& cell = *cells[i];
    const auto censored =
        std::count_if(cell.per_seed.begin(), cell.per_seed.end(), [](double v) { return std::isnan(v); });
    if (censored > 0)
      refuse(spec, "faults",
             fmt::format("{}: under {}, {} of {} seeds did not reach the goal, so that the efficiency is a bound and "
                         "no measurement; add a longer run to training.budgets of that study, or name the other cases "
                         "in faults",
                         file.file, cell.faults, censored, file.seeds));
    if (i > 0 && cells[i - 1]->dead_share == cell.dead_share)
      refuse(spec, "faults",
             fmt::format("{}: {} and {} both have {:.4g} % of the workers dead; say which to take", file.file,
                         cells[i - 1]->faults, cell.faults, 100 * cell.dead_share));
  }
}

std::string condition(const char* name, double value) {
  return std::isnan(value) ? "" : fmt::format(", {} {:.3g}", name, value);
}

std::string source_of(const MeasuredEfficiency& file, const Cells& cells) {
  std::vector<std::string> cases;
  for (const MeasuredCell* cell : cells)
    cases.push_back(fmt::format("{} ({:.4g} % dead)", cell->faults, 100 * cell->dead_share));
  const std::string conditions = condition("batch over noise scale", file.batch_over_noise_scale) +
                                 condition("c_in", file.c_in) + condition("c_out", file.c_out);
  return fmt::format("{} under {}, {} seeds, {} ({}){}{}", cells.front()->scheme, fmt::join(cases, ", "), file.seeds,
                     file.file, file.digest, conditions, conditions.empty() ? "" : "; of this job these are not known");
}

std::vector<std::string> warnings_of(const SchemeSpec& spec, const MeasuredEfficiency& file,
                                     const topology::DomainsSpec& domains) {
  const auto size = static_cast<double>(domains.size);
  if (spec.kind != SchemeKind::compensate || std::isnan(file.domain_size) || file.domain_size == size) return {};
  return {
      fmt::format("{}: its efficiency was measured in domains of {:.0f} workers, and domains.size is {:.0f}: how good "
                  "an estimate is depends on how many workers it is made from; measure with placement.domain_size: "
                  "{:.0f}",
                  spec.name, file.domain_size, size, size)};
}

}  // namespace

std::optional<MeasuredStatistics> measured_statistics(const SchemeSpec& spec, const topology::DomainsSpec& domains) {
  if (!spec.statistics.measured()) return std::nullopt;
  MeasuredEfficiency file;
  try {
    file = analysis::read_efficiency(spec.statistics.accuracy);
  } catch (const analysis::ResultFileError& error) {
    refuse(spec, "accuracy", error.what());
  }
  const Cells cells = asked_for(spec, file, of_scheme(spec, file));
  require_measured(spec, file, cells);
  using Points = std::vector<MeasuredProgress::Point>;
  std::vector<Points> of_seed(file.seeds);
  Points means;
  for (const MeasuredCell* cell : cells) {
    const std::vector<double>& values = cell->per_seed;
    for (std::size_t s = 0; s < values.size(); ++s) of_seed[s].push_back({cell->dead_share, values[s]});
    means.push_back(
        {cell->dead_share, std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size())});
  }
  MeasuredStatistics made{
      MeasuredProgress(means), {}, file.measured_on, source_of(file, cells), warnings_of(spec, file, domains)};
  for (const Points& points : of_seed) made.per_seed.emplace_back(points);
  return made;
}

}  // namespace toposim::sim
