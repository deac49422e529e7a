#include "analysis/files/csv_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/check.hpp"
#include "analysis/number_text.hpp"

namespace toposim::analysis {
namespace {

std::string number_or_empty(std::int64_t value) {
  return value < 0 ? "" : std::to_string(value);
}

std::string quality_value(const SchemeResults& scheme, std::size_t i) {
  if (!scheme.time_to_quality || std::isnan(scheme.time_to_quality->per_run_s[i])) return {};
  return number_text(scheme.time_to_quality->per_run_s[i]);
}

}  // namespace

std::string csv_value(const Metric& metric, std::size_t i) {
  switch (metric.unit) {
    case Unit::duration_ns:
      return seconds_text(metric.integers[i]);
    case Unit::count:
      return std::to_string(metric.integers[i]);
    case Unit::ratio:
    case Unit::number:
      break;
  }
  return std::isnan(metric.reals[i]) ? "" : number_text(metric.reals[i]);
}

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos && !text.starts_with(' ') &&
                     !text.starts_with('\t') && !text.ends_with(' ') && !text.ends_with('\t');
  if (plain) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string replicas_csv(const Results& results) {
  check(results);
  std::string csv = "replica,scheme";
  if (!results.schemes.empty())
    for (const Metric& metric : results.schemes.front().metrics) csv += ',' + csv_field(metric.name);
  const bool quality = std::any_of(results.schemes.begin(), results.schemes.end(),
                                   [](const SchemeResults& scheme) { return scheme.time_to_quality.has_value(); });
  if (quality) csv += ",time_to_quality_s";
  csv += '\n';
  for (std::size_t i = 0; i < static_cast<std::size_t>(results.replicas_done); ++i)
    for (const SchemeResults& scheme : results.schemes) {
      csv += std::to_string(i) + ',' + csv_field(scheme.name);
      for (const Metric& metric : scheme.metrics) csv += ',' + csv_value(metric, i);
      if (quality) csv += ',' + quality_value(scheme, i);
      csv += '\n';
    }
  return csv;
}

std::string timeline_csv(const Results& results) {
  std::string csv = "scheme,time_s,event,cause,node,replica,step,replicas_active,spares_free\n";
  for (const TimelineRow& row : results.timeline)
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{}\n", csv_field(row.scheme),
                   seconds_text(row.time_ns), csv_field(row.event), csv_field(row.cause), number_or_empty(row.node),
                   number_or_empty(row.replica), row.step, row.replicas_active, row.spares_free);
  return csv;
}

}  // namespace toposim::analysis
