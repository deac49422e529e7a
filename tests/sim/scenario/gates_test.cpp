// Lines of `gates` as values; tests/errors/gate*.yaml hold what is said about wrong ones.
#include <ctime>
#include <random>

#include "minimal_scenario.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

using analysis::Gate;
using analysis::GateOp;

std::vector<Gate> gates_of(const std::string& list) {
  return read_good(minimal_scenario + "gates:\n" + list).gates;
}

TEST(Gates, EachPart) {
  const auto gates = gates_of(
      "  - ettr.checkpoint_restart >= 95%\n"
      "  -  lost_work_s.checkpoint_restart.p95   <1.5 min \n"
      "  - full_recoveries.checkpoint_restart.max<=1e3\n");
  ASSERT_EQ(gates.size(), 3u);
  EXPECT_EQ(gates[0].text, "ettr.checkpoint_restart >= 95%");
  EXPECT_EQ(gates[0].subject, "ettr.checkpoint_restart");
  EXPECT_EQ(gates[0].where, "");
  EXPECT_EQ(gates[0].op, GateOp::at_least);
  EXPECT_DOUBLE_EQ(gates[0].bound, 0.95);
  EXPECT_EQ(gates[0].bound_unit, "%");
  EXPECT_EQ(gates[0].unit_factor, 0.01);
  EXPECT_EQ(gates[0].line, 8);  // the minimal scenario has six lines

  EXPECT_EQ(gates[1].text, "lost_work_s.checkpoint_restart.p95 < 1.5 min");
  EXPECT_EQ(gates[1].op, GateOp::below);
  EXPECT_EQ(gates[1].bound, 90);
  EXPECT_EQ(gates[1].bound_unit, "min");
  EXPECT_EQ(gates[1].unit_factor, 60);

  EXPECT_EQ(gates[2].subject, "full_recoveries.checkpoint_restart.max");
  EXPECT_EQ(gates[2].op, GateOp::at_most);
  EXPECT_EQ(gates[2].bound, 1000);
  EXPECT_EQ(gates[2].bound_unit, "");
  EXPECT_EQ(gates[2].unit_factor, 1);
}

TEST(Gates, CasesOfFaults) {
  const auto gates = read_good(
                         "name: x\nstudy: accuracy\ntraining: {workload: fashion-mlp}\n"
                         "faults: [{pattern: transient, share: 5%}]\nschemes: [shrink]\n"
                         "gates:\n  - 'final_loss_delta.shrink.ci95_low @ transient_5@200 > -0.5'\n"
                         "  - angle_in_deg.fault_free @ none@0 <= 15\n")
                         .gates;
  ASSERT_EQ(gates.size(), 2u);
  EXPECT_EQ(gates[0].text, "final_loss_delta.shrink.ci95_low @ transient_5@200 > -0.5");
  EXPECT_EQ(gates[0].where, "transient_5@200");
  EXPECT_EQ(gates[0].op, GateOp::above);
  EXPECT_EQ(gates[0].bound, -0.5);
  EXPECT_EQ(gates[1].where, "none@0");
}

TEST(Gates, NoneIsFine) {
  EXPECT_TRUE(read_good(minimal_scenario).gates.empty());
  EXPECT_TRUE(read_good(minimal_scenario + "gates: []\n").gates.empty());
}

TEST(Gates, FromTheCommandLine) {
  const auto gates = read_good(minimal_scenario + "gates: [ettr.checkpoint_restart > 1%]\n",
                               {{.path = "gates[0]", .value = "ettr.checkpoint_restart >= 99%"}})
                         .gates;
  ASSERT_EQ(gates.size(), 1u);
  EXPECT_DOUBLE_EQ(gates[0].bound, 0.99);
  EXPECT_EQ(gates[0].line, 0);
}

TEST(Gates, SchemesThatCouldNotBeReadAreNotMissed) {
  // The one mistake is told, and nothing of gates that name the scheme.
  const auto result = read_scenario_text(
      "name: small\n"
      "cluster: {gpu: h100, nodes: 8, fabric: {type: leaf_spine, nodes_per_leaf: 4}}\n"
      "job: {model: llama2-70b, tensor_parallel: 8, global_batch: 1024, compute_efficiency: 50%}\n"
      "faults: rsc-1\n"
      "schemes: [checkpoint_restart, {scheme: drop_replicas, name: mine}]\n"
      "run: {duration: 30d}\n"
      "gates: [ettr.mine > 90%]\n",
      "test.yaml", {}, 16e9);
  EXPECT_EQ(result.problems.size(), 1u) << said(result);
}

