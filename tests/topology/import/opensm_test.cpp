// The real OpenSM beside our routes, before and after a cable is unplugged. Skips where its Debian packages are
// missing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "import_files.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/router.hpp"

namespace {

using namespace toposim::topology;
namespace fs = std::filesystem;

Cluster import_cluster(const fs::path& fabric, const fs::path& tables) {
  ImportSpec import;
  import.file = fabric.string();
  if (!tables.empty()) import.tables = tables.string();
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(import_fabric(import)), spec);
  return build_cluster(spec);
}

std::vector<std::string> hops(const Cluster& cluster, const Router& router, VertexId src, VertexId dst,
                              const FabricState& state) {
  std::vector<std::string> names;
  for (const ArcId arc : router.route(src, dst, 0, state)) names.push_back(cluster.name(cluster.target(arc)));
  return names;
}

TEST(OpenSm, RecomputesAsWeDo) {
  const fs::path folder = fs::path(testing::TempDir()) / fmt::format("toposim_opensm_{}", getpid());
  fs::create_directory(folder);
  const std::string script = std::string(TOPOSIM_SOURCE_DIR) + "/tests/topology/import/opensm_fabric.sh";
  const int status = std::system(fmt::format("bash '{}' '{}'", script, folder.string()).c_str());
  if (WEXITSTATUS(status) == 77) {
    fs::remove_all(folder);
    GTEST_SKIP() << "ibsim, opensm or infiniband-diags are missing";
  }
  ASSERT_EQ(status, 0);
  const Cluster before = import_cluster(folder / "before.fabric", folder / "before.lfts");
  const Cluster after = import_cluster(folder / "after.fabric", folder / "after.lfts");
  const Cluster ours = import_cluster(folder / "before.fabric", "");
  fs::remove_all(folder);

  EXPECT_EQ(before.cable_count(LinkKind::uplink), 16u);
  EXPECT_EQ(after.cable_count(LinkKind::uplink), 15u);
  const Router their_routes(before), repaired(after), our_routes(ours);
  FabricState cut;  // the second cable, as it was unplugged
  cut.set_cable(before, before.arcs_between(before.leaf(3), before.spine(0)).first + 1, 0);
  int moved = 0;
  for (VertexId src = 0; src < before.gpu_count(); ++src) {
    for (VertexId dst = 0; dst < before.gpu_count(); ++dst) {
      if (before.node_of(src) == before.node_of(dst)) continue;
      // As long as each other, whole and cut: minhop is what OpenSM uses too.
      EXPECT_EQ(hops(before, their_routes, src, dst, {}).size(), hops(ours, our_routes, src, dst, {}).size());
      const auto recomputed = hops(after, repaired, src, dst, {});
      EXPECT_EQ(recomputed.size(), hops(ours, our_routes, src, dst, cut).size());
      const auto detour = hops(before, their_routes, src, dst, cut);
      EXPECT_EQ(recomputed.size(), detour.size());
      moved += detour != hops(before, their_routes, src, dst, {}) ? 1 : 0;
    }
  }
  // Of a fabric of which one of 16 cables is gone some routes had to move, most did not.
  EXPECT_GT(moved, 0);
  EXPECT_LT(moved, 16 * 14 / 2);
}

}  // namespace
