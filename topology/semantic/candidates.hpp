#pragma once
// The few centroids that every sample may go to.
#include <cstdint>
#include <vector>

#include "topology/semantic/centred_rows.hpp"

namespace toposim::topology {

/// Domains are numbered in 16 bits here.
inline constexpr std::uint64_t clusters_max = 65'535;
inline constexpr std::uint32_t candidates_max = 16;

struct CandidateTable {
  std::uint64_t samples = 0;
  std::uint32_t width = 0;             ///< candidates per sample, at most candidates_max
  std::vector<std::uint16_t> cluster;  ///< samples x width, in no order that matters but for ties
  std::vector<float> square;           ///< squared distances, likewise

  CandidateTable(std::uint64_t sample_count, std::uint32_t candidates)
      : samples(sample_count),
        width(candidates),
        cluster(sample_count * candidates),
        square(sample_count * candidates) {}
};

/// Finds candidates: all distances, as matrix products by blocks of rows. With prices (prices.hpp) that are not all 0,
/// half of a sample's candidates are the nearest, and the rest are the cheapest others, by squared distance + price:
/// they bring in domains that lack samples though they are nobody's nearest.
class CentroidIndex {
 public:
  explicit CentroidIndex(const Rows& centroids) : CentroidIndex(centroids, std::vector<double>(centroids.rows, 0.0)) {}
  CentroidIndex(const Rows& centroids, const std::vector<double>& prices);

  std::uint64_t size() const { return norms_.size(); }
  /// `width` <= size() candidates of `count` rows; the rows' numbers first_sample + 0, 1, ... break ties: among equals
  /// a sample starts its search at a centroid of its own, so that duplicates spread over equal centroids.
  void search(const float* rows, std::uint64_t count, std::uint64_t first_sample, std::uint32_t width,
              std::uint16_t* cluster, float* square) const;

 private:
  Rows doubled_;               // -2 c
  std::vector<float> norms_;   // |c|^2
  std::vector<float> prices_;  // empty: all 0
};

/// Candidates of all rows of an embedding / of rows in memory.
CandidateTable candidates_of(const CentredRows& rows, const CentroidIndex& index, std::uint32_t width,
                             unsigned threads);
CandidateTable candidates_of(const Rows& rows, const CentroidIndex& index, std::uint32_t width, unsigned threads);

/// Measures a table's candidates anew after the centroids have moved a little: a hundredth of the work of
/// finding them. A centroid that came nearer from outside a sample's candidates is missed.
void remeasure(const CentredRows& rows, const Rows& centroids, unsigned threads, CandidateTable& table);
void remeasure(const Rows& rows, const Rows& centroids, unsigned threads, CandidateTable& table);

}  // namespace toposim::topology
