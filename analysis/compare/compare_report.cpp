#include "analysis/compare/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/number_text.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

constexpr std::size_t most_shown = 20;
constexpr int widest_value = 22;

std::string source(std::string_view label, const ResultTree& tree, const ReportStyle& style) {
  return wrapped(fmt::format("{}  ", label),
                 fmt::format("{}: {}, seed {}, {}", printable(tree.file, style), printable(tree.scenario, style),
                             printable(tree.seed, style), printable(tree.digest, style)),
                 style.columns);
}

std::string counted(std::int64_t n, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", grouped(static_cast<double>(n)), n == 1 ? one : more);
}

/// Numbers first and paths last, unbroken: a path that is cut or wrapped cannot be copied.
std::string largest(const Comparison& comparison, const ReportStyle& style) {
  if (comparison.differences.empty()) return {};
  const std::size_t shown = std::min(comparison.differences.size(), most_shown);
  const auto value = [&](const std::string& text) { return text.empty() ? "-" : shortened(text, widest_value, style); };
  int width_a = 1, width_b = 1;
  for (std::size_t i = 0; i < shown; ++i) {
    width_a = std::max(width_a, display_width(value(comparison.differences[i].a)));
    width_b = std::max(width_b, display_width(value(comparison.differences[i].b)));
  }
  const auto line = [&](std::string_view relative, std::string_view a, std::string_view b, std::string_view path) {
    return fmt::format("{}  {}  {}  {}\n", pad_left(relative, 12), pad_left(a, width_a), pad_left(b, width_b), path);
  };
  std::string out = '\n' + bold("LARGEST DIFFERENCES", style) + '\n' + line("relative", "A", "B", "of");
  for (std::size_t i = 0; i < shown; ++i) {
    const Difference& one = comparison.differences[i];
    out += line(fmt::format("{:.3g} %", 100 * one.relative), value(one.a), value(one.b), printable(one.path, style));
  }
  if (comparison.differences.size() > shown)
    out += fmt::format("{}  and {} more\n", pad_left("", 10), comparison.differences.size() - shown);
  return out;
}

std::string counts(const CompareOptions& options, const Comparison& c, const ReportStyle& style) {
  std::string text;
  const auto differing = static_cast<std::int64_t>(c.differences.size());
  if (options.statistical) {
    text = fmt::format(
        "{} compared by Welch's interval, 95 % for all of them together; outside one of 95 % each: {}, where chance "
        "alone gives about {}. ",
        counted(c.means, "mean", "means"), c.means_outside_own, grouped(0.05 * static_cast<double>(c.means)));
    if (c.left_out > 0)
      text += fmt::format("Left out, as other draws change them and no spread speaks for them: {}. ",
                          counted(c.left_out, "value", "values"));
  }
  text += fmt::format("{} equal, {} within their tolerance; {}.", counted(c.equal, "value", "values"),
                      grouped(static_cast<double>(c.within)), counted(differing, "difference", "differences"));
  return '\n' + wrapped("", text, style.columns);
}

/// What may be behind differences. The hash is of the scenario with its seed.
std::string suspect(const ResultTree& a, const ResultTree& b, const CompareOptions& options) {
  if (a.hash == b.hash) return "same scenario and seed: another version of toposim, or of the machine";
  if (a.seed == b.seed) return "other scenarios: their hashes differ";
  return options.statistical ? "" : "other seeds: --statistical tells whether their means agree";
}

}  // namespace

std::string compare_report(const ResultTree& a, const ResultTree& b, const CompareOptions& options,
                           const Comparison& comparison, const ReportStyle& style) {
  std::string out = source("A", a, style) + source("B", b, style);
  if (comparison.same_digest) return out + bold("identical: the same digest", style) + '\n';
  if (const std::string why = suspect(a, b, options); !why.empty()) out += wrapped("", why, style.columns);
  out += largest(comparison, style) + counts(options, comparison, style);
  return out + (comparison.agree() ? bold("they agree", style) : yellow("they DIFFER", style)) + '\n';
}

}  // namespace toposim::analysis
