#include "analysis/number_text.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <locale>

#include "analysis/check.hpp"
#include "comma_locale.hpp"

namespace toposim::analysis {
namespace {

TEST(SecondsText, HasNineDecimalsAndNoRounding) {
  EXPECT_EQ(seconds_text(0), "0.000000000");
  EXPECT_EQ(seconds_text(1), "0.000000001");
  EXPECT_EQ(seconds_text(-1), "-0.000000001");
  EXPECT_EQ(seconds_text(-1'500'000'000), "-1.500000000");
  // 2^53 + 1 ns, the first integer that a double cannot hold.
  EXPECT_EQ(seconds_text(9'007'199'254'740'993), "9007199.254740993");
  EXPECT_EQ(seconds_text(std::numeric_limits<std::int64_t>::max()), "9223372036.854775807");
  EXPECT_EQ(seconds_text(std::numeric_limits<std::int64_t>::min()), "-9223372036.854775808");
}

TEST(NumberText, ReadsBackTheSame) {
  for (const double v : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -123456.789, 405e9, 1e22, 0.93})
    EXPECT_EQ(std::strtod(number_text(v).c_str(), nullptr), v) << number_text(v);
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(405e9), "405000000000");
  EXPECT_THROW(number_text(std::nan("")), ResultsError);
  EXPECT_THROW(number_text(-std::numeric_limits<double>::infinity()), ResultsError);
}

TEST(NumberText, IsTheSameInEveryLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const char* german = std::setlocale(LC_ALL, "de_DE.UTF-8");  // nullptr where it is not installed: the C++ one remains
  EXPECT_EQ(number_text(1234.5), "1234.5");
  EXPECT_EQ(seconds_text(1'234'500'000'000), "1234.500000000");
  EXPECT_EQ(grouped(1234.5, 1), "1,234.5");
  EXPECT_EQ(human_duration(12.35), "12.3 s");
  if (german) std::setlocale(LC_ALL, "C");
  std::locale::global(before);
}

TEST(HumanDuration, ThreeDigitsInAFittingUnit) {
  EXPECT_EQ(human_duration(0), "0 s");
  EXPECT_EQ(human_duration(12.4), "12.4 s");
  EXPECT_EQ(human_duration(119.6), "120 s");
  EXPECT_EQ(human_duration(738), "12.3 min");
  EXPECT_EQ(human_duration(11304), "3.14 h");
  EXPECT_EQ(human_duration(54 * 86400), "54.0 d");
  EXPECT_EQ(human_duration(0.35), "350 ms");
  EXPECT_EQ(human_duration(27.37e-6), "27.4 us");
  EXPECT_EQ(human_duration(5e-9), "5.00 ns");
  EXPECT_EQ(human_duration(-90), "-90.0 s");
  EXPECT_EQ(human_duration(9.996), "10.0 s");
}

TEST(Grouped, CommasEveryThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(16384), "16,384");
  EXPECT_EQ(grouped(-1234567.89, 1), "-1,234,567.9");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(-0.001, 2), "0.00");
}

TEST(NumberOf, CountsThings) {
  EXPECT_EQ(number_of(1, "seed"), "1 seed");
  EXPECT_EQ(number_of(0, "seed"), "0 seeds");
  EXPECT_EQ(number_of(1200, "draw"), "1,200 draws");
}

TEST(Figure, KeepsAboutFourDigits) {
  EXPECT_EQ(figure(0.9849), "0.985");
  EXPECT_EQ(figure(9.9996), "10.00");
  EXPECT_EQ(figure(-12.345), "-12.35");
  EXPECT_EQ(figure(972.96), "973.0");
  EXPECT_EQ(figure(1023.7), "1,024");
}

TEST(Labelled, ReadsTheUnitOffTheName) {
  EXPECT_EQ(labelled("checkpoint_interval_s", 738), "checkpoint interval 12.3 min");
  EXPECT_EQ(labelled("data_parallel_busbw_Bps", 46.1e9), "data parallel busbw 46.1 GB/s");
  EXPECT_EQ(labelled("memory_peak_bytes", 250e6), "memory peak 250 MB");
  EXPECT_EQ(labelled("model_flops", 2.5e18), "model FLOPs 2.50 E");
  EXPECT_EQ(labelled("mfu", 0.413), "MFU 41.3 %");
  EXPECT_EQ(labelled("max_deviation", 0.0031), "max deviation 0.31 %");
  EXPECT_EQ(labelled("distinct_states", 16384), "distinct states 16,384");
  EXPECT_EQ(labelled("penalty", 0.125), "penalty 0.125");
  EXPECT_EQ(words("_s"), " s");  // a name that is all unit keeps it
}

TEST(DecimalsFor, TwoDigitsBetweenOneAndFive) {
  EXPECT_EQ(decimals_for(0), 2);
  EXPECT_EQ(decimals_for(12), 1);
  EXPECT_EQ(decimals_for(1), 1);
  EXPECT_EQ(decimals_for(0.99), 2);
  EXPECT_EQ(decimals_for(0.034), 3);
  EXPECT_EQ(decimals_for(1e-9), 5);
}

TEST(FewDecimalsFor, OneDigitOrTwoIfTheFirstIsAOne) {
  EXPECT_EQ(few_decimals_for(0), 2);
  EXPECT_EQ(few_decimals_for(3), 1);
  EXPECT_EQ(few_decimals_for(0.26), 1);
  EXPECT_EQ(few_decimals_for(0.13), 2);
  EXPECT_EQ(few_decimals_for(0.196), 1);  // shown as 0.2
  EXPECT_EQ(few_decimals_for(0.034), 2);
  EXPECT_EQ(few_decimals_for(1e-9), 5);
}

}  // namespace
}  // namespace toposim::analysis
