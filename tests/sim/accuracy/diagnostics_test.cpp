#include "sim/accuracy/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace toposim::accuracy::test {
namespace {

using Domains = std::vector<std::uint32_t>;

const Domains two_of_four{0, 0, 0, 0, 1, 1, 1, 1}, four_of_two{0, 0, 1, 1, 2, 2, 3, 3};

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// Of four domains: half of their six pairs have a cosine that is higher than the mean, half a lower one.
analysis::GradientScene scene(std::uint64_t step, double noise_scale_samples, double mean, double off = 0) {
  const double high = mean + off, low = mean - off;
  return {step,
          {{"noise_scale_samples", noise_scale_samples}},
          {},
          {1, high, low, high, high, 1, low, high, low, low, 1, low, high, high, low, 1}};
}

AccuracySpec mixed(double global_mix) {
  AccuracySpec spec;
  spec.training.batch = 8;
  spec.placement.global_mix = global_mix;
  return spec;
}

TEST(IidDomainCosine, IsThatOfTwoMeansOfTheSameData) {
  // 4 workers of 8 samples: noise 32 / 32 of the gradient's square, so 1 / (1 + 1).
  EXPECT_NEAR(iid_domain_cosine(32, 8, two_of_four), 0.5, 1e-12);
  // Domains of 1 and 3 workers of 16 samples, B_noise 48: lengths sqrt(1 + 3) and sqrt(1 + 1).
  EXPECT_NEAR(iid_domain_cosine(48, 16, Domains{0, 1, 1, 1}), 1 / (2 * std::sqrt(2.0)), 1e-12);
  // A third of 1: 1 / 4 between the small ones, twice 1 / (2 sqrt 2) else.
  EXPECT_NEAR(iid_domain_cosine(48, 16, Domains{0, 1, 1, 1, 2}), (0.25 + 1 / std::sqrt(2.0)) / 3, 1e-12);
  EXPECT_EQ(iid_domain_cosine(48, 16, Domains{0, 0}), 0);
}

TEST(DriftAdvice, ComparesWithWhatNoiseAloneLeaves) {
  // 2 workers of 8 samples and B_noise 16: 0.5 from noise. Found 0.2: below 80 % of it. One of 8 samples is global now
  // (15 % is 1.2 of them), and 20 % is 1.6, so 2: the domain's own part shrinks to (6 / 7)^2: 1 / (2 + (5 - 2) x 36 /
  // 49) = 0.238.
  const std::vector<analysis::GradientScene> scenes{scene(0, 16, 0.45), scene(1200, 16, 0.2), scene(2000, 16, 0.3)};
  const std::string text = drift_advice(scenes, four_of_two, 8, mixed(0.15));
  EXPECT_TRUE(says(text, "at step 1,200 two domains' mean gradients have a cosine of 0.20 on average")) << text;
  EXPECT_TRUE(says(text, "noise alone would leave 0.50 (far below it at 2 of 3 measured steps)")) << text;
  EXPECT_TRUE(says(text, "global_mix to 25 % (2 of a worker's 8 samples, now 1), which should leave 0.24,")) << text;
  EXPECT_TRUE(says(text, "clip_norm and normalise")) << text;
}

TEST(DriftAdvice, KeepsSilentWhereThereIsNothingToSay) {
  const auto of = [](double noise_scale_samples, double mean, double off, const AccuracySpec& spec) {
    return drift_advice(std::vector{scene(5, noise_scale_samples, mean, off)}, four_of_two, 8, spec);
  };
  EXPECT_EQ(of(16, 0.401, 0, mixed(0)), "") << "80 % of 0.5 is 0.4";
  EXPECT_NE(of(16, 0.399, 0, mixed(0)), "");
  // Six pairs: sd = off x sqrt(6 / 5), of the mean off / sqrt(5), and Student's t of 5 degrees is 6.869 at 99.9 %: 0.2
  // + 3.072 off, which is 0.476 at 0.09 and 0.507 at 0.1.
  EXPECT_NE(of(16, 0.2, 0.09, mixed(0)), "");
  EXPECT_EQ(of(16, 0.2, 0.1, mixed(0)), "") << "chance";
  EXPECT_EQ(of(0, 0.1, 0, mixed(0)), "") << "the noise scale is not known";
  AccuracySpec iid = mixed(0);
  iid.placement.sharing = emulator::Sharing::iid;
  EXPECT_EQ(of(16, 0.1, 0, iid), "");
  EXPECT_EQ(of(16, 0.1, 0, mixed(0.95)), "") << "7.6 of 8 samples are rounded to all";
  EXPECT_EQ(drift_advice({}, four_of_two, 8, mixed(0)), "");
  analysis::GradientScene pair = scene(5, 16, 0);
  pair.domain_cosines = {1, 0, 0, 1};
  EXPECT_EQ(drift_advice(std::vector{pair}, two_of_four, 8, mixed(0)), "") << "one pair";
  pair.domain_cosines = {1};
  EXPECT_EQ(drift_advice(std::vector{pair}, Domains{0, 0}, 8, mixed(0)), "") << "one domain";
}

TEST(DriftAdvice, AsksForWhatThereIsToGive) {
  const std::vector<analysis::GradientScene> scenes{scene(5, 16, -0.1)};
  // 3 of 8 are global already: the next is 4; a negative cosine is no start for the model.
  AccuracySpec spec = mixed(0.375);
  spec.training.normalise = true;
  std::string text = drift_advice(scenes, four_of_two, 8, spec);
  EXPECT_TRUE(says(text, "global_mix to 50 % (4 of a worker's 8 samples, now 3)")) << text;
  EXPECT_FALSE(says(text, "should leave")) << text;
  EXPECT_FALSE(says(text, "normalise")) << text;
  spec.recorded.path = "recording";
  text = drift_advice(scenes, four_of_two, 8, spec);
  EXPECT_TRUE(says(text, "a larger part of every batch from all data")) << text;
  EXPECT_FALSE(says(text, "global_mix")) << text;
}

DataPlacement placed(const Domains& worker_domain, const std::vector<std::uint64_t>& samples) {
  DataPlacement made;
  made.worker_domain = worker_domain;
  made.samples = samples;
  for (std::uint32_t d = 0; d < samples.size(); ++d) made.sample_domain.insert(made.sample_domain.end(), samples[d], d);
  return made;
}

TEST(DeckEpoch, IsOfTheSamplesThatAreTheDomains) {
  // 7 of 8 samples from the own deck, 4 workers: 28 a step of 4,200 and of 2,800.
  const DataPlacement placement = placed(two_of_four, {4200, 2800});
  DeckEpoch epoch = deck_epoch(placement, mixed(0.15));
  EXPECT_DOUBLE_EQ(epoch.shortest_steps, 100);
  EXPECT_DOUBLE_EQ(epoch.longest_steps, 150);
  EXPECT_EQ(deck_epoch(placement, mixed(1)).longest_steps, 0) << "nothing comes from the domains";
  AccuracySpec iid = mixed(0.15);
  iid.placement.sharing = emulator::Sharing::iid;
  epoch = deck_epoch(placement, iid);  // 7,000 by 64
  EXPECT_DOUBLE_EQ(epoch.shortest_steps, 109.375);
  EXPECT_DOUBLE_EQ(epoch.longest_steps, 109.375);
  EXPECT_EQ(deck_epoch(placed(two_of_four, {}), mixed(0)).longest_steps, 0) << "recorded: samples are not known";
}

/// 400 losses, half of which are looked at; period 0: none.
analysis::LossCurve curve(std::uint64_t seed, double period_steps, const char* scheme = analysis::fault_free) {
  analysis::LossCurve made{"none", scheme, seed, 400, std::vector<double>(400), {}};
  for (std::size_t i = 0; i < 400 && period_steps > 0; ++i)
    made.training[i] = 1 + 0.1 * std::sin(2 * std::numbers::pi * static_cast<double>(i) / period_steps);
  return made;
}

TEST(PeriodAdvice, NamesThePeriodAndTheEpoch) {
  // Ten periods of 20 in 200 steps: 200 / 10.5 = 19.0 to 200 / 9.5 = 21.1 steps cannot be told from it.
  const std::vector<analysis::LossCurve> curves{curve(1, 20), curve(2, 20), curve(3, 0)};
  const auto with_epoch = [&](double shortest, double longest) {
    return period_advice(curves, 400, {shortest, longest});
  };
  const std::string text = with_epoch(20, 20);
  EXPECT_TRUE(says(text, "a period of 20 steps (Fisher's test, p < 0.001, 2 of 3 seeds), as long as an epoch")) << text;
  EXPECT_TRUE(says(text, "decks (20 steps)")) << text;
  EXPECT_TRUE(says(with_epoch(20.5, 21.5), "an epoch of the domains' decks (20 to 22 steps)")) << "rounded to even";
  EXPECT_TRUE(says(with_epoch(10, 10), "as long as 2 epochs"));
  EXPECT_TRUE(says(with_epoch(13, 13), "not known to be a multiple of an epoch of the domains' decks (13 steps)"));
  EXPECT_TRUE(says(with_epoch(3.3, 3.3), "not known")) << "six of them, and a step more or less is one more or less";
  EXPECT_TRUE(says(with_epoch(10, 21), "not known")) << "decks of other lengths match anything";
  EXPECT_TRUE(with_epoch(0, 0).ends_with("seeds)"));
}

TEST(PeriodAdvice, TakesMostSeedsAndRepetition) {
  EXPECT_EQ(period_advice(std::vector{curve(1, 20), curve(2, 0)}, 400, {}), "") << "one of two is not most";
  EXPECT_EQ(period_advice(std::vector{curve(1, 20), curve(2, 10), curve(3, 40)}, 400, {}), "")
      << "10, 20 and 5 periods";
  EXPECT_NE(period_advice(std::vector{curve(1, 50)}, 400, {}), "") << "four periods";
  EXPECT_EQ(period_advice(std::vector{curve(1, 200.0 / 3)}, 400, {}), "") << "three are the course of the training";
  EXPECT_EQ(period_advice(std::vector{curve(1, 20, "drop")}, 400, {}), "") << "under faults";
  EXPECT_EQ(period_advice(std::vector{curve(1, 20)}, 200, {}), "") << "of another length";
}

TEST(CrowdAdvice, IsByWorker) {
  // 7,000 by 8 workers: 875 each; 4,200 by 4 is 1,050, 1.2 times that, and no more.
  EXPECT_EQ(crowd_advice(placed(two_of_four, {4200, 2800}), {}), "");
  const std::string text = crowd_advice(placed(two_of_four, {2600, 4400}), {});
  EXPECT_TRUE(says(text, "domain 1 has 1,100 samples per worker, 1.26 times the mean")) << text;
  EXPECT_TRUE(says(text, "(1 of 2 domains are above 1.2)")) << text;
  EXPECT_TRUE(says(text, "slack to 20 %, set samples_max to 4200, or raise temperature")) << text;
  // A domain of 2 among 8 with 1,400: 700 each against 500; a cap of its size would leave the other too little room.
  const std::string small = crowd_advice(placed({0, 0, 0, 0, 0, 0, 1, 1}, {2600, 1400}), {});
  EXPECT_TRUE(says(small, "domain 1 has 700 samples per worker, 1.40 times the mean")) << small;
  EXPECT_FALSE(says(small, "samples_max")) << small;
  AccuracySpec iid;
  iid.placement.sharing = emulator::Sharing::iid;
  EXPECT_EQ(crowd_advice(placed(two_of_four, {2600, 4400}), iid), "") << "no domain has samples of its own";
  EXPECT_EQ(crowd_advice(placed(two_of_four, {}), {}), "");
}

TEST(Advice, GoesToTheResults) {
  analysis::AccuracyResults results;
  results.placement.advice = {"what the partition says"};
  results.scenes = {scene(7, 16, 0.1)};
  results.curves = {curve(1, 20)};
  AccuracySpec spec = mixed(0);
  spec.training.steps = 400;
  add_advice(spec, placed(four_of_two, {1300, 1300, 1300, 3100}), 8, results);
  ASSERT_EQ(results.placement.advice.size(), 4U);
  EXPECT_TRUE(says(results.placement.advice[1], "hot spot"));
  EXPECT_TRUE(says(results.placement.advice[2], "gradient drift"));
  EXPECT_TRUE(says(results.placement.advice[3], "loss swings"));
}

}  // namespace
}  // namespace toposim::accuracy::test
