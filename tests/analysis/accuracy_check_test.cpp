#include "analysis/accuracy_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "analysis/accuracy_cells.hpp"
#include "analysis/accuracy_digest.hpp"
#include "sample_accuracy.hpp"

namespace toposim::analysis {
namespace {

std::string problem(const std::function<void(AccuracyResults&)>& change) {
  AccuracyResults r = sample_accuracy();
  change(r);
  try {
    check(r);
  } catch (const ResultsError& e) {
    return e.what();
  }
  return "";
}

TEST(AccuracyCheck, AcceptsWhatHoldsTogether) {
  EXPECT_EQ(problem([](AccuracyResults&) {}), "");
  EXPECT_NO_THROW(check(AccuracyResults{}));
}

// Cells of the sample: gradient[0] is shrink under transient_5 at step 20, training[0] fault_free of 200 steps,
// training[1] shrink and training[2] drop under transient_5.
TEST(AccuracyCheck, HoldsCellsToTheirTable) {
  EXPECT_EQ(problem([](AccuracyResults& r) { r.gradient[0].metrics[2].reals.pop_back(); }),
            "metric global_error_ratio of gradient of scheme shrink under transient_5 at step 20 has 3 values for 4 "
            "draws");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.training[1].metrics[5].integers.push_back(0); }),
            "metric full_recoveries of training of scheme shrink under transient_5 at step 200 has 6 values for 5 "
            "seeds");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.gradient[3].metrics.pop_back(); }),
            "gradient of scheme drop under transient_5 at step 400 has 11 metrics, gradient of scheme shrink under "
            "transient_5 at step 20 has 12");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.gradient[1].step = 20; }),
            "gradient of scheme shrink under transient_5 at step 20 is there twice");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.gradient[0].scheme = "shrimp"; }),
            "gradient of scheme shrimp under transient_5 at step 20: scheme shrimp is not declared");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.gradient[0].faults = "flood"; }),
            "gradient of scheme shrink under flood at step 20: fault case flood is not declared");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.training[0].faults = "transient_5"; }),
            "training of scheme fault_free under transient_5 at step 200: fault_free and none belong together");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.training[2].faults = no_faults; }),
            "training of scheme drop under none at step 200: fault_free and none belong together");
}

TEST(AccuracyCheck, ANanIsAValueThatDoesNotExistAndAnInfinityIsNone) {
  EXPECT_EQ(problem([](AccuracyResults& r) { r.gradient[0].metrics[2].reals[2] = no_value; }), "");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.gradient[0].metrics[2].reals[2] = HUGE_VAL; }),
            "metric global_error_ratio of gradient of scheme shrink under transient_5 at step 20 is inf in draw 2, not "
            "a finite number");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.scenes[0].values[0].second = no_value; }),
            "c_in in the gradients of step 20 is nan, not a finite number");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.placement.purity = no_value; }),
            "explained or purity of the placement is not a finite number");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.curves[0].training[1] = HUGE_VAL; }), "");  // diverged
}

TEST(AccuracyCheck, NamesAreDeclaredOnce) {
  EXPECT_EQ(problem([](AccuracyResults& r) { r.schemes[1].name = "shrink"; }), "two schemes are named shrink");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.schemes[1].name = fault_free; }),
            "a scheme is named fault_free, which means no faults");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.fault_cases[1].name = "transient_5"; }),
            "two fault cases are named transient_5");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.fault_cases[1].name = no_faults; }),
            "a fault case is named none, which means no faults");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.fault_cases[1].dead_share = 1.5; }),
            "dead_share of domain_out is 1.5, not in [0, 1]");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.seeds[1] = 11; }), "seed 11 is there twice");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.draws = -1; }), "the number of draws is negative");
}

// training[1] is shrink under transient_5; seed 0 of 200 steps: delta 0.002, drop 0.001, so 1.002 / 1.001 - 1 to drop.
TEST(AccuracyCheck, DifferencesFollowFromTheLosses) {
  EXPECT_EQ(problem([](AccuracyResults& r) { r.training[1].metrics[1].reals[0] += 1e-12; }), "");
  EXPECT_NE(problem([](AccuracyResults& r) {
              r.training[1].metrics[1].reals[0] += 1e-6;
            }).find("final_loss_delta of training of scheme shrink under transient_5 at step 200 is 0.00200"),
            std::string::npos);
  EXPECT_NE(problem([](AccuracyResults& r) {
              r.training[1].metrics[2].reals[0] += 1;
            }).find("final_loss_to_drop of training of scheme shrink under transient_5 at step 200 is 1.00099"),
            std::string::npos);
  EXPECT_NE(
      problem([](AccuracyResults& r) { r.training[1].metrics[2].reals[3] = no_value; }).find("is nan for seed 14"),
      std::string::npos);
}

