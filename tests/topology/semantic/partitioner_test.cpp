#include "topology/semantic/partitioner.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "flat_balanced.hpp"
#include "mixture.hpp"
#include "npy_files.hpp"
#include "topology/error.hpp"
#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

// Counts within bounds and as labelled; centroids and inertia as computed from the labels in double precision.
void expect_consistent(const Partition& p, const std::vector<float>& data) {
  const std::uint64_t dims = p.dims;
  ASSERT_EQ(p.domain.size() * dims, data.size());
  std::vector<double> sums(p.domains() * dims, 0.0);
  std::vector<std::uint64_t> counts(p.domains(), 0);
  for (std::uint64_t i = 0; i < p.domain.size(); ++i) {
    ASSERT_LT(p.domain[i], p.domains());
    ++counts[p.domain[i]];
    for (std::uint64_t k = 0; k < dims; ++k) sums[p.domain[i] * dims + k] += data[i * dims + k];
  }
  EXPECT_EQ(counts, p.counts);
  for (std::uint64_t j = 0; j < p.domains(); ++j) {
    EXPECT_GE(counts[j], p.least[j]);
    EXPECT_LE(counts[j], p.most[j]);
    for (std::uint64_t k = 0; k < dims; ++k) {
      sums[j * dims + k] /= static_cast<double>(counts[j]);
      ASSERT_NEAR(p.centroids[j * dims + k], sums[j * dims + k], 1e-5 * (1 + std::abs(sums[j * dims + k])));
    }
  }
  double inertia = 0;
  for (std::uint64_t i = 0; i < p.domain.size(); ++i) {
    for (std::uint64_t k = 0; k < dims; ++k) {
      const double off = data[i * dims + k] - sums[p.domain[i] * dims + k];
      inertia += off * off;
    }
  }
  EXPECT_NEAR(p.inertia, inertia, 1e-4 * inertia + 1e-6 * p.statistics.total_inertia);
}

Partition split(const std::vector<float>& data, std::uint64_t dims, std::uint64_t domains,
                PartitionOptions options = {}) {
  return partition(Embeddings::in_memory(data, data.size() / dims, dims), domains, options);
}

// The bound of 5 % was stated before the first run.
TEST(Partitioner, NearFlatBalancedKmeans) {
  const std::uint64_t samples = 4000, dims = 16, domains = 24;
  const std::vector<float> data = mixture({.samples = samples, .dims = dims, .topics = 15, .seed = 3});
  const FlatResult flat = flat_balanced_kmeans(data, samples, dims, domains, 0.1, 20, 1);
  const Partition p = split(data, dims, domains);
  expect_consistent(p, data);
  EXPECT_LT(p.inertia, 1.05 * flat.balanced_inertia);
  RecordProperty("ratio", std::to_string(p.inertia / flat.balanced_inertia));
  RecordProperty("price_of_balance", std::to_string(flat.balanced_inertia / flat.plain_inertia));
}

// More domains than candidates per sample, rows beyond the sample of 32,768, several slacks.
TEST(Partitioner, KeepsBounds) {
  const std::vector<float> data = mixture({.samples = 34'000, .dims = 8, .topics = 30, .seed = 2, .scatter = 0.3});
  double last = 1e300;
  for (const double slack : {0.0, 0.1, 1.0}) {
    const Partition p = split(data, 8, 100, {.slack = slack});
    expect_consistent(p, data);
    EXPECT_LT(p.inertia, last);  // more room, closer samples
    last = p.inertia;
  }
}

// 8 topics of 100 samples, far apart (10 standard deviations), in 8 domains: purity 1, whatever the seed.
TEST(Partitioner, FindsPlantedTopics) {
  std::vector<float> data;
  for (std::uint64_t i = 0; i < 800; ++i) {
    for (std::uint32_t k = 0; k < 8; ++k) data.push_back((i % 8 == k ? 10.0f : 0.0f) + 0.5f * rough_normal(1, i, k, 1));
  }
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Partition p = split(data, 8, 8, {.slack = 0, .seed = seed});
    for (std::uint64_t i = 8; i < 800; ++i) ASSERT_EQ(p.domain[i], p.domain[i % 8]) << "seed " << seed;
  }
}

// The same topics, 13 workers against 12: fair counts 416 and 384 of 800 (slack 0).
TEST(Partitioner, SharesOfDomains) {
  const std::vector<float> data = mixture({.samples = 1000, .dims = 4, .topics = 6, .seed = 8});
  const Partition p = partition(Embeddings::in_memory(data, 1000, 4), std::vector<double>{2, 1, 5, 2}, {.slack = 0});
  EXPECT_EQ(p.counts, (std::vector<std::uint64_t>{200, 100, 500, 200}));
  expect_consistent(p, data);
}

TEST(Partitioner, SameBitsForAnyThreads) {
  const std::vector<float> data = mixture({.samples = 5000, .dims = 24, .topics = 40, .seed = 5});
  for (const double temperature : {0.0, 0.5}) {
    const Partition one = split(data, 24, 80, {.temperature = temperature, .threads = 1});
    for (const unsigned threads : {2u, 5u}) {
      const Partition more = split(data, 24, 80, {.temperature = temperature, .threads = threads});
      EXPECT_EQ(one.domain, more.domain);
      EXPECT_EQ(one.centroids, more.centroids);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(one.inertia), std::bit_cast<std::uint64_t>(more.inertia));
    }
    EXPECT_NE(one.domain, split(data, 24, 80, {.temperature = temperature, .seed = 2}).domain);
  }
}

