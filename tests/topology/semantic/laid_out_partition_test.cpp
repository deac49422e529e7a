#include "topology/semantic/laid_out_partition.hpp"

#include <gtest/gtest.h>

#include "topology/error.hpp"

namespace toposim::topology {
namespace {

// Clusters 0, 1, 2 become domains 2, 0, 1; the third domain may hold 4, the others 3.
TEST(LaidOutPartition, Renames) {
  Partition p;
  p.samples = 6;
  p.dims = 1;
  p.domain = {0, 0, 1, 1, 1, 2};
  p.centroids = {10, 20, 30};
  p.counts = {2, 3, 1};
  p.inertias = {0.5, 0.25, 0};
  p.least = {1, 1, 2};
  p.most = {3, 3, 4};
  const Partition q = laid_out(p, std::vector<std::uint32_t>{2, 0, 1});
  EXPECT_EQ(q.domain, (std::vector<std::uint32_t>{2, 2, 0, 0, 0, 1}));
  EXPECT_EQ(q.centroids, (std::vector<float>{20, 30, 10}));
  EXPECT_EQ(q.counts, (std::vector<std::uint64_t>{3, 1, 2}));
  EXPECT_EQ(q.inertias, (std::vector<double>{0.25, 0, 0.5}));
  EXPECT_EQ(q.most, p.most);
  EXPECT_THROW(laid_out(p, std::vector<std::uint32_t>{0, 1, 2}), TopologyError);  // one sample where 2 are the least
  EXPECT_THROW(laid_out(p, std::vector<std::uint32_t>{2, 0, 0}), TopologyError);
  EXPECT_THROW(laid_out(p, std::vector<std::uint32_t>{2, 0, 3}), TopologyError);
  EXPECT_THROW(laid_out(p, std::vector<std::uint32_t>{2, 0}), TopologyError);
}

}  // namespace
}  // namespace toposim::topology
