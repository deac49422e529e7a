// A built fabric, written as ibnetdiscover prints it and imported, is that fabric again: the same graph and routes.
#include <gtest/gtest.h>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/router.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::TempFile;
using toposim::test::text_of;

struct Shape {
  std::string name;
  ClusterSpec spec;
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.name; }
};

Shape shape(std::string name, FabricKind kind, std::int64_t nodes, std::int64_t nodes_per_leaf,
            std::int64_t nodes_per_pod, std::int64_t spines, std::int64_t cores_per_spine,
            RoutingMode routing = RoutingMode::adaptive) {
  ClusterSpec spec;
  spec.fabric = kind;
  spec.nodes = nodes;
  spec.gpus_per_node = spec.nics_per_node = 4;
  spec.nodes_per_leaf = nodes_per_leaf;
  spec.nodes_per_pod = nodes_per_pod;
  spec.spines = spines;
  spec.cores_per_spine = cores_per_spine;
  spec.routing = routing;
  return {std::move(name), spec};
}

class SameAsBuilt : public testing::TestWithParam<Shape> {
 protected:
  SameAsBuilt() : built(build_cluster(GetParam().spec)) {
    const TempFile file(text_of(built).text());
    auto fabric = std::make_shared<const ImportedFabric>(import_fabric({.file = file.path()}));
    ClusterSpec spec = GetParam().spec;
    use_fabric(fabric, spec);
    imported = std::make_unique<Cluster>(build_cluster(spec));
  }
  Cluster built;
  std::unique_ptr<Cluster> imported;
};

TEST_P(SameAsBuilt, Graph) {
  const Cluster& c = *imported;
  ASSERT_EQ(c.vertex_count(), built.vertex_count());
  ASSERT_EQ(c.arc_count(), built.arc_count());
  EXPECT_EQ(c.shape().rail_optimised, built.shape().rail_optimised);
  for (VertexId v = 0; v < c.vertex_count(); ++v) {
    const Vertex &a = c.graph()[v], &b = built.graph()[v];
    EXPECT_EQ(a.kind, b.kind) << v;
    EXPECT_EQ(a.node, b.node) << v;
    EXPECT_EQ(a.pod, b.pod) << v;
    EXPECT_EQ(a.local, b.local) << v;
  }
  for (ArcId arc = 0; arc < c.arc_count(); ++arc) {
    ASSERT_EQ(c.target(arc), built.target(arc)) << arc;
    ASSERT_EQ(c.arc(arc).reverse, built.arc(arc).reverse) << arc;
    ASSERT_EQ(c.bandwidth_Bps(arc), built.bandwidth_Bps(arc)) << arc;
    ASSERT_EQ(c.latency_s(arc), built.latency_s(arc)) << arc;
  }
  for (const LinkKind kind :
       {LinkKind::nvlink, LinkKind::pcie, LinkKind::access, LinkKind::uplink, LinkKind::core_link})
    EXPECT_EQ(c.cables(kind), built.cables(kind));
}

TEST_P(SameAsBuilt, Routes) {
  const Router ours(*imported, 3), theirs(built, 3);
  const bool adaptive = GetParam().spec.routing == RoutingMode::adaptive;
  for (VertexId src = 0; src < built.gpu_count(); ++src) {
    for (VertexId dst = 0; dst < built.gpu_count(); ++dst) {
      for (const std::uint64_t label : {0, 5}) {
        const auto a = ours.route(src, dst, label, {}), b = theirs.route(src, dst, label, {});
        if (adaptive) {
          ASSERT_EQ(a, b) << src << " to " << dst << " label " << label;
        } else {
          ASSERT_EQ(a.size(), b.size());  // the hash counts hops, not tiers
        }
      }
    }
  }
}

// Of a dead cable both know a way round, if there is one.
TEST_P(SameAsBuilt, BrokenCables) {
  const Router ours(*imported, 3), theirs(built, 3);
  for (std::uint32_t cable = 0; cable < built.cable_count(LinkKind::uplink); cable += 3) {
    FabricState state;
    state.set_cable(built, built.cable(LinkKind::uplink, cable), 0);
    for (VertexId src = 0; src < built.gpu_count(); src += 3) {
      for (VertexId dst = 1; dst < built.gpu_count(); dst += 5) {
        const auto route = ours.route(src, dst, 0, state);
        EXPECT_EQ(route.size(), theirs.route(src, dst, 0, state).size());
        VertexId at = src;
        for (const ArcId arc : route) {
          EXPECT_EQ(imported->source(arc), at);
          EXPECT_FALSE(state.down(arc));
          at = imported->target(arc);
        }
        EXPECT_EQ(at, dst);
      }
    }
  }
}

// 8 nodes, 4 to a leaf: rails over 4 spines; with parallel cables (2 spines, 2 cables each); a partly filled group; two
// pods of 2 groups under cores, with parallel core cables; the same with every NIC of a node on one leaf.
INSTANTIATE_TEST_SUITE_P(Shapes, SameAsBuilt,
                         testing::Values(shape("rails", FabricKind::rail_fat_tree, 8, 4, 0, 0, 0),
                                         shape("parallel_cables", FabricKind::rail_fat_tree, 8, 4, 0, 2, 0),
                                         shape("partly_filled", FabricKind::rail_fat_tree, 6, 4, 0, 2, 0),
                                         shape("rails_and_cores", FabricKind::rail_fat_tree, 16, 4, 8, 2, 4),
                                         shape("leaf_spine", FabricKind::leaf_spine, 4, 2, 0, 4, 0),
                                         shape("fat_tree", FabricKind::fat_tree, 8, 2, 4, 4, 2),
                                         shape("ecmp", FabricKind::fat_tree, 8, 2, 4, 4, 2, RoutingMode::ecmp)),
                         [](const auto& test) { return test.param.name; });

}  // namespace
