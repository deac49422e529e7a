#include "sim/app/faults_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include "analysis/digest.hpp"
#include "analysis/number_text.hpp"
#include "analysis/statistics.hpp"
#include "faults/fit/clustering.hpp"
#include "faults/fit/curves.hpp"
#include "faults/fit/downtime.hpp"
#include "faults/fit/maximum_likelihood.hpp"
#include "faults/trace/clock_text.hpp"
#include "faults/trace/error.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/read_trace.hpp"
#include "sim/scenario/did_you_mean.hpp"
#include "sim/scenario/quantity.hpp"

namespace toposim::sim {
namespace {

using faults::Trace;
using faults::TraceError;
using faults::TraceRecord;
using faults::TraceWindow;
using Records = std::vector<TraceRecord>;

std::int64_t window_edge(const std::string& text, const char* option, const FaultsLine& line, const Trace& trace) {
  std::int64_t ns = 0;
  if (faults::parse_iso(text, line.policies.utc_offset_s, ns)) {
    if (trace.calendar) return ns;
    throw TraceError(fmt::format("{}: {} is a date, but times here count from the file's own zero; write {} 30d",
                                 trace.file, option, option));
  }
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  const Parsed<double> time = parse_quantity(node, Dimension::time);
  if (!time.ok()) throw TraceError(fmt::format("{}: {}: {}, or a date", trace.file, option, time.why_not));
  if (!(std::abs(time.value) < 3e9)) throw TraceError(fmt::format("{}: {}: less than 95 years", trace.file, option));
  // A date's zero is no place to count from: then the first time of the file is.
  const std::int64_t edge_ns = (trace.calendar ? trace.first_ns : 0) + std::llround(time.value * 1e9);
  return std::clamp(edge_ns, -faults::time_ns_max, faults::time_ns_max);
}

TraceWindow window_of(const FaultsLine& line, const Trace& trace) {
  TraceWindow window{trace.first_ns, trace.last_ns};
  if (!line.from.empty()) window.begin_ns = window_edge(line.from, "--from", line, trace);
  if (!line.to.empty()) window.end_ns = window_edge(line.to, "--to", line, trace);
  if (window.end_ns <= window.begin_ns)
    throw TraceError(
        fmt::format("{}: the window has no length: all times are the same, or --from is not before --to", trace.file));
  return window;
}

/// Names in the order of their first fault, for an error.
std::vector<std::string> names_of(const Trace& trace, const faults::Names& names, std::uint32_t TraceRecord::*field) {
  std::set<std::uint32_t> seen;
  std::vector<std::string> out;
  for (const TraceRecord& r : trace.records)
    if (out.size() < 20 && seen.insert(r.*field).second) out.push_back(names[r.*field]);
  return out;
}

/// Takes the records where all of them are asked for: there may be millions.
Records select(const FaultsLine& line, Trace& trace, const TraceWindow& window) {
  if (line.from.empty() && line.to.empty() && line.fault_class.empty() && line.component.empty() && line.cause.empty())
    return std::move(trace.records);
  Records records;
  for (const TraceRecord& r : trace.records)
    if (r.start_ns >= window.begin_ns && r.start_ns <= window.end_ns &&
        (line.fault_class.empty() || to_string(r.fault_class) == line.fault_class) &&
        (line.component.empty() || trace.components[r.component] == line.component) &&
        (line.cause.empty() || trace.causes[r.cause] == line.cause))
      records.push_back(r);
  if (!records.empty()) return records;
  std::string there;
  if (!line.component.empty())
    there = "; components: " + list_words(names_of(trace, trace.components, &TraceRecord::component), "and");
  else if (!line.cause.empty())
    there = "; causes: " + list_words(names_of(trace, trace.causes, &TraceRecord::cause), "and");
  throw TraceError(
      fmt::format("{}: none of its {} faults is in the window and of the class, component and cause asked "
                  "for{}",
                  trace.file, trace.records.size(), there));
}

analysis::FittedModel model_of(const faults::Fit& fit, const faults::Sample& sample, const FaultsLine& line,
                               const std::string& name) {
  const faults::Distribution& d = fit.distribution;
  analysis::FittedModel model;
  model.family = to_string(d.family);
  if (d.family == faults::Family::exponential) {
    model.values = {{"mean_h", d.scale_h}};
    model.parameters = fmt::format("mean {}", analysis::human_duration(d.scale_h * 3600));
  } else if (d.family == faults::Family::weibull) {
    model.values = {{"k", d.shape}, {"lambda_h", d.scale_h}};
    model.parameters = fmt::format("k {:.3f}, lambda {}", d.shape, analysis::human_duration(d.scale_h * 3600));
  } else {
    model.values = {{"mu", std::log(d.scale_h)}, {"sigma", d.shape}};
    model.parameters = fmt::format("median {}, sigma {:.3f}", analysis::human_duration(d.scale_h * 3600), d.shape);
  }
  model.log_likelihood = fit.log_likelihood;
  model.aic = fit.aic;
  if (!sample.censored_h.empty()) return model;  // the distance is of times that are all known
  std::vector<double> sorted = sample.values_h;
  std::sort(sorted.begin(), sorted.end());
  model.ks = faults::ks_distance(sorted, d);
  model.ks_p = faults::ks_p_value(sample, fit, line.bootstrap, name);
  return model;
}

analysis::TimeSample times_of(const std::string& name, const faults::Sample& sample, const FaultsLine& line) {
  analysis::TimeSample out;
  out.name = name;
  out.n = static_cast<std::int64_t>(sample.values_h.size());
  out.zeros = static_cast<std::int64_t>(sample.zeros);
  out.censored = static_cast<std::int64_t>(sample.censored_h.size());
  if (sample.values_h.empty()) return out;
  for (const double value : sample.values_h) out.mean_h += value / static_cast<double>(out.n);
  out.median_h = analysis::quantile(sample.values_h, 0.5);
  out.p95_h = analysis::quantile(sample.values_h, 0.95);
  std::vector<faults::Distribution> fitted;
  for (const faults::Family family : faults::all_families)
    if (const auto fit = faults::fit(family, sample)) {
      fitted.push_back(fit->distribution);
      out.models.push_back(model_of(*fit, sample, line, name));
    }
  for (const faults::HazardBin& bin : faults::hazard_bins(sample)) {
    out.hazard.push_back({bin.from_h, bin.to_h, static_cast<std::int64_t>(bin.events), bin.rate_per_h, {}});
    for (const auto& d : fitted)
      out.hazard.back().models_per_h.push_back(faults::hazard_per_h(d, (bin.from_h + bin.to_h) / 2));
  }
  for (const faults::ObservedQuantile& q : faults::observed_quantiles(sample.values_h)) {
    out.quantiles.push_back({q.probability, q.time_h, {}});
    for (const auto& d : fitted) out.quantiles.back().models_h.push_back(faults::quantile_h(d, q.probability));
  }
  return out;
}

/// Faults of one name, and how long their repairs took.
struct Members {
  std::size_t faults = 0;
  std::vector<double> repairs_h;
};

analysis::FaultGroup group_of(const std::string& kind, const std::string& name, const Members& members,
                              double node_days) {
  analysis::FaultGroup group{
      kind, name, static_cast<std::int64_t>(members.faults), 1000 * static_cast<double>(members.faults) / node_days,
      {},   {}};
  if (members.repairs_h.empty()) return group;
  double mean_h = 0;
  for (const double value : members.repairs_h) mean_h += value / static_cast<double>(members.repairs_h.size());
  group.repair_mean_h = mean_h;
  group.repair_median_h = analysis::quantile(members.repairs_h, 0.5);
  return group;
}

/// Groups by what `name_of` says of a record, the largest first.
template <class NameOf>
void add_groups(const std::string& kind, const Records& records, double node_days, const NameOf& name_of,
                std::vector<analysis::FaultGroup>& groups) {
  constexpr std::size_t most = 20;
  std::map<std::string, Members, std::less<>> by_name;
  for (const TraceRecord& r : records) {
    const std::string_view name = name_of(r);
    auto found = by_name.find(name);
    if (found == by_name.end()) found = by_name.try_emplace(std::string(name)).first;
    ++found->second.faults;
    if (r.ending == faults::Ending::closed && r.end_ns > r.start_ns)
      found->second.repairs_h.push_back(static_cast<double>(r.end_ns - r.start_ns) / 3600e9);
  }
  std::vector<std::pair<std::string, Members>> found(by_name.begin(), by_name.end());
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.second.faults > b.second.faults; });
  Members rest;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Members& members = found[i].second;
    if (i < most || found.size() == most + 1) {
      groups.push_back(group_of(kind, found[i].first, members, node_days));
      continue;
    }
    rest.faults += members.faults;
    rest.repairs_h.insert(rest.repairs_h.end(), members.repairs_h.begin(), members.repairs_h.end());
  }
  if (rest.faults > 0)
    groups.push_back(group_of(kind, fmt::format("({} others)", found.size() - most), rest, node_days));
}

