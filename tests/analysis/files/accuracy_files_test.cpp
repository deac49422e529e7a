#include <gtest/gtest.h>

#include <locale>
#include <nlohmann/json.hpp>

#include "analysis/accuracy_check.hpp"
#include "analysis/accuracy_digest.hpp"
#include "analysis/files/accuracy_csv.hpp"
#include "analysis/files/accuracy_json.hpp"
#include "analysis/files/efficiency_json.hpp"
#include "analysis/files/write_accuracy.hpp"
#include "analysis/files/write_results.hpp"
#include "comma_locale.hpp"
#include "sample_accuracy.hpp"
#include "sample_results.hpp"
#include "temporary_directory.hpp"

namespace toposim::analysis {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

/// Two draws, two seeds, one scheme and one fault case with a comma in its name; every number to be seen in the files.
AccuracyResults small_accuracy() {
  AccuracyResults r;
  r.seeds = {5, 18446744073709551615u};
  r.draws = 2;
  r.setting = {{"workload", "tiny"}, {"workers", "4 in 2 domains of 2"}};
  r.numbers = {{"parameters", 10}, {"workers", 4}, {"domains", 2}, {"domain_size", 2}};
  r.metric_name = "accuracy";
  r.fault_cases = {{"lost, for good", "one worker", 0.25}};
  r.schemes = {{"drop", "mean over the survivors"}};
  r.scenes = {{1, {{"c_in", 0.5}, {"batch_over_noise_scale", 2}}, {}, {1, 0.25, 0.25, 1}},
              {2, {{"c_in", 0.25}}, {}, {}}};
  r.gradient = {{"lost, for good",
                 "drop",
                 2,
                 {{"dead", Unit::count, {1, 0}, {}, false}, real("global_error_ratio", Unit::ratio, {1, no_value})}}};
  r.training = {{no_faults, fault_free, 3, {real("final_loss", Unit::number, {0.5, 0.25})}},
                {"lost, for good", "drop", 3, {real("final_loss", Unit::number, {0.625, no_value})}}};
  r.efficiency = {{"lost, for good",
                   "drop",
                   0,
                   {real("steps_needed", Unit::number, {4, no_value}),
                    real("statistical_efficiency", Unit::ratio, {0.75, no_value})}}};
  r.curves = {{"lost, for good", "drop", 5, 3, {2.5, no_value, 0.75}, {{0, 2.25}, {3, 0.5}}},
              {no_faults, fault_free, 5, 3, {2.5}, {{2, no_value}}}};
  return r;
}

TEST(AccuracyCsv, OneLinePerDraw) {
  EXPECT_EQ(gradient_csv(small_accuracy()),
            "faults,scheme,step,draw,dead,global_error_ratio\n"
            "\"lost, for good\",drop,2,0,1,1\n"
            "\"lost, for good\",drop,2,1,0,\n");
}

TEST(AccuracyCsv, OneLinePerRun) {
  EXPECT_EQ(runs_csv(small_accuracy()),
            "faults,scheme,steps,seed,final_loss\n"
            "none,fault_free,3,5,0.5\n"
            "none,fault_free,3,18446744073709551615,0.25\n"
            "\"lost, for good\",drop,3,5,0.625\n"
            "\"lost, for good\",drop,3,18446744073709551615,\n");
}

// The losses with 0, 1, 2 steps done, then the held-out loss after all 3; a loss that is not a number is not there.
TEST(AccuracyCsv, BothLossesOfTheSameParameters) {
  EXPECT_EQ(losses_csv(small_accuracy()),
            "faults,scheme,steps,seed,step,training_loss,held_out_loss\n"
            "\"lost, for good\",drop,3,5,0,2.5,2.25\n"
            "\"lost, for good\",drop,3,5,1,,\n"
            "\"lost, for good\",drop,3,5,2,0.75,\n"
            "\"lost, for good\",drop,3,5,3,,0.5\n"
            "none,fault_free,3,5,0,2.5,\n"
            "none,fault_free,3,5,2,,\n");
}

TEST(AccuracyCsv, AnEmptyStudyHasHeadings) {
  EXPECT_EQ(gradient_csv({}), "faults,scheme,step,draw\n");
  EXPECT_EQ(runs_csv({}), "faults,scheme,steps,seed\n");
}

// One value of two is known: n = 1, so no spread. c_in: (0.5 + 0.25) / 2.
TEST(EfficiencyJson, IsWhatALifecycleStudyReads) {
  AccuracyResults r = small_accuracy();
  r.scenario_name = "s";
  r.seed = 7;
  EXPECT_EQ(efficiency_json(r),
            "{\n"
            "  \"schema_version\": 1,\n"
            "  \"kind\": \"statistical_efficiency\",\n"
            "  \"measured_on\": \"measured on a small model: tiny; workers: 4 in 2 domains of 2\",\n"
            "  \"scenario\": {\n"
            "    \"name\": \"s\",\n"
            "    \"file\": \"\",\n"
            "    \"hash\": \"\"\n"
            "  },\n"
            "  \"seed\": 7,\n"
            "  \"digest\": \"" +
                digest(r) +
                "\",\n"
                "  \"workload\": \"tiny\",\n"
                "  \"metric\": \"accuracy\",\n"
                "  \"parameters\": 10,\n"
                "  \"workers\": 4,\n"
                "  \"domain_size\": 2,\n"
                "  \"batch_over_noise_scale\": 2,\n"
                "  \"c_in\": 0.375,\n"
                "  \"c_out\": null,\n"
                "  \"seeds\": [5, 18446744073709551615],\n"
                "  \"cells\": [\n"
                "    {\n"
                "      \"faults\": \"lost, for good\",\n"
                "      \"scheme\": \"drop\",\n"
                "      \"dead_share\": 0.25,\n"
                "      \"statistical_efficiency\": {\"n\": 1, \"censored\": 1, \"mean\": 0.75, \"ci95_low\": null, "
                "\"ci95_high\": null, \"per_seed\": [0.75, null]},\n"
                "      \"steps_needed_per_seed\": [4, null]\n"
                "    }\n"
                "  ]\n"
                "}\n");
}

// domain_out, drop: 200 / 330, 200 / 345, 200 / 360 and two seeds that never got there.
TEST(EfficiencyJson, CountsWhatNeverGotThere) {
  const json j = json::parse(efficiency_json(sample_accuracy()));
  const json& cell = j["cells"][3];
  EXPECT_EQ(cell["faults"], "domain_out");
  EXPECT_EQ(cell["scheme"], "drop");
  EXPECT_EQ(cell["dead_share"], 0.09375);
  EXPECT_EQ(cell["statistical_efficiency"]["n"], 3);
  EXPECT_EQ(cell["statistical_efficiency"]["censored"], 2);
  const double mean = (200.0 / 330 + 200.0 / 345 + 200.0 / 360) / 3;
  EXPECT_NEAR(cell["statistical_efficiency"]["mean"], mean, 1e-15);
  EXPECT_LT(cell["statistical_efficiency"]["ci95_low"], mean);
  EXPECT_EQ(cell["statistical_efficiency"]["per_seed"].size(), 5u);
}

TEST(AccuracyJson, HoldsWhatWasMeasured) {
  const AccuracyResults r = sample_accuracy();
  const json j = json::parse(accuracy_results_json(r));
  EXPECT_EQ(j["schema_version"], 1);
  EXPECT_EQ(j["kind"], "accuracy");
  EXPECT_EQ(j["scenario"]["file"], "scenarios/digits_domains.yaml");
  EXPECT_EQ(j["digest"], digest(r));
  EXPECT_EQ(j["draws"], 4);
  EXPECT_EQ(j["seeds"], (std::vector<int>{11, 12, 13, 14, 15}));
  EXPECT_EQ(j["metric"]["higher_is_better"], true);
  EXPECT_EQ(j["fault_cases"][1]["dead_share"], 0.09375);
  EXPECT_EQ(j["scenes"][1]["values"]["c_in"], 0.38);
  EXPECT_EQ(j["scenes"][1]["groups"][0]["name"], "hidden");
  EXPECT_EQ(j["scenes"][1]["domain_cosines"].size(), 8u);
  EXPECT_EQ(j["scenes"][1]["domain_cosines"][7][7], 0.12);
  EXPECT_EQ(j["gradient"].size(), 16u);  // 2 fault cases x 4 schemes x 2 steps
  EXPECT_EQ(j["training"].size(), 18u);  // those and fault_free, 2 lengths
  EXPECT_EQ(j["training"][0]["scheme"], "fault_free");
  EXPECT_EQ(j["training"][0]["steps"], 200);
  // 0.300, 0.304, 0.296, 0.302, 0.298: mean 0.3, deviations 0, 4, -4, 2, -2 thousandths, so sd sqrt(40e-6 / 4).
  const json& loss = j["training"][9]["metrics"]["final_loss"];
  EXPECT_EQ(loss["n"], 5);
  EXPECT_NEAR(loss["mean"], 0.3, 1e-15);
  EXPECT_NEAR(loss["sd"], std::sqrt(1e-5), 1e-12);
  EXPECT_EQ(loss["p95"], 0.304);
  EXPECT_EQ(j["efficiency"][2]["metrics"]["steps_needed"]["p50"], 240);
  EXPECT_EQ(j["placement"]["samples"][0], 7500);
  EXPECT_EQ(j["placement"]["advice"].size(), 2u);
  EXPECT_TRUE(j["gates"].empty());
  EXPECT_EQ(j["cost"]["threads"], 2);
  EXPECT_NO_THROW(json::parse(accuracy_results_json({})));
}

// zero under domain_out diverged in the third of five runs; drop's lambda never exists.
TEST(AccuracyJson, SaysHowManyValuesThereAre) {
  const json j = json::parse(accuracy_results_json(sample_accuracy()));
  EXPECT_EQ(j["training"][17]["metrics"]["final_loss"]["n"], 4);
  EXPECT_EQ(j["training"][17]["metrics"]["full_recoveries"]["n"], 5);
  const json& lambda = j["gradient"][2]["metrics"]["lambda"];
  EXPECT_EQ(j["gradient"][2]["scheme"], "drop");
  EXPECT_EQ(lambda["n"], 0);
  EXPECT_TRUE(lambda["mean"].is_null());
  EXPECT_TRUE(lambda["p95"].is_null());
}

std::vector<std::string> all_files(const AccuracyResults& r) {
  return {accuracy_results_json(r), efficiency_json(r), gradient_csv(r), runs_csv(r), losses_csv(r)};
}

TEST(AccuracyFiles, AreTheSameInEveryLocale) {
  const AccuracyResults r = sample_accuracy();
  const std::vector<std::string> plain = all_files(r);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::vector<std::string> comma = all_files(r);
  std::locale::global(before);
  EXPECT_EQ(comma, plain);
}

TEST(WriteAccuracy, WritesAllOrNone) {
  const TemporaryDirectory t;
  AccuracyResults r = sample_accuracy();
  GateOutcome gate;
  gate.gate = "final_loss.shrink <= 1";
  gate.passed = true;
  r.gates = {gate};
  write_accuracy(t.path(), r);
  EXPECT_EQ(names_in(t.path()),
            (Names{"accuracy.json", "gradient.csv", "junit.xml", "losses.csv", "results.json", "runs.csv"}));
  EXPECT_EQ(contents_of(t.path() / "results.json"), accuracy_results_json(r));
  EXPECT_EQ(contents_of(t.path() / "accuracy.json"), efficiency_json(r));
  r.gradient[0].metrics[2].reals[0] = HUGE_VAL;
  EXPECT_THROW(write_accuracy(t.path() / "never", r), ResultsError);
  EXPECT_FALSE(std::filesystem::exists(t.path() / "never"));
}

// A directory holds one study: what another left there would pass for this one's.
TEST(WriteAccuracy, LeavesNothingOfAnEarlierStudy) {
  const TemporaryDirectory t;
  write_results(t.path(), sample_results());
  AccuracyResults r = sample_accuracy();
  write_accuracy(t.path(), r);
  EXPECT_EQ(names_in(t.path()), (Names{"accuracy.json", "gradient.csv", "losses.csv", "results.json", "runs.csv"}));
  r.efficiency.clear();
  write_accuracy(t.path(), r);
  EXPECT_EQ(names_in(t.path()), (Names{"gradient.csv", "losses.csv", "results.json", "runs.csv"}));
}

// accuracy.json says itself where it comes from, and is an input of lifecycle studies: they do not remove it.
TEST(WriteResults, LeavesAnEfficiencyTableWhereItIs) {
  const TemporaryDirectory t;
  write_accuracy(t.path(), sample_accuracy());
  write_results(t.path(), sample_results());
  EXPECT_EQ(names_in(t.path()), (Names{"accuracy.json", "replicas.csv", "results.json", "timeline.csv"}));
}

}  // namespace
}  // namespace toposim::analysis
