#include "faults/replay/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "faults/error.hpp"
#include "faults/random_stream.hpp"
#include "faults/trace/error.hpp"

namespace toposim::faults {
namespace {

constexpr std::int64_t least_repair_ns = 1000;  // as drawn repairs have it

std::int64_t scaled_ns(std::int64_t ns, double compress) {
  const double scaled = static_cast<double>(ns) / compress;
  if (!(scaled < static_cast<double>(longest_time_ns))) return longest_time_ns;
  return compress == 1 ? ns : std::llround(scaled);
}

}  // namespace

Replay::Replay(const Trace& trace, const ReplaySpec& spec, std::uint32_t cluster_nodes)
    : spec_(spec), cluster_nodes_(cluster_nodes) {
  const std::int64_t begin_ns = trace.first_ns + std::llround(spec.from_s * 1e9);
  const std::int64_t end_ns = spec.to_s > 0 ? trace.first_ns + std::llround(spec.to_s * 1e9) : trace.last_ns;
  if (end_ns <= begin_ns) throw TraceError(fmt::format("{}: the window ends before it begins", trace.file));
  period_ns_ = std::max<std::int64_t>(1, scaled_ns(end_ns - begin_ns, spec.compress));

  trace_nodes_ =
      std::max<std::uint64_t>(1, spec.nodes > 0 ? static_cast<std::uint64_t>(spec.nodes) : node_count(trace));
  const std::uint32_t unnamed = trace.nodes.find(unnamed_node);
  std::uint64_t dealt = 0;

  struct ClassSums {
    std::size_t faults = 0;
    double repair_s = 0;
  };
  std::map<TraceClass, ClassSums> sums;
  std::map<std::uint64_t, std::vector<std::pair<Down, TraceClass>>> by_node;
  for (const TraceRecord& r : trace.records) {
    std::int64_t stop_ns = r.ending == Ending::open ? end_ns : r.end_ns;
    if (r.ending == Ending::point) {
      if (spec.repair_s == 0)
        throw TraceError(
            fmt::format("{}:{}: the trace does not tell how long this fault lasted; say it with "
                        "faults.trace.repair",
                        trace.file, r.line));
      stop_ns = r.start_ns + std::llround(spec.repair_s * 1e9);
    }
    // What was down when the window began is down from there on.
    const std::int64_t start_ns = std::max(r.start_ns, begin_ns);
    if (start_ns >= end_ns || stop_ns < begin_ns || (stop_ns == begin_ns && r.start_ns < begin_ns)) continue;
    const Down down{scaled_ns(start_ns - begin_ns, spec.compress),
                    std::max(least_repair_ns, scaled_ns(stop_ns - start_ns, spec.compress)), 0};
    std::uint64_t node = r.node;
    if (r.node == unnamed) {
      node = dealt++ % trace_nodes_;
      if (node >= unnamed) ++node;  // the name that stands for none is not dealt to
    }
    by_node[node].emplace_back(down, r.fault_class);
    ClassSums& sum = sums[r.fault_class];
    ++sum.faults;
    sum.repair_s += static_cast<double>(down.length_ns) * 1e-9;
    ++faults_;
  }
  if (faults_ == 0) throw TraceError(fmt::format("{}: no fault in the window", trace.file));
  if (trace_nodes_ < by_node.size())
    throw TraceError(
        fmt::format("{}: {} nodes failed in the window, more than the {} that there are; correct "
                    "faults.trace.nodes",
                    trace.file, by_node.size(), trace_nodes_));

  std::map<TraceClass, std::uint32_t> index;
  const double node_seconds = static_cast<double>(trace_nodes_) * static_cast<double>(period_ns_) * 1e-9;
  for (const auto& [fault_class, sum] : sums) {
    index[fault_class] = static_cast<std::uint32_t>(classes_.classes.size());
    FaultClassSpec c;
    c.name = to_string(fault_class);
    c.component = Component::node;
    // A gap is from repair to the next fault.
    const double cycle_s = node_seconds / (static_cast<double>(sum.faults) * spec.scale);
    c.repair = {RepairShape::exponential, sum.repair_s / static_cast<double>(sum.faults), 1};
    c.mtbf_s = std::max(cycle_s - c.repair.mean_s, cycle_s / 100);
    c.planned = fault_class == TraceClass::planned;
    c.source = trace.file;
    classes_.classes.push_back(std::move(c));
  }
  for (auto& [node, downs] : by_node) {
    History history;
    history.name = node < trace.nodes.size() ? trace.nodes[static_cast<std::uint32_t>(node)] : "an unnamed node";
    for (auto& [down, fault_class] : downs) {
      down.fault_class = index.at(fault_class);
      history.downs.push_back(down);
    }
    histories_.push_back(std::move(history));
  }
  // Names are numbered as they came, and so are the histories; by rank the worst first.
  if (spec.mapping == NodeMapping::ranked)
    std::stable_sort(histories_.begin(), histories_.end(),
                     [](const History& a, const History& b) { return a.downs.size() > b.downs.size(); });
}

const std::string& Replay::history_name(std::uint32_t history) const {
  static const std::string none = "-";
  return history < histories_.size() ? histories_[history].name : none;
}

std::vector<Replay::Source> Replay::mapping(std::uint64_t seed, std::uint32_t run) const {
  const std::uint64_t nodes = cluster_nodes_;
  std::vector<Source> sources(nodes);
  if (spec_.mapping == NodeMapping::cycled) {
    for (std::uint64_t j = 0; j < nodes; ++j) {
      const std::uint64_t history = j % trace_nodes_;
      sources[j] = {static_cast<std::uint32_t>(history), static_cast<std::uint32_t>(j / trace_nodes_),
                    static_cast<std::uint32_t>((nodes - history + trace_nodes_ - 1) / trace_nodes_)};
    }
    return sources;
  }
  // The place k of the cluster takes rank k T / C; which node has which place is drawn.
  const StreamKey key = stream_key(seed, StreamPurpose::replay, "mapping");
  std::vector<std::tuple<std::uint64_t, std::uint32_t>> order;
  for (std::uint32_t j = 0; j < cluster_nodes_; ++j) {
    const auto words = random_block(key, j, run, 0, 0);
    order.emplace_back(std::uint64_t{words[0]} << 32 | words[1], j);
  }
  std::sort(order.begin(), order.end());
  const auto first_place = [&](std::uint64_t rank) { return (rank * nodes + trace_nodes_ - 1) / trace_nodes_; };
  for (std::uint64_t place = 0; place < nodes; ++place) {
    const std::uint64_t rank = place * trace_nodes_ / nodes, first = first_place(rank), next = first_place(rank + 1);
    sources[std::get<1>(order[place])] = {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(place - first),
                                          static_cast<std::uint32_t>(next - first)};
  }
  return sources;
}

void Replay::add_node(std::uint32_t node, const Source& source, std::uint64_t seed, std::uint32_t run,
                      std::int64_t horizon_ns, FaultTimeline& timeline) const {
  if (source.history >= histories_.size()) return;
  const auto layers = static_cast<std::uint32_t>(std::ceil(spec_.scale));
  const double keep = spec_.scale / std::max<std::uint32_t>(1, layers);
  const StreamKey key = stream_key(seed, StreamPurpose::replay, "keep");
  FaultTimeline events;
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    const std::uint64_t part = std::uint64_t{source.copy} * layers + layer,
                        parts = std::uint64_t{source.copies} * layers;
    const auto shift_ns = static_cast<std::int64_t>(static_cast<double>(period_ns_) * static_cast<double>(part) /
                                                    static_cast<double>(parts));
    for (std::uint32_t i = 0; i < histories_[source.history].downs.size(); ++i) {
      const Down& down = histories_[source.history].downs[i];
      std::uint32_t round = 0;
      for (std::int64_t start_ns = (down.start_ns + shift_ns) % period_ns_; start_ns < horizon_ns;
           start_ns += period_ns_, ++round) {
        if (keep == 1 || random_block(key, node, i * layers + layer, run, round)[0] * 0x1p-32 < keep)
          events.push_back({start_ns, down.length_ns, down.fault_class, node, 0});
        if (!spec_.repeat) break;
      }
    }
  }
  std::sort(events.begin(), events.end(), [](const FaultEvent& a, const FaultEvent& b) {
    return std::tie(a.start_ns, a.fault_class, a.repair_ns) < std::tie(b.start_ns, b.fault_class, b.repair_ns);
  });
  const std::size_t first = timeline.size();
  for (const FaultEvent& event : events) {
    if (timeline.size() > first && event.start_ns <= timeline.back().start_ns + timeline.back().repair_ns)
      timeline.back().repair_ns =
          std::max(timeline.back().repair_ns, event.start_ns + event.repair_ns - timeline.back().start_ns);
    else
      timeline.push_back(event);
  }
  if (timeline.size() > events_per_draw_max)
    throw FaultError(
        fmt::format("faults.trace: more than {} faults in a run; shorten it or compress less", events_per_draw_max));
}

