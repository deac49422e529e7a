#include "topology/semantic/domain_distance.hpp"

#include <gtest/gtest.h>

#include "../specs.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

// 16 nodes, groups of 2, pods of 8, tensor parallel 8: a replica is a node, a domain of 4 replicas 2 groups, a pod 2
// domains. GPU - NIC - leaf - NIC - GPU is 4 links; over a spine 6; over a core 8. Within a domain of 4, of 12 ordered
// pairs 4 share a leaf: (4 x 4 + 8 x 6) / 12 = 16/3.
TEST(DomainDistance, Tiers) {
  const Cluster cluster = build_cluster(rail(16, 2, 8));
  ParallelLayout layout;
  layout.tensor = 8;
  layout.data = 16;
  const Placement placement(cluster, layout);
  const Domains domains(16, {.size = 4});
  const Router router(cluster);
  for (const DistanceSampling sampling : {DistanceSampling{}, DistanceSampling{0, 0}}) {
    const std::vector<double> d = domain_distances(router, placement, domains, sampling, 2);
    ASSERT_EQ(d.size(), 16u);
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        const double expected = a == b ? 16.0 / 3 : a / 2 == b / 2 ? 6 : 8;
        EXPECT_DOUBLE_EQ(d[static_cast<std::size_t>(a * 4 + b)], expected) << a << " " << b;
      }
    }
  }
  // Two of four members: nodes 0 and 3 of a domain, in different groups.
  EXPECT_DOUBLE_EQ(domain_distances(router, placement, domains, {2, 1})[0], 6);
}

// One node of 8 GPUs, 2 domains of 4 replicas of one GPU: GPU - NVSwitch - GPU everywhere.
TEST(DomainDistance, OneNode) {
  const Cluster cluster = build_cluster(one_node(8));
  ParallelLayout layout;
  layout.data = 8;
  EXPECT_EQ(domain_distances(Router(cluster), Placement(cluster, layout), Domains(8, {.size = 4})),
            std::vector<double>(4, 2.0));
  EXPECT_THROW(domain_distances(Router(cluster), Placement(cluster, layout), Domains(7, {.size = 4})), TopologyError);
}

}  // namespace
}  // namespace toposim::topology
