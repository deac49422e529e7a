// How problems are told: in file order, each once, with the line and a caret.
#include "minimal_scenario.hpp"
#include "sim/scenario/did_you_mean.hpp"

namespace toposim::sim {
namespace {

TEST(ProblemText, InFileOrderThenOverrides) {
  const std::string text = minimal_scenario + "zebra: 1\n";
  auto changed = text;
  changed.replace(changed.find("30d"), 3, "30");
  const auto result = read_scenario_text(changed, "s.yaml", {{"run.sed", "1"}, {"cluster.nodez", "1"}}, 16e9);
  ASSERT_EQ(result.problems.size(), 4u) << said(result);
  EXPECT_EQ(result.problems[0].line, 6);
  EXPECT_EQ(result.problems[1].line, 7);
  EXPECT_EQ(result.problems[2].file, "--set run.sed=1");
  EXPECT_EQ(result.problems[3].file, "--set cluster.nodez=1");
}

Problem only(const std::string& text, const Mark& mark, const std::string& message) {
  Problems problems;
  problems.add(mark, message);
  return problems.in_file_order("f", text, {}).at(0);
}

TEST(ProblemText, ExcerptPointsAtTheCharacter) {
  // The euro sign is three bytes and one character: byte 8 of the line is its character 6.
  const Problem problem = only("x\na: \xE2\x82\xAC b\n", {0, 2, 8}, "no");
  EXPECT_EQ(problem.text(), "f:2:6: no");
  EXPECT_EQ(problem.excerpt(), "    2 | a: \xE2\x82\xAC b\n      |      ^\n");
  EXPECT_EQ(only("x\n", {}, "no").text(), "f: no");
  EXPECT_EQ(only("x\n", {}, "no").excerpt(), "");
}

TEST(ProblemText, LongLinesAndMessagesAreCut) {
  const Problem problem = only(std::string(100000, 'x'), {0, 1, 5000}, std::string(100000, 'y'));
  EXPECT_LT(problem.excerpt().size(), 300u);
  EXPECT_LT(problem.text().size(), 1100u);
  EXPECT_EQ(only("x", {0, 1, 1}, "a\nb\x1B[31m").message, "a?b?[31m");
}

TEST(ProblemText, ManyProblemsEndInACount) {
  std::string text = minimal_scenario;
  for (int i = 0; i < 500; ++i) text += "zebra" + std::to_string(i) + ": 1\n";
  const auto result = read_scenario_text(text, "f", {}, 16e9);
  ASSERT_EQ(result.problems.size(), most_problems + 1);
  EXPECT_EQ(result.problems.back().text(), "f: and 400 more problems");
}

TEST(DidYouMean, SlipsOfThePen) {
  const std::vector<std::string> words{"nodes", "gpus_per_node", "spares", "oversubscription"};
  EXPECT_EQ(nearest("oversubscripton", words), "oversubscription");
  EXPECT_EQ(nearest("ndoes", words), "nodes");
  EXPECT_EQ(nearest("NODES", words), "nodes");
  EXPECT_EQ(nearest("gpus-per-node", words), "gpus_per_node");
  EXPECT_EQ(nearest("per_node", words), "gpus_per_node");
  EXPECT_EQ(nearest("colour", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest(std::string(100000, 'n'), words), "");
}

TEST(Memory, SaysHowMuchItWouldNeed) {
  const auto result = read_scenario_text(minimal_scenario, "f", {}, 1e3);
  EXPECT_NE(said(result).find("f:2:29: cluster.nodes: the graph of 64 GPUs needs"), std::string::npos) << said(result);
  EXPECT_NE(said(result).find("1kB are available"), std::string::npos) << said(result);
}

}  // namespace
}  // namespace toposim::sim
