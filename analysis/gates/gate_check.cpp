#include "analysis/gates/gate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "analysis/gates/gate_meaning.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

/// A value, or why there is none.
struct Evaluated {
  std::optional<double> value;
  std::string why_not;
  std::size_t left_out = 0;  ///< values that do not exist
};

bool holds(GateOp op, double value, double bound) {
  switch (op) {
    case GateOp::at_most:
      return value <= bound;
    case GateOp::below:
      return value < bound;
    case GateOp::at_least:
      return value >= bound;
    case GateOp::above:
      break;
  }
  return value > bound;
}

bool wants_small(GateOp op) {
  return op == GateOp::at_most || op == GateOp::below;
}

double statistic_of(const Summary<double>& summary, const std::vector<double>& values, GateStatistic statistic) {
  switch (statistic) {
    case GateStatistic::mean:
      return summary.mean;
    case GateStatistic::sd:
      return *summary.sd;
    case GateStatistic::min:
      return summary.min;
    case GateStatistic::max:
      return summary.max;
    case GateStatistic::p50:
      return summary.p50;
    case GateStatistic::p95:
      return quantile(std::span<const double>(values), 0.95);
    case GateStatistic::p99:
      return quantile(std::span<const double>(values), 0.99);
    case GateStatistic::ci95_low:
      return summary.interval->low;
    case GateStatistic::ci95_high:
      break;
  }
  return summary.interval->high;
}

Evaluated evaluate(const GateSeries& series, GateStatistic statistic) {
  std::vector<double> values;
  for (const double value : series.values)
    if (!std::isnan(value)) values.push_back(value);
  Evaluated result;
  result.left_out = series.values.size() - values.size();
  const bool spread =
      statistic == GateStatistic::sd || statistic == GateStatistic::ci95_low || statistic == GateStatistic::ci95_high;
  if (values.empty())
    result.why_not = "it has no values";
  else if (series.needs_every_value && result.left_out > 0)
    result.why_not = fmt::format("{} of its {} values do not exist", result.left_out, series.values.size());
  else if (std::any_of(values.begin(), values.end(), [](double v) { return std::isinf(v); }))
    result.why_not = "one of its values is infinite";
  else if (spread && values.size() < 2)
    result.why_not = fmt::format("one value has no {}", name_of(statistic));
  else
    result.value = statistic_of(summarise(std::span<const double>(values)), values, statistic);
  return result;
}

/// A series is in a place when that is its own, or the case of faults that its place begins with.
bool is_in(const GateSeries& series, std::string_view where) {
  return where.empty() || series.where == where || series.where.starts_with(std::string(where) + "@");
}

/// Why a value is not what the gate asks for, and what may be the matter.
std::string breach(const Gate& gate, const GateOutcome& outcome, const GateSeries& series) {
  const std::string_view op = std::string_view(gate.text).substr(gate.text.find_first_of("<>"));
  std::string text = fmt::format("{} is not {}", outcome.shown, op);
  if (!wants_small(gate.op) && series.unit == Unit::ratio && gate.bound_unit.empty() && gate.bound > 1 &&
      outcome.value <= 1)
    text += fmt::format("; if a percentage is meant, write {:.15g}%", gate.bound);
  return text;
}

/// The worst of the places fills the outcome; one that has no value is worse than any that has.
void judge(const std::vector<const GateSeries*>& places, GateStatistic statistic, const Gate& gate,
           GateOutcome& outcome) {
  const GateSeries* worst = nullptr;
  Evaluated worst_value;
  for (const GateSeries* place : places) {
    Evaluated here = evaluate(*place, statistic);
    if (worst != nullptr && here.value &&
        (wants_small(gate.op) ? *here.value <= *worst_value.value : *here.value >= *worst_value.value))
      continue;
    worst = place;
    worst_value = std::move(here);
    if (!worst_value.value) break;
  }
  if (places.size() > 1) outcome.where = worst->where;
  outcome.reason = worst_value.why_not;
  if (!worst_value.value) return;
  outcome.has_value = true;
  outcome.value = *worst_value.value;
  outcome.passed = holds(gate.op, outcome.value, gate.bound);
  outcome.shown = shown_beside(gate, outcome.value);
  if (!outcome.passed) outcome.reason = breach(gate, outcome, *worst);
  if (worst_value.left_out > 0)
    outcome.reason += fmt::format("{}{} of {} values do not exist", outcome.reason.empty() ? "" : "; ",
                                  worst_value.left_out, worst->values.size());
}

GateOutcome check_gate(const std::vector<GateSeries>& all, const Gate& gate, const Nearest& nearest) {
  GateOutcome outcome;
  outcome.gate = gate.text;
  outcome.line = gate.line;
  outcome.bound = gate.bound;
  const std::vector<GateMeaning> meanings = meanings_of(gate.subject, all);
  if (meanings.size() != 1) {
    outcome.reason = meanings.empty()
                         ? unknown_subject(gate.subject, all, nearest)
                         : fmt::format("it may be the {} of {} or the {} of {}; give one of these another name",
                                       name_of(meanings[0].statistic), meanings[0].scheme,
                                       name_of(meanings[1].statistic), meanings[1].scheme);
    return outcome;
  }
  const GateMeaning& meaning = meanings.front();
  std::vector<const GateSeries*> places;
  std::vector<std::string> elsewhere;
  for (const GateSeries& one : all) {
    if (one.metric != meaning.metric || one.scheme != meaning.scheme) continue;
    if (is_in(one, gate.where)) {
      places.push_back(&one);
    } else if (!one.where.empty()) {
      elsewhere.push_back(one.where.substr(0, one.where.find('@')));
      elsewhere.push_back(one.where);
    }
  }
  if (places.empty())
    outcome.reason = elsewhere.empty() ? fmt::format("this study has one place only; remove '@ {}'", gate.where)
                                       : fmt::format("{}.{} has no place '{}'{}", meaning.metric, meaning.scheme,
                                                     gate.where, there_is(gate.where, elsewhere, nearest));
  else if (gate.bound_unit == "%" && (places[0]->unit == Unit::count || places[0]->unit == Unit::duration_ns))
    outcome.reason = fmt::format("{} is no ratio; write the bound without %", meaning.metric);
  else
    judge(places, meaning.statistic, gate, outcome);
  return outcome;
}

double number_in(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string shown_beside(const Gate& gate, double value) {
  // 0.95 / 0.01 is a last bit off 95: fifteen digits are what was written.
  const std::string as_written = fmt::format("{:.15g}", gate.bound / gate.unit_factor);
  const double scaled = value / gate.unit_factor, bound = number_in(as_written);
  const bool below = value<gate.bound, above = value> gate.bound;
  std::string text = as_written;
  for (int digits = 4; digits <= 17 && (below || above); ++digits) {
    text = fmt::format("{:.{}g}", scaled, digits);
    // Four digits of 1234567 are 1.235e+06: what is whole is shown whole.
    const bool rounded_off = text.find("e+") != text.npos && digits < 16;
    if (!rounded_off && (number_in(text) < bound) == below && (number_in(text) > bound) == above) break;
  }
  return gate.bound_unit.empty() ? text : text + " " + gate.bound_unit;
}

std::vector<GateOutcome> check_gates(const std::vector<GateSeries>& series, const std::vector<Gate>& gates,
                                     const Nearest& nearest) {
  std::vector<GateOutcome> outcomes;
  outcomes.reserve(gates.size());
  for (const Gate& gate : gates) outcomes.push_back(check_gate(series, gate, nearest));
  return outcomes;
}

}  // namespace toposim::analysis