void add_jobs(const FaultsLine& line, double per_node_day, analysis::FaultResults& results) {
  for (const std::int64_t gpus : {8, 64, 512, 1024, 4096, 16384, 131072}) {
    const std::int64_t nodes = (gpus + line.gpus_per_node - 1) / line.gpus_per_node;
    results.jobs.push_back({gpus, nodes, 24 / (per_node_day * static_cast<double>(nodes))});
  }
}

void describe_reading(const FaultsLine& line, const Trace& trace, analysis::FaultResults& results) {
  const auto keep = [](bool on) { return on ? "kept" : "left out"; };
  results.policies = {{"malformed rows", line.policies.lenient ? "skipped" : "refused"},
                      {"planned work", keep(line.policies.keep_planned)},
                      {"open faults", line.policies.keep_open ? "kept, repair censored" : "left out"},
                      {"unnamed nodes", keep(line.policies.keep_unknown_nodes)},
                      {"times of zero length",
                       line.zero_gaps == faults::ZeroGaps::leave_out ? "left out of fits" : "half the smallest"},
                      {"overlaps on a node", line.overlaps == faults::Overlaps::merge ? "merged" : "separate"},
                      {"UTC offset", fmt::format("{} s", line.policies.utc_offset_s)},
                      {"coalescing", analysis::human_duration(static_cast<double>(line.policies.coalesce_ns) * 1e-9)}};
  for (const faults::LeftOut& one : trace.left_out)
    results.left_out.push_back(fmt::format("{}, {}, first in line {}", one.why,
                                           analysis::number_of(static_cast<std::int64_t>(one.rows), "row"),
                                           one.first_line));
  if (trace.problem_count > 0) {
    results.warnings.push_back(
        fmt::format("{} skipped; the first are listed below",
                    analysis::number_of(static_cast<std::int64_t>(trace.problem_count), "malformed row")));
    for (const faults::TraceProblem& problem : trace.problems)
      results.left_out.push_back(fmt::format("line {}{}: {}", problem.line,
                                             problem.column > 0 ? fmt::format(", column {}", problem.column) : "",
                                             problem.message));
  }
  results.notes = trace.notes;
}

