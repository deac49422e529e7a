#pragma once
// The two loop nests that every kernel is written in: element by element, and sums over a strip.
//
// B is a backend's pack family. B::Pack<V> covers `width` neighbouring slots of a row: all 128 on a warp, V vector
// registers on a CPU, so V says how many registers a body can spare and changes no result. B::Slots<V> holds the 128
// partial sums of a strip.
#include "kernels/body/shape.hpp"

namespace toposim::kernels {

/// body(place) for every pack of a strip, in order.
template <class P, class Body>
TK_FN void for_each_pack(std::size_t elements, std::size_t strip, const Body& body) {
  const RowRange rows = rows_of_strip(elements, strip);
  for (std::size_t row = rows.first; row < rows.end; ++row)
    for (int slot = 0; slot < row_slots; slot += P::width) body(place(elements, row, slot, P::width));
}

/// Q sums over a strip: body(acc, place) adds one pack's contributions to P acc[Q]; sums[q] is the tree over the slots.
template <class P, int Q, class Body>
TK_FN void sum_strip(std::size_t elements, std::size_t strip, float* sums, const Body& body) {
  const RowRange rows = rows_of_strip(elements, strip);
  typename P::Slots slots[Q];
  for (int slot = 0; slot < row_slots; slot += P::width) {
    P acc[Q];
    for (int q = 0; q < Q; ++q) acc[q] = P::splat(0.0f);
    for (std::size_t row = rows.first; row < rows.end; ++row) body(acc, place(elements, row, slot, P::width));
    for (int q = 0; q < Q; ++q) slots[q].put(slot, acc[q]);
  }
  for (int q = 0; q < Q; ++q) slots[q].tree(sums + q);
}

}  // namespace toposim::kernels
