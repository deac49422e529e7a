// A synthetic year drawn from a model of the InfiniteHBD trace against the trace itself: rate, lemons and
// unavailability lie in the trace's bootstrap intervals over nodes; what the model leaves out, faults in groups, shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "faults/fault_timeline.hpp"
#include "faults/fit/clustering.hpp"
#include "faults/fit/downtime.hpp"
#include "faults/random_stream.hpp"
#include "faults/trace/read_trace.hpp"

namespace toposim::faults {
namespace {

constexpr std::uint32_t year_nodes = 400;

struct YearFigures {
  double per_1000_node_days = 0, worst_share = 0, dispersion_nodes = 0, unavailability = 0, dispersion_daily = 0;
};

YearFigures year_figures(std::vector<TraceRecord> records, const TraceWindow& window) {
  std::sort(records.begin(), records.end(),
            [](const TraceRecord& a, const TraceRecord& b) { return a.start_ns < b.start_ns; });
  const Clustering c = clustering(records, window, year_nodes);
  const double node_days = year_nodes * window.days();
  return {1000 * static_cast<double>(records.size()) / node_days, c.worst_share, c.dispersion_nodes,
          nodes_down(down_intervals(records, window, Overlaps::merge), window).node_days / node_days,
          c.dispersion_daily};
}

/// The trace with its nodes drawn anew, with replacement.
std::vector<TraceRecord> resampled(const std::map<std::uint32_t, std::vector<TraceRecord>>& by_node,
                                   std::uint32_t draw) {
  const StreamKey key = stream_key(1, StreamPurpose::fit_bootstrap, "synthetic_year_test");
  std::vector<TraceRecord> records;
  for (std::uint32_t i = 0; i < year_nodes; ++i) {
    const auto node = static_cast<std::uint32_t>(random_block(key, i, draw, 0, 0)[0] * 0x1p-32 * year_nodes);
    const auto found = by_node.find(node);  // numbers from the failed ones on are of nodes that never did
    if (found == by_node.end()) continue;
    for (TraceRecord r : found->second) {
      r.node = i;
      records.push_back(r);
    }
  }
  return records;
}

/// A class per component of the trace, as `toposim faults --model` writes them.
FaultSpec year_model(const Trace& trace, const TraceWindow& window, double frailty) {
  struct Sums {
    double faults = 0, repairs_h = 0;
    std::vector<double> times_h;
  };
  std::map<std::uint32_t, Sums> components;
  for (const TraceRecord& r : trace.records) {
    Sums& sums = components[r.component];
    ++sums.faults;
    if (r.end_ns > r.start_ns) sums.times_h.push_back(static_cast<double>(r.end_ns - r.start_ns) / 3600e9);
  }
  FaultSpec spec;
  for (auto& [component, sums] : components) {
    std::sort(sums.times_h.begin(), sums.times_h.end());
    double mean_h = 0;
    for (const double t : sums.times_h) mean_h += t / static_cast<double>(sums.times_h.size());
    const double median_h = sums.times_h.empty() ? 1 : sums.times_h[(sums.times_h.size() - 1) / 2];
    FaultClassSpec c;
    c.name = trace.components[component];
    c.component = Component::node;
    c.frailty = frailty;
    c.repair = {RepairShape::lognormal, std::max(mean_h, 1.0) * 3600,
                mean_h > median_h ? std::sqrt(2 * std::log(mean_h / median_h)) : 0};
    c.mtbf_s = year_nodes * window.days() * 86400 / sums.faults - c.repair.mean_s;
    spec.classes.push_back(c);
  }
  return spec;
}

TEST(SyntheticYear, LiesInTheTracesBootstrapIntervals) {
  const std::string path = TOPOSIM_SHARED_DATA "/failures/infinitehbd_fault_trace.json";
  if (!std::ifstream(path)) GTEST_SKIP() << path << " is not there";
  const Trace trace = read_trace(path);
  const TraceWindow window{0, trace.last_ns};
  const YearFigures real = year_figures(trace.records, window);

  std::map<std::uint32_t, std::vector<TraceRecord>> by_node;
  for (const TraceRecord& r : trace.records) by_node[r.node].push_back(r);
  std::map<std::string, std::vector<double>> bootstrap;
  for (std::uint32_t draw = 0; draw < 200; ++draw) {
    const YearFigures f = year_figures(resampled(by_node, draw), window);
    bootstrap["rate"].push_back(f.per_1000_node_days);
    bootstrap["worst share"].push_back(f.worst_share);
    bootstrap["dispersion"].push_back(f.dispersion_nodes);
    bootstrap["unavailability"].push_back(f.unavailability);
  }

  const double mean_count = static_cast<double>(trace.records.size()) / year_nodes;
  const FaultSpec spec = year_model(trace, window, (real.dispersion_nodes - 1) / mean_count);
  const FaultModel model(spec, std::vector<std::uint32_t>(spec.classes.size(), year_nodes));
  YearFigures mean;
  constexpr int years = 20;
  for (std::uint32_t run = 0; run < years; ++run) {
    std::vector<TraceRecord> records;
    for (const FaultEvent& e : model.draw(1, run, window.end_ns)) {
      TraceRecord r;
      r.start_ns = e.start_ns;
      r.end_ns = e.start_ns + e.repair_ns;
      r.node = e.component;
      records.push_back(r);
    }
    const YearFigures f = year_figures(std::move(records), window);
    mean.per_1000_node_days += f.per_1000_node_days / years;
    mean.worst_share += f.worst_share / years;
    mean.dispersion_nodes += f.dispersion_nodes / years;
    mean.unavailability += f.unavailability / years;
    mean.dispersion_daily += f.dispersion_daily / years;
  }
  const auto expect_within = [&](const std::string& name, double value) {
    std::vector<double>& values = bootstrap[name];
    std::sort(values.begin(), values.end());
    EXPECT_GE(value, values[5]) << name;    // 2.5 % of 200
    EXPECT_LE(value, values[194]) << name;  // 97.5 %
    RecordProperty(name, std::to_string(value));
  };
  expect_within("rate", mean.per_1000_node_days);
  expect_within("worst share", mean.worst_share);
  expect_within("dispersion", mean.dispersion_nodes);
  expect_within("unavailability", mean.unavailability);
  // A day's faults of the trace vary 3.4 times as much as independent ones, those of a model without groups hardly
  // more.
  EXPECT_GT(real.dispersion_daily, 3);
  EXPECT_LT(mean.dispersion_daily, 1.5);
}

}  // namespace
}  // namespace toposim::faults
