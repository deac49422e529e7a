#include "sim/trainer/heartbeat_monitor.hpp"

#include <gtest/gtest.h>

namespace toposim::trainer::test {
namespace {

/// Domain 0: workers 0 to 3; domain 1: workers 4 and 5.
HeartbeatMonitor monitor() {
  return {{0, 0, 0, 0, 1, 1}, {3}};
}

TEST(HeartbeatMonitor, SilenceIsSuspectedAfterTheTimeout) {
  HeartbeatMonitor m = monitor();
  m.beat(1, 10);
  EXPECT_EQ(m.suspected_from_s(1), 13);
  EXPECT_TRUE(m.fresh(1, 12.999));
  EXPECT_FALSE(m.fresh(1, 13));
  m.beat(1, 9);  // an old beat that arrives late changes nothing
  EXPECT_EQ(m.suspected_from_s(1), 13);
}

TEST(HeartbeatMonitor, MoreThanHalfHaveToBeThere) {
  HeartbeatMonitor m = monitor();
  for (const std::uint32_t w : {0U, 1U, 2U}) m.beat(w, 100);
  EXPECT_EQ(m.ask(0, 101), Verdict::alive);
  EXPECT_EQ(m.ask(3, 101), Verdict::dead);  // 3 of 4
  // At 104 nobody of domain 0 is fresh but 0 and 1, which beat again: 2 of 4 is no majority, nor 2 of 6.
  m.beat(0, 104);
  m.beat(1, 104);
  EXPECT_EQ(m.ask(3, 104), Verdict::no_quorum);
  m.beat(4, 104);
  EXPECT_EQ(m.ask(5, 104), Verdict::no_quorum);  // 1 of 2 in the domain, 3 of 6 in all
  m.beat(2, 104);
  EXPECT_EQ(m.ask(5, 104), Verdict::dead);  // 4 of 6 in all
}

TEST(HeartbeatMonitor, BadSettingsAreRefused) {
  EXPECT_THROW(HeartbeatMonitor({}, {3}), std::invalid_argument);
  EXPECT_THROW(HeartbeatMonitor({0}, {0}), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::trainer::test
