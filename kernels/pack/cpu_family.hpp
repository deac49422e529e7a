#pragma once
// The pack family of a CPU: what kernels are written over.
#include "kernels/pack/cpu_near.hpp"

namespace toposim::kernels::TK_ISA {

/// The pack family of this instruction set.
struct Cpu {
  template <int V>
  using Pack = CpuPack<V>;
  using Row = CpuPack<row_slots / lanes>;
  using Doubles = TK_ISA::Doubles;
  using Near = TK_ISA::Near;
  template <class T>
  using Panel = TK_ISA::Panel<T>;
  using PairSums = TK_ISA::PairSums;
  static constexpr int pool_streams = 8;  ///< inputs read side by side
  static constexpr int gram_block = TK_ISA::gram_block, gram_rows = TK_ISA::gram_rows,
                       gram_columns = TK_ISA::gram_columns;

  /// A value that is the same in all lanes, written once.
  template <class T>
  TK_FN static void put(T* to, T value) {
    *to = value;
  }
  template <class T>
  TK_FN static void read_ahead(const Source<T>& source, std::size_t elements, std::size_t row) {
    read_row_ahead(source, elements, row);
  }
  /// body(i) for 0 <= i < count, independent of each other: shared out among lanes where there are any.
  template <class Body>
  TK_FN static void for_each_index(int count, const Body& body) {
    for (int i = 0; i < count; ++i) body(i);
  }
  TK_FN static void zero(float* table, int count) {
    __builtin_memset(table, 0, sizeof(float) * static_cast<unsigned>(count));
  }
};

}  // namespace toposim::kernels::TK_ISA