std::string hash_of(const Trace& trace, const Records& records) {
  analysis::Fnv1a64 hash;
  for (const TraceRecord& r : records) {
    hash.add(r.start_ns);
    hash.add(r.end_ns);
    hash.add(static_cast<std::uint64_t>(r.ending));
    for (const std::string_view name : {std::string_view(trace.nodes[r.node]), std::string_view(trace.causes[r.cause])})
      hash.add(name);
  }
  return analysis::digest_text(hash);
}

}  // namespace

analysis::FaultResults run_faults(const FaultsLine& line) {
  Trace trace = faults::read_trace(line.trace, line.policies, line.format);
  const TraceWindow window = window_of(line, trace);
  const Records records = select(line, trace, window);

  analysis::FaultResults r;
  r.file = trace.file;
  r.name = std::filesystem::path(trace.file).stem().string();
  r.format = to_string(trace.format);
  r.hash = hash_of(trace, records);
  r.seed = line.bootstrap.seed;
  for (const auto& [key, value] : {std::pair{"class", line.fault_class},
                                   {"component", line.component},
                                   {"cause", line.cause},
                                   {"from", line.from},
                                   {"to", line.to}})
    if (!value.empty()) r.selection.emplace_back(key, value);
  r.rows = static_cast<std::int64_t>(trace.rows);
  r.faults = static_cast<std::int64_t>(records.size());
  // What is said of nodes is said of those that are named.
  const std::uint32_t unnamed = trace.nodes.find(faults::unnamed_node);
  Records named;
  if (unnamed < trace.nodes.size())
    std::copy_if(records.begin(), records.end(), std::back_inserter(named),
                 [&](const TraceRecord& one) { return one.node != unnamed; });
  const std::span<const TraceRecord> of_nodes = unnamed < trace.nodes.size() ? named : records;
  std::set<std::uint32_t> failed;
  for (const TraceRecord& record : of_nodes) failed.insert(record.node);
  r.nodes_failed = static_cast<std::int64_t>(failed.size());
  r.nodes_known = line.nodes > 0 || trace.node_count_stated > 0;
  r.nodes = line.nodes > 0 ? line.nodes : static_cast<std::int64_t>(faults::node_count(trace));
  if (r.nodes < r.nodes_failed)
    throw TraceError(fmt::format("{}: {} nodes failed, more than the {} that there are; correct --nodes", trace.file,
                                 r.nodes_failed, r.nodes));
  if (r.nodes == 0)
    throw TraceError(fmt::format("{}: it names no node; --nodes N says how many there are", trace.file));
  r.gpus_per_node = line.gpus_per_node;
  r.window_days = window.days();
  const double node_days = static_cast<double>(r.nodes) * r.window_days;
  const double per_node_day = static_cast<double>(r.faults) / node_days;
  r.per_1000_node_days = 1000 * per_node_day;
  r.mtbf_h = 24 * r.window_days / static_cast<double>(r.faults);
  add_jobs(line, per_node_day, r);

  const auto downs = faults::down_intervals(of_nodes, window, line.overlaps);
  const faults::NodesDown down = faults::nodes_down(downs, window);
  r.has_repairs = std::any_of(records.begin(), records.end(),
                              [](const TraceRecord& one) { return one.ending != faults::Ending::point; });
  r.down_node_days = down.node_days;
  r.down_mean = down.mean;
  r.down_p50 = static_cast<std::int64_t>(down.p50);
  r.down_p99 = static_cast<std::int64_t>(down.p99);
  r.down_max = static_cast<std::int64_t>(down.most);

  const faults::Clustering c = faults::clustering(of_nodes, window, static_cast<std::uint64_t>(r.nodes));
  if (of_nodes.size() < records.size())
    r.warnings.push_back(
        fmt::format("{} of {} faults name no node: they count in rates and in times between faults, "
                    "not in what is said of nodes",
                    records.size() - of_nodes.size(), records.size()));
  r.worst_nodes = static_cast<std::int64_t>(c.worst_nodes);
  r.worst_share = c.worst_share;
  r.dispersion_daily = c.dispersion_daily;
  r.dispersion_nodes = c.dispersion_nodes;
  r.groups = static_cast<std::int64_t>(c.groups);
  r.grouped_faults = static_cast<std::int64_t>(c.grouped_faults);
  r.largest_group = static_cast<std::int64_t>(c.largest_group);
  r.gap_correlation = c.gap_correlation;

  r.times = {times_of("between_faults", faults::gaps_between_faults(records, line.zero_gaps), line),
             times_of("repair", faults::repair_times(records, window, line.zero_gaps), line),
             times_of("life_of_a_node", faults::lives_of_nodes(of_nodes, window, line.zero_gaps), line)};
  add_groups(
      "class", records, node_days, [](const TraceRecord& one) { return to_string(one.fault_class); }, r.by);
  add_groups(
      "component", records, node_days,
      [&](const TraceRecord& one) { return std::string_view(trace.components[one.component]); }, r.by);
  if (!r.nodes_known)
    r.warnings.push_back(fmt::format(
        "the file does not tell how many nodes there are: rates are per node of the {} that it names; --nodes N says "
        "how many there are",
        r.nodes));
  describe_reading(line, trace, r);
  return r;
}

}  // namespace toposim::sim
