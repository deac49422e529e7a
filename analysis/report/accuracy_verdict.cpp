#include "analysis/report/accuracy_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/accuracy_cells.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/text_layout.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

constexpr int name_columns = 24;

/// A loss or an error: less is better.
Finding finding_of_less(const Summary<double>& difference) {
  const Finding found = finding(difference);
  if (found == Finding::better) return Finding::worse;
  return found == Finding::worse ? Finding::better : found;
}

/// "+9.8 % (+8.1..+11.5)"
std::string with_interval(const Summary<double>& d) {
  const std::string text = percent(d.mean, half_width(d), true) + " %";
  return kept_together(d.interval ? fmt::format("{} ({})", text, percent_range(*d.interval, true)) : text);
}

std::optional<Summary<double>> summary_of(const Metric* column) {
  return column ? summarise_known(*column) : std::nullopt;
}

/// A ratio to drop's, less 1, of the draws of the last measured step.
std::optional<Summary<double>> gradient_difference(const AccuracyResults& r, const std::string& faults,
                                                   const std::string& scheme, const char* column) {
  if (r.gradient.empty()) return std::nullopt;
  const Metric* ratio = find_column(r.gradient, faults, scheme, steps_of(r.gradient).back(), column);
  if (!ratio) return std::nullopt;
  Metric difference = *ratio;
  for (double& v : difference.reals) v -= 1;
  return summarise_known(difference);
}

/// Who shortens the step wins the distance to the gradient, and loses training.
std::string shortened_step(const AccuracyResults& r, const std::string& faults, const std::string& scheme) {
  const auto short_of_one = gradient_difference(r, faults, scheme, "coefficient_sum");
  if (!short_of_one || short_of_one->mean > -0.001) return {};
  return fmt::format(", its coefficients sum to {}, which shortens the step", figure(1 + short_of_one->mean));
}

/// Runs that have no final loss where the other scheme's have one.
std::int64_t diverged(const Metric* loss, const Metric* other) {
  std::int64_t runs = 0;
  if (loss && other)
    for (std::size_t s = 0; s < loss->reals.size() && s < other->reals.size(); ++s)
      runs += std::isnan(loss->reals[s]) && !std::isnan(other->reals[s]);
  return runs;
}

/// ", although its gradients are closer than drop's: error -5.0 % (-6.3..-3.7)" and the like.
std::string other_story(const AccuracyResults& r, const std::string& faults, const AgainstDrop& trained) {
  const auto gradients = gradient_difference(r, faults, trained.scheme, "global_error_ratio");
  if (!gradients) return {};
  const Finding told = finding_of_less(*gradients);
  if (trained.finding == Finding::worse && told == Finding::better)
    return fmt::format(", although its gradients are nearer than drop's: error {}{}", with_interval(*gradients),
                       shortened_step(r, faults, trained.scheme));
  if (trained.finding == Finding::better && told == Finding::worse)
    return fmt::format(", although its gradients are further off than drop's: error {}", with_interval(*gradients));
  return {};
}

/// Where too much of a domain is dead the job stops and recovers under every scheme.
const char* why_identical(const Metric* compensated_steps) {
  if (!compensated_steps || summarise(*compensated_steps).max > 0) return "";
  return ": nothing was compensated, the job recovered fully";
}

AgainstDrop by_training(const AccuracyResults& r, const std::string& faults, const std::string& scheme,
                        std::uint64_t steps) {
  AgainstDrop against{scheme, Finding::unknown, {}};
  const auto column = [&](const std::string& of, const char* name) {
    return find_column(r.training, faults, of, steps, name);
  };
  const auto d = summary_of(column(scheme, "final_loss_to_drop"));
  if (d) {
    against.finding = finding_of_less(*d);
    against.text = against.finding == Finding::identical
                       ? std::string("in every run") + why_identical(column(scheme, "compensated_steps"))
                       : with_interval(*d);
  }
  const Metric *loss = column(scheme, "final_loss"), *drop = column(drop_scheme, "final_loss");
  const std::int64_t lost = diverged(loss, drop), won = diverged(drop, loss);
  if (lost + won > 0) {
    against.finding = lost == 0 ? Finding::better : won == 0 ? Finding::worse : Finding::undecided;
    std::vector<std::string> texts;
    if (lost > 0) texts.push_back(fmt::format("diverged in {} of {}", lost, number_of(std::ssize(r.seeds), "run")));
    if (won > 0) texts.push_back(fmt::format("did not where drop diverged, {} of {}", won, std::ssize(r.seeds)));
    if (d) texts.push_back("the others " + against.text);
    against.text = joined(texts, ", ");
  }
  if (against.text.empty()) against.text = "diverged with drop in every run";
  against.text += other_story(r, faults, against);
  return against;
}

