#pragma once
// Texts as counts of what occurs in them.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace toposim::topology {

struct TermOptions {
  std::uint32_t buckets = 65'536;  ///< features: hashes of terms; a power of two up to 2^24
  std::uint32_t gram = 3;          ///< characters of a character n-gram, 0: none, at most 8
  bool words = true;
};

/// A sparse matrix by rows: row i has entries start[i] .. start[i+1]-1, columns ascending.
struct SparseRows {
  std::uint64_t rows = 0, columns = 0;
  std::vector<std::uint64_t> start;
  std::vector<std::uint32_t> column;
  std::vector<float> value;

  SparseRows transposed() const;
};

/// tf-idf weights: (1 + ln count) x (1 + ln((1 + texts) / (1 + texts with the feature))), each row scaled to length 1;
/// a text without terms has a row of zeros. Terms: words, which are runs of ASCII letters and digits and of bytes above
/// 127, ASCII letters in lower case; and character n-grams of the words with a space before and after. They are hashed
/// (64-bit FNV-1a and a finaliser) into buckets; collisions add up. Throws TopologyError for options beyond their
/// limits.
SparseRows term_matrix(std::span<const std::string_view> texts, const TermOptions& options, unsigned threads = 0);

}  // namespace toposim::topology
