// Specs that cannot be built, and what is said about them.
#include <gtest/gtest.h>

#include <limits>

#include "specs.hpp"
#include "topology/cluster.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

std::string error_of(const ClusterSpec& spec) {
  try {
    build_cluster(spec);
  } catch (const TopologyError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const ClusterSpec& spec, const std::string& part) {
  const std::string error = error_of(spec);
  EXPECT_NE(error.find(part), std::string::npos) << "said: " << error << "\nexpected: " << part;
}

// 32 down + 32 up = 64 ports a leaf; a spine has 16 leaves.
TEST(BuildError, RadixTooSmallForALeaf) {
  ClusterSpec spec = rail(64, 32);
  spec.switch_radix = 64;
  EXPECT_EQ(error_of(spec), "no error");
  spec.switch_radix = 63;
  expect_error(spec, "switches have 63 ports (switch_radix), but a leaf needs 64 ports (32 down + 32 up)");
}

// Groups of 4, pods of 64 nodes: 16 groups x 8 rails = 128 leaves below each of 4 spines, 128 up; each of the 512 cores
// has one cable per pod, 2. Leaves need only 8.
TEST(BuildError, RadixTooSmallForASpine) {
  ClusterSpec spec = rail(128, 4, 64);
  spec.switch_radix = 64;
  expect_error(spec, "but a spine needs 256 ports (128 down + 128 up);");
}

// Every tier at once: leaf 8 + 8, spine 16 + 16, core 3 pods.
TEST(BuildError, RadixTooSmallForEveryTier) {
  ClusterSpec spec = rail(48, 8, 16);
  spec.switch_radix = 2;
  expect_error(spec,
               "a leaf needs 16 ports (8 down + 8 up); a spine needs 32 ports (16 down + 16 up); a core needs 3 ports "
               "(3 down + 0 up)");
}

TEST(BuildError, SpinesMustDivideUplinks) {
  ClusterSpec spec = rail(64, 32);
  spec.spines = 24;
  expect_error(spec, "spines is 24, which does not divide the 32 uplinks of a leaf; take one of 1, 2, 4, 8, 16, 32");
  spec.spines = 64;
  expect_error(spec, "spines is 64, which does not divide the 32 uplinks");
  spec.spines = -1;
  expect_error(spec, "spines is -1");
}

TEST(BuildError, PodsAndFabricsMustAgree) {
  expect_error(rail(64, 32, 48), "nodes_per_pod is 48, which is not a multiple of nodes_per_leaf, 32; 32 or 64 would");
  expect_error(clos(FabricKind::fat_tree, 8, 2), "fat_tree has three tiers and needs nodes_per_pod");
  expect_error(clos(FabricKind::leaf_spine, 8, 2, 4), "leaf_spine has two tiers, but nodes_per_pod is 4");
  ClusterSpec spec = rail(8, 2);
  spec.cores_per_spine = 2;
  expect_error(spec, "cores_per_spine is 2, but without nodes_per_pod there is no core tier");
  ClusterSpec node = one_node(8);
  node.spares = 1;
  expect_error(node, "nodes + spares is 2");
}

TEST(BuildError, NicsMustDivideGpus) {
  ClusterSpec spec = rail(8, 2);
  spec.nics_per_node = 3;
  expect_error(spec, "nics_per_node is 3, which does not divide gpus_per_node, 8; take one of 1, 2, 4, 8");
}

TEST(BuildError, CountsAndRatesOutOfRange) {
  ClusterSpec spec = rail(0, 2);
  expect_error(spec, "nodes is 0");
  spec = rail(std::numeric_limits<std::int64_t>::max(), 2);
  expect_error(spec, "nodes is 9223372036854775807");
  spec = rail(8, 2);
  spec.spares = -1;
  expect_error(spec, "spares is -1");
  spec = rail(8, 0);
  expect_error(spec, "nodes_per_leaf is 0");
  spec = rail(8, 2);
  spec.gpus_per_node = 100000;
  expect_error(spec, "gpus_per_node is 100000");
  spec = rail(8, 2);
  spec.uplink.bandwidth_Bps = 0;
  expect_error(spec, "uplink has a bandwidth of 0");
  spec = rail(8, 2);
  spec.access.latency_s = std::numeric_limits<double>::quiet_NaN();
  expect_error(spec, "access has a latency of nan");
  spec = rail(8, 2);
  spec.leaf_oversubscription = 0;
  expect_error(spec, "leaf_oversubscription is 0");
  spec.leaf_oversubscription = 1e-12;
  expect_error(spec, "at most 65536 are supported");
}

// A million nodes of 256 GPUs: 5 cables a GPU, two arcs each, are 2.56e9 arcs, more than 2^31. The estimate still
// answers, with 20 bytes an arc at least.
TEST(BuildError, TooLargeForTheIds) {
  ClusterSpec spec = rail(1'000'000, 32, 1024);
  spec.gpus_per_node = spec.nics_per_node = 256;
  EXPECT_GT(estimated_bytes(spec), 2.56e9 * 20);
  expect_error(spec, "256000000 GPUs make");
}

}  // namespace
}  // namespace toposim::topology
