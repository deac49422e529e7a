#include "sim/workloads/workload.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "readers.hpp"
#include "sim/workloads/tiled_pass.hpp"
#include "workload_fixtures.hpp"

namespace toposim::workloads {
namespace {

class EachWorkload : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { TOPOSIM_NEED_DATA(); }
  const Workload& w() const { return testing::workload(GetParam()); }
};

TEST_P(EachWorkload, GroupsCoverTheParametersInOrder) {
  std::size_t at = 0;
  std::set<std::string> names;
  for (const LayerGroup& group : w().groups()) {
    EXPECT_EQ(group.begin, at) << group.name;
    EXPECT_GT(group.end, group.begin) << group.name;
    EXPECT_TRUE(names.insert(group.name).second) << group.name;
    at = group.end;
  }
  EXPECT_EQ(at, w().parameter_count());
}

TEST_P(EachWorkload, SamplesHaveLabelsAndBytes) {
  for (std::size_t i = 0; i < w().sample_count(); i += 997) {
    EXPECT_LT(w().sample_label(i), w().label_names().size());
    EXPECT_EQ(w().sample_bytes(i).size(), w().sample_byte_count());
  }
}

TEST_P(EachWorkload, InitialParametersDependOnTheSeedAlone) {
  const auto a = w().initial_parameters(1);
  EXPECT_EQ(a.size(), w().parameter_count());
  EXPECT_EQ(a, w().initial_parameters(1));
  EXPECT_NE(a, w().initial_parameters(2));
  EXPECT_NE(a, w().initial_parameters(1ull << 32 | 1));
}

// Before training, classes and bytes are nearly equally likely: ln 10 = 2.30 and ln 128 = 4.85 nats, more by about half
// the variance of the logits (2 for the perceptron of 64 random units, below 1 for the others). Noise of variance 1
// less its guess has mean square below 1, the network's own output adds below 1.
TEST_P(EachWorkload, UntrainedLossIsThatOfGuessing) {
  const Evaluation e = w().evaluate(w().initial_parameters(1), 500);
  const double low = GetParam() == "fashion-mlp" ? 2.30 : GetParam() == "fashion-diffusion" ? 0.05 : 4.7;
  EXPECT_GT(e.loss, low);
  EXPECT_LT(e.loss, GetParam() == "fashion-diffusion" ? 2 : low + 2);
  EXPECT_EQ(e.samples, 500u);
  EXPECT_EQ(e.per_class.size(), e.class_names.size());
}

// A mean of the classes' metrics, weighted by their samples.
TEST_P(EachWorkload, TheMetricLiesBetweenItsClasses) {
  const Evaluation e = w().evaluate(w().initial_parameters(1), 900);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double x : e.per_class)
    if (!std::isnan(x)) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  EXPECT_LE(low, e.metric);
  EXPECT_GE(high, e.metric);
}

// Of a single sample the metric is that of its class, and the other classes have none.
TEST_P(EachWorkload, OneSampleIsItsClass) {
  const Evaluation e = w().evaluate(w().initial_parameters(1), 1);
  std::vector<double> there;
  for (const double x : e.per_class)
    if (!std::isnan(x)) there.push_back(x);
  EXPECT_EQ(there, std::vector<double>{e.metric});
}

// A nat is 1 / ln 2 bits; the error of the noise is the loss itself.
TEST_P(EachWorkload, TheMetricFollowsFromTheLoss) {
  const Evaluation e = w().evaluate(w().initial_parameters(1), 100);
  if (w().sample_kind() == SampleKind::text)
    EXPECT_NEAR(e.metric, e.loss / std::log(2.0), 1e-12);
  else if (GetParam() == "fashion-diffusion")
    EXPECT_EQ(e.metric, e.loss);
  else
    EXPECT_NEAR(e.metric * 100, std::round(e.metric * 100), 1e-12);
  EXPECT_EQ(e.higher_is_better, GetParam() == "fashion-mlp");
}

// Diffusion draws noise anew for each seed and step; nothing else draws.
TEST_P(EachWorkload, TheKeyCountsWhereThereAreDraws) {
  const auto parameters = w().initial_parameters(2);
  const auto gradient = [&](StepKey key) {
    std::vector<float> g(parameters.size());
    std::vector<double> loss(1);
    w().make_pass(1, 1)->run(parameters, std::vector<std::uint32_t>{5}, key, g, g.size(), loss);
    return g;
  };
  const bool draws = GetParam() == "fashion-diffusion";
  EXPECT_EQ(gradient({1, 2}), gradient({1, 2}));
  EXPECT_EQ(gradient({1, 2}) != gradient({1, 3}), draws);
  EXPECT_EQ(gradient({1, 2}) != gradient({2, 2}), draws);
}

TEST_P(EachWorkload, NothingToEvaluateIsNotANumber) {
  const Evaluation e = w().evaluate(w().initial_parameters(1), 0);
  EXPECT_EQ(e.samples, 0u);
  EXPECT_TRUE(std::isnan(e.metric));
}

// A batch's gradient is the mean of its samples' gradients, up to rounding. With experts the loss of a batch has a term
// that is not a mean over samples, so there the batch repeats one sample.
TEST_P(EachWorkload, ABatchIsTheMeanOfItsSamples) {
  const auto parameters = w().initial_parameters(2);
  const std::size_t n = parameters.size();
  const std::uint32_t other = w().expert_count() > 0 ? 5 : 9;
  std::vector<float> one(2 * n), both(n);
  std::vector<double> losses(2), loss(1);
  w().make_pass(2, 1)->run(parameters, std::vector<std::uint32_t>{5, other}, {1, 2}, one, n, losses);
  w().make_pass(1, 2)->run(parameters, std::vector<std::uint32_t>{5, other}, {1, 2}, both, n, loss);
  EXPECT_NEAR(loss[0], (losses[0] + losses[1]) / 2, 1e-6);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double mean = (static_cast<double>(one[i]) + static_cast<double>(one[n + i])) / 2;
    error += (both[i] - mean) * (both[i] - mean);
    norm += mean * mean;
  }
  EXPECT_LT(std::sqrt(error / norm), 1e-5);
}

