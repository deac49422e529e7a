#include "topology/semantic/domain_bounds.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "topology/error.hpp"

namespace toposim::topology {
namespace {

using Counts = std::vector<std::uint64_t>;
const std::vector<double> four(4, 1.0);

TEST(DomainBounds, Formula) {
  // 103 / 4 = 25.75: ceil(28.325) = 29, floor(23.175) = 23.
  const DomainBounds b = domain_bounds(103, four, 0.1, 0);
  EXPECT_EQ(b.most, Counts(4, 29));
  EXPECT_EQ(b.least, Counts(4, 23));
  // 100 x 1.1 is 110.00000000000001 in binary; that is no reason for 111.
  EXPECT_EQ(domain_bounds(400, four, 0.1, 0).most, Counts(4, 110));
  // Without slack: 10 / 4 = 2.5 gives 2 to 3.
  EXPECT_EQ(domain_bounds(10, four, 0, 0).most, Counts(4, 3));
  EXPECT_EQ(domain_bounds(10, four, 0, 0).least, Counts(4, 2));
  // As many samples as domains: 0.9 rounds down to 0, but no domain idles.
  EXPECT_EQ(domain_bounds(4, four, 0.1, 0).least, Counts(4, 1));
}

// Shares 13 : 12 of 1000: 520 and 480; by 10 %: 468 to 572, 432 to 528.
TEST(DomainBounds, Shares) {
  const DomainBounds b = domain_bounds(1000, std::vector<double>{13, 12}, 0.1, 0);
  EXPECT_EQ(b.most, (Counts{572, 528}));
  EXPECT_EQ(b.least, (Counts{468, 432}));
  // Fair counts 0.5, 0.5, 0.5, 2.5 of 4: at least 1, 1, 1, 2 would be 5. So 1 each.
  EXPECT_EQ(domain_bounds(4, std::vector<double>{1, 1, 1, 5}, 0, 0).least, Counts(4, 1));
}

TEST(DomainBounds, CapOnSamples) {
  EXPECT_EQ(domain_bounds(100, four, 0.1, 26).most, Counts(4, 26));
  EXPECT_EQ(domain_bounds(100, four, 0.1, 1000).most, Counts(4, 28));
  EXPECT_THROW(domain_bounds(100, four, 0.1, 24), TopologyError);  // 96 places
}

TEST(DomainBounds, Errors) {
  EXPECT_THROW(domain_bounds(3, four, 0.1, 0), TopologyError);
  EXPECT_THROW(domain_bounds(3, {}, 0.1, 0), TopologyError);
  EXPECT_THROW(domain_bounds(9, four, -0.1, 0), TopologyError);
  EXPECT_THROW(domain_bounds(9, four, std::numeric_limits<double>::quiet_NaN(), 0), TopologyError);
  EXPECT_THROW(domain_bounds(9, std::vector<double>{1, 0}, 0.1, 0), TopologyError);
}

}  // namespace
}  // namespace toposim::topology
