// What the numbers rest on: settings, assumptions, formulas beside the simulation, checks, how to get them again.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/check.hpp"
#include "analysis/digest.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report_sections.hpp"
#include "analysis/statistics.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/verdict.hpp"

namespace toposim::analysis {
namespace {

std::string settings(const Results& results, const ReportStyle& style) {
  std::string out;
  for (const SchemeResults& scheme : results.schemes)
    if (!scheme.settings.empty())
      out += entry(out.empty() ? "settings" : "",
                   fmt::format("{}: {}", shortened(scheme.name, 32, style), in_words(scheme.settings, style)), style);
  return out;
}

/// Each assumption once, with the schemes that rest on it.
std::string assumptions(const Results& results, const ReportStyle& style) {
  std::vector<std::pair<std::string, std::vector<std::string>>> assumed;
  for (const SchemeResults& scheme : results.schemes)
    for (const std::string& text : scheme.assumptions) {
      auto known = std::find_if(assumed.begin(), assumed.end(), [&](const auto& a) { return a.first == text; });
      if (known == assumed.end()) known = assumed.insert(known, {text, {}});
      known->second.push_back(shortened(scheme.name, 32, style));
    }
  std::string out;
  for (const auto& [text, schemes] : assumed)
    out += entry(out.empty() ? "assumed" : "", fmt::format("{} ({})", printable(text, style), joined(schemes, ", ")),
                 style);
  return out;
}

std::string formulas(const Results& results, const ReportStyle& style) {
  std::string out;
  for (const SchemeResults& scheme : results.schemes) {
    const Metric* ettr = find_metric(scheme, "ettr");
    if (scheme.closed_forms.empty() || !ettr || ettr->reals.empty()) continue;
    const Summary<double> simulated = summarise(*ettr);
    const double half = simulated.interval ? simulated.interval->half_width() : 0;
    std::vector<std::string> texts{
        fmt::format("{} simulated {} % ETTR", shortened(scheme.name, 32, style), percent(simulated.mean, half))};
    for (const ClosedForm& form : scheme.closed_forms)
      texts.push_back(fmt::format("{} {} % (bias {} points)", printable(form.name, style), percent(form.ettr, half),
                                  percent(form.ettr - simulated.mean, half, true)));
    out += entry(out.empty() ? "formulas" : "", joined(texts, ", "), style);
  }
  return out;
}

/// In the user's currency, for every metric that is a price.
std::string prices(const Results& results, const ReportStyle& style) {
  std::string out;
  if (results.schemes.empty() || results.replicas_done == 0) return out;
  for (const Metric& metric : results.schemes.front().metrics) {
    if (!metric.name.starts_with("price_")) continue;
    std::vector<std::string> texts;
    for (const SchemeResults& scheme : results.schemes) {
      const Summary<double> s = summarise(*find_metric(scheme, metric.name));
      const double half = s.interval ? s.interval->half_width() : 0;
      texts.push_back(kept_together(
          fmt::format("{} {}", shortened(scheme.name, 32, style), grouped(s.mean, std::min(decimals_for(half), 2)))));
    }
    out += entry("price", printable(words(metric.name.substr(6)), style) + ": " + joined(texts, ", "), style);
  }
  return out;
}

}  // namespace

std::string notes(const Results& results, const ReportStyle& style) {
  std::string out = settings(results, style) + assumptions(results, style) + formulas(results, style) +
                    prices(results, style) + entry("fabric", in_words(results.fabric, style), style) +
                    entry("cost", in_words(results.cost, style), style);
  out += entry("repeat",
               fmt::format("seed {} gives digest {}, whatever the number of threads", results.seed, digest(results)),
               style);
  if (!results.output_directory.empty())
    out += entry("files", printable(results.output_directory, style) + ": results.json, replicas.csv, timeline.csv",
                 style);
  return out;
}

}  // namespace toposim::analysis
