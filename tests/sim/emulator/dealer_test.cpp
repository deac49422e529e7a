#include "sim/emulator/dealer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace toposim::emulator::test {
namespace {

/// 40 samples: even ones in domain 0, odd ones in domain 1. Workers 0 and 1 in domain 0, 2 and 3 in domain 1.
struct Table {
  std::vector<std::uint32_t> sample_domain, worker_domain{0, 0, 1, 1};
  DealSpec spec{7, 5, Sharing::shared, 0};
  Table() {
    for (std::uint32_t s = 0; s < 40; ++s) sample_domain.push_back(s % 2);
  }
  std::vector<std::vector<std::uint32_t>> deal(int steps) const {
    Dealer dealer(spec, sample_domain, worker_domain);
    std::vector<std::vector<std::uint32_t>> dealt;
    for (int i = 0; i < steps; ++i) {
      dealt.emplace_back(4 * spec.batch);
      dealer.deal(dealt.back());
    }
    return dealt;
  }
};

TEST(Dealer, AnEpochDealsEverySampleOnce) {
  // A domain's two workers take 2 x 5 of its 20 samples a step: two steps are an epoch.
  const auto dealt = Table().deal(2);
  std::map<std::uint32_t, int> times;
  for (const auto& step : dealt)
    for (std::size_t i = 0; i < step.size(); ++i) {
      ++times[step[i]];
      EXPECT_EQ(step[i] % 2, i < 10 ? 0U : 1U) << "workers 0 and 1 hold domain 0";
    }
  EXPECT_EQ(times.size(), 40U);
  for (const auto& [sample, count] : times) EXPECT_EQ(count, 1) << sample;
}

TEST(Dealer, EpochsAreShuffledAnew) {
  const auto dealt = Table().deal(4);
  EXPECT_NE(dealt[0], dealt[2]);
  EXPECT_EQ(Table().deal(4), dealt) << "and the same seed deals the same";
  Table other;
  other.spec.seed = 8;
  EXPECT_NE(other.deal(4), dealt);
}

TEST(Dealer, TheMixComesFromAllSamples) {
  // 15 % of 20 are 3 samples: those have both parities over time, the other 17 only the domain's.
  Table table;
  table.spec.batch = 20;
  table.spec.global_mix = 0.15;
  bool foreign = false;
  for (const auto& step : table.deal(5))
    for (std::size_t i = 0; i < 20; ++i) {
      if (i < 3)
        foreign = foreign || step[i] % 2 == 1;
      else
        EXPECT_EQ(step[i] % 2, 0U);
    }
  EXPECT_TRUE(foreign);
}

TEST(Dealer, FixedWorkersKeepTheirOwnSamples) {
  Table table;
  table.spec.sharing = Sharing::fixed;
  std::vector<std::set<std::uint32_t>> held(4);
  for (const auto& step : table.deal(4))
    for (std::size_t i = 0; i < 20; ++i) held[i / 5].insert(step[i]);
  std::set<std::uint32_t> all;
  for (const auto& mine : held) {
    EXPECT_EQ(mine.size(), 10U);  // 20 of a domain among two
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), 40U) << "nothing is held twice";
}

TEST(Dealer, SubclusteredWorkersHoldWhatTheyAreGiven) {
  Table table;
  table.spec.sharing = Sharing::subclustered;
  // Domain 0 holds 0, 2, .. 38: worker 0 those below 10, worker 1 the others; domain 1 halved.
  std::vector<std::uint32_t> sample_worker;
  for (std::uint32_t s = 0; s < 40; ++s) sample_worker.push_back(s % 2 == 0 ? (s < 10 ? 0 : 1) : (s < 20 ? 2 : 3));
  Dealer dealer(table.spec, table.sample_domain, table.worker_domain, sample_worker);
  std::vector<std::uint32_t> dealt(20);
  for (int step = 0; step < 6; ++step) {
    dealer.deal(dealt);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(sample_worker[dealt[i]], i / 5);
  }
  sample_worker[0] = 2;  // of the other domain
  EXPECT_THROW(Dealer(table.spec, table.sample_domain, table.worker_domain, sample_worker), std::invalid_argument);
  sample_worker.pop_back();
  EXPECT_THROW(Dealer(table.spec, table.sample_domain, table.worker_domain, sample_worker), std::invalid_argument);
}

