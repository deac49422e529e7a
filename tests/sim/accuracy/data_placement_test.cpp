#include "sim/accuracy/data_placement.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <set>

#include "fashion_steps.hpp"
#include "npy_file.hpp"
#include "topology/error.hpp"

namespace toposim::accuracy::test {
namespace {

using Sizes = std::vector<std::uint32_t>;

TEST(WorkerDomains, ConsecutiveOnesAndNobodyAlone) {
  EXPECT_EQ(worker_domains(6, 3), (Sizes{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(worker_domains(5, 3), (Sizes{0, 0, 0, 1, 1})) << "the last domain may be smaller";
  EXPECT_EQ(worker_domains(7, 3), (Sizes{0, 0, 0, 1, 1, 1, 1})) << "a single one joins the domain before";
  EXPECT_EQ(worker_domains(3, 8), (Sizes{0, 0, 0}));
  EXPECT_EQ(worker_domains(1, 8), (Sizes{0}));
}

TEST(DataPlacement, LabelsFillDomainsPieceByPiece) {
  // 10 labels of 6000 samples, 80 workers in domains of 8: a label each.
  TOPOSIM_NEEDS_FASHION();
  const DataPlacement placed = place_data(*fashion(), labelled_spec(80), 2);
  ASSERT_EQ(placed.domains, 10U);
  for (std::size_t s = 0; s < placed.sample_domain.size(); ++s)
    ASSERT_EQ(placed.sample_domain[s], fashion()->sample_label(s)) << s;
  EXPECT_EQ(placed.samples, std::vector<std::uint64_t>(10, 6000));
  EXPECT_EQ(placed.purity, 1);
  EXPECT_EQ(placed.explained, 0) << "there were no embeddings";
  EXPECT_TRUE(placed.sample_worker.empty());

  // 8 domains of 7500: the first holds all of label 0 and a quarter of 1, and so on: 6000, 4500, 3000 and as many,
  // 6000 again: (2 x 6000 + 2 x (4500 + 4500)) / 30000 of one half, and the other half alike.
  const DataPlacement uneven = place_data(*fashion(), labelled_spec(64), 2);
  EXPECT_EQ(uneven.samples, std::vector<std::uint64_t>(8, 7500));
  EXPECT_NEAR(uneven.purity, (6000 + 4500 + 4500 + 6000) / 30000.0, 1e-12);
}

TEST(DataPlacement, LabelsWithinADomainCanBeSplitByWorker) {
  // 20 workers in 10 domains of 2: 3000 samples of the domain's label each.
  TOPOSIM_NEEDS_FASHION();
  AccuracySpec spec = labelled_spec(20, emulator::Sharing::subclustered);
  spec.placement.domain_size = 2;
  const DataPlacement placed = place_data(*fashion(), spec, 2);
  ASSERT_EQ(placed.sample_worker.size(), placed.sample_domain.size());
  std::vector<std::uint64_t> count(20);
  for (std::size_t s = 0; s < placed.sample_worker.size(); ++s) {
    ASSERT_EQ(placed.worker_domain[placed.sample_worker[s]], placed.sample_domain[s]);
    ++count[placed.sample_worker[s]];
  }
  EXPECT_EQ(count, std::vector<std::uint64_t>(20, 3000));
}

TEST(DataPlacement, ContentFindsWhatLabelsTell) {
  // Samples dealt at random to 4 domains would have a purity of a tenth (a little more, as the maximum of ten). A
  // domain of a fair share of 15000 holds two labels and a half, so that even a perfect one has 0.4; clothes that look
  // alike are 0.2 at least, twice chance.
  TOPOSIM_NEEDS_FASHION();
  AccuracySpec spec = labelled_spec(8);
  spec.placement.domain_size = 2;
  spec.placement.source = EmbeddingSource::content;
  spec.placement.dims = 16;
  spec.placement.sharing = emulator::Sharing::subclustered;
  const DataPlacement placed = place_data(*fashion(), spec, 2);
  ASSERT_EQ(placed.domains, 4U);
  EXPECT_GT(placed.purity, 0.2);
  EXPECT_LE(placed.purity, 0.4 * 1.1 + 1e-9);
  EXPECT_GT(placed.explained, 0.1);
  EXPECT_LT(placed.explained, 1);
  for (const std::uint64_t samples : placed.samples) {  // slack 0.1 around 15000
    EXPECT_GE(samples, 13'500U);
    EXPECT_LE(samples, 16'500U);
  }
  EXPECT_EQ(placed.centroid_width, 16U);
  EXPECT_EQ(placed.worker_centroids.size(), 8U * 16);
  EXPECT_EQ(std::vector<float>(placed.worker_centroids.begin(), placed.worker_centroids.begin() + 16),
            std::vector<float>(placed.worker_centroids.begin() + 16, placed.worker_centroids.begin() + 32))
      << "two workers of a domain";
  std::set<std::uint32_t> workers;
  for (std::size_t s = 0; s < placed.sample_worker.size(); ++s) {
    ASSERT_EQ(placed.worker_domain[placed.sample_worker[s]], placed.sample_domain[s]);
    workers.insert(placed.sample_worker[s]);
  }
  EXPECT_EQ(workers.size(), 8U);
}

TEST(DataPlacement, OfIidDataNoDomainHasItsOwn) {
  // Every label in every domain alike: purity a tenth, but for the maximum over ten counts of 750 with a standard
  // deviation of 26: 1.54 of them, 0.005.
  TOPOSIM_NEEDS_FASHION();
  const DataPlacement placed = place_data(*fashion(), labelled_spec(64, emulator::Sharing::iid), 2);
  EXPECT_NEAR(placed.purity, 0.105, 0.005);
  for (const std::uint64_t samples : placed.samples) EXPECT_EQ(samples, 7500U);
}

TEST(DataPlacement, EmbeddingsFromAFile) {
  // Row r is of kind r mod 4, and there are four domains: every kind its own.
  TOPOSIM_NEEDS_FASHION();
  const std::string path = testing::TempDir() + "embeddings_" + std::to_string(getpid()) + ".npy";
  AccuracySpec spec = labelled_spec(8);
  spec.placement.domain_size = 2;
  spec.placement.source = EmbeddingSource::file;
  spec.placement.embeddings = path;
  const auto kind = [](std::size_t row, std::size_t k) { return row % 4 == k ? 1.0F : 0.0F; };
  write_npy(path, 60'000, 4, kind);
  const DataPlacement placed = place_data(*fashion(), spec, 2);
  EXPECT_NEAR(placed.explained, 1, 1e-6);
  std::map<std::size_t, std::set<std::uint32_t>> domains;
  for (std::size_t s = 0; s < placed.sample_domain.size(); ++s) domains[s % 4].insert(placed.sample_domain[s]);
  for (const auto& [which, in] : domains) EXPECT_EQ(in.size(), 1U) << which;

  write_npy(path, 59'999, 4, kind);
  try {
    place_data(*fashion(), spec, 2);
    ADD_FAILURE() << "59999 rows for 60000 samples";
  } catch (const topology::TopologyError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("59999 rows"), std::string::npos) << what;
    EXPECT_NE(what.find("60000 training samples"), std::string::npos) << what;
    EXPECT_NE(what.find(path), std::string::npos) << what;
  }
  std::remove(path.c_str());
  EXPECT_THROW(place_data(*fashion(), spec, 2), topology::TopologyError) << "no such file";
}

}  // namespace
}  // namespace toposim::accuracy::test
