// estimated_bytes() against what the builder allocates at its peak.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "specs.hpp"
#include "topology/cluster.hpp"

namespace {

std::atomic<std::int64_t> held_bytes{0};
std::atomic<std::int64_t> peak_bytes{0};

}  // namespace

void* operator new(std::size_t size) {
  void* p = std::malloc(size);
  if (p == nullptr) throw std::bad_alloc();
  held_bytes += static_cast<std::int64_t>(malloc_usable_size(p));
  if (held_bytes > peak_bytes) peak_bytes = held_bytes.load();
  return p;
}
void operator delete(void* p) noexcept {
  if (p != nullptr) held_bytes -= static_cast<std::int64_t>(malloc_usable_size(p));
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  operator delete(p);
}

namespace toposim::topology {
namespace {

TEST(EstimatedBytes, WithinThirtyPercentOfThePeak) {
  ClusterSpec shared_nics = rail(512, 32);
  shared_nics.nics_per_node = 1;
  for (const ClusterSpec& spec : {rail(256, 32), rail(512, 32, 128), shared_nics,
                                  clos(FabricKind::fat_tree, 300, 4, 32), clos(FabricKind::leaf_spine, 128, 4)}) {
    const std::int64_t before = held_bytes;
    peak_bytes = before;
    const Cluster cluster = build_cluster(spec);
    const auto real = static_cast<double>(peak_bytes - before);
    EXPECT_NEAR(estimated_bytes(spec), real, 0.3 * real) << spec.nodes << " nodes";
  }
}

// 131,072 GPUs as a rail fabric with cores: below 100 MB.
TEST(EstimatedBytes, LargestClusterIsSmall) {
  EXPECT_LT(estimated_bytes(rail(16384, 32, 512)), 100e6);
}

}  // namespace
}  // namespace toposim::topology
