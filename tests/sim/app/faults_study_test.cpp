// toposim faults: from the command line to results, on a trace small enough to do by hand.
#include "sim/app/faults_study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "analysis/check.hpp"
#include "analysis/files/fault_model.hpp"
#include "faults/trace/error.hpp"
#include "sim/app/command_line.hpp"
#include "sim/app/load_replay.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/study.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace toposim::sim {
namespace {

class CsvTrace {
 public:
  explicit CsvTrace(const std::string& text) {
    const int file = ::mkstemp(path_);
    EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(file);
  }
  ~CsvTrace() { ::unlink(path_); }
  const char* path() const { return path_; }

 private:
  char path_[40] = "/tmp/toposim-faults-XXXXXX";
};

// In seconds; a day is 86,400. Ten days from the first start to the last end.
constexpr const char* ten_days =
    "start,end,node,component,class\n"
    "0,86400,a,gpu,hardware\n"
    "172800,216000,a,gpu,hardware\n"
    "432000,475200,b,nic,network\n"
    "777600,864000,c,gpu,planned\n";

// Three faults (the planned one is left out, its end is still the recording's) on 20 nodes in 10 days: 15 per 1000
// node-days, one in 80 h. Down 1 + 0.5 + 0.5 node-days. Gaps 48 h and 72 h, repairs 24, 12, 12 h.
TEST(FaultsStudy, CountsByHand) {
  const CsvTrace trace(ten_days);
  FaultsLine line;
  line.trace = trace.path();
  line.nodes = 20;
  const analysis::FaultResults r = run_faults(line);
  EXPECT_EQ(r.faults, 3);
  EXPECT_EQ(r.nodes_failed, 2);
  EXPECT_DOUBLE_EQ(r.window_days, 10);
  EXPECT_DOUBLE_EQ(r.per_1000_node_days, 15);
  EXPECT_DOUBLE_EQ(r.mtbf_h, 80);
  EXPECT_DOUBLE_EQ(r.down_node_days, 2);
  ASSERT_EQ(r.times.size(), 3U);
  EXPECT_EQ(r.times[0].n, 2);
  EXPECT_DOUBLE_EQ(r.times[0].mean_h, 60);
  EXPECT_DOUBLE_EQ(r.times[1].mean_h, 16);
  ASSERT_EQ(r.by.size(), 4U);  // classes hardware, network; components gpu, nic
  EXPECT_EQ(r.by[0].name, "hardware");
  EXPECT_EQ(r.by[0].faults, 2);
  EXPECT_DOUBLE_EQ(r.by[0].repair_mean_h.value(), 18);
  EXPECT_EQ(r.left_out.size(), 1U);
  EXPECT_TRUE(r.warnings.empty());
  // A job of 8,192 nodes (65,536 GPUs would be) is not in the table; 16,384 GPUs are 2,048 nodes: 24 / (0.015 x 2,048).
  EXPECT_EQ(r.jobs[5].gpus, 16384);
  EXPECT_DOUBLE_EQ(r.jobs[5].mtbf_h, 24 / (0.015 * 2048));
}

TEST(FaultsStudy, WindowAndSelection) {
  const CsvTrace trace(ten_days);
  FaultsLine line;
  line.trace = trace.path();
  line.from = "12h";
  line.to = "4d";
  analysis::FaultResults r = run_faults(line);
  EXPECT_EQ(r.faults, 1);  // of the second
  EXPECT_DOUBLE_EQ(r.window_days, 3.5);
  EXPECT_EQ(r.nodes, 2);  // a and b: the planned row's node is no node of a fault
  EXPECT_EQ(r.warnings.size(), 1U);
  line.from = line.to = "";
  line.component = "nic";
  EXPECT_EQ(run_faults(line).faults, 1);
  for (const auto& [from, component] :
       {std::pair{"2026-01-01", "nic"}, {"9d", "gpu"}, {"11d", ""}, {"soon", ""}, {"", "fan"}}) {
    line.from = from;
    line.component = component;
    EXPECT_THROW(run_faults(line), faults::TraceError) << from << component;
  }
  line.from = line.component = "";
  line.nodes = 1;
  EXPECT_THROW(run_faults(line), faults::TraceError);
}

constexpr const char* eight_nodes = R"(
name: small
cluster:
  gpu: h100
  nodes: 8
  fabric: {type: leaf_spine, nodes_per_leaf: 4}
job:
  model: llama2-70b
  tensor_parallel: 8
  global_batch: 1024
  compute_efficiency: 50%
schemes: [checkpoint_restart]
run: {duration: 30d, replicas: 2}
)";