// Between rows, and after the last, nothing is written.
TEST_P(EachWorkload, AStrideLeavesGaps) {
  const auto parameters = w().initial_parameters(2);
  const std::size_t n = parameters.size(), stride = n + 3;
  std::vector<float> gradients(2 * stride, 77);
  std::vector<double> losses(2);
  w().make_pass(5, 1)->run(parameters, std::vector<std::uint32_t>{5, 9}, {1, 2}, gradients, stride, losses);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(gradients[n + k], 77);
    EXPECT_EQ(gradients[stride + n + k], 77);
  }
  EXPECT_EQ(std::count(gradients.begin(), gradients.end(), 77.0f), 6);
}

// Parameters that are not numbers give losses that are not: reported, not refused. The next run is clean.
TEST_P(EachWorkload, ReportsLossesThatAreNotFinite) {
  const auto good = w().initial_parameters(2);
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), 1e30f}) {
    std::vector<float> bad(good.size(), value);
    const auto pass = w().make_pass(3, 1);
    std::vector<float> gradients(3 * good.size()), again(3 * good.size());
    std::vector<double> losses(3), after(3);
    const std::vector<std::uint32_t> samples = {5, 9, 11};
    pass->run(bad, samples, {1, 2}, gradients, good.size(), losses);
    EXPECT_FALSE(std::isfinite(losses[0])) << losses[0];
    EXPECT_FALSE(std::isfinite(w().evaluate(bad, 10).loss));
    pass->run(good, samples, {1, 2}, gradients, good.size(), losses);
    w().make_pass(3, 1)->run(good, samples, {1, 2}, again, good.size(), after);
    EXPECT_EQ(losses, after);
    EXPECT_EQ(gradients, again);
  }
}

TEST_P(EachWorkload, ExpertsTakeEveryToken) {
  const auto pass = w().make_pass(9, 2);
  const std::size_t n = w().parameter_count(), workers = 7;
  std::vector<float> gradients(workers * n);
  std::vector<double> losses(workers);
  std::vector<std::uint32_t> samples(2 * workers);
  std::iota(samples.begin(), samples.end(), 100);
  pass->run(w().initial_parameters(2), samples, {1, 2}, gradients, n, losses);
  const auto tokens = pass->expert_tokens();
  ASSERT_EQ(tokens.size(), workers * w().expert_count());
  for (std::size_t k = 0; k < tokens.size(); k += 8)
    EXPECT_EQ(std::accumulate(tokens.begin() + k, tokens.begin() + k + 8, 0u), 2 * 64u);
}

TEST_P(EachWorkload, RefusesCallsThatDoNotFit) {
  const std::size_t n = w().parameter_count();
  const auto p = w().initial_parameters(1);
  const auto pass = w().make_pass(2, 2);
  std::vector<float> g(2 * n);
  std::vector<double> l(2);
  using Samples = std::vector<std::uint32_t>;
  const auto last = static_cast<std::uint32_t>(w().sample_count());
  EXPECT_SAYS(pass->run(p, Samples{1, 2, 3}, {}, g, n, l), "3 samples do not make whole batches of 2");
  EXPECT_SAYS(pass->run(p, Samples(6), {}, g, n, l), "3 workers, but the pass was made for at most 2");
  EXPECT_SAYS(pass->run(p, Samples(4), {}, g, n - 1, l), "stride");
  EXPECT_SAYS(pass->run(p, Samples(4), {}, std::span(g).first(2 * n - 1), n, l), "room for");
  EXPECT_SAYS(pass->run(p, Samples(4), {}, g, n, std::span(l).first(1)), "room for 1 losses of 2 workers");
  EXPECT_SAYS(pass->run(p, Samples{1, 2, 3, last}, {}, g, n, l), "counted from 0");
  EXPECT_SAYS(pass->run(std::span(p).first(n - 1), Samples(4), {}, g, n, l), "the model has");
  EXPECT_SAYS(w().evaluate(std::span(p).first(3)), "3 parameters given, the model has");
  EXPECT_SAYS(w().make_pass(0, 1), "max_workers is 0");
  EXPECT_SAYS(w().make_pass(1, 0), "batch is 0");
  EXPECT_EQ(testing::message_of([&] { pass->run(p, Samples{}, {}, {}, n, {}); }), "no error");
}

INSTANTIATE_TEST_SUITE_P(Workloads, EachWorkload, ::testing::ValuesIn(workload_names()),
                         [](const auto& p) { return testing::identifier(p.param); });

TEST(Spread, TakesEvenlySpacedOnes) {
  EXPECT_EQ(spread(10, 4), (std::vector<std::size_t>{0, 2, 5, 7}));
  EXPECT_EQ(spread(3, 9), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(spread(3, 0).empty());
}

TEST(MakeWorkload, UnknownNamesAndMissingData) {
  EXPECT_SAYS(make_workload("fashion"),
              "unknown workload 'fashion'; there are fashion-mlp, fashion-diffusion, "
              "wordnet-gpt, wordnet-moe");
  for (const std::string& name : workload_names())
    EXPECT_SAYS(make_workload(name, {"/nowhere", "/nowhere"}), "install");
}

}  // namespace
}  // namespace toposim::workloads
