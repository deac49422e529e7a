#include "analysis/judge/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/files/limited_file.hpp"
#include "analysis/statistics.hpp"
#include "analysis/student.hpp"

namespace toposim::analysis {
namespace {

using CellKey = std::pair<std::string, std::uint64_t>;           // faults, step
using BySeed = std::map<std::uint64_t, double>;                  // seed or draw -> value
using Cells = std::map<CellKey, std::map<std::string, BySeed>>;  // -> scheme ->
using Order = std::vector<CellKey>;                              // as the file has them

/// Values of one column by cell, scheme and seed, of the schemes that matter.
Cells cells_of(const CsvTable& table, std::string_view step, std::string_view number, std::string_view value,
               const JudgeOptions& options, Order& order) {
  Cells cells;
  if (table.rows.empty()) return cells;
  const std::size_t faults = table.column("faults"), scheme = table.column("scheme"), at = table.column(step),
                    key = table.column(number), column = table.column(value);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string& name = table.rows[r][scheme];
    const auto& references = options.references;
    if (name != options.scheme && std::find(references.begin(), references.end(), name) == references.end()) continue;
    const CellKey cell{table.rows[r][faults], table.count(r, at)};
    if (!cells.contains(cell)) order.push_back(cell);
    cells[cell][name][table.count(r, key)] = table.number(r, column);
  }
  for (const auto& [cell, schemes] : cells) {
    std::vector<std::string> wanted = options.references;
    wanted.push_back(options.scheme);
    for (const std::string& name : wanted)
      if (!schemes.contains(name))
        refuse_file(table.file, fmt::format("has no scheme {} under {}; put it under the scenario's schemes, or choose "
                                            "others with --against",
                                            name, cell.first));
  }
  if (cells.empty()) refuse_file(table.file, fmt::format("has no scheme {}", options.scheme));
  return cells;
}

struct Paired {
  std::int64_t n = 0, diverged = 0;
  double mean = 0, error = 0, reference_mean = 0;
};

/// Seeds of both; one where the reference diverged and the scheme did not says nothing against it and is left out.
Paired paired(const BySeed& scheme, const BySeed& reference) {
  Paired out;
  std::vector<double> differences, losses;
  for (const auto& [seed, loss] : scheme) {
    const auto other = reference.find(seed);
    if (other == reference.end()) continue;
    if (std::isnan(loss)) ++out.diverged;
    if (std::isnan(loss) || std::isnan(other->second)) continue;
    differences.push_back(loss - other->second);
    losses.push_back(other->second);
  }
  out.n = static_cast<std::int64_t>(differences.size());
  if (out.n < 2) return out;
  const Summary<double> d = summarise(differences);
  out.mean = d.mean;
  out.error = d.sd.value_or(0) / std::sqrt(static_cast<double>(out.n));
  out.reference_mean = summarise(losses).mean;
  return out;
}

double p_of(const Paired& pair, double margin) {
  if (pair.diverged > 0) return 1;
  if (pair.error == 0) return pair.mean <= margin ? 0 : 1;
  return student_above((margin - pair.mean) / pair.error, static_cast<double>(pair.n - 1));
}

double mean_of(const BySeed& values) {
  double sum = 0;
  std::int64_t n = 0;
  for (const auto& [draw, value] : values)
    if (!std::isnan(value)) {
      sum += value;
      ++n;
    }
  return sum / static_cast<double>(n);
}

}  // namespace

void judge_runs(const std::string& study, const CsvTable& runs, const JudgeOptions& options, Judgement& judgement) {
  Order order;
  const Cells cells = cells_of(runs, "steps", "seed", "final_loss", options, order);
  for (const CellKey& key : order) {
    const auto& schemes = cells.at(key);
    LossJudgement cell;
    cell.study = study;
    cell.faults = key.first;
    cell.steps = key.second;
    cell.p = -1;
    for (const std::string& reference : options.references) {
      const Paired pair = paired(schemes.at(options.scheme), schemes.at(reference));
      if (pair.n + pair.diverged < 2)
        refuse_file(runs.file, fmt::format("fewer than two seeds of {} and {} under {}: a test needs their scatter",
                                           options.scheme, reference, key.first));
      const double margin = std::max(options.margin_share * pair.reference_mean, 2 * pair.error);
      const double p = p_of(pair, margin);
      if (p <= cell.p) continue;
      cell.p = p;
      cell.reference = reference;
      cell.seeds = pair.n;
      cell.diverged = pair.diverged;
      const double whole = pair.reference_mean > 0 ? pair.reference_mean : 1;
      cell.difference_share = pair.mean / whole;
      cell.error_share = pair.error / whole;
      cell.margin_share = margin / whole;
    }
    judgement.losses.push_back(cell);
  }
}

void judge_gradients(const std::string& study, const CsvTable& gradient, const JudgeOptions& options,
                     Judgement& judgement) {
  Order order;
  const Cells cells = cells_of(gradient, "step", "draw", "global_error_ratio", options, order);
  for (const CellKey& key : order) {
    const auto& schemes = cells.at(key);
    ErrorJudgement cell;
    cell.study = study;
    cell.faults = key.first;
    cell.step = key.second;
    cell.draws = static_cast<std::int64_t>(schemes.at(options.scheme).size());
    double least = 0;
    for (const std::string& reference : options.references) {
      const double error = mean_of(schemes.at(reference));
      if (!cell.reference.empty() && !(error < least)) continue;
      least = error;
      cell.reference = reference;
    }
    const double own = mean_of(schemes.at(options.scheme));
    cell.ratio = own == least ? 1 : own / least;
    judgement.errors.push_back(cell);
  }
}

void judge_study(const std::filesystem::path& folder, const JudgeOptions& options, Judgement& judgement) {
  const auto last = folder.lexically_normal();
  const std::string study = (last.has_filename() ? last : last.parent_path()).filename().string();
  const std::size_t before = judgement.losses.size() + judgement.errors.size();
  std::error_code ignored;
  if (std::filesystem::exists(folder / "runs.csv", ignored))
    judge_runs(study, read_csv_file(folder / "runs.csv"), options, judgement);
  if (std::filesystem::exists(folder / "gradient.csv", ignored))
    judge_gradients(study, read_csv_file(folder / "gradient.csv"), options, judgement);
  if (judgement.losses.size() + judgement.errors.size() == before)
    refuse_file(folder.string(),
                "holds no runs.csv and no gradient.csv with a line; it has to be the folder of results "
                "of an accuracy study");
}

void correct_for_many(Judgement& judgement) {
  auto& cells = judgement.losses;
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cells[a].p < cells[b].p; });
  double so_far = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    so_far = std::max(so_far, std::min(1.0, static_cast<double>(order.size() - i) * cells[order[i]].p));
    cells[order[i]].p_holm = so_far;
  }
}

}  // namespace toposim::analysis
