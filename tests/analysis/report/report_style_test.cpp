#include "analysis/report/report_style.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace toposim::analysis {
namespace {

ReportStyle with(bool terminal, int columns, std::map<std::string, std::string> environment) {
  return style_for(terminal, columns, [&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(StyleFor, APipeGetsPlainAscii) {
  const ReportStyle s = with(false, 200, {{"LANG", "en_US.UTF-8"}, {"TERM", "xterm"}});
  EXPECT_FALSE(s.unicode);
  EXPECT_FALSE(s.colour);
  EXPECT_EQ(s.columns, 100);
}

TEST(StyleFor, ATerminalGetsWhatItCanShow) {
  ReportStyle s = with(true, 90, {{"LANG", "de_DE.utf8"}, {"TERM", "xterm"}});
  EXPECT_TRUE(s.unicode);
  EXPECT_TRUE(s.colour);
  EXPECT_EQ(s.columns, 90);
  EXPECT_EQ(with(true, 40, {}).columns, 80);
  EXPECT_EQ(with(true, 250, {}).columns, 100);
}

TEST(StyleFor, TheFirstLocaleThatIsSetDecides) {
  EXPECT_FALSE(with(true, 80, {{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}}).unicode);
  EXPECT_TRUE(with(true, 80, {{"LC_ALL", ""}, {"LC_CTYPE", "C.UTF-8"}, {"LANG", "C"}}).unicode);
  EXPECT_FALSE(with(true, 80, {}).unicode);
}

TEST(StyleFor, ColourCanBeRefused) {
  EXPECT_FALSE(with(true, 80, {{"NO_COLOR", "1"}}).colour);
  EXPECT_TRUE(with(true, 80, {{"NO_COLOR", ""}}).colour);  // no-color.org: set and not empty
  EXPECT_FALSE(with(true, 80, {{"TERM", "dumb"}}).colour);
}

}  // namespace
}  // namespace toposim::analysis
