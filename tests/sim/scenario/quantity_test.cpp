#include "sim/scenario/quantity.hpp"

#include <gtest/gtest.h>

#include <clocale>

namespace toposim::sim {
namespace {

YamlNode plain(std::string text) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = std::move(text);
  return node;
}

double value_of(const std::string& text, Dimension dimension) {
  const auto parsed = parse_quantity(plain(text), dimension);
  EXPECT_TRUE(parsed.ok()) << text << ": " << parsed.why_not;
  return parsed.value;
}

TEST(Quantity, EveryUnitInSiBaseUnits) {
  EXPECT_DOUBLE_EQ(value_of("250ns", Dimension::time), 250e-9);
  EXPECT_DOUBLE_EQ(value_of("1.5us", Dimension::time), 1.5e-6);
  EXPECT_DOUBLE_EQ(value_of("2ms", Dimension::time), 2e-3);
  EXPECT_DOUBLE_EQ(value_of("3s", Dimension::time), 3);
  EXPECT_DOUBLE_EQ(value_of("90min", Dimension::time), 5400);
  EXPECT_DOUBLE_EQ(value_of("2h", Dimension::time), 7200);
  EXPECT_DOUBLE_EQ(value_of("54d", Dimension::time), 4665600);  // 54 x 86,400
  // Links are sold in bits: 400 Gbps is 50 GB/s.
  EXPECT_DOUBLE_EQ(value_of("400Gbps", Dimension::bandwidth), 50e9);
  EXPECT_DOUBLE_EQ(value_of("800Mbps", Dimension::bandwidth), 100e6);
  EXPECT_DOUBLE_EQ(value_of("1.6Tbps", Dimension::bandwidth), 200e9);
  EXPECT_DOUBLE_EQ(value_of("450GB/s", Dimension::bandwidth), 450e9);
  EXPECT_DOUBLE_EQ(value_of("3.35TB/s", Dimension::bandwidth), 3.35e12);
  EXPECT_DOUBLE_EQ(value_of("64MB/s", Dimension::bandwidth), 64e6);
  EXPECT_DOUBLE_EQ(value_of("4B", Dimension::size), 4);
  EXPECT_DOUBLE_EQ(value_of("80GB", Dimension::size), 80e9);
  EXPECT_DOUBLE_EQ(value_of("2kB", Dimension::size), 2000);
  EXPECT_DOUBLE_EQ(value_of("2KiB", Dimension::size), 2048);
  EXPECT_DOUBLE_EQ(value_of("4MiB", Dimension::size), 4194304);
  EXPECT_DOUBLE_EQ(value_of("80GiB", Dimension::size), 85899345920.0);
  EXPECT_DOUBLE_EQ(value_of("1TiB", Dimension::size), 1099511627776.0);
  EXPECT_DOUBLE_EQ(value_of("989.4TFLOPS", Dimension::compute), 989.4e12);
  EXPECT_DOUBLE_EQ(value_of("1PFLOPS", Dimension::compute), 1e15);
}

TEST(Quantity, BlanksSignsAndExponents) {
  EXPECT_DOUBLE_EQ(value_of("30 d", Dimension::time), 30 * 86400.0);
  EXPECT_DOUBLE_EQ(value_of("+5s", Dimension::time), 5);
  EXPECT_DOUBLE_EQ(value_of("1e3s", Dimension::time), 1000);
  EXPECT_DOUBLE_EQ(value_of("0.5s", Dimension::time), 0.5);
  EXPECT_DOUBLE_EQ(value_of("-5s", Dimension::time), -5);  // whether it may be negative is the range's business
}

TEST(Quantity, SaysWhatIsWrong) {
  const auto why = [](const std::string& text, Dimension dimension) {
    const auto parsed = parse_quantity(plain(text), dimension);
    EXPECT_FALSE(parsed.ok()) << text;
    return parsed.why_not;
  };
  EXPECT_NE(why("30", Dimension::time).find("'30' has no unit"), std::string::npos);
  EXPECT_NE(why("30", Dimension::time).find("ns, us, ms, s, min, h or d"), std::string::npos);
  EXPECT_NE(why("5m", Dimension::time).find("did you mean min?"), std::string::npos);
  EXPECT_NE(why("5M", Dimension::size).find("did you mean MB?"), std::string::npos);
  EXPECT_NE(why("50GBps", Dimension::bandwidth).find("did you mean GB/s?"), std::string::npos);
  EXPECT_NE(why("50Gb/s", Dimension::bandwidth).find("did you mean Gbps?"), std::string::npos);
  EXPECT_NE(why("1,5s", Dimension::time).find("separators"), std::string::npos);
  EXPECT_NE(why("1e400s", Dimension::time).find("too large"), std::string::npos);
  EXPECT_NE(why("1e308d", Dimension::time).find("too large"), std::string::npos);
  EXPECT_NE(why("inf", Dimension::time).find("finite"), std::string::npos);
  EXPECT_NE(why("nan s", Dimension::time).find("expected a time"), std::string::npos);
  EXPECT_NE(why("010s", Dimension::time).find("octal"), std::string::npos);
  EXPECT_NE(why("0x10s", Dimension::time).find("decimal"), std::string::npos);
  EXPECT_NE(why("s", Dimension::time).find("got 's'"), std::string::npos);
  EXPECT_NE(why("", Dimension::time).find("expected a time"), std::string::npos);
}

TEST(Whole, TakesDecimalDigitsOnly) {
  EXPECT_EQ(parse_whole(plain("2048")).value, 2048);
  EXPECT_EQ(parse_whole(plain("-8")).value, -8);
  EXPECT_EQ(parse_whole(plain("0")).value, 0);
  EXPECT_EQ(parse_whole(plain("9223372036854775807")).value, INT64_MAX);
  for (const char* text : {"", "08", "0x8", "0o10", "3.5", "1e3", "1_000", "1,000", "1:30", "yes", ".nan", ".inf", "8 ",
                           "9223372036854775808", "--8", "+", "-", "8x"})
    EXPECT_FALSE(parse_whole(plain(text)).ok()) << text;
  YamlNode quoted_eight = plain("8");
  quoted_eight.quoted = true;
  EXPECT_NE(parse_whole(quoted_eight).why_not.find("in quotes"), std::string::npos);
}

TEST(Share, PercentOrFraction) {
  EXPECT_DOUBLE_EQ(parse_share(plain("15%")).value, 0.15);
  EXPECT_DOUBLE_EQ(parse_share(plain("0.15")).value, 0.15);
  EXPECT_DOUBLE_EQ(parse_share(plain("1")).value, 1);
  EXPECT_NE(parse_share(plain("15")).why_not.find("write 15%"), std::string::npos);
  EXPECT_FALSE(parse_share(plain("15 percent")).ok());
}

TEST(Flag, TrueAndFalseOnly) {
  EXPECT_TRUE(parse_flag(plain("true")).value);
  EXPECT_FALSE(parse_flag(plain("false")).value);
  for (const char* text : {"yes", "no", "on", "off", "True", "1", "y"})
    EXPECT_FALSE(parse_flag(plain(text)).ok()) << text;
}

TEST(Quantity, WrittenBack) {
  EXPECT_EQ(write_quantity(90, Dimension::time), "1.5min");
  EXPECT_EQ(write_quantity(36500.0 * 86400, Dimension::time), "36500d");
  EXPECT_EQ(write_quantity(50e9, Dimension::bandwidth), "50GB/s");
  EXPECT_EQ(write_quantity(16e9, Dimension::size), "16GB");
  EXPECT_EQ(write_quantity(0, Dimension::time), "0s");
}

// A decimal comma in the locale must not change what 1.5 means.
TEST(Quantity, IndependentOfTheLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  bool changed = false;
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"})
    changed = changed || std::setlocale(LC_NUMERIC, name);
  EXPECT_DOUBLE_EQ(value_of("1.5us", Dimension::time), 1.5e-6);
  EXPECT_DOUBLE_EQ(parse_number(plain("2.25")).value, 2.25);
  std::setlocale(LC_NUMERIC, before.c_str());
  if (!changed) GTEST_SKIP() << "no locale with a decimal comma is installed (de_DE.UTF-8)";
}

}  // namespace
}  // namespace toposim::sim
