#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "faults/error.hpp"
#include "faults/fault_timeline.hpp"

namespace toposim::faults {
namespace {

constexpr std::int64_t hour_ns = 3'600'000'000'000, day_ns = 24 * hour_ns;

FaultClassSpec fault_class(std::string name, double mtbf_s, RepairSpec repair) {
  FaultClassSpec c;
  c.name = std::move(name);
  c.mtbf_s = mtbf_s;
  c.repair = repair;
  return c;
}

FaultSpec two_classes() {
  return {"",
          {fault_class("gpu", 20 * 86400, {RepairShape::lognormal, 5 * 3600, 0.5}),
           fault_class("software", 3 * 86400, {RepairShape::exponential, 1800, 0})}};
}

FaultTimeline of_class(const FaultTimeline& timeline, std::uint32_t fault_class, std::uint32_t components) {
  FaultTimeline kept;
  std::copy_if(timeline.begin(), timeline.end(), std::back_inserter(kept),
               [&](const FaultEvent& e) { return e.fault_class == fault_class && e.component < components; });
  return kept;
}

// Worked out apart from the code, with 50-digit decimals: Philox by its definition, key = first two words of
// philox(counter = (low and high word of FNV-1a("gpu") = ..., purpose 1, 0), key = seed 7); the gap of component 7 is
// -20 d ln(1 - u), u from word 3 of block (7/4, fault 0, run 3, 0) and word 0 of block (7, fault 0, run 3, 1); its
// repair 5 h exp(0.5 z - 0.125) from words 1 and 2; choice is word 3. Ten components, ten days: component 7 fails
// twice.
TEST(Draw, ValuesDerivedApart) {
  const FaultModel model({"", {fault_class("gpu", 20 * 86400, {RepairShape::lognormal, 5 * 3600, 0.5})}}, {10});
  const FaultTimeline expected = {{389593881056000, 15829363146000, 0, 7, 1282675626},
                                  {458582496463000, 9443062184000, 0, 7, 3087749838}};
  EXPECT_EQ(model.draw(7, 3, 10 * day_ns), expected);
}

TEST(Draw, SortedWithoutOverlapWithinTheHorizon) {
  const FaultModel model(two_classes(), {500, 40});
  const FaultTimeline timeline = model.draw(1, 0, 30 * day_ns);
  ASSERT_GT(timeline.size(), 500u);
  std::vector<std::int64_t> free_at_ns[2] = {std::vector<std::int64_t>(500, 0), std::vector<std::int64_t>(40, 0)};
  FaultEvent last;
  for (const FaultEvent& e : timeline) {
    EXPECT_LE(std::tie(last.start_ns, last.fault_class, last.component),
              std::tie(e.start_ns, e.fault_class, e.component));
    EXPECT_GE(e.start_ns, free_at_ns[e.fault_class][e.component]);
    EXPECT_GT(e.repair_ns, 0);
    EXPECT_LT(e.start_ns, 30 * day_ns);
    free_at_ns[e.fault_class][e.component] = e.start_ns + e.repair_ns;
    last = e;
  }
}

// Neither more components, nor another class, nor its position changes what happens to a component.
TEST(Draw, ComponentsAreIndependentOfOthers) {
  const FaultSpec spec = two_classes();
  const FaultTimeline both = FaultModel(spec, {1001, 7}).draw(5, 2, 40 * day_ns);
  const FaultTimeline fewer = FaultModel(spec, {390, 3}).draw(5, 2, 40 * day_ns);
  EXPECT_EQ(of_class(both, 0, 390), of_class(fewer, 0, 390));
  EXPECT_EQ(of_class(both, 1, 3), of_class(fewer, 1, 3));

  const FaultTimeline alone = FaultModel({"", {spec.classes[0]}}, {1001}).draw(5, 2, 40 * day_ns);
  EXPECT_EQ(of_class(both, 0, 1001), alone);
  FaultTimeline second = FaultModel({"", {spec.classes[1], spec.classes[0]}}, {7, 1001}).draw(5, 2, 40 * day_ns);
  for (FaultEvent& e : second) e.fault_class = 1 - e.fault_class;
  EXPECT_EQ(of_class(second, 0, 1001), alone);
}

// A longer horizon adds faults at the end and changes none before it.
TEST(Draw, ShorterHorizonIsAPrefix) {
  const FaultModel model(two_classes(), {1000, 10});
  FaultTimeline longer = model.draw(9, 0, 50 * day_ns);
  const FaultTimeline shorter = model.draw(9, 0, 20 * day_ns);
  ASSERT_LT(shorter.size(), longer.size());
  longer.resize(shorter.size());
  EXPECT_EQ(longer, shorter);
}

TEST(Draw, AnyOrderOfCallsAnyThreads) {
  const FaultModel model(two_classes(), {1000, 10});
  std::vector<FaultTimeline> in_order, in_threads(8);
  for (std::uint32_t run = 0; run < 8; ++run) in_order.push_back(model.draw(11, run, 20 * day_ns));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int run = 7 - t; run >= 0; run -= 4)
        in_threads[static_cast<std::size_t>(run)] = model.draw(11, static_cast<std::uint32_t>(run), 20 * day_ns);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(in_threads, in_order);
}

TEST(Draw, SeedsRunsAndNamesDiffer) {
  FaultSpec spec = two_classes();
  const FaultTimeline base = FaultModel(spec, {100, 10}).draw(1, 0, 20 * day_ns);
  EXPECT_NE(FaultModel(spec, {100, 10}).draw(2, 0, 20 * day_ns), base);
  EXPECT_NE(FaultModel(spec, {100, 10}).draw(std::uint64_t{1} << 32 | 1, 0, 20 * day_ns), base);
  EXPECT_NE(FaultModel(spec, {100, 10}).draw(1, 1, 20 * day_ns), base);
  spec.classes[0].name = "gpv";
  EXPECT_NE(of_class(FaultModel(spec, {100, 10}).draw(1, 0, 20 * day_ns), 0, 100), of_class(base, 0, 100));
}

// Components whose number is no multiple of the four that share a block: the last ones are drawn, nothing beyond.
TEST(Draw, EveryComponentCount) {
  const FaultSpec spec{"", {fault_class("often", 3600, {RepairShape::constant, 60, 0})}};
  for (std::uint32_t count = 0; count < 10; ++count) {
    std::vector<int> faults(count, 0);
    for (const FaultEvent& e : FaultModel(spec, {count}).draw(1, 0, day_ns)) ++faults.at(e.component);
    EXPECT_EQ(std::count(faults.begin(), faults.end(), 0), 0) << count;  // P(no fault in 24 gaps) = exp(-24) each
  }
}

TEST(Draw, NothingInNoTime) {
  EXPECT_TRUE(FaultModel(two_classes(), {1000, 10}).draw(1, 0, 0).empty());
  EXPECT_THROW(FaultModel(two_classes(), {1000, 10}).draw(1, 0, -1), FaultError);
  EXPECT_THROW(FaultModel(two_classes(), {1000, 10}).draw(1, 0, longest_time_ns + 1), FaultError);
}

// 100 components with a mean gap and a mean repair of 0.1 us over a day: 4e13 faults expected, known without a draw.
TEST(Draw, TooManyFaultsNameTheClass) {
  FaultSpec spec = two_classes();
  spec.classes[1] = fault_class("flapping", 1e-7, {RepairShape::exponential, 1e-7, 0});
  try {
    FaultModel(spec, {10, 100}).draw(1, 0, day_ns);
    FAIL() << "expected FaultError";
  } catch (const FaultError& e) {
    EXPECT_NE(std::string(e.what()).find("'flapping' takes the draw beyond 10000000 faults in 86400 s"),
              std::string::npos)
        << e.what();
  }
}

// Means of 30 million years and repairs of a century stay within 64 bits.
TEST(Draw, HugeTimesDoNotOverflow) {
  const FaultSpec spec{"",
                       {fault_class("rare", mtbf_s_max, {RepairShape::constant, 1, 0}),
                        fault_class("slow", 3600, {RepairShape::lognormal, repair_mean_s_max, 1})}};
  const FaultTimeline timeline = FaultModel(spec, {1000, 1000}).draw(1, 0, longest_time_ns);
  ASSERT_GE(timeline.size(), 1000u);
  for (const FaultEvent& e : timeline) {
    EXPECT_GE(e.start_ns, 0);
    EXPECT_GT(e.repair_ns, 0);
    EXPECT_GT(e.start_ns + e.repair_ns, e.start_ns);
  }
}

TEST(FaultModel, CountsAndRates) {
  const FaultModel model(two_classes(), {1000, 10});
  EXPECT_EQ(model.components(0), 1000u);
  EXPECT_EQ(model.total_components(), 1010u);
  EXPECT_DOUBLE_EQ(model.rate_per_s(0), 1000 / (20 * 86400.0));
  EXPECT_DOUBLE_EQ(model.rate_per_s(1), 10 / (3 * 86400.0));
  EXPECT_THROW(FaultModel(two_classes(), {1000}), FaultError);
}

}  // namespace
}  // namespace toposim::faults