// gpu: 2 faults of 20 nodes in 240 h, one per node in 2,400 h; repairs 24 and 12 h: mean 18 h, median 12 h (nearest
// rank), sigma sqrt(2 ln 1.5), so gaps of 2,382 h. nic: one, 4,800 h, 12 h: no spread. Counts of the 20 nodes are 2, 1
// and zeros: mean 0.15, variance (4 + 1) / 20 - 0.0225 = 0.2275, so the frailty is (0.2275 / 0.15 - 1) / 0.15 = 3.444.
TEST(FaultsStudy, ModelIsASectionOfAScenario) {
  const CsvTrace trace(ten_days);
  FaultsLine line;
  line.trace = trace.path();
  line.nodes = 20;
  const std::string yaml = analysis::fault_model_yaml(run_faults(line));
  const ScenarioOrProblems read = read_scenario_text(eight_nodes + yaml, "small.yaml", {}, 16e9);
  ASSERT_TRUE(read.ok()) << read.problems.front().text() << yaml;
  const auto& classes = read.scenario.faults.classes;
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].name, "gpu");
  EXPECT_NEAR(classes[0].mtbf_s, 2382 * 3600, 2);
  EXPECT_NEAR(classes[0].repair.mean_s, 18 * 3600, 0.01);
  EXPECT_NEAR(classes[0].repair.sigma, std::sqrt(2 * std::log(1.5)), 5e-5);
  EXPECT_NEAR(classes[1].mtbf_s, 4788 * 3600, 2);
  EXPECT_EQ(classes[1].repair.sigma, 0);
  EXPECT_NEAR(classes[0].frailty, 3.444, 5e-4);
  EXPECT_EQ(classes[1].frailty, classes[0].frailty);

  analysis::FaultResults none = run_faults(line);
  none.times[1].n = 0;
  EXPECT_THROW(analysis::fault_model_yaml(none), analysis::ResultsError);
}

TEST(FaultsStudy, ScenarioReplaysATrace) {
  const CsvTrace trace(ten_days);
  const std::string yaml = fmt::format("faults: {{trace: {{file: {}, nodes: 8, mapping: cycled}}}}\n", trace.path());
  ScenarioOrProblems read = read_scenario_text(eight_nodes + yaml, "small.yaml", {}, 16e9);
  ASSERT_TRUE(read.ok()) << read.problems.front().text();
  load_replay(read.scenario);
  ASSERT_TRUE(read.scenario.replayed);
  EXPECT_EQ(read.scenario.faults.classes.size(), 2U);  // hardware, network
  Progress progress(false);
  const analysis::Results results = run_study(read.scenario, 1, progress);
  // 30 days are the ten days three times over; three faults each, all of nodes that the job runs on.
  const auto& metrics = results.schemes.front().metrics;
  const auto faults = std::find_if(metrics.begin(), metrics.end(), [](const auto& m) { return m.name == "faults"; });
  ASSERT_NE(faults, metrics.end());
  EXPECT_EQ(faults->integers, (std::vector<std::int64_t>{9, 9}));

  read.scenario.replay.file = "/nonexistent/trace.csv";
  try {
    load_replay(read.scenario);
    FAIL() << "it is not there";
  } catch (const ScenarioError& error) {
    EXPECT_NE(std::string(error.what()).find("faults.trace: /nonexistent/trace.csv: cannot be opened"),
              std::string::npos);
  }
}

TEST(FaultsStudy, CommandLine) {
  const char* const good[] = {"toposim",   "faults",     "t.csv",       "--nodes",      "400",    "--open",
                              "leave_out", "--coalesce", "10s",         "--utc-offset", "-07:00", "--lenient",
                              "--format",  "lanl",       "--zero-gaps", "half_smallest"};
  const CommandLine line = read_command_line(16, good);
  EXPECT_EQ(line.action, CommandLine::Action::faults) << line.text;
  EXPECT_EQ(line.faults.nodes, 400);
  EXPECT_FALSE(line.faults.policies.keep_open);
  EXPECT_TRUE(line.faults.policies.lenient);
  EXPECT_EQ(line.faults.policies.coalesce_ns, 10'000'000'000);
  EXPECT_EQ(line.faults.policies.utc_offset_s, -25200);
  EXPECT_EQ(line.faults.format, faults::TraceFormat::lanl);
  EXPECT_EQ(line.faults.zero_gaps, faults::ZeroGaps::half_smallest);
  const std::vector<std::vector<const char*>> wrong = {{"toposim", "faults"},
                                                       {"toposim", "faults", "t", "--nodes", "0"},
                                                       {"toposim", "faults", "t", "--coalesce", "5"},
                                                       {"toposim", "faults", "t", "--utc-offset", "CET"},
                                                       {"toposim", "faults", "t", "--open", "maybe"},
                                                       {"toposim", "faults", "t", "--quiet"}};
  for (const auto& arguments : wrong)
    EXPECT_EQ(read_command_line(static_cast<int>(arguments.size()), arguments.data()).exit_status, 2);
}

}  // namespace
}  // namespace toposim::sim