TEST(Gates, OfAnAccuracyStudy) {
  const std::string study =
      "name: small\n"
      "study: accuracy\n"
      "training: {workload: fashion-mlp}\n"
      "faults: [{pattern: transient, share: 5%}]\n"
      "schemes: [ridge+g]\n"
      "gates:\n";
  // drop and fault_free are there unasked.
  const auto gates = read_good(study +
                               "  - global_error_ratio.ridge+g.p95 @ transient_5 <= 1.02\n"
                               "  - global_error_ratio.drop <= 1\n"
                               "  - final_loss.fault_free <= 3\n")
                         .gates;
  ASSERT_EQ(gates.size(), 3u);
  EXPECT_EQ(gates[0].subject, "global_error_ratio.ridge+g.p95");
  EXPECT_EQ(gates[0].where, "transient_5");
  EXPECT_EQ(said(read_scenario_text(study + "  - final_loss.ridge <= 3\n", "f", {}, 16e9)),
            "f:7:16: gates[0]: no scheme 'ridge'; did you mean 'ridge+g'?\n");
}

TEST(Gates, ThousandsOfLinesAndLongOnesAreRefused) {
  std::string many = minimal_scenario + "gates:\n";
  for (int i = 0; i < 1001; ++i) many += "  - ettr.checkpoint_restart > 1%\n";
  EXPECT_NE(said(read_scenario_text(many, "f", {}, 16e9)).find("got 1001 entries"), std::string::npos);
  const std::string text = minimal_scenario + "gates: [ettr." + std::string(600, 'x') + " > 1]\n";
  EXPECT_NE(said(read_scenario_text(text, "f", {}, 16e9)).find("got 609 bytes of text"), std::string::npos);
}

TEST(Gates, EveryLineHasAnAnswer) {
  const std::string pieces[] = {"ettr", ".",        "checkpoint_restart",
                                "p95",  "mean",     "lost_work_s",
                                "@",    " ",        "<=",
                                "<",    ">=",       ">",
                                "=",    "!",        "95",
                                "%",    "-",        "1e",
                                "min",  "d",        "1.5",
                                "\t",   "\xC3\xA9", "'",
                                "\\",   "1e999",    "0x",
                                "010",  "#",        "nan"};
  std::mt19937_64 random(20240611);
  const auto elapsed_s = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double end_s = elapsed_s() + 2;
  int read = 0;
  for (int i = 0; i < 20000 && elapsed_s() < end_s; ++i) {
    YamlEntry entry;
    entry.value.kind = YamlNode::Kind::list;
    YamlNode line;
    line.kind = YamlNode::Kind::scalar;
    line.quoted = random() % 4 == 0;
    line.mark = {0, 3, 5};
    const std::size_t count = random() % 12;
    // Half of them start from a good one.
    line.text = random() % 2 == 0 ? "ettr.checkpoint_restart.p95 >= 9" : "";
    for (std::size_t j = 0; j < count; ++j) {
      const std::string& piece = pieces[random() % std::size(pieces)];
      line.text.insert(random() % (line.text.size() + 1), piece);
    }
    entry.value.items = {line};
    Problems problems;
    std::vector<Gate> gates;
    read_gates(entry, problems, gates, {.schemes = {"checkpoint_restart"}, .has_cases = true, .cases = {}});
    ASSERT_NE(gates.empty(), problems.count() == 0) << line.text;
    for (const Gate& gate : gates) {
      ASSERT_TRUE(std::isfinite(gate.bound)) << line.text;
      ASSERT_GT(gate.unit_factor, 0) << line.text;
      ++read;
    }
    for (const Problem& problem : problems.in_file_order("f", "\n\n  - " + line.text + "\n", {}))
      ASSERT_FALSE(problem.text().empty());
  }
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace toposim::sim
