#pragma once
// The fixed summation shape, version 1. Whatever runs a kernel (any vector width, thread count, grid, CPU or GPU) adds
// the same numbers in the same order, so that the bits agree.
//
//   element j -> strip j / 4096, row (j % 4096) / 128, slot j % 128
//   in a strip: each slot adds its rows in order, fp32, by fma; then slots are added pairwise, s and s + 64, s and
//   s + 32, ..., s and s + 1 (a fixed tree), fp32
//   across strips: the strips' sums, 4096 at a time, by the same shape in fp64; and again, until one is left
//
// Slots of a started row beyond the last element count as +0. Changing any of this changes results in the last bits:
// raise shape_version, and the golden hashes with it.
#include <cstddef>
#include <cstdint>
#include <utility>

#ifdef __CUDACC__
#define TK_FN __host__ __device__ __forceinline__
#define TK_INLINE
#else
#define TK_FN inline __attribute__((always_inline))
#define TK_INLINE __attribute__((always_inline))  // behind a lambda's parameters
#endif

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "topokernels promises the same bits everywhere and cannot be built with fast-math"
#endif

namespace toposim::kernels {

inline constexpr int shape_version = 1;
inline constexpr int row_slots = 128;  ///< also the block of int8 quantisation
inline constexpr int strip_rows = 32;
inline constexpr std::size_t strip_elements = row_slots * strip_rows;  ///< 4096

TK_FN constexpr std::size_t strips_of(std::size_t elements) {
  return (elements + strip_elements - 1) / strip_elements;
}
TK_FN constexpr std::size_t rows_of(std::size_t elements) {
  return (elements + row_slots - 1) / row_slots;
}

/// f(0), f(1), ..., f(N - 1), each with its number as a type, so that arrays of packs stay in registers.
template <class F, int... I>
TK_FN void each_of(std::integer_sequence<int, I...>, const F& f) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
TK_FN void each(const F& f) {
  each_of(std::make_integer_sequence<int, N>{}, f);
}

/// Where a pack stands: `row` counts from the start of the vector; `slot` is the pack's first in the row. `valid`: how
/// many of its elements there are, 0 to the pack's width.
struct Place {
  std::size_t row;
  int slot;
  int valid;
  TK_FN std::size_t index() const { return row * row_slots + static_cast<std::size_t>(slot); }
};

/// A place where a whole pack is known to be, so that loads need no question.
struct WholePlace {
  std::size_t row;
  int slot;
  TK_FN std::size_t index() const { return row * row_slots + static_cast<std::size_t>(slot); }
};

TK_FN Place place(std::size_t elements, std::size_t row, int slot, int width) {
  const std::size_t index = row * row_slots + static_cast<std::size_t>(slot);
  const std::size_t left = index < elements ? elements - index : 0;
  return {row, slot, left < static_cast<std::size_t>(width) ? static_cast<int>(left) : width};
}

struct RowRange {
  std::size_t first, end;
};
TK_FN RowRange rows_of_strip(std::size_t elements, std::size_t strip) {
  const std::size_t first = strip * strip_rows, all = rows_of(elements);
  return {first, first + strip_rows < all ? first + strip_rows : all};
}

/// The end of those rows of the range that have all their elements.
TK_FN std::size_t whole_rows_end(std::size_t elements, const RowRange& rows) {
  const std::size_t whole = elements / row_slots;
  return whole < rows.end ? whole : rows.end;
}

}  // namespace toposim::kernels