/// Samples that the workers from `first` on get in two epochs of everything.
std::set<std::uint32_t> held(Dealer& dealer, std::size_t first, std::size_t end) {
  std::set<std::uint32_t> samples;
  std::vector<std::uint32_t> dealt(20);
  for (int step = 0; step < 16; ++step) {
    dealer.deal(dealt);
    samples.insert(dealt.begin() + static_cast<std::ptrdiff_t>(5 * first),
                   dealt.begin() + static_cast<std::ptrdiff_t>(5 * end));
  }
  return samples;
}

TEST(Dealer, TheDeadsSamplesGoToSurvivorsOfTheDomain) {
  Table table;
  table.spec.sharing = Sharing::fixed;
  const std::vector<std::uint32_t> dead = {0};
  for (const Redeal redeal : {Redeal::none, Redeal::domain, Redeal::job}) {
    Dealer dealer(table.spec, table.sample_domain, table.worker_domain);
    dealer.bury(dead, redeal);
    std::set<std::uint32_t> mate = held(dealer, 1, 2), all = held(dealer, 1, 4);
    // Worker 1 had 10 of the domain's 20. Dealt to the domain, it has all; to the job, a third of the dead's 10 more.
    EXPECT_EQ(mate.size(), redeal == Redeal::none ? 10U : redeal == Redeal::domain ? 20U : 14U);
    EXPECT_EQ(all.size(), redeal == Redeal::none ? 30U : 40U);
    std::vector<std::uint32_t> dealt(20);
    dealer.deal(dealt);
    EXPECT_EQ(dealt[0] % 2, 0U) << "the dead worker's own draws go on, for comparison";
  }
}

TEST(Dealer, ADomainThatDiesWholeLeavesItsSamplesToTheJob) {
  Table table;
  const std::vector<std::uint32_t> dead = {0, 1};
  Dealer dealer(table.spec, table.sample_domain, table.worker_domain);
  dealer.bury(dead, Redeal::domain);
  EXPECT_EQ(held(dealer, 2, 4).size(), 40U);
  Dealer lost(table.spec, table.sample_domain, table.worker_domain);
  lost.bury(dead, Redeal::none);
  EXPECT_EQ(held(lost, 2, 4).size(), 20U);
  const std::vector<std::uint32_t> everyone = {0, 1, 2, 3};
  EXPECT_THROW(lost.bury(everyone, Redeal::none), std::invalid_argument);
}

TEST(Dealer, TheDeadTakeNothingFromTheOthers) {
  // A deck of 20 shared by two: with one of them buried, the other goes through all of it in 4 steps of 5.
  Table table;
  Dealer dealer(table.spec, table.sample_domain, table.worker_domain);
  const std::vector<std::uint32_t> dead = {0};
  dealer.bury(dead, Redeal::none);
  std::map<std::uint32_t, int> times;
  std::vector<std::uint32_t> dealt(20);
  for (int step = 0; step < 4; ++step) {
    dealer.deal(dealt);
    for (std::size_t i = 5; i < 10; ++i) ++times[dealt[i]];
  }
  EXPECT_EQ(times.size(), 20U);
}

TEST(Dealer, IidDealsFromOneDeck) {
  Table table;
  table.spec.sharing = Sharing::iid;
  std::set<std::uint32_t> all;
  for (const auto& step : table.deal(2)) all.insert(step.begin(), step.end());
  EXPECT_EQ(all.size(), 40U);
  const auto first = table.deal(1)[0];
  EXPECT_TRUE(std::any_of(first.begin(), first.begin() + 10, [](std::uint32_t s) { return s % 2 == 1; }));
}

TEST(Dealer, WhatCannotBeDealtIsRefused) {
  Table table;
  table.spec.batch = 0;
  EXPECT_THROW(table.deal(1), std::invalid_argument);
  table = {};
  table.spec.global_mix = 1.5;
  EXPECT_THROW(table.deal(1), std::invalid_argument);
  table = {};
  table.sample_domain.assign(40, 0);
  EXPECT_THROW(table.deal(1), std::invalid_argument) << "domain 1 has workers and no samples";
  table = {};
  Dealer dealer(table.spec, table.sample_domain, table.worker_domain);
  std::vector<std::uint32_t> too_few(19);
  EXPECT_THROW(dealer.deal(too_few), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::emulator::test
