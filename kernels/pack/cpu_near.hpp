#pragma once
// What a CPU keeps in its first cache while it works on a strip.
#include "kernels/pack/cpu_pack.hpp"

namespace toposim::kernels::TK_ISA {

/// Rows that will be read soon, asked for as a whole: few streams do not keep memory busy by their loads alone.
template <class T>
TK_FN void read_row_ahead(const Source<T>& source, std::size_t elements, std::size_t row) {
  constexpr std::size_t rows_ahead = 4;
  const std::size_t first = (row + rows_ahead) * row_slots;
  if (first + row_slots > elements) return;
  const auto* p = reinterpret_cast<const char*>(source.data + first);
  for (unsigned byte = 0; byte < row_slots * sizeof(T); byte += 64) __builtin_prefetch(p + byte);
}

/// fp32 numbers at the places of one strip.
class Near {
 public:
  template <class P, class At>
  TK_FN P load(const At& at) const {
    return P::load(Source<float>{x_}, WholePlace{at.row % strip_rows, at.slot});
  }
  template <class P, class At>
  TK_FN void store(const P& pack, const At& at) {
    pack.store(x_, WholePlace{at.row % strip_rows, at.slot});
  }

 private:
  alignas(64) float x_[strip_elements];
};

inline constexpr int gram_block = 16;                  ///< inputs in a panel
inline constexpr int gram_rows = 4, gram_columns = 2;  ///< tile of pairs whose sums stay in registers

/// The strip's rows of up to gram_block inputs: read once and in order, widened once, and laid out as tiles of pairs
/// use them. Read straight from the inputs they would stand a row apart, and inputs that are a power of two apart
/// compete for the same few sets of the caches. 256 KiB, so it stays in the second cache.
template <class T>
class Panel {
 public:
  using P = CpuPack<1>;
  TK_FN Panel(const Source<T>* inputs, int count, std::size_t elements, const RowRange& rows) {
    const std::size_t whole_end = whole_rows_end(elements, rows);
    for (int first = 0; first < count; first += streams) {
      const int end = first + streams < count ? first + streams : count;
      for (std::size_t row = rows.first; row < whole_end; ++row)
        for (int i = first; i < end; ++i) {
          read_row_ahead(inputs[i], elements, row);
          for (int slot = 0; slot < row_slots; slot += lanes)
            put(i, WholePlace{row, slot}, P::load(inputs[i], WholePlace{row, slot}));
        }
      for (int i = first; i < end && whole_end < rows.end; ++i)
        for (int slot = 0; slot < row_slots; slot += lanes) {
          const Place at = place(elements, whole_end, slot, lanes);
          put(i, at, P::load(inputs[i], at));
        }
    }
    for (int i = count; i % gram_rows != 0; ++i)
      for (std::size_t row = rows.first; row < rows.end; ++row)
        for (int slot = 0; slot < row_slots; slot += lanes) put(i, WholePlace{row, slot}, P::splat(0.0f));
  }
  /// Input `first + i` at a place; beyond the last, numbers that nobody uses.
  template <class At>
  TK_FN P load(const Source<T>*, int first, int i, const At& at) const {
    P p;
    p.v[0] = read<Floats>(column_[at.slot / lanes].row[at.row % strip_rows][first] + i * lanes);
    return p;
  }

 private:
  static constexpr int streams = 8;
  template <class At>
  TK_FN void put(int input, const At& at, const P& p) {
    write(column_[at.slot / lanes].row[at.row % strip_rows][input], p.v[0]);
  }
  struct Column {
    alignas(64) float row[strip_rows][gram_block][lanes];
    float apart[16];  // columns that are a power of two apart would compete as well
  };
  Column column_[row_slots / lanes];
};

/// The 128 partial sums of each pair of a block, gathered register by register.
class PairSums {
 public:
  TK_FN void add(int i, int j, int slot, const CpuPack<1>& sum, float*) { slots_[i][j].put(slot, sum); }
  /// The sum of a pair that has all its slots, to its place.
  TK_FN void finish(int i, int j, float* to) { *to = slots_[i][j].tree(); }

 private:
  Slots slots_[gram_block][gram_block];
};

}  // namespace toposim::kernels::TK_ISA
