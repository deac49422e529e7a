// Gates in the report, in junit.xml and in results.json.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/digest.hpp"
#include "analysis/files/json_writer.hpp"
#include "analysis/files/write_results.hpp"
#include "analysis/gates/gate_report.hpp"
#include "analysis/gates/junit.hpp"
#include "analysis/report/report.hpp"
#include "comma_locale.hpp"
#include "sample_results.hpp"
#include "temporary_directory.hpp"

namespace toposim::analysis {
namespace {

std::vector<GateOutcome> sample_gates() {
  GateOutcome passed, failed, unknown;
  passed.gate = "ettr.shrink >= 90%";
  passed.line = 20;
  passed.passed = passed.has_value = true;
  passed.value = 0.93;
  passed.bound = 0.9;
  passed.shown = "93 %";
  failed.gate = "lost_work_s.shrink.p95 <= 10min";
  failed.line = 21;
  failed.has_value = true;
  failed.value = 660;
  failed.bound = 600;
  failed.where = "transient_5";
  failed.shown = "11 min";
  failed.reason = "11 min is not <= 10min";
  unknown.gate = "etr.shrink > 0.5";
  unknown.line = 22;
  unknown.bound = 0.5;
  unknown.reason = "no metric 'etr'; did you mean 'ettr'?";
  return {passed, failed, unknown};
}

TEST(GateReport, OneLineEach) {
  EXPECT_EQ(gate_report(sample_gates(), {80, false, false}),
            "\nGATES\n"
            "  passed  ettr.shrink >= 90%: 93 %\n"
            "  FAILED  lost_work_s.shrink.p95 <= 10min: 11 min is not <= 10min; worst at\n"
            "            transient_5\n"
            "  FAILED  etr.shrink > 0.5: no metric 'etr'; did you mean 'ettr'?\n");
  EXPECT_EQ(gate_report({}, {80, false, false}), "");
  EXPECT_EQ(gate_failure(sample_gates()[1]),
            "lost_work_s.shrink.p95 <= 10min failed: 11 min is not <= 10min; worst at transient_5");
  Results results = sample_results();
  EXPECT_EQ(terminal_report(results, {}).find("GATES"), std::string::npos);
  results.gates = sample_gates();
  results.output_directory = "out";
  EXPECT_TRUE(terminal_report(results, {}).ends_with(gate_report(sample_gates(), {})));
  EXPECT_NE(terminal_report(results, {}).find("timeline.csv, junit.xml"), std::string::npos);
}

TEST(GateReport, AllPassed) {
  EXPECT_TRUE(all_passed({}));
  EXPECT_TRUE(all_passed({sample_gates()[0]}));
  EXPECT_FALSE(all_passed(sample_gates()));
}

TEST(Junit, OneCasePerGate) {
  EXPECT_EQ(junit_xml("quick", 1.23456, {sample_gates()[0], sample_gates()[2]}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"quick\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"1.235\">\n"
            "  <testsuite name=\"quick\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"1.235\">\n"
            "    <testcase classname=\"quick\" name=\"ettr.shrink &gt;= 90%\" time=\"0\"/>\n"
            "    <testcase classname=\"quick\" name=\"etr.shrink &gt; 0.5\" time=\"0\">\n"
            "      <failure message=\"etr.shrink &gt; 0.5 failed: no metric &apos;etr&apos;; did you mean "
            "&apos;ettr&apos;?\" type=\"gate\">etr.shrink &gt; 0.5 failed: no metric &apos;etr&apos;; did you mean "
            "&apos;ettr&apos;?</failure>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

TEST(Junit, TheSameInEveryLocale) {
  const std::string classic = junit_xml("quick", 1234.5, sample_gates());
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string comma = junit_xml("quick", 1234.5, sample_gates());
  std::locale::global(before);
  EXPECT_EQ(comma, classic);
  EXPECT_NE(classic.find("time=\"1234.500\""), std::string::npos);
}

TEST(Junit, HoldsNothingThatXmlCannot) {
  const std::string xml = junit_xml("<a & \"b\"'\x01\n\xff", 0, {});
  EXPECT_NE(xml.find("name=\"&lt;a &amp; &quot;b&quot;&apos;\\x01\\n?\" "), std::string::npos) << xml;
}

TEST(ResultFiles, HoldGatesAndTheDigestDoesNot) {
  Results results = sample_results();
  const std::string before = digest(results);
  results.gates = sample_gates();
  EXPECT_EQ(digest(results), before);
  const nlohmann::json gates = nlohmann::json::parse(results_json(results))["gates"];
  ASSERT_EQ(gates.size(), 3u);
  EXPECT_EQ(gates[0]["gate"], "ettr.shrink >= 90%");
  EXPECT_EQ(gates[0]["passed"], true);
  EXPECT_EQ(gates[1]["passed"], false);
  EXPECT_EQ(gates[1]["value"], 660);
  EXPECT_EQ(gates[1]["bound"], 600);
  EXPECT_EQ(gates[1]["where"], "transient_5");
  EXPECT_TRUE(gates[2]["value"].is_null());
  EXPECT_EQ(gates[2]["reason"], "no metric 'etr'; did you mean 'ettr'?");
}

TEST(ResultFiles, JunitOfAnEarlierRunDoesNotStay) {
  const TemporaryDirectory directory;
  Results results = sample_results();
  results.gates = sample_gates();
  results.cost = {{"wall_s", 2}};
  write_results(directory.path(), results);
  EXPECT_EQ(contents_of(directory.path() / "junit.xml"), junit_xml(results.scenario_name, 2, results.gates));
  results.gates.clear();
  write_results(directory.path(), results);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "junit.xml"));
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "results.json"));
}

}  // namespace
}  // namespace toposim::analysis
