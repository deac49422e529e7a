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

TEST(ProblemText, ExcerptPointsAtTheCharacter) {
  // The euro sign is three bytes and one character: the caret goes by characters.
  Problem problem{"f.yaml", 3, 5, "no", "a: \xE2\x82\xAC b"};
  EXPECT_EQ(problem.text(), "f.yaml:3:5: no");
  EXPECT_EQ(problem.excerpt(), "    3 | a: \xE2\x82\xAC b\n      |     ^\n");
  problem.line = 0;
  EXPECT_EQ(problem.text(), "f.yaml: no");
  EXPECT_EQ(problem.excerpt(), "");
}

TEST(ProblemText, ColumnsCountCharacters) {
  const auto result = read_scenario_text("name: x\n\"\xE2\x82\xAC\": {}\nd\xC3\xA9: {k: 1}\n", "f", {}, 16e9);
  const auto found = said(result);
  EXPECT_NE(found.find("f:2:1: unknown key"), std::string::npos) << found;
  Problems problems;
  problems.add({0, 1, 5}, "after a euro sign");
  EXPECT_EQ(problems.in_file_order("f", "\xE2\x82\xAC x", {})[0].column, 3);  // byte 5 is character 3
}

TEST(ProblemText, OneLongLineIsCut) {
  const Problem problem{"f", 1, 5000, "no", std::string(10000, 'x')};
  EXPECT_LT(problem.excerpt().size(), 300u);
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
