#include "topology/semantic/candidates.hpp"

#include <algorithm>
#include <limits>

#include "topology/mix.hpp"
#include "topology/semantic/parallel.hpp"
#include "topology/semantic/products.hpp"

namespace toposim::topology {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// A sorted list of the smallest values seen, in the caller's arrays.
class Smallest {
 public:
  Smallest(std::uint16_t* cluster, float* square, std::uint32_t width)
      : cluster_(cluster), square_(square), width_(width) {}

  float worst() const { return square_[width_ - 1]; }
  // Offers |c|^2 - 2 x.c of columns first .. end-1. Eight at a time: nearly all blocks hold nothing new.
  void offer(const float* products, const float* norms, std::uint64_t first, std::uint64_t end) {
    std::uint64_t j = first;
    for (; j + 8 <= end; j += 8) {
      const float limit = worst();
      int better = 0;
      for (std::uint64_t lane = 0; lane < 8; ++lane) better |= products[j + lane] + norms[j + lane] < limit;
      if (!better) continue;
      for (std::uint64_t i = j; i < j + 8; ++i) offer_one(products[i] + norms[i], static_cast<std::uint16_t>(i));
    }
    for (; j < end; ++j) offer_one(products[j] + norms[j], static_cast<std::uint16_t>(j));
  }
  void offer_one(float value, std::uint16_t which) {
    if (value < worst()) add(value, which);
  }

 private:
  void add(float value, std::uint16_t which) {
    std::uint32_t at = width_ - 1;
    for (; at > 0 && square_[at - 1] > value; --at) {
      square_[at] = square_[at - 1];
      cluster_[at] = cluster_[at - 1];
    }
    square_[at] = value;
    cluster_[at] = which;
  }

  std::uint16_t* cluster_;
  float* square_;
  std::uint32_t width_;
};

// Squared distance: eight partial sums, so that it vectorises in a fixed order.
float square_between(const float* x, const float* c, std::uint64_t dims) {
  float part[8] = {};
  std::uint64_t k = 0;
  for (; k + 8 <= dims; k += 8) {
    for (std::uint64_t lane = 0; lane < 8; ++lane) {
      const float off = x[k + lane] - c[k + lane];
      part[lane] += off * off;
    }
  }
  float sum = 0;
  for (; k < dims; ++k) sum += (x[k] - c[k]) * (x[k] - c[k]);
  for (const float p : part) sum += p;
  return sum;
}

void remeasure_rows(const float* rows, std::uint64_t count, const Rows& centroids, std::uint32_t width,
                    const std::uint16_t* cluster, float* square) {
  for (std::uint64_t r = 0; r < count; ++r) {
    for (std::uint64_t k = r * width; k < (r + 1) * width; ++k) {
      square[k] = square_between(rows + r * centroids.dims, centroids.row(cluster[k]), centroids.dims);
    }
  }
}

std::uint64_t chunk_of(const Rows& rows) {
  return std::clamp<std::uint64_t>((std::uint64_t{1} << 20) / rows.dims, 16, 2048);
}

// fill(first, count, the table's clusters and squares from `first` on)
template <class Fill>
void for_each_chunk(CandidateTable& table, std::uint64_t chunk, unsigned threads, Fill fill) {
  for_each_task((table.samples + chunk - 1) / chunk, threads, [&](std::size_t task) {
    const std::uint64_t first = task * chunk, count = std::min(chunk, table.samples - first);
    fill(first, count, table.cluster.data() + first * table.width, table.square.data() + first * table.width);
  });
}

}  // namespace

CentroidIndex::CentroidIndex(const Rows& centroids, const std::vector<double>& prices)
    : doubled_(centroids), norms_(centroids.rows) {
  for (std::uint64_t j = 0; j < centroids.rows; ++j) norms_[j] = squared_norm(centroids.row(j), centroids.dims);
  for (float& value : doubled_.values) value *= -2.0f;
  if (std::any_of(prices.begin(), prices.end(), [](double price) { return price != 0; })) {
    prices_.assign(prices.begin(), prices.end());
  }
}

