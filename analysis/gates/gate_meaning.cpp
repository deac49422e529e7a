#include "analysis/gates/gate_meaning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace toposim::analysis {
namespace {

std::optional<GateStatistic> statistic_named(std::string_view name) {
  for (const auto& [known, statistic] : gate_statistics)
    if (known == name) return statistic;
  return std::nullopt;
}

/// The series' name that a text starts with, the longest of them; empty: none.
std::string_view leading(std::string_view text, const std::vector<std::string>& names) {
  std::string_view longest;
  for (const std::string& name : names)
    if (text.starts_with(name + ".") && name.size() > longest.size()) longest = name;
  return longest;
}

}  // namespace

std::string_view name_of(GateStatistic statistic) {
  return gate_statistics[static_cast<std::size_t>(statistic)].first;
}

std::vector<GateMeaning> meanings_of(std::string_view subject, const std::vector<GateSeries>& series) {
  std::vector<GateMeaning> meanings;
  for (const GateSeries& one : series) {
    const std::string name = one.metric + "." + one.scheme;
    if (!subject.starts_with(name)) continue;
    const std::string_view rest = subject.substr(name.size());
    std::optional<GateStatistic> statistic;
    if (rest.empty())
      statistic = GateStatistic::mean;
    else if (rest.starts_with('.'))
      statistic = statistic_named(rest.substr(1));
    if (!statistic) continue;
    const GateMeaning meaning{one.metric, one.scheme, *statistic};
    if (std::find(meanings.begin(), meanings.end(), meaning) == meanings.end()) meanings.push_back(meaning);
  }
  return meanings;
}

std::string unknown_subject(std::string_view subject, const std::vector<GateSeries>& series, const Nearest& nearest) {
  std::vector<std::string> metrics, schemes, statistics;
  for (const GateSeries& one : series) metrics.push_back(one.metric);
  const std::string_view metric = leading(subject, metrics);
  if (metric.empty()) {
    const std::string_view written = subject.substr(0, subject.find('.'));
    return fmt::format("no metric '{}'{}", written, there_is(written, metrics, nearest));
  }
  std::string_view written = subject.substr(metric.size() + 1);
  for (const GateSeries& one : series)
    if (one.metric == metric) schemes.push_back(one.scheme);
  if (const std::string_view scheme = leading(written, schemes); !scheme.empty()) {
    written.remove_prefix(scheme.size() + 1);
    for (const auto& [name, statistic] : gate_statistics) statistics.emplace_back(name);
    return fmt::format("no statistic '{}'{}", written, there_is(written, statistics, nearest));
  }
  const std::size_t dot = written.rfind('.');
  if (dot != written.npos && statistic_named(written.substr(dot + 1))) written = written.substr(0, dot);
  return fmt::format("no scheme '{}' with {}{}", written, metric, there_is(written, schemes, nearest));
}

std::string there_is(std::string_view written, const std::vector<std::string>& candidates, const Nearest& nearest) {
  std::vector<std::string> each;
  for (const std::string& candidate : candidates)
    if (std::find(each.begin(), each.end(), candidate) == each.end()) each.push_back(candidate);
  if (each.empty()) return "; there is none";
  const std::string near = nearest(written, each);
  return near.empty() ? fmt::format("; there is {}", fmt::join(each, ", ")) : fmt::format("; did you mean '{}'?", near);
}

}  // namespace toposim::analysis