// FNV-1a of the map: the same bits on every machine. A change of algorithm changes it on purpose. (Topics are equally
// popular, since the C library's pow is not the same everywhere.)
TEST(Partitioner, Golden) {
  const std::vector<float> data = mixture({.samples = 5000, .dims = 20, .topics = 30, .seed = 5, .popularity = 0});
  const auto digest = [](const Partition& p) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::uint32_t domain : p.domain) hash = (hash ^ domain) * 0x100000001b3u;
    return hash;
  };
  EXPECT_EQ(digest(split(data, 20, 40)), 4340097831808410033u);
  EXPECT_EQ(digest(split(data, 20, 40, {.temperature = 0.5})), 14800711016404497414u);
}

// The same map from memory and from a file; and for fp16, from a file and from memory after conversion.
TEST(Partitioner, FileAndMemoryAgree) {
  const std::uint64_t samples = 34'000, dims = 12;
  const std::vector<float> data = mixture({.samples = samples, .dims = dims, .topics = 30, .seed = 5});
  const TemporaryFile file(npy_front(1, npy_dictionary("<f4", samples, dims)) + bytes_of(data));
  const Partition memory = split(data, dims, 50);
  const Partition streamed = partition(Embeddings::open_npy(file.path()), 50, {});
  EXPECT_EQ(memory.domain, streamed.domain);
  EXPECT_EQ(memory.centroids, streamed.centroids);

  std::vector<std::uint16_t> halves(samples * dims);
  for (std::uint64_t i = 0; i < halves.size(); ++i)
    halves[i] = static_cast<std::uint16_t>(0x3800 + (i * 2654435761u >> 7) % 0x900);
  const TemporaryFile half_file(npy_front(2, npy_dictionary("<f2", samples, dims)) + bytes_of(halves));
  const Embeddings half = Embeddings::open_npy(half_file.path());
  std::vector<float> widened(halves.size());
  half.read(0, samples, widened.data());
  EXPECT_EQ(partition(half, 50, {}).domain, split(widened, dims, 50).domain);
}

// Shifting by a constant and scaling by a power of two change nothing: distances do not cancel at 1000 standard
// deviations from the origin, nor overflow at 1e18 of them.
TEST(Partitioner, ShiftAndScale) {
  const std::vector<float> data = mixture({.samples = 3000, .dims = 6, .topics = 10, .seed = 4});
  std::vector<float> far = data, large = data;
  for (float& x : far) x = std::ldexp(std::round(std::ldexp(x, 10)), -10);
  const Partition rounded = split(far, 6, 20);
  for (float& x : far) x += 1024;
  for (float& x : large) x *= 0x1p60f;
  std::uint64_t same = 0;
  const Partition shifted = split(far, 6, 20), scaled = split(large, 6, 20), plain = split(data, 6, 20);
  for (std::uint64_t i = 0; i < 3000; ++i) same += rounded.domain[i] == shifted.domain[i];
  EXPECT_GT(same, 2900u);
  EXPECT_NEAR(shifted.inertia, rounded.inertia, 1e-3 * rounded.inertia);
  EXPECT_EQ(scaled.domain, plain.domain);
  EXPECT_NEAR(scaled.inertia / plain.inertia, 0x1p120, 0x1p100);
}

