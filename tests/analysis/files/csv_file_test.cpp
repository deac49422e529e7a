#include "analysis/files/csv_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "analysis/files/csv_writer.hpp"
#include "analysis/files/limited_file.hpp"

namespace toposim::analysis {
namespace {

std::string why_not(const std::string& text) {
  try {
    const CsvTable table = parse_csv(text, "x.csv");
    (void)table.number(0, table.column("b"));
    (void)table.count(0, table.column("a"));
  } catch (const ResultFileError& error) {
    return error.what();
  }
  return {};
}

TEST(CsvFile, QuotesAsTheyAreWritten) {
  for (const std::string text : {"plain", "a,b", "say \"no\"", "two\nlines", " blank ", ""}) {
    const CsvTable table = parse_csv("a,b\n" + csv_field(text) + ",2.5\n", "x.csv");
    ASSERT_EQ(table.rows.size(), 1U) << text;
    EXPECT_EQ(table.rows[0][0], text);
    EXPECT_EQ(table.number(0, table.column("b")), 2.5);
  }
}

TEST(CsvFile, LineEndsAndEmptyFields) {
  const CsvTable table = parse_csv("a,b\r\n1,\r\n2,3", "x.csv");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_TRUE(std::isnan(table.number(0, 1)));
  EXPECT_EQ(table.number(1, 1), 3);
  EXPECT_EQ(table.count(0, 0), 1U);
  EXPECT_TRUE(parse_csv("", "x.csv").names.empty());
}

TEST(CsvFile, Errors) {
  EXPECT_EQ(why_not("a,b\n1,2,3\n"), "x.csv: row 1 has 3 fields of 2; the file was cut or changed");
  EXPECT_EQ(why_not("a,b\n\"1,2\n"), "x.csv: a quote is never closed; the file was cut or changed");
  EXPECT_EQ(why_not("a,c\n1,2\n"), "x.csv: has no column b");
  EXPECT_EQ(why_not("a,b\n1,2x\n"), "x.csv: row 1, column b: expected a finite number, got '2x'");
  EXPECT_EQ(why_not("a,b\n1,inf\n"), "x.csv: row 1, column b: expected a finite number, got 'inf'");
  EXPECT_EQ(why_not("a,b\n-1,2\n"), "x.csv: row 1, column a: expected a whole number, got '-1'");
  EXPECT_EQ(why_not("a,b\n1,2\n"), "");
}

// Whatever stands in the file, it is a table or an error.
TEST(CsvFile, Fuzz) {
  std::mt19937 random(1);
  const std::string letters = "a1,\"\n\r .-";
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (unsigned n = random() % 40; n > 0; --n) text += letters[random() % letters.size()];
    try {
      const CsvTable table = parse_csv(text, "x.csv");
      for (const auto& row : table.rows) ASSERT_EQ(row.size(), table.names.size());
    } catch (const ResultFileError&) {
    }
  }
}

}  // namespace
}  // namespace toposim::analysis
