#pragma once
// Count-sketch (Charikar, Chen, Farach-Colton, 2002): S[h(j)] += s(j) x[j], so that <S(x), S(y)> estimates <x, y>.
//
// The hash is drawn per half row of 64 neighbours: a group of 64 buckets, and a mask that is XORed to the place among
// the 64; signs are drawn for every element. Two elements of one half row never meet; any two others meet with
// probability 1/width, as in the plain scheme, so the estimate is unbiased with the same bound on its variance.
// For half row k: bits = mix(seed + (2k + 1) g), mask = low 6 bits, group = (high 32 bits x width / 64) >> 32; signs =
// mix(seed + (2k + 2) g), bit s for slot s. mix is the finaliser of splitmix64 (Steele, Lea, Flood, 2014), g its
// golden gamma 0x9e3779b97f4a7c15.
//
// Shape: blocks of 64 strips (2^18 elements) add their rows in order, fp32, first the lower then the upper half of a
// row; blocks are added in order in fp64, and rounded to fp32 at the end.
#include "kernels/body/element.hpp"
#include "kernels/body/nests.hpp"

namespace toposim::kernels {

inline constexpr int sketch_width_min = 64, sketch_width_max = 4096;  ///< multiples of 64
inline constexpr std::size_t sketch_block_rows = 64 * strip_rows;

TK_FN std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

struct SketchPlace {
  int first;  ///< bucket of the group's start
  std::uint32_t mask;
  std::uint64_t signs;
};
TK_FN SketchPlace sketch_place(std::uint64_t seed, std::size_t half_row, int width) {
  constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15ull;
  const std::uint64_t bits = mix(seed + (2 * half_row + 1) * gamma);
  const auto group = static_cast<int>(((bits >> 32) * static_cast<std::uint64_t>(width / 64)) >> 32);
  return {64 * group, static_cast<std::uint32_t>(bits & 63), mix(seed + (2 * half_row + 2) * gamma)};
}

TK_FN constexpr std::size_t sketch_blocks(std::size_t elements) {
  return (rows_of(elements) + sketch_block_rows - 1) / sketch_block_rows;
}

/// One work item per block: its table goes to partial[block x width].
template <class T>
struct SketchJob {
  std::size_t elements;
  Source<T> input;
  int width;
  std::uint64_t seed;
  float* partial;

  TK_FN std::size_t items() const { return sketch_blocks(elements); }
  template <class B>
  TK_FN void run(std::size_t block) const {
    using P = typename B::Row;
    float* table = partial + block * static_cast<std::size_t>(width);
    B::zero(table, width);
    const std::size_t rows = rows_of(elements), first = block * sketch_block_rows;
    const std::size_t end = first + sketch_block_rows < rows ? first + sketch_block_rows : rows;
    const auto add = [&](const auto& at) TK_INLINE {
      const P x = P::load(input, at);
      for (int half = 0; half < 2; ++half) {
        const SketchPlace to = sketch_place(seed, 2 * at.row + static_cast<std::size_t>(half), width);
        x.scatter_half(table + to.first, half, to.mask, to.signs);
      }
    };
    const std::size_t whole_end = whole_rows_end(elements, {first, end});
    for (std::size_t row = first; row < whole_end; ++row) add(WholePlace{row, 0});
    if (whole_end < end) add(place(elements, whole_end, 0, P::width));
  }
};

/// One work item per 64 buckets.
struct SketchSumJob {
  std::size_t blocks;
  int width;
  const float* partial;
  float* output;

  TK_FN std::size_t items() const { return static_cast<std::size_t>(width) / 64; }
  template <class B>
  TK_FN void run(std::size_t item) const {
    B::for_each_index(64, [&](int i) {
      const std::size_t bucket = item * 64 + static_cast<std::size_t>(i);
      double sum = 0;
      for (std::size_t block = 0; block < blocks; ++block)
        sum += static_cast<double>(partial[block * static_cast<std::size_t>(width) + bucket]);
      output[bucket] = static_cast<float>(sum);
    });
  }
};

}  // namespace toposim::kernels
