#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>

#include "analysis/check.hpp"
#include "analysis/files/csv_writer.hpp"
#include "analysis/files/json_writer.hpp"
#include "analysis/files/write_results.hpp"
#include "comma_locale.hpp"
#include "sample_results.hpp"
#include "temporary_directory.hpp"

namespace toposim::analysis {
namespace {

using nlohmann::json;

Results hostile_results() {
  Results r = sample_results();
  r.scenario_name = "a,\"b\"\n\x01\xff";
  r.schemes[0].name = "x,\"y\"\r\nz";
  r.timeline[0].scheme = r.schemes[0].name;
  r.timeline[0].cause = " blank";
  return r;
}

TEST(ResultsJson, HoldsWhatWasMeasured) {
  Results r = sample_results();
  r.seed = std::numeric_limits<std::uint64_t>::max();
  const json j = json::parse(results_json(r));
  EXPECT_EQ(j["schema_version"], 1);
  EXPECT_EQ(j["kind"], "lifecycle");
  EXPECT_EQ(j["seed"], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(j["scenario"]["file"], "scenarios/llama3_16k.yaml");
  EXPECT_EQ(j["runs"]["done"], 4);
  EXPECT_EQ(j["step"]["exposed_s"]["pipeline_bubble_s"], 0.25);
  EXPECT_EQ(j["step"]["choices"]["data_parallel_algorithm"], "rail_rings");
  EXPECT_EQ(j["memory_bytes"]["capacity_bytes"], 80e9);
  EXPECT_EQ(j["schemes"].size(), 3u);
  const json& first = j["schemes"][0];
  const json& ettr = first["metrics"]["ettr"];
  // 0.930, 0.928, 0.932, 0.930: mean 0.93, sd sqrt(8e-6 / 3) = 0.00163299, half width 3.182446 sd / 2 = 0.00259846.
  EXPECT_EQ(ettr["unit"], "ratio");
  EXPECT_EQ(ettr["n"], 4);
  EXPECT_NEAR(ettr["mean"], 0.93, 1e-15);
  EXPECT_NEAR(ettr["sd"], 0.00163299, 1e-8);
  EXPECT_NEAR(ettr["ci95_low"], 0.93 - 0.00259846, 1e-8);
  EXPECT_NEAR(ettr["ci95_high"], 0.93 + 0.00259846, 1e-8);
  EXPECT_EQ(ettr["min"], 0.928);
  EXPECT_EQ(ettr["p50"], 0.93);
  EXPECT_EQ(ettr["p95"], 0.932);
  EXPECT_EQ(ettr["max"], 0.932);
  EXPECT_NEAR(first["time_share"]["lost_work"], 0.04, 1e-15);
  double shares = 0;
  for (const auto& share : first["time_share"]) shares += share.get<double>();
  EXPECT_NEAR(shares, 1, 1e-14);
  EXPECT_FALSE(first.contains("difference_to"));
  const json& difference = j["schemes"][1]["difference_to"];
  EXPECT_EQ(difference["scheme"], "checkpoint_restart");
  EXPECT_NEAR(difference["metrics"]["ettr"]["mean"], 0.051, 1e-15);
  EXPECT_EQ(difference["metrics"]["full_recoveries"]["min"], -80);  // 12-90, 14-94, 13-86, 13-90
  EXPECT_NEAR(first["closed_forms"][0]["bias"], 0.00274, 1e-12);
  EXPECT_EQ(j["schemes"][2]["assumptions"].size(), 2u);
  EXPECT_EQ(j["cost"]["threads"], 2);
}

TEST(ResultsJson, WritesDurationsToTheNanosecond) {
  Results r;
  r.replicas_done = r.replicas_requested = 2;
  // 18 digits, of which a double holds 16. The mean ends in half a nanosecond.
  r.schemes = {
      {"a", "", {{"wall_s", Unit::duration_ns, {900719925474099301, 900719925474099302}, {}, false}}, {}, {}, {}}};
  const std::string text = results_json(r);
  EXPECT_NE(text.find("\"min\": 900719925.474099301, "), std::string::npos) << text;
  EXPECT_NE(text.find("\"max\": 900719925.474099302"), std::string::npos) << text;
  EXPECT_NE(text.find("\"sd\": 0.000000001, "), std::string::npos) << text;  // sqrt(0.5) ns
}

TEST(ResultsJson, SaysNullForWhatIsNotThere) {
  Results r = sample_results();
  keep_replicas(r, 1);
  json ettr = json::parse(results_json(r))["schemes"][0]["metrics"]["ettr"];
  EXPECT_EQ(ettr["mean"], 0.93);
  EXPECT_TRUE(ettr["sd"].is_null());
  EXPECT_TRUE(ettr["ci95_low"].is_null());
  keep_replicas(r, 0);
  const json j = json::parse(results_json(r));
  EXPECT_TRUE(j["schemes"][0]["metrics"]["wall_s"]["mean"].is_null());
  EXPECT_TRUE(j["schemes"][0]["closed_forms"][0]["bias"].is_null());
}

TEST(ResultsJson, SurvivesHostileNames) {
  const json j = json::parse(results_json(hostile_results()));
  EXPECT_EQ(j["schemes"][0]["name"], "x,\"y\"\r\nz");
  EXPECT_EQ(j["scenario"]["name"], "a,\"b\"\n\x01\uFFFD");
  EXPECT_NO_THROW(json::parse(results_json(Results{})));
}

TEST(ReplicasCsv, OneLinePerReplicaAndScheme) {
  Results r = sample_results();
  for (SchemeResults& s : r.schemes) s.metrics = {s.metrics[0], s.metrics[4], s.metrics[11]};
  r.replicas_done = 4;
  r.schemes.resize(2);
  EXPECT_EQ(replicas_csv(r),
            "replica,scheme,ettr,wall_s,full_recoveries\n"
            "0,checkpoint_restart,0.93,1000000.000000000,90\n"
            "0,drop_replica,0.981,1000000.000000000,12\n"
            "1,checkpoint_restart,0.928,1000000.000000000,94\n"
            "1,drop_replica,0.98,1000000.000000000,14\n"
            "2,checkpoint_restart,0.932,1000000.000000000,86\n"
            "2,drop_replica,0.982,1000000.000000000,13\n"
            "3,checkpoint_restart,0.93,1000000.000000000,90\n"
            "3,drop_replica,0.981,1000000.000000000,13\n");
}

TEST(TimelineCsv, EveryEventWithItsTime) {
  EXPECT_EQ(timeline_csv(hostile_results()),
            "scheme,time_s,event,cause,node,replica,step,replicas_active,spares_free\n"
            "\"x,\"\"y\"\"\r\nz\",1234.567890123,fault,\" blank\",17,,120,128,32\n"
            "checkpoint_restart,1264.567890123,detect,,,,120,127,32\n");
}

TEST(CsvField, QuotesAsRfc4180) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
}

TEST(ResultFiles, AreTheSameInEveryLocale) {
  const Results r = sample_results();
  const std::string json_before = results_json(r), csv_before = replicas_csv(r);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string json_after = results_json(r), csv_after = replicas_csv(r);
  std::locale::global(before);
  EXPECT_EQ(json_after, json_before);
  EXPECT_EQ(csv_after, csv_before);
}

TEST(WriteResults, WritesThreeFilesOrNone) {
  const TemporaryDirectory t;
  Results r = sample_results();
  write_results(t.path() / "out", r);
  EXPECT_EQ(names_in(t.path() / "out"), (std::set<std::string>{"replicas.csv", "results.json", "timeline.csv"}));
  EXPECT_EQ(contents_of(t.path() / "out" / "results.json"), results_json(r));
  r.schemes[1].metrics[0].reals[3] = std::nan("");
  EXPECT_THROW(write_results(t.path() / "never", r), ResultsError);
  EXPECT_FALSE(std::filesystem::exists(t.path() / "never"));
}

}  // namespace
}  // namespace toposim::analysis
