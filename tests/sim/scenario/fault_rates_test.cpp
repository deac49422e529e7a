// Three ways to say how often something breaks, and presets.
#include "faults/fault_timeline.hpp"
#include "minimal_scenario.hpp"
#include "sim/scenario/readers.hpp"
#include "topology/fabric_shape.hpp"

namespace toposim::sim {
namespace {

Scenario with_faults(const std::string& faults) {
  std::string text = minimal_scenario;
  const std::string old = "faults: rsc-1";
  return read_good(text.replace(text.find(old), old.size(), "faults: " + faults));
}

constexpr double day_s = 86400;

TEST(FaultRates, PerThousandNodeDays) {
  // 6.5 per 1000 node-days: a node breaks every 1000 / 6.5 = 153.846 days. A GPU, at the same rate of the cluster,
  // every 8 times as long: eight of them share a node's rate. One job on 8 nodes: 8 times as often as one node.
  const auto mtbf_d = [](const std::string& component) {
    return with_faults("{classes: [{name: x, component: " + component +
                       ", rate_per_1000_node_days: 6.5, repair: {mean: 1h}}]}")
               .faults.classes[0]
               .mtbf_s /
           day_s;
  };
  EXPECT_NEAR(mtbf_d("node"), 153.846, 1e-3);
  EXPECT_NEAR(mtbf_d("gpu"), 8 * 153.846, 1e-2);
  EXPECT_NEAR(mtbf_d("job"), 153.846 / 8, 1e-3);
}

TEST(FaultRates, CountOverExposure) {
  // 148 in 54 days on 16,384 GPUs: 54 x 16384 / 148 = 5977.95 days for one.
  const auto s = with_faults(
      "{classes: [{name: x, component: gpu, count: 148, exposure: {components: 16384, duration: 54d},"
      " repair: {mean: 1h}}]}");
  EXPECT_NEAR(s.faults.classes[0].mtbf_s / day_s, 5977.95, 0.01);
}

TEST(FaultRates, Llama3PresetAddsUpToItsTable) {
  // 419 unexpected and 47 planned in 54 days at 2,048 nodes of 8 GPUs, 16,384 NICs and cables.
  const auto s = with_faults("llama3-2024");
  double unexpected = 0, planned = 0;
  for (const auto& c : s.faults.classes) {
    const double components = c.component == faults::Component::job    ? 1
                              : c.component == faults::Component::node ? 2048
                                                                       : 16384;
    (c.planned ? planned : unexpected) += components * 54 * day_s / c.mtbf_s;
    EXPECT_FALSE(c.source.empty()) << c.name;
  }
  EXPECT_NEAR(unexpected, 419, 1e-9);
  EXPECT_NEAR(planned, 47, 1e-9);
}

TEST(FaultRates, ScaleAndChangesToAPreset) {
  const auto plain = with_faults("rsc-1"), scaled = with_faults("{preset: rsc-1, scale: 4}");
  EXPECT_DOUBLE_EQ(scaled.faults.classes[0].mtbf_s, plain.faults.classes[0].mtbf_s / 4);
  const auto changed =
      with_faults("{preset: rsc-1, classes: [{name: node, scale: 2, repair: {shape: constant, mean: 3h}}]}");
  ASSERT_EQ(changed.faults.classes.size(), 1u);
  EXPECT_DOUBLE_EQ(changed.faults.classes[0].mtbf_s, plain.faults.classes[0].mtbf_s / 2);
  EXPECT_EQ(changed.faults.classes[0].repair.shape, faults::RepairShape::constant);
  EXPECT_DOUBLE_EQ(changed.faults.classes[0].repair.mean_s, 3 * 3600.0);
  EXPECT_TRUE(with_faults("{preset: rsc-1, classes: [{name: node, scale: 0}]}").faults.classes.empty());
  EXPECT_TRUE(with_faults("{preset: llama3-2024, scale: 0}").faults.classes.empty());
  EXPECT_TRUE(with_faults("none").faults.classes.empty());
}

// Counts from the shape are those of the cluster when built.
TEST(FaultRates, ComponentsAsBuilt) {
  topology::ClusterSpec spec;
  spec.nodes = 22;
  spec.spares = 3;
  spec.nodes_per_leaf = 4;
  spec.nodes_per_pod = 8;
  for (const auto kind : {topology::FabricKind::rail_fat_tree, topology::FabricKind::fat_tree}) {
    spec.fabric = kind;
    const auto cluster = topology::build_cluster(spec);
    const auto shape = topology::shape_of(spec);
    for (int i = 0; i <= static_cast<int>(faults::Component::job); ++i) {
      const auto component = static_cast<faults::Component>(i);
      EXPECT_EQ(components_of(component, shape), faults::component_count(component, cluster)) << to_string(component);
    }
  }
}

}  // namespace
}  // namespace toposim::sim
