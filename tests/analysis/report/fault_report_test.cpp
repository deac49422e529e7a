// What a trace says, as text and as files, from results made by hand.
#include "analysis/report/fault_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/compare/result_tree.hpp"
#include "analysis/files/fault_files.hpp"

namespace toposim::analysis {
namespace {

FaultResults sample_faults() {
  FaultResults r;
  r.file = "trace\x1b[31m.csv";
  r.name = "trace";
  r.format = "csv";
  r.hash = "fnv1a64:0";
  r.rows = 12;
  r.faults = 10;
  r.nodes = 100;
  r.nodes_failed = 7;
  r.nodes_known = true;
  r.window_days = 20;
  r.per_1000_node_days = 5;
  r.mtbf_h = 48;
  r.has_repairs = true;
  r.down_node_days = 40;
  r.down_mean = 2;
  r.down_p99 = 6;
  r.down_max = 8;
  r.worst_nodes = 5;
  r.worst_share = 0.8;
  r.dispersion_nodes = 3;
  r.dispersion_daily = 1;
  r.jobs = {{1024, 128, 37.5}};
  TimeSample gaps;
  gaps.name = "between_faults";
  gaps.n = 9;
  gaps.mean_h = 48;
  gaps.models = {{"exponential", "mean 48.0 h", {{"mean_h", 48}}, -40, 82, 0.2, 0.4},
                 {"weibull", "k 0.5, lambda 24.0 h", {{"k", 0.5}, {"lambda_h", 24}}, -38, 80, 0.1, 0.03}};
  gaps.hazard = {{0, 2, 5, 0.5, {0.02, 0.3}}};
  gaps.quantiles = {{0.5, 10, {33, 11.5}}};
  r.times = {gaps};
  r.by = {{"class", "hardware", 10, 5, 96.0, {}}};
  r.left_out = {"planned work, 2 rows, first in line 3"};
  return r;
}

// Without the worst 5 nodes: 2 faults on 95 nodes in 20 days, 1.053 per 1000 node-days. 128 nodes: 24 / 37.5 a day.
TEST(FaultReport, LeadsWithWhatAPlannerAsks) {
  const std::string text = fault_report(sample_faults(), {});
  for (const char* expected :
       {"FAULTS  trace\\x1b[31m.csv, csv, 12 rows", "10 faults on 7 of 100 nodes in 20.0 d: 5.000 per 1000 node-days",
        "Down: 2 % of all node time.", "without them 1.053 per 1000 node-days",
        "Between faults: weibull fits best of the three (k 0.5, lambda 24.0 h). It does not describe",
        "1,024 GPUs    128         37.5 h          0.64", "class hardware      10     100.0      5.000   4.00 d",
        "No two nodes failed within the same minute; a day's faults vary 1.000 times",
        "left out: planned work, 2 rows, first in line 3"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
}

TEST(FaultReport, SaysWhatItDoesNotKnow) {
  FaultResults r = sample_faults();
  r.nodes_known = false;
  r.warnings = {"nobody says how many nodes there are"};
  r.has_repairs = false;
  r.times[0].models.clear();
  const std::string text = fault_report(r, {});
  EXPECT_NE(text.find("of at least 100 nodes"), std::string::npos);
  EXPECT_NE(text.find("! nobody says"), std::string::npos);
  EXPECT_EQ(text.find("Down:"), std::string::npos);
  EXPECT_NE(text.find("too few different times to fit (9)"), std::string::npos);
}

TEST(FaultFiles, JsonIsReadBackByCompare) {
  const FaultResults r = sample_faults();
  const ResultTree tree = parse_result_tree(fault_json(r), "results.json");
  EXPECT_EQ(tree.kind, "faults");
  EXPECT_EQ(tree.leaves.at("counts.faults").number, 10);
  EXPECT_EQ(tree.leaves.at("times.between_faults.models.weibull.k").number, 0.5);
  FaultResults other = r;
  other.warnings = {"no finding"};
  EXPECT_EQ(parse_result_tree(fault_json(other), "b").digest, tree.digest);
  other.times[0].models[1].values[0].second = 0.6;
  EXPECT_NE(parse_result_tree(fault_json(other), "b").digest, tree.digest);
}

TEST(FaultFiles, TablesForPlots) {
  EXPECT_EQ(hazard_csv(sample_faults()),
            "times,from_h,to_h,events,observed_per_h,exponential_per_h,weibull_per_h\n"
            "between_faults,0,2,5,0.5,0.02,0.3\n");
  EXPECT_EQ(quantiles_csv(sample_faults()),
            "times,probability,observed_h,exponential_h,weibull_h\n"
            "between_faults,0.5,10,33,11.5\n");
}

}  // namespace
}  // namespace toposim::analysis
