#include "topology/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "specs.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

using Ids = std::vector<std::uint32_t>;

ParallelLayout layout(std::int64_t tensor, std::int64_t pipeline, std::int64_t data, std::int64_t context = 1) {
  ParallelLayout result;
  result.tensor = tensor;
  result.context = context;
  result.pipeline = pipeline;
  result.data = data;
  return result;
}

// TP8 PP2 DP2 on 4 nodes: tensor fills the node, pipeline stage p of replica d is node 2d + p.
TEST(Placement, TensorInsideTheNodeThenPipelineThenData) {
  const Cluster c = build_cluster(rail(4, 2));
  const Placement p(c, layout(8, 2, 2));
  EXPECT_EQ(p.job_nodes(), 4u);
  EXPECT_EQ(p.gpu_of({.tensor = 5, .context = 0, .pipeline = 1, .data = 1}), c.gpu(3, 5));
  EXPECT_EQ(p.coordinate_of(21), (Coordinate{.tensor = 5, .context = 0, .pipeline = 0, .data = 1}));
  EXPECT_EQ(p.peers(c.gpu(1, 5)), (Ids{c.gpu(1, 5), c.gpu(3, 5)}));
  EXPECT_EQ(p.nodes_of_replica(1), (Ids{2, 3}));
  EXPECT_EQ(p.replicas_on_node(1), (Ids{0}));
  EXPECT_EQ(p.replica_of_gpu(c.gpu(2, 0)), 1u);
}

// Data fastest: replica d is GPU d of every node.
TEST(Placement, DataFastest) {
  const Cluster c = build_cluster(rail(4, 2));
  ParallelLayout l = layout(2, 2, 8);
  l.order = {Axis::data, Axis::tensor, Axis::pipeline, Axis::context};
  const Placement p(c, l);
  EXPECT_EQ(p.gpu_of({.tensor = 1, .context = 0, .pipeline = 1, .data = 3}), c.gpu(3, 3));
  EXPECT_EQ(p.nodes_of_replica(3), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(p.replicas_on_node(2), (Ids{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(p.peers(c.gpu(1, 6)), (Ids{8, 9, 10, 11, 12, 13, 14, 15}));
}

// TP4 PP3 = 12 GPUs on nodes of 8: replica 0 has node 0 and half of node 1, replica 1 the rest of 1 and node 2.
TEST(Placement, ReplicasAcrossNodeBoundaries) {
  const Cluster c = build_cluster(rail(6, 2));
  const Placement p(c, layout(4, 3, 4));
  EXPECT_EQ(p.nodes_of_replica(0), (Ids{0, 1}));
  EXPECT_EQ(p.nodes_of_replica(1), (Ids{1, 2}));
  EXPECT_EQ(p.nodes_of_replica(3), (Ids{4, 5}));
  EXPECT_EQ(p.replicas_on_node(1), (Ids{0, 1}));
  EXPECT_EQ(p.replicas_on_node(2), (Ids{1}));
}

// TP2: four replicas a node.
TEST(Placement, SeveralReplicasPerNode) {
  const Cluster c = build_cluster(rail(2, 2));
  const Placement p(c, layout(2, 1, 8));
  EXPECT_EQ(p.replicas_on_node(1), (Ids{4, 5, 6, 7}));
  EXPECT_EQ(p.nodes_of_replica(5), (Ids{1}));
}

// All 24 orders of 2 x 3 x 4 x 5 = 120 ranks: coordinates and ranks map one to one, the first axis of the order moves
// by one rank, and replicas, peers, nodes and the inverse maps agree with brute force over all ranks.
TEST(Placement, RoundTripsInEveryOrder) {
  const Cluster c = build_cluster(rail(15, 4));
  std::array<Axis, 4> order{Axis::tensor, Axis::context, Axis::pipeline, Axis::data};
  int orders = 0;
  do {
    ++orders;
    ParallelLayout l = layout(2, 4, 5, 3);
    l.order = order;
    const Placement p(c, l);
    ASSERT_EQ(p.ranks(), 120u);
    std::set<std::uint32_t> seen;
    for (std::uint32_t d = 0; d < 5; ++d) {
      Ids replica;
      for (std::uint32_t t = 0; t < 2; ++t) {
        for (std::uint32_t x = 0; x < 3; ++x) {
          for (std::uint32_t s = 0; s < 4; ++s) {
            const Coordinate at{t, x, s, d};
            const std::uint32_t rank = p.rank_of(at);
            ASSERT_TRUE(seen.insert(rank).second);
            ASSERT_EQ(p.coordinate_of(rank), at);
            const VertexId gpu = p.gpu_of(at);
            ASSERT_EQ(p.rank_of_gpu(gpu), rank);
            ASSERT_EQ(p.replica_of_gpu(gpu), d);
            ASSERT_EQ(p.peers(gpu)[d], gpu);
            ASSERT_EQ(p.peers(gpu)[(d + 1) % 5], p.gpu_of({t, x, s, (d + 1) % 5}));
            replica.push_back(gpu);
          }
        }
      }
      std::sort(replica.begin(), replica.end());
      std::set<std::uint32_t> nodes;
      for (std::uint32_t i = 0; i < replica.size(); ++i) {
        ASSERT_EQ(p.gpu_of_replica(d, i), replica[i]);
        nodes.insert(c.node_of(replica[i]));
      }
      ASSERT_EQ(p.nodes_of_replica(d), Ids(nodes.begin(), nodes.end()));
      for (std::uint32_t node = 0; node < p.job_nodes(); ++node) {
        const Ids on = p.replicas_on_node(node);
        ASSERT_EQ(std::binary_search(on.begin(), on.end(), d), nodes.contains(node));
      }
    }
    ASSERT_EQ(*seen.rbegin(), 119u);
    Coordinate second;
    (order[0] == Axis::tensor     ? second.tensor
     : order[0] == Axis::context  ? second.context
     : order[0] == Axis::pipeline ? second.pipeline
                                  : second.data) = 1;
    ASSERT_EQ(p.rank_of(second), 1u);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 24);
}

void expect_error(const Cluster& c, const ParallelLayout& l, const std::string& part) {
  try {
    const Placement p(c, l);
    FAIL() << "no error, expected: " << part;
  } catch (const TopologyError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Placement, Errors) {
  ClusterSpec spec = rail(4, 2);
  spec.spares = 2;
  const Cluster c = build_cluster(spec);
  expect_error(c, layout(8, 1, 5), "more ranks than the job's 32 GPUs");  // the spares are not the job's
  expect_error(c, layout(1 << 24, 1 << 24, 1 << 24, 1 << 24), "more ranks than");
  expect_error(c, layout(4, 3, 1), "is 12 ranks, which do not fill whole nodes of 8 GPUs");
  expect_error(c, layout(0, 1, 1), "tensor parallel degree is 0");
  ParallelLayout l = layout(8, 1, 4);
  l.expert = 3;
  expect_error(c, l, "expert parallel degree 3 does not divide the data parallel degree 4");
  l = layout(8, 1, 4);
  l.order[1] = Axis::tensor;
  expect_error(c, l, "once each");
  const Placement p(c, layout(8, 1, 4));
  EXPECT_THROW(p.replica_of_gpu(c.gpu(4, 0)), TopologyError);  // a spare
  EXPECT_THROW(p.rank_of({.tensor = 8}), TopologyError);
  EXPECT_THROW(p.replicas_on_node(4), TopologyError);
  EXPECT_THROW(p.nodes_of_replica(4), TopologyError);
}

}  // namespace
}  // namespace toposim::topology
