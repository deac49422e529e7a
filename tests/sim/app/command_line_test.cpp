// Arguments to plain values, or to one sentence on what is wrong with them.
#include "sim/app/command_line.hpp"

#include <gtest/gtest.h>

#include "sim/app/app.hpp"

namespace toposim::sim {
namespace {

CommandLine read(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "toposim");
  return read_command_line(static_cast<int>(arguments.size()), arguments.data());
}

std::string refusal(const std::vector<const char*>& arguments) {
  const CommandLine line = read(arguments);
  EXPECT_EQ(line.action, CommandLine::Action::print_and_exit);
  EXPECT_EQ(line.exit_status, exit_bad_input);
  return line.text;
}

TEST(CommandLine, AScenarioNeedsNoVerb) {
  EXPECT_EQ(read({"a.yaml", "--quiet"}).action, CommandLine::Action::run);
  EXPECT_EQ(read({"lint", "a.yaml"}).action, CommandLine::Action::lint);
  EXPECT_EQ(read({"./compare"}).action, CommandLine::Action::run) << "a scenario of that name";
}

TEST(CommandLine, Compare) {
  const CommandLine plain = read({"compare", "out/a", "out/b"});
  EXPECT_EQ(plain.action, CommandLine::Action::compare);
  EXPECT_EQ(plain.a, "out/a");
  EXPECT_EQ(plain.b, "out/b");
  EXPECT_EQ(plain.compare.relative_tolerance, 0);
  EXPECT_TRUE(plain.compare.tolerances.empty());
  EXPECT_TRUE(plain.compare.ignored.empty());
  EXPECT_FALSE(plain.compare.statistical);

  const CommandLine all = read({"compare", "--statistical", "--rtol", "1e-6", "--tolerance", "*.a=b.mean=1%",
                                "--tolerance=x=0.02", "--ignore", "y", "out/a", "out/b", "--ignore", "z.*"});
  EXPECT_EQ(all.action, CommandLine::Action::compare) << all.text;
  EXPECT_EQ(all.a, "out/a");
  EXPECT_EQ(all.b, "out/b");
  EXPECT_TRUE(all.compare.statistical);
  EXPECT_EQ(all.compare.relative_tolerance, 1e-6);
  ASSERT_EQ(all.compare.tolerances.size(), 2u);
  EXPECT_EQ(all.compare.tolerances[0].first, "*.a=b.mean") << "the value follows the last '='";
  EXPECT_DOUBLE_EQ(all.compare.tolerances[0].second, 0.01);
  EXPECT_EQ(all.compare.tolerances[1], (std::pair<std::string, double>("x", 0.02)));
  EXPECT_EQ(all.compare.ignored, (std::vector<std::string>{"y", "z.*"}));
}

TEST(CommandLine, CompareRefuses) {
  EXPECT_EQ(refusal({"compare"}),
            "toposim: which two? such as: toposim compare out/old out/new\ntoposim: see toposim --help\n");
  EXPECT_NE(refusal({"compare", "a", "b", "c"}).find("not expected: c"), std::string::npos);
  EXPECT_NE(refusal({"compare", "a", "b", "--seed", "1"}).find("not expected"), std::string::npos);
  EXPECT_NE(refusal({"compare", "a", "b", "--tolerance", "=1%"}).find("takes PATTERN=VALUE"), std::string::npos);
  EXPECT_NE(refusal({"compare", "a", "b", "--tolerance", "x="}).find("--tolerance x=: expected a share"),
            std::string::npos);
  EXPECT_NE(refusal({"compare", "a", "b", "--rtol", "-1%"}).find("--rtol: it has to be at least 0, got '-1%'"),
            std::string::npos);
  EXPECT_NE(refusal({"compare", "a", "b", "--rtol", "nan"}).find("--rtol: expected a share"), std::string::npos);
}

TEST(CommandLine, HelpNamesWhatTheProgramDoes) {
  const CommandLine help = read({"--help"}), compare = read({"compare", "--help"});
  EXPECT_EQ(help.exit_status, exit_done);
  for (const char* word : {"results.json", "junit.xml", "toposim compare A B", "1 failed or a gate failed", "lint"})
    EXPECT_NE(help.text.find(word), std::string::npos) << word;
  for (const char* word : {"--rtol", "--tolerance", "--ignore", "--statistical", "1 they differ"})
    EXPECT_NE(compare.text.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace toposim::sim
