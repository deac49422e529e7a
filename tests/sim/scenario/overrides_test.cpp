#include "minimal_scenario.hpp"

namespace toposim::sim {
namespace {

std::string problems_with(const std::string& path, const std::string& value) {
  const auto result = read_scenario_text(minimal_scenario, "test.yaml", {{path, value}}, 16e9);
  EXPECT_FALSE(result.ok());
  return said(result);
}

TEST(Overrides, ReplaceAndAdd) {
  EXPECT_DOUBLE_EQ(read_good(minimal_scenario, {{"run.duration", "7d"}}).run.duration_s, 7 * 86400.0);
  EXPECT_EQ(read_good(minimal_scenario, {{"run.seed", "3"}}).run.seed, 3u);
  EXPECT_DOUBLE_EQ(read_good(minimal_scenario, {{"recovery.detect", "90s"}}).schemes[0].recovery.detect_s, 90);
  EXPECT_EQ(read_good(minimal_scenario, {{"faults", "none"}}).faults.classes.size(), 0u);
  EXPECT_EQ(read_good(minimal_scenario, {{"schemes", "[checkpoint_restart, drop_replica]"}}).schemes.size(), 2u);
  // The last of several wins.
  EXPECT_EQ(read_good(minimal_scenario, {{"run.seed", "3"}, {"run.seed", "4"}}).run.seed, 4u);
}

TEST(Overrides, BareWordsBecomeMappings) {
  const Scenario s = read_good(
      minimal_scenario,
      {{"schemes[0].checkpoint.interval", "30min"}, {"cluster.gpu.memory", "96GB"}, {"job.model.sequence", "2048"}});
  EXPECT_DOUBLE_EQ(s.schemes[0].checkpoint.interval_s, 1800);
  EXPECT_DOUBLE_EQ(s.gpu.memory_bytes, 96e9);
  EXPECT_DOUBLE_EQ(s.gpu.bf16_flops, 989.4e12);
  EXPECT_EQ(s.job.model.sequence, 2048);
}

TEST(Overrides, ProblemsAreLocatedAtTheOverride) {
  EXPECT_EQ(problems_with("run.sed", "3"), "--set run.sed=3: unknown key 'sed' in run; did you mean 'seed'?\n");
  EXPECT_EQ(problems_with("rum.seed", "3"), "--set rum.seed=3: unknown key 'rum'; did you mean 'run'?\n");
  EXPECT_EQ(problems_with("run.replicas", "many").substr(0, 67),
            "--set run.replicas=many: run.replicas: expected a whole number, got");
  EXPECT_EQ(problems_with("run.duration", ""),
            "--set run.duration=: run.duration: expected a time with its unit (ns, us, "
            "ms, s, min, h or d), such as 30min, got nothing\n");
  EXPECT_EQ(problems_with("schemes[3].name", "x"),
            "--set schemes[3].name=x: schemes has 1 entries, the last is schemes[0]\n");
  EXPECT_EQ(problems_with("schemes.name", "x"),
            "--set schemes.name=x: schemes is a list; say which entry, such as schemes[0].name\n");
  EXPECT_EQ(problems_with("run.duration.x", "1"),
            "--set run.duration.x=1: run.duration is '30d', not a mapping, so it has no key 'x'\n");
  EXPECT_EQ(problems_with("run[0]", "1"), "--set run[0]=1: run is a mapping, not a list\n");
  EXPECT_NE(problems_with("run.replicas", "[1").find("--set run.replicas=[1: a list or mapping as a key, or a bracket"),
            std::string::npos);
  EXPECT_NE(problems_with("name", "\xFF").find("not UTF-8"), std::string::npos);
}

TEST(Overrides, PathsThatAreNone) {
  for (const char* path : {"", ".", "run.", ".run", "run..seed", "[0]", "schemes[x]", "schemes[0", "schemes[-1]",
                           "schemes[0]name", "schemes[99999999999999999999999]"})
    EXPECT_NE(problems_with(path, "1").find("is not a path"), std::string::npos) << path;
}

}  // namespace
}  // namespace toposim::sim