void CentroidIndex::search(const float* rows, std::uint64_t count, std::uint64_t first_sample, std::uint32_t width,
                           std::uint16_t* cluster, float* square) const {
  std::fill_n(square, count * width, infinity);
  const std::uint64_t dims = doubled_.dims,
                      block = std::clamp<std::uint64_t>((std::uint64_t{1} << 19) / size(), 16, 512);
  const std::uint32_t nearest = prices_.empty() ? width : (width + 1) / 2;
  std::vector<float> products(block * size()), priced(width);
  std::vector<std::uint16_t> cheap(width);
  for (std::uint64_t first = 0; first < count; first += block) {
    const std::uint64_t n = std::min(block, count - first);
    multiply_transposed(rows + first * dims, n, doubled_.values.data(), size(), dims, products.data());
    for (std::uint64_t r = first; r < first + n; ++r) {
      float* const row = products.data() + (r - first) * size();
      std::uint16_t* const clusters = cluster + r * width;
      float* const squares = square + r * width;
      const std::uint64_t start = below(mix64(first_sample + r), static_cast<std::uint32_t>(size()));
      Smallest near(clusters, squares, nearest);
      near.offer(row, norms_.data(), start, size());
      near.offer(row, norms_.data(), 0, start);
      if (nearest < width) {
        for (std::uint64_t j = 0; j < size(); ++j) row[j] += norms_[j];
        std::fill(priced.begin(), priced.end(), infinity);
        Smallest others(cheap.data(), priced.data(), width);
        others.offer(row, prices_.data(), start, size());
        others.offer(row, prices_.data(), 0, start);
        std::uint32_t have = nearest;
        for (std::uint32_t k = 0; have < width; ++k) {
          if (std::find(clusters, clusters + nearest, cheap[k]) != clusters + nearest) continue;
          clusters[have] = cheap[k];
          squares[have++] = row[cheap[k]];
        }
      }
      const float norm = squared_norm(rows + r * dims, dims);
      for (std::uint32_t k = 0; k < width; ++k) squares[k] = std::max(0.0f, squares[k] + norm);
    }
  }
}

CandidateTable candidates_of(const CentredRows& rows, const CentroidIndex& index, std::uint32_t width,
                             unsigned threads) {
  CandidateTable table(rows.rows(), width);
  for_each_chunk(table, rows.chunk_rows(), threads,
                 [&](std::uint64_t first, std::uint64_t count, std::uint16_t* cluster, float* square) {
                   std::vector<float> buffer(count * rows.dims());
                   rows.read(first, count, buffer.data());
                   index.search(buffer.data(), count, first, width, cluster, square);
                 });
  return table;
}

CandidateTable candidates_of(const Rows& rows, const CentroidIndex& index, std::uint32_t width, unsigned threads) {
  CandidateTable table(rows.rows, width);
  for_each_chunk(table, chunk_of(rows), threads,
                 [&](std::uint64_t first, std::uint64_t count, std::uint16_t* cluster, float* square) {
                   index.search(rows.row(first), count, first, width, cluster, square);
                 });
  return table;
}

void remeasure(const CentredRows& rows, const Rows& centroids, unsigned threads, CandidateTable& table) {
  for_each_chunk(table, rows.chunk_rows(), threads,
                 [&](std::uint64_t first, std::uint64_t count, std::uint16_t* cluster, float* square) {
                   std::vector<float> buffer(count * rows.dims());
                   rows.read(first, count, buffer.data());
                   remeasure_rows(buffer.data(), count, centroids, table.width, cluster, square);
                 });
}

void remeasure(const Rows& rows, const Rows& centroids, unsigned threads, CandidateTable& table) {
  for_each_chunk(table, chunk_of(rows), threads,
                 [&](std::uint64_t first, std::uint64_t count, std::uint16_t* cluster, float* square) {
                   remeasure_rows(rows.row(first), count, centroids, table.width, cluster, square);
                 });
}

}  // namespace toposim::topology
