#include "topology/domains.hpp"

#include <gtest/gtest.h>

#include "specs.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

// 100 replicas by 12: floor(100 / 12) = 8 domains; 100 = 8 x 12 + 4, so four of 13, then four of 12.
TEST(Domains, RemainderIsSpread) {
  const Domains d(100, {.size = 12});
  ASSERT_EQ(d.count(), 8u);
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(d.size(i), i < 4 ? 13u : 12u);
  EXPECT_EQ(d.first_member(3), 39u);
  EXPECT_EQ(d.first_member(5), 64u);  // 4 x 13 + 12
  EXPECT_EQ(d.domain_of(51), 3u);
  EXPECT_EQ(d.domain_of(52), 4u);
}

// Any size: every replica in exactly one domain, contiguous, sizes differing by at most one and none below size.
TEST(Domains, PartitionForEverySize) {
  for (std::uint32_t replicas = 1; replicas <= 70; ++replicas) {
    for (std::int64_t size = 1; size <= 75; ++size) {
      const Domains d(replicas, {.size = size});
      std::uint32_t next = 0;
      for (std::uint32_t i = 0; i < d.count(); ++i) {
        ASSERT_EQ(d.first_member(i), next);
        ASSERT_GE(d.size(i), std::min<std::int64_t>(size, replicas));
        ASSERT_LE(d.size(i), d.size(d.count() - 1) + 1);
        for (std::uint32_t m = 0; m < d.size(i); ++m) ASSERT_EQ(d.domain_of(next + m), i);
        next += d.size(i);
      }
      ASSERT_EQ(next, replicas);
    }
  }
}

TEST(Domains, Errors) {
  EXPECT_THROW(Domains(0, {}), TopologyError);
  EXPECT_THROW(Domains(8, {.size = 0}), TopologyError);
  EXPECT_THROW(Domains(8, {}).domain_of(8), TopologyError);
}

// TP8 PP2 DP8 on 16 nodes, groups of 2, pods of 8. A domain of 4 replicas is 4 x 16 = 64 GPUs on 8 nodes: 4 groups x 8
// rails = 32 leaves, one pod. Domains of 8 replicas: all of it.
TEST(Domains, Span) {
  const Cluster c = build_cluster(rail(16, 2, 8));
  ParallelLayout layout;
  layout.tensor = 8;
  layout.pipeline = 2;
  layout.data = 8;
  const Placement p(c, layout);
  const DomainSpan four = span_of(c, p, Domains(8, {.size = 4}), 1);
  EXPECT_EQ(four.gpus, 64u);
  EXPECT_EQ(four.nodes, 8u);
  EXPECT_EQ(four.leaves, 32u);
  EXPECT_EQ(four.pods, 1u);
  const DomainSpan eight = span_of(c, p, Domains(8, {.size = 8}), 0);
  EXPECT_EQ(eight.gpus, 128u);
  EXPECT_EQ(eight.leaves, 64u);
  EXPECT_EQ(eight.pods, 2u);

  // A leaf for every NIC of 2 nodes: 8 nodes hang on 4 leaves. One node: no leaf.
  EXPECT_EQ(span_of(build_cluster(clos(FabricKind::leaf_spine, 16, 2)), p, Domains(8, {.size = 4}), 0).leaves, 4u);
  ParallelLayout small;
  small.data = 8;
  const Cluster node = build_cluster(one_node(8));
  EXPECT_EQ(span_of(node, Placement(node, small), Domains(8, {.size = 4}), 0).leaves, 0u);
}

}  // namespace
}  // namespace toposim::topology
