#include <gtest/gtest.h>

#include "sim/scenario/yaml_tree.hpp"

namespace toposim::sim {
namespace {

std::string first_problem(const std::string& text) {
  Problems problems;
  parse_yaml(text, 0, problems);
  const auto found = problems.in_file_order("f", text, {});
  return found.empty() ? "" : found.front().text();
}

YamlNode parsed(const std::string& text) {
  Problems problems;
  auto root = parse_yaml(text, 0, problems);
  EXPECT_TRUE(root.has_value() && problems.count() == 0) << first_problem(text);
  return root ? std::move(*root) : YamlNode{};
}

TEST(ParseYaml, KeepsPlacesQuotesAndOrder) {
  const YamlNode root = parsed("b: 1\na: \"1\"\nlist: [x, y]\n");
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_FALSE(root.entries[0].value.quoted);
  EXPECT_TRUE(root.entries[1].value.quoted);
  EXPECT_EQ(root.entries[1].mark.line, 2);
  EXPECT_EQ(root.entries[1].value.mark.column, 4);
  ASSERT_EQ(root.entries[2].value.items.size(), 2u);
  EXPECT_EQ(root.entries[2].value.items[1].text, "y");
}

// yaml-cpp 0.7 takes the second of two equal keys without a word.
TEST(ParseYaml, DuplicateKeysAreFoundAtEveryDepth) {
  EXPECT_EQ(first_problem("a: 1\na: 2\n"), "f:2:1: duplicate key 'a'; the first is in line 1");
  EXPECT_EQ(first_problem("l:\n  - {x: 1}\n  - {x: 1, y: 2, x: 3}\n"),
            "f:3:18: duplicate key 'x' in l[1]; the first is in line 3");
}

TEST(ParseYaml, AliasesAndMergeKeys) {
  const YamlNode root = parsed("base: &b {x: 1, y: 2}\nmine:\n  <<: *b\n  y: 3\nsame: *b\n");
  const YamlNode& mine = root.find("mine")->value;
  EXPECT_EQ(mine.find("x")->value.text, "1");
  EXPECT_EQ(mine.find("y")->value.text, "3");  // its own wins
  EXPECT_EQ(mine.entries.size(), 2u);
  EXPECT_EQ(root.find("same")->value.find("y")->value.text, "2");
}

TEST(ParseYaml, DepthIsBounded) {
  const auto nested = [](int depth) { return "a: " + std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(first_problem(nested(deepest_nesting - 1)), "");
  EXPECT_NE(first_problem(nested(deepest_nesting)).find("nested deeper"), std::string::npos);
  EXPECT_NE(first_problem(nested(100000)).find("nested deeper"), std::string::npos);
  std::string dashes, maps;
  for (int i = 0; i < 10000; ++i) dashes += "- ";
  EXPECT_NE(first_problem(dashes + "x").find("nested deeper"), std::string::npos);
  for (int i = 0; i < 200; ++i) maps += std::string(i, ' ') + "a:\n";
  EXPECT_NE(first_problem(maps).find("nested deeper"), std::string::npos);
  // An alias brings its depth along.
  std::string alias = "a: &a " + std::string(20, '[') + std::string(20, ']') + "\nb: " + std::string(20, '[') + "*a" +
                      std::string(20, ']') + "\n";
  EXPECT_NE(first_problem(alias).find("nested deeper"), std::string::npos);
}

// Ten times ten times ten ...: the limit counts what an alias stands for, so expansion stops early.
TEST(ParseYaml, BillionLaughs) {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    text += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) text += std::string(i > 0 ? ", *" : "*") + static_cast<char>(c - 1);
    text += "]\n";
  }
  EXPECT_NE(first_problem(text).find("more than"), std::string::npos);
}

TEST(ParseYaml, RefusesWhatScenariosDoNotNeed) {
  EXPECT_NE(first_problem("a: !!int 3\n").find("tag"), std::string::npos);
  EXPECT_NE(first_problem("? {a: b}\n: c\n").find("as a key"), std::string::npos);
  EXPECT_NE(first_problem("a: &x [*x]\n").find("never end"), std::string::npos);
  EXPECT_NE(first_problem("a: *x\n").find("alias"), std::string::npos);
  EXPECT_NE(first_problem("a: 1\n---\nb: 2\n").find("second YAML document"), std::string::npos);
  EXPECT_NE(first_problem("a: \"open\n").find("never closed"), std::string::npos);
  EXPECT_NE(first_problem("a: 'open\n").find("never closed"), std::string::npos);
  EXPECT_NE(first_problem("a: [1, 2\n").find("']'"), std::string::npos);
}

TEST(ParseYaml, EmptyIsNull) {
  EXPECT_EQ(parsed("").kind, YamlNode::Kind::null);
  EXPECT_EQ(parsed("# only a comment\n").kind, YamlNode::Kind::null);
  EXPECT_EQ(parsed("---\n").kind, YamlNode::Kind::null);
}

}  // namespace
}  // namespace toposim::sim