TEST(Partitioner, EdgeCases) {
  const std::vector<float> same(500 * 3, 7.25f);
  Partition p = split(same, 3, 20);  // 25 each, 22 to 28
  expect_consistent(p, same);
  EXPECT_EQ(p.inertia, 0);
  EXPECT_EQ(p.centroids, std::vector<float>(60, 7.25f));
  expect_consistent(split(std::vector<float>(300, 0.0f), 1, 300), std::vector<float>(300, 0.0f));

  const std::vector<float> data = mixture({.samples = 200, .dims = 3, .topics = 5, .seed = 6});
  p = split(data, 3, 1);
  EXPECT_EQ(p.domain, std::vector<std::uint32_t>(200, 0));
  EXPECT_NEAR(p.inertia, p.statistics.total_inertia, 1e-6 * p.inertia);
  p = split(data, 3, 200, {.slack = 0});  // as many domains as samples: one each, inertia 0
  EXPECT_EQ(std::set<std::uint32_t>(p.domain.begin(), p.domain.end()).size(), 200u);
  EXPECT_NEAR(p.inertia, 0, 1e-9);
  expect_consistent(split(data, 3, 199), data);
  EXPECT_THROW(split(data, 3, 201), TopologyError);
  EXPECT_THROW(split(data, 3, 0), TopologyError);
  EXPECT_THROW(split(data, 3, 70'000), TopologyError);
  EXPECT_THROW(split(data, 3, 4, {.temperature = -1}), TopologyError);
  EXPECT_THROW(split(data, 3, 4, {.temperature = 1e-300}), TopologyError);
  EXPECT_THROW(split(data, 3, 4, {.samples_max = 49}), TopologyError);
  EXPECT_THROW(split(data, 3, 4, {.rounds = 0}), TopologyError);
}

// A line of 1000 points, 4 domains, no slack: the quarters, in some order. Inertia of 250 points a unit apart:
// n (n^2 - 1) / 12 = 1,302,062.5; four of them.
TEST(Partitioner, OneDimension) {
  std::vector<float> line(1000);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<float>(i);
  const Partition p = split(line, 1, 4, {.slack = 0});
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(p.domain[i], p.domain[i / 250 * 250]);
  EXPECT_NEAR(p.inertia, 4 * 1302062.5, 1);
}

// 60 % of the samples are one vector (empty texts, say) among 12,000: far more than its nearest 16 domains of 40 hold.
TEST(Partitioner, ManyDuplicates) {
  std::vector<float> data = mixture({.samples = 12'000, .dims = 5, .topics = 20, .seed = 9});
  for (std::uint64_t i = 0; i < 12'000; ++i)
    if (i % 5 < 3) std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(i * 5), 5, 0.0f);
  expect_consistent(split(data, 5, 300), data);
}

// Two topics a distance apart of squared length 16, scatter such that the mean squared distance within is about 1 (2
// dimensions of variance 0.5). At temperature t the odds of the other domain are near exp(-16 / t): t = 4 gives 0.018,
// t = 16 gives 0.27. With slack 1 nothing has to move.
TEST(Partitioner, Temperature) {
  std::vector<float> data;
  const std::uint64_t samples = 20'000;
  for (std::uint64_t i = 0; i < samples; ++i) {
    data.push_back((i % 2 == 0 ? -2.0f : 2.0f) + 0.70710678f * rough_normal(4, i, 0, 1));
    data.push_back(0.70710678f * rough_normal(4, i, 1, 1));
  }
  for (const double temperature : {4.0, 16.0}) {
    const Partition hard = split(data, 2, 2, {.slack = 1});
    const double mean_square = hard.inertia / static_cast<double>(samples);
    // The expected share of samples away from home, by the definition itself.
    double expected = 0;
    std::uint64_t away = 0;
    const Partition soft = split(data, 2, 2, {.slack = 1, .temperature = temperature});
    for (std::uint64_t i = 0; i < samples; ++i) {
      double square[2];
      for (int j = 0; j < 2; ++j) {
        const double x = data[2 * i] - hard.centroids[2 * j], y = data[2 * i + 1] - hard.centroids[2 * j + 1];
        square[j] = x * x + y * y;
      }
      const std::uint32_t home = hard.domain[i];
      expected += 1 / (1 + std::exp((square[1 - home] - square[home]) / (temperature * mean_square)));
      away += soft.domain[i] != home;
    }
    // Standard deviation of the count: below sqrt(expected); 5 of them.
    EXPECT_NEAR(static_cast<double>(away), expected, 5 * std::sqrt(expected)) << temperature;
    EXPECT_GT(soft.inertia, hard.inertia);
  }
}

// Soft, with bounds that bite: an unpopular domain must get its share, and bounds hold.
TEST(Partitioner, TemperatureWithinBounds) {
  const std::vector<float> data = mixture({.samples = 6000, .dims = 8, .topics = 25, .seed = 12});
  const Partition hard = split(data, 8, 40), soft = split(data, 8, 40, {.temperature = 0.3});
  expect_consistent(soft, data);
  EXPECT_GT(soft.inertia, hard.inertia);
  EXPECT_LT(soft.inertia, soft.statistics.total_inertia);
  const Partition hot = split(data, 8, 40, {.temperature = 1e6});  // uniform: nothing of the topics is left
  expect_consistent(hot, data);
  EXPECT_GT(hot.inertia, 0.97 * hot.statistics.total_inertia);
}

}  // namespace
}  // namespace toposim::topology
