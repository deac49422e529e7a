// What the numbers rest on: settings, assumptions, formulas beside the simulation, checks, how to get them again.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/check.hpp"
#include "analysis/digest.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/report_sections.hpp"
#include "analysis/report/text_layout.hpp"
#include "analysis/report/verdict.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

bool has_setting(const SchemeResults& scheme, const Named::value_type& setting) {
  return std::find(scheme.settings.begin(), scheme.settings.end(), setting) != scheme.settings.end();
}

/// What every scheme has in common once, then what each has of its own.
std::string settings(const Results& results, const ReportStyle& style) {
  const auto& schemes = results.schemes;
  const auto common = [&](const Named::value_type& setting) {
    return schemes.size() > 1 &&
           std::all_of(schemes.begin(), schemes.end(), [&](const SchemeResults& s) { return has_setting(s, setting); });
  };
  std::string out;
  const auto add = [&](const std::string& who, const Named& what) {
    if (!what.empty()) out += entry(out.empty() ? "settings" : "", who + ": " + in_words(what, style), style);
  };
  Named shared;
  if (!schemes.empty())
    std::copy_if(schemes[0].settings.begin(), schemes[0].settings.end(), std::back_inserter(shared), common);
  add("every scheme", shared);
  for (const SchemeResults& scheme : schemes) {
    Named own;
    std::remove_copy_if(scheme.settings.begin(), scheme.settings.end(), std::back_inserter(own), common);
    add(shortened(scheme.name, 32, style), own);
  }
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
    std::vector<std::string> texts;
    for (const ClosedForm& form : scheme.closed_forms)
      texts.push_back(fmt::format("{} {} % (bias {} points)", printable(form.name, style), percent(form.ettr, half),
                                  percent(form.ettr - simulated.mean, half, true)));
    out += entry(out.empty() ? "formulas" : "",
                 fmt::format("{} simulated {} % ETTR; were a spare always at hand, {}",
                             shortened(scheme.name, 32, style), percent(simulated.mean, half), joined(texts, ", ")),
                 style);
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
    out += entry("files",
                 printable(results.output_directory, style) + ": results.json, replicas.csv, timeline.csv" +
                     (results.gates.empty() ? "" : ", junit.xml"),
                 style);
  return out;
}

}  // namespace toposim::analysis