TEST(AccuracyCheck, MatricesGroupsAndCurves) {
  EXPECT_EQ(problem([](AccuracyResults& r) { r.scenes[1].domain_cosines.pop_back(); }),
            "domain_cosines of the gradients of step 400 has 63 values, which is no square");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.placement.cosines = std::vector<double>(49, 0); }),
            "cosines of the placement is 7 x 7 for 8 domains");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.placement.samples.pop_back(); }),
            "the placement has samples of 7 domains for 8 domains");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.scenes[1].groups[1].first = "head"; }),
            "the gradients of step 400 have other layer groups than those of step 20");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.scenes[1].step = 20; }), "the gradients of step 20 are there twice");
  const std::string curve = "the loss curve of shrink under transient_5, 200 steps, seed 11";
  EXPECT_EQ(problem([](AccuracyResults& r) { r.curves[1].seed = 11; }), curve + " is there twice");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.curves[0].training.resize(201); }), curve + " has 201 losses");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.curves[0].held_out[1].first = 0; }),
            curve + ": held-out losses out of order or after its end");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.curves[0].held_out[2].first = 201; }),
            curve + ": held-out losses out of order or after its end");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.seeds[0] = 99; }), curve + ": no run has that seed");
  EXPECT_EQ(problem([](AccuracyResults& r) { r.efficiency[1].step = 3; }),
            "efficiency of scheme drop under transient_5 at step 3: it is of no step");
  EXPECT_EQ(problem([](AccuracyResults& r) {
              for (AccuracyCell& cell : r.efficiency) cell.metrics.erase(cell.metrics.begin());
            }),
            "efficiency of scheme shrink under transient_5 at step 0 has no real column steps_needed");
}

TEST(AccuracyCells, DropComesFirstAndFaultFreeNever) {
  const AccuracyResults r = sample_accuracy();
  EXPECT_EQ(schemes_of(r, r.training, "transient_5", 400),
            (std::vector<std::string>{"drop", "shrink", "literal", "zero"}));
  EXPECT_EQ(schemes_of(r, r.efficiency, "domain_out", 0), (std::vector<std::string>{"drop", "shrink"}));
  EXPECT_TRUE(schemes_of(r, r.training, "transient_5", 300).empty());
  EXPECT_EQ(steps_of(r.training), (std::vector<std::uint64_t>{200, 400}));
}

std::string digest_after(const std::function<void(AccuracyResults&)>& change) {
  AccuracyResults r = sample_accuracy();
  change(r);
  return digest(r);
}

TEST(AccuracyDigest, ChangesWithEveryResult) {
  const std::string before = digest(sample_accuracy());
  EXPECT_EQ(before.size(), std::string("fnv1a64:").size() + 16);
  const std::function<void(AccuracyResults&)> changes[] = {
      [](AccuracyResults& r) { r.scenes[1].values[0].second += 1e-15; },
      [](AccuracyResults& r) { r.scenes[1].groups[1].second[1].second += 1e-15; },
      [](AccuracyResults& r) { r.scenes[0].domain_cosines[63] += 1e-15; },
      [](AccuracyResults& r) { r.gradient.back().metrics.back().reals[3] += 1e-12; },
      [](AccuracyResults& r) { r.gradient[0].metrics[0].integers[3] += 1; },
      [](AccuracyResults& r) { r.training.back().metrics[3].reals[4] += 1e-15; },
      [](AccuracyResults& r) { r.efficiency[0].metrics[0].reals[0] = no_value; },
      [](AccuracyResults& r) { r.curves[4].training[1] += 1e-15; },
      [](AccuracyResults& r) { r.curves[4].held_out[2].second += 1e-15; },
      [](AccuracyResults& r) { r.placement.samples[7] += 1; },
      [](AccuracyResults& r) { r.placement.explained += 1e-15; },
      [](AccuracyResults& r) { r.placement.purity += 1e-15; },
      [](AccuracyResults& r) { r.placement.cosines = std::vector<double>(64, 0.5); },
      [](AccuracyResults& r) { std::swap(r.gradient[0], r.gradient[1]); }};
  for (std::size_t c = 0; c < std::size(changes); ++c) EXPECT_NE(digest_after(changes[c]), before) << c;
}

TEST(AccuracyDigest, DoesNotChangeWithWhatIsNoResult) {
  EXPECT_EQ(digest_after([](AccuracyResults& r) {
              r.seed = 99;
              r.scenario_name = r.scenario_file = r.scenario_hash = "x";
              r.setting.clear();
              r.versions.clear();
              r.cost.clear();
              r.warnings = {"w"};
              r.fault_cases[0].text = r.schemes[0].text = "x";
              r.placement.advice.clear();
              r.output_directory = "/tmp";
            }),
            digest(sample_accuracy()));
}

}  // namespace
}  // namespace toposim::analysis