FaultTimeline Replay::draw(std::uint64_t seed, std::uint32_t run, std::int64_t horizon_ns) const {
  FaultTimeline timeline;
  const std::vector<Source> sources = mapping(seed, run);
  for (std::uint32_t node = 0; node < sources.size(); ++node)
    add_node(node, sources[node], seed, run, horizon_ns, timeline);
  std::sort(timeline.begin(), timeline.end(), [](const FaultEvent& a, const FaultEvent& b) {
    return std::tie(a.start_ns, a.fault_class, a.component) < std::tie(b.start_ns, b.fault_class, b.component);
  });
  return timeline;
}

std::string Replay::describe(std::uint64_t seed) const {
  const std::vector<Source> sources = mapping(seed, 0);
  std::uint32_t most = 0;
  for (std::uint32_t i = 1; i < histories_.size(); ++i)
    if (histories_[i].downs.size() > histories_[most].downs.size()) most = i;
  std::string worst = "nobody";
  std::uint32_t copies = 0;
  for (std::uint32_t node = 0; node < sources.size(); ++node) {
    copies = std::max(copies, sources[node].copies);
    if (sources[node].history == most && worst == "nobody") worst = fmt::format("node {}", node);
  }
  return fmt::format("{} faults in {:.4g} d of {} nodes onto {}, {}{}; the worst, {} with {}, is {} in the first run",
                     faults_, static_cast<double>(period_ns_) / 86400e9, trace_nodes_, cluster_nodes_,
                     spec_.mapping == NodeMapping::ranked ? "by rank of faults, dealt anew in each run"
                                                          : "cycled, the same in each run",
                     copies > 1 ? fmt::format(", up to {} copies of a history, shifted in time", copies) : "",
                     histories_[most].name, histories_[most].downs.size(), worst);
}

}  // namespace toposim::faults
