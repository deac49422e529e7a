// What the numbers rest on: where the data lie, what the schemes are, how to get the numbers again.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/accuracy_digest.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/accuracy_sections.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {

std::string placement_findings(const AccuracyResults& r, const ReportStyle& style) {
  const PlacementFindings& placement = r.placement;
  std::string out;
  if (!placement.samples.empty()) {
    const auto [least, most] = std::minmax_element(placement.samples.begin(), placement.samples.end());
    std::string samples = grouped(static_cast<double>(*least));
    if (*least != *most) samples += " to " + grouped(static_cast<double>(*most));
    std::string text = fmt::format("{} of {} samples; {:.0f} % of a domain's samples have its most frequent label",
                                   number_of(std::ssize(placement.samples), "domain"), samples, 100 * placement.purity);
    if (placement.explained > 0)
      text += fmt::format("; clusters explain {:.0f} % of the embeddings' spread", 100 * placement.explained);
    out += entry("data", text, style);
  }
  for (std::size_t i = 0; i < placement.advice.size(); ++i)
    out += entry(i == 0 ? "advice" : "", printable(placement.advice[i], style), style);
  return out;
}

std::string accuracy_notes(const AccuracyResults& r, const ReportStyle& style) {
  std::string out;
  for (const AccuracyScheme& scheme : r.schemes)
    out += entry(out.empty() ? "schemes" : "", shortened(scheme.name, 32, style) + ": " + printable(scheme.text, style),
                 style);
  out += entry("cost", in_words(r.cost, style), style);
  out +=
      entry("repeat", fmt::format("seed {} gives digest {}, whatever the number of threads", r.seed, digest(r)), style);
  if (!r.output_directory.empty())
    out += entry("files",
                 printable(r.output_directory, style) + ": results.json, gradient.csv, runs.csv, losses.csv" +
                     (r.efficiency.empty() ? "" : ", accuracy.json") + (r.gates.empty() ? "" : ", junit.xml"),
                 style);
  return out;
}

}  // namespace toposim::analysis
