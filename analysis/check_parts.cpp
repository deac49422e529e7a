#include "analysis/check_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "analysis/check.hpp"

namespace toposim::analysis {
namespace {

void check_column(const Metric& metric, const ColumnPlace& place) {
  const std::string where = fmt::format("metric {} of {}", metric.name, place.owner);
  const bool whole = metric.unit == Unit::count || metric.unit == Unit::duration_ns;
  const std::size_t values = whole ? metric.integers.size() : metric.reals.size();
  const std::size_t others = whole ? metric.reals.size() : metric.integers.size();
  if (static_cast<std::int64_t>(values) != place.values)
    throw ResultsError(fmt::format("{} has {} values for {} {}s", where, values, place.values, place.each));
  if (others != 0) throw ResultsError(fmt::format("{} has values of two types", where));
  for (std::size_t i = 0; i < metric.reals.size(); ++i) {
    const double value = metric.reals[i];
    if (!std::isfinite(value) && !(place.may_be_unknown && std::isnan(value)))
      throw ResultsError(fmt::format("{} is {} in {} {}, not a finite number", where, value, place.each, i));
  }
  if (metric.unit == Unit::duration_ns && !metric.name.ends_with("_s"))
    throw ResultsError(fmt::format("{} is a duration: its name must end in _s", where));
  if (metric.bucket && metric.unit != Unit::duration_ns)
    throw ResultsError(fmt::format("{} is a bucket of wall time, so it must be a duration", where));
}

}  // namespace

void check_named(const Named& named, std::string_view where) {
  std::set<std::string_view> seen;
  for (const auto& [name, value] : named) {
    if (!std::isfinite(value))
      throw ResultsError(fmt::format("{} in {} is {}, not a finite number", name, where, value));
    if (!seen.insert(name).second) throw ResultsError(fmt::format("{} is twice in {}", name, where));
  }
}

void check_facts(const Facts& facts, std::string_view where) {
  std::set<std::string_view> seen;
  for (const auto& fact : facts)
    if (!seen.insert(fact.first).second) throw ResultsError(fmt::format("{} is twice in {}", fact.first, where));
}

void check_columns(const std::vector<Metric>& columns, const ColumnPlace& place) {
  std::set<std::string_view> names;
  for (const Metric& metric : columns) {
    check_column(metric, place);
    if (!names.insert(metric.name).second)
      throw ResultsError(fmt::format("{} has two metrics named {}", place.owner, metric.name));
  }
}

void check_same_columns(const std::vector<Metric>& columns, std::string_view owner, const std::vector<Metric>& first,
                        std::string_view first_owner) {
  if (columns.size() != first.size())
    throw ResultsError(fmt::format("{} has {} metrics, {} has {}", owner, columns.size(), first_owner, first.size()));
  for (std::size_t m = 0; m < columns.size(); ++m) {
    const Metric &a = columns[m], &b = first[m];
    if (a.name != b.name || a.unit != b.unit || a.bucket != b.bucket)
      throw ResultsError(fmt::format("metric {} of {} stands where {} has {}, or differs in unit", a.name, owner,
                                     first_owner, b.name));
  }
}

}  // namespace toposim::analysis
