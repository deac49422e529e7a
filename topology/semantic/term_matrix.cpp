#include "topology/semantic/term_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "topology/error.hpp"
#include "topology/mix.hpp"
#include "topology/semantic/fixed_math.hpp"
#include "topology/semantic/parallel.hpp"

namespace toposim::topology {
namespace {

// 0: no part of a word.
char word_byte(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  const bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) > 127;
  return part ? c : '\0';
}

std::uint32_t bucket_of(std::string_view term, std::uint64_t kind, std::uint32_t buckets) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ kind;
  for (const char c : term) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return static_cast<std::uint32_t>(mix64(hash)) & (buckets - 1);
}

// A text's features and their counts, ascending.
std::vector<std::pair<std::uint32_t, float>> counted(std::string_view text, const TermOptions& options) {
  std::vector<std::uint32_t> found;
  std::string word(1, ' ');  // a space, then the word so far
  const auto end_word = [&] {
    if (word.size() > 1) {
      if (options.words) found.push_back(bucket_of(std::string_view(word).substr(1), 1, options.buckets));
      word += ' ';
      for (std::size_t i = 0; options.gram > 0 && i + options.gram <= word.size(); ++i)
        found.push_back(bucket_of(std::string_view(word).substr(i, options.gram), 2, options.buckets));
    }
    word.resize(1);
  };
  for (const char c : text) {
    if (const char lower = word_byte(c); lower != '\0')
      word += lower;
    else
      end_word();
  }
  end_word();
  std::sort(found.begin(), found.end());
  std::vector<std::pair<std::uint32_t, float>> result;
  for (const std::uint32_t feature : found) {
    if (result.empty() || result.back().first != feature) result.emplace_back(feature, 0.0f);
    result.back().second += 1;
  }
  return result;
}

}  // namespace

SparseRows SparseRows::transposed() const {
  SparseRows result{columns, rows, std::vector<std::uint64_t>(columns + 1, 0),
                    std::vector<std::uint32_t>(column.size()), std::vector<float>(value.size())};
  for (const std::uint32_t c : column) ++result.start[c + 1];
  for (std::uint64_t c = 0; c < columns; ++c) result.start[c + 1] += result.start[c];
  std::vector<std::uint64_t> next(result.start.begin(), result.start.end() - 1);
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t e = start[r]; e < start[r + 1]; ++e) {
      const std::uint64_t to = next[column[e]]++;
      result.column[to] = static_cast<std::uint32_t>(r);
      result.value[to] = value[e];
    }
  }
  return result;
}

SparseRows term_matrix(std::span<const std::string_view> texts, const TermOptions& options, unsigned threads) {
  if (!std::has_single_bit(options.buckets) || options.buckets > 1u << 24) {
    throw TopologyError(fmt::format("terms: {} buckets; give a power of two up to 16777216", options.buckets));
  }
  if (options.gram > 8 || (options.gram == 0 && !options.words)) {
    throw TopologyError(
        fmt::format("terms: character n-grams of {} without words; give words, or n-grams of 1 to 8", options.gram));
  }
  if (texts.empty() || texts.size() > 0xffff'fffe) {
    throw TopologyError(fmt::format("terms: {} texts; give 1 to 4294967294", texts.size()));
  }
  std::vector<std::vector<std::pair<std::uint32_t, float>>> rows(texts.size());
  constexpr std::size_t texts_per_task = 256;
  for_each_task((texts.size() + texts_per_task - 1) / texts_per_task, threads, [&](std::size_t task) {
    const std::size_t end = std::min(texts.size(), (task + 1) * texts_per_task);
    for (std::size_t i = task * texts_per_task; i < end; ++i) rows[i] = counted(texts[i], options);
  });
  std::vector<std::uint64_t> texts_with(options.buckets, 0);
  for (const auto& row : rows)
    for (const auto& [feature, count] : row) ++texts_with[feature];
  std::vector<double> rarity(options.buckets);
  for (std::uint32_t f = 0; f < options.buckets; ++f) {
    rarity[f] = 1 + fixed_log(static_cast<double>(1 + texts.size()) / static_cast<double>(1 + texts_with[f]));
  }
  SparseRows result{texts.size(), options.buckets, {0}, {}, {}};
  for (auto& row : rows) {
    double squares = 0;
    std::vector<double> weights;
    for (const auto& [feature, count] : row) {
      weights.push_back((1 + fixed_log(static_cast<double>(count))) * rarity[feature]);
      squares += weights.back() * weights.back();
    }
    const double norm = std::sqrt(squares);
    for (std::size_t e = 0; e < row.size(); ++e) {
      result.column.push_back(row[e].first);
      result.value.push_back(static_cast<float>(weights[e] / norm));
    }
    result.start.push_back(result.column.size());
    row = {};
  }
  return result;
}

}  // namespace toposim::topology
