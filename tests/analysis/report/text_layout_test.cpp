#include "analysis/report/text_layout.hpp"

#include <gtest/gtest.h>

namespace toposim::analysis {
namespace {

constexpr ReportStyle ascii{80, false, false}, unicode{80, true, false};

TEST(Printable, KeepsTextAndDisarmsTheRest) {
  EXPECT_EQ(printable("plain, \"text\"", ascii), "plain, \"text\"");
  EXPECT_EQ(printable("a\nb\tc\rd\x1b[31m\x7f", unicode), "a\\nb\\tc\\rd\\x1b[31m\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1), unicode), "\\x00");
  EXPECT_EQ(printable("Z\u00fcrich", unicode), "Z\u00fcrich");
  EXPECT_EQ(printable("Z\u00fcrich", ascii), "Z?rich");
  EXPECT_EQ(printable("\u0085\u202e\u2066", unicode), "???");                    // C1 control, right-to-left marks
  EXPECT_EQ(printable("\xc0\xaf|\xed\xa0\x80|\xe2\x82", unicode), "??|???|??");  // overlong, surrogate, cut off
}

TEST(DisplayWidth, CountsWhatIsSeen) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("\u00b1\u00fc"), 2);
  EXPECT_EQ(display_width("\u6f22\u5b57"), 4);  // two wide characters
  EXPECT_EQ(display_width(bold("abc", {80, true, true})), 3);
}

TEST(Shortened, MarksWhatIsMissing) {
  EXPECT_EQ(shortened("abcdef", 6, ascii), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6, ascii), "abcde~");
  EXPECT_EQ(shortened("abcdefg", 6, unicode), "abcde\u2026");
  EXPECT_EQ(shortened("\u00e4\u00f6\u00fc\u00e4\u00f6", 3, unicode), "\u00e4\u00f6\u2026");
}

TEST(Wrapped, BreaksAtBlanksAndIndents) {
  EXPECT_EQ(wrapped("ab  ", "one two three", 12), "ab  one two\n    three\n");
  EXPECT_EQ(wrapped("", "one two", 3, 1), "one\n two\n");
  EXPECT_EQ(wrapped("- ", "a-word-that-is-too-long b", 8), "- a-word-that-is-too-long\n  b\n");
  EXPECT_EQ(wrapped("x", "", 8), "x\n");
  EXPECT_EQ(wrapped("", kept_together("two words") + " more", 12), "two words\nmore\n");
  EXPECT_EQ(wrapped("", "a " + kept_together("two words"), 9), "a\ntwo words\n");
}

TEST(AlignDecimals, PutsPointsBelowEachOther) {
  std::vector<std::string> numbers{"1.25", "10", "3.5"};
  align_decimals(numbers);
  EXPECT_EQ(numbers, (std::vector<std::string>{"1.25", "10   ", "3.5 "}));
}

TEST(Table, LeavesOutWhatMattersLeastWhereItDoesNotFit) {
  const std::vector<TableColumn> columns{
      {{"name"}, {"a", "bb"}, 0}, {{"x"}, {"1", "22"}, 2}, {{"y", "z"}, {"3", "4"}, 1}};
  EXPECT_EQ(table(columns, {80, false, false}, " "), "           y\n name   x  z\n a      1  3\n bb    22  4\n");
  EXPECT_EQ(table(columns, {10, false, false}, " "), "         y\n name  x z\n a     1 3\n bb   22 4\n");
  EXPECT_EQ(table(columns, {9, false, false}, " "), "       y\n name  z\n a     3\n bb    4\n");
  EXPECT_EQ(table(columns, {5, false, false}, " "), " name\n a\n bb\n");
  EXPECT_EQ(table({{{"n"}, {"a_long_name"}, 0}, {{"x"}, {"1"}, 0}}, {11, false, false}, ""),
            "n         x\na_long_n~ 1\n");
}

// First column 2 wide, the others 3 and 4 with two blanks before each: 7, 13, 18 columns.
TEST(TableInParts, PutsBesideEachOtherWhatFits) {
  const TableColumn first{{""}, {"r1", "r2"}, 0};
  const std::vector<TableColumn> columns{{{"x"}, {"111", "2"}, 0}, {{"y"}, {"1111", "2"}, 0}, {{"z"}, {"111", "2"}, 0}};
  EXPECT_EQ(table_in_parts(first, columns, {18, false, false}, ""),
            "      x     y    z\nr1  111  1111  111\nr2    2     2    2\n");
  EXPECT_EQ(table_in_parts(first, columns, {17, false, false}, ""),
            "      x     y\nr1  111  1111\nr2    2     2\n\n      z\nr1  111\nr2    2\n");
}

TEST(BrokenName, BehindUnderscores) {
  EXPECT_EQ(broken_name("checkpoint_restart", 12, ascii), (std::vector<std::string>{"checkpoint_", "restart"}));
  EXPECT_EQ(broken_name("a_b_c", 12, ascii), std::vector<std::string>{"a_b_c"});
  EXPECT_EQ(broken_name("abcdefgh", 4, ascii), std::vector<std::string>{"abc~"});
}

}  // namespace
}  // namespace toposim::analysis
