#include "topology/semantic/partition_report.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "topology/error.hpp"

namespace toposim::topology {
namespace {

// Three domains of two dimensions with centroids (1, 0), (1, 1), (0, 0) and 3, 1, 4 samples.
Partition by_hand() {
  Partition p;
  p.samples = 8;
  p.dims = 2;
  p.domain = {0, 0, 0, 1, 2, 2, 2, 2};
  p.centroids = {1, 0, 1, 1, 0, 0};
  p.counts = {3, 1, 4};
  p.inertias = {3, 1, 12};
  p.inertia = 16;
  p.statistics.total_inertia = 64;
  return p;
}

TEST(PartitionReport, ByHand) {
  // Majorities: 2 of 3, 1 of 1, 2 of 4.
  const PartitionReport r = report_partition(by_hand(), std::vector<std::uint32_t>{7, 7, 9, 9, 1, 2, 3, 3});
  EXPECT_EQ(r.samples_min, 1u);
  EXPECT_EQ(r.samples_p50, 3u);
  EXPECT_EQ(r.samples_max, 4u);
  EXPECT_EQ(r.mean_square, 2);
  EXPECT_EQ(r.explained, 0.75);
  EXPECT_EQ(r.purity, (std::vector<double>{2.0 / 3, 1, 0.5}));
  EXPECT_EQ(r.purity_of_all, 5.0 / 8);
  const double c = std::sqrt(0.5);
  const std::vector<double> cosines{1, c, 0, c, 1, 0, 0, 0, 0};  // the zero centroid has no direction
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(r.cosines[i], cosines[i], 1e-12);
  EXPECT_TRUE(report_partition(by_hand()).purity.empty());
}

TEST(PartitionReport, HotSpots) {
  // Mean squares 1, 1, 3; median 1, deviations 0, 0, 2 with median 0: the limit is 1.1, and domain 2 is loose.
  PartitionReport r = report_partition(by_hand(), {}, std::vector<std::uint64_t>{2, 2, 4});
  ASSERT_EQ(r.hot_spots.size(), 2u);
  EXPECT_EQ(r.hot_spots[0].kind, HotSpotKind::crowded);
  EXPECT_EQ(r.hot_spots[0].domain, 0u);
  EXPECT_NE(r.hot_spots[0].advice.find("set samples_max to 2"), std::string::npos);
  EXPECT_EQ(r.hot_spots[1].kind, HotSpotKind::loose);
  EXPECT_EQ(r.hot_spots[1].domain, 2u);
  EXPECT_NEAR(r.hot_spots[1].limit, 1.1, 1e-12);
  EXPECT_NE(r.hot_spots[1].advice.find("lower temperature"), std::string::npos);

  // Eight centroids along eight axes and one along their sum: cosine 1/sqrt(8) with each, the others 0 among
  // themselves.
  Partition p;
  p.samples = p.domain.size();
  p.dims = 8;
  for (std::uint32_t j = 0; j < 9; ++j) {
    for (std::uint32_t k = 0; k < 8; ++k) p.centroids.push_back(j == 8 || j == k ? 1.0f : 0.0f);
    p.domain.push_back(j);
    p.counts.push_back(1);
    p.inertias.push_back(0);
  }
  p.samples = 9;
  r = report_partition(p);
  ASSERT_EQ(r.hot_spots.size(), 1u);
  EXPECT_EQ(r.hot_spots[0].kind, HotSpotKind::hub);
  EXPECT_EQ(r.hot_spots[0].domain, 8u);
  EXPECT_NEAR(r.hot_spots[0].value, std::sqrt(1.0 / 8), 1e-12);
}

TEST(PartitionReport, Errors) {
  EXPECT_THROW(report_partition(by_hand(), std::vector<std::uint32_t>(7)), TopologyError);
  EXPECT_THROW(report_partition(by_hand(), {}, std::vector<std::uint64_t>(2)), TopologyError);
}

}  // namespace
}  // namespace toposim::topology
