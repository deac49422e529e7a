// What a cable that is gone from the file does to an all-reduce, derived by hand.
#include <gtest/gtest.h>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "sim/collectives/collective.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/router.hpp"

namespace {

using namespace toposim;
using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::TempFile;

// Two leaves of two one-adapter nodes, two spines; `cut`: without the cable from leaf0 to spine0.
Cluster two_leaves(bool cut) {
  FabricText text;
  for (const char* name : {"leaf0", "leaf1", "spine0", "spine1"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 4; ++n) text.cable(n / 2, text.adapter(fmt::format("node{} mlx5_0", n)));
  for (const std::uint32_t leaf : {0, 1})
    for (const std::uint32_t spine : {2, 3})
      if (!cut || leaf != 0 || spine != 2) text.cable(leaf, spine);
  const TempFile file(text.text());
  ImportSpec import;
  import.file = file.path();
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(import_fabric(import)), spec);
  return build_cluster(spec);
}

double transfer_s(const Cluster& cluster, const FabricState& state) {
  const Router router(cluster);
  const auto model = sim::make_bottleneck_model(router);
  const sim::CollectiveRequest request{sim::CollectiveKind::all_reduce, {{0, 2}, {1, 3}}, 1e9};
  sim::LatencySpec latency;
  latency.network_efficiency = 1;
  const auto time = sim::run_collective(request, sim::Algorithm::ring, cluster, latency, *model, state);
  return time.total_s - time.latency_s;
}

// Two all-reduces of 1 GB at the same time, nodes 0 and 2, nodes 1 and 3. In a ring of two each GPU sends 2 (2 - 1) / 2
// x 1 GB = 1 GB. Whole, each crosses by a spine of its own, as its adapter does: 1e9 / 50e9 = 20 ms. With one cable
// left at leaf0 both cross by that: 40 ms.
TEST(UnpluggedCable, HalvesTheRateOfWhatCrosses) {
  const Cluster whole = two_leaves(false), cut = two_leaves(true);
  EXPECT_NEAR(transfer_s(whole, {}), 0.020, 1e-12);
  EXPECT_NEAR(transfer_s(cut, {}), 0.040, 1e-12);
  FabricState broken;  // the same cable, dead instead of gone
  broken.set_cable(whole, whole.arcs_between(whole.leaf(0), whole.spine(0)).first, 0);
  EXPECT_NEAR(transfer_s(whole, broken), 0.040, 1e-12);
}

}  // namespace