AgainstDrop by_gradients(const AccuracyResults& r, const std::string& faults, const std::string& scheme) {
  AgainstDrop against{scheme, Finding::unknown, "no draw to go by"};
  const auto d = gradient_difference(r, faults, scheme, "global_error_ratio");
  if (!d) return against;
  against.finding = finding_of_less(*d);
  against.text = against.finding == Finding::identical ? "in every draw" : with_interval(*d);
  bool nearer = against.finding == Finding::better;
  const auto population = gradient_difference(r, faults, scheme, "population_error_ratio");
  if (population && finding_of_less(*population) != against.finding) {
    against.text += ", but to the gradient of all data " + with_interval(*population);
    nearer |= finding_of_less(*population) == Finding::better;
  }
  if (nearer) against.text += shortened_step(r, faults, scheme);
  return against;
}

/// "drop itself": its loss over that of a run without faults.
std::string price_of_drop(const AccuracyResults& r, const std::string& faults, std::uint64_t steps) {
  const auto d = summary_of(find_column(r.training, faults, drop_scheme, steps, "final_loss_delta"));
  if (!d) return {};
  if (finding(*d) == Finding::identical) return "as without faults in every run";
  return with_interval(*d) + " of final loss over fault_free";
}

std::string line(std::string_view label, const std::string& text, const ReportStyle& style) {
  return wrapped("    " + pad_right(label, 17), text, style.columns, 2);
}

/// "shrink -2.86 % (-2.96..-2.75)", "ridge, zero in every run": those of which that was found; what is said of several
/// is said once.
std::vector<std::string> found(const std::vector<AgainstDrop>& schemes, Finding finding, const ReportStyle& style) {
  std::vector<std::pair<std::string, std::vector<std::string>>> said;
  for (const AgainstDrop& scheme : schemes) {
    if (scheme.finding != finding) continue;
    auto known = std::find_if(said.begin(), said.end(), [&](const auto& s) { return s.first == scheme.text; });
    if (known == said.end()) known = said.insert(known, {scheme.text, {}});
    known->second.push_back(shortened(scheme.scheme, name_columns, style));
  }
  std::vector<std::string> texts;
  for (const auto& [text, names] : said) texts.push_back(kept_together(joined(names, ", ") + ' ' + text));
  return texts;
}

/// A line each.
std::string lines(std::string_view label, const std::vector<std::string>& texts, const ReportStyle& style) {
  std::string out;
  for (const std::string& text : texts) out += line(out.empty() ? label : "", text, style);
  return out;
}

}  // namespace

std::vector<AgainstDrop> against_drop(const AccuracyResults& r, const std::string& faults) {
  std::vector<AgainstDrop> out;
  const bool trained = !r.training.empty();
  const auto& cells = trained ? r.training : r.gradient;
  if (cells.empty()) return out;
  const std::uint64_t last = trained ? run_length(r) : steps_of(cells).back();
  for (const std::string& scheme : schemes_of(r, cells, faults, last))
    if (scheme != drop_scheme)
      out.push_back(trained ? by_training(r, faults, scheme, last) : by_gradients(r, faults, scheme));
  return out;
}

std::string verdict_basis(const AccuracyResults& r) {
  if (!r.training.empty())
    return fmt::format("Final loss after {}, {}, 95 % intervals",
                       number_of(static_cast<std::int64_t>(run_length(r)), "step"),
                       number_of(std::ssize(r.seeds), "seed"));
  if (!r.gradient.empty())
    return fmt::format("Error of the gradient at {}, {}, 95 % intervals", at_step(steps_of(r.gradient).back()),
                       number_of(r.draws, "draw"));
  return {};
}

std::string accuracy_verdict(const AccuracyResults& r, const ReportStyle& style) {
  constexpr std::pair<Finding, const char*> groups[] = {
      {Finding::undecided, "undecided"}, {Finding::identical, "the same"}, {Finding::unknown, "one pair only"}};
  std::string out;
  if (r.training.empty() && !r.gradient.empty())
    out += "  Nothing was trained, so this is no word on the final model.\n";
  std::size_t comparisons = 0;
  for (const FaultCase& faults : r.fault_cases) {
    const std::vector<AgainstDrop> schemes = against_drop(r, faults.name);
    if (schemes.empty()) continue;
    comparisons += schemes.size();
    const std::string name = shortened(faults.name, name_columns, style);
    out += bold(wrapped("  ", name + ": " + printable(faults.text, style), style.columns, 2), style);
    const std::vector<std::string> better = found(schemes, Finding::better, style);
    out += better.empty() ? line("better than drop", "none", style) : lines("better than drop", better, style);
    out += lines("worse than drop", found(schemes, Finding::worse, style), style);
    for (const auto& [finding, label] : groups)
      if (const auto those = found(schemes, finding, style); !those.empty())
        out += line(label, joined(those, "; "), style);
    if (!r.training.empty())
      if (const std::string price = price_of_drop(r, faults.name, run_length(r)); !price.empty())
        out += line("drop itself", price, style);
  }
  if (comparisons > 5)
    out += wrapped("  ",
                   fmt::format("Of {} intervals of 95 %, about {} would leave zero out by chance alone.", comparisons,
                               grouped(0.05 * static_cast<double>(comparisons), comparisons < 100 ? 1 : 0)),
                   style.columns);
  return out;
}

}  // namespace toposim::analysis
