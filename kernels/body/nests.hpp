#pragma once
// The loop nests that every kernel is written in: element by element, down the rows, and sums over a strip.
//
// B is a backend's pack family. B::Pack<V> covers `width` neighbouring slots of a row: all 128 on a warp, V vector
// registers on a CPU, so V says how many registers a body can spare and changes no result. A pack P's P::Slots holds
// the 128 partial sums of a strip.
#include "kernels/body/shape.hpp"

namespace toposim::kernels {

/// Bodies take `auto at`: a WholePlace for rows that are all there, a Place for the last one where it is not.
///
/// body(at) for every pack of a strip, in order.
template <class P, class Body>
TK_FN void for_each_pack(std::size_t elements, std::size_t strip, const Body& body) {
  const RowRange rows = rows_of_strip(elements, strip);
  const std::size_t whole_end = whole_rows_end(elements, rows);
  for (std::size_t row = rows.first; row < whole_end; ++row)
    for (int slot = 0; slot < row_slots; slot += P::width) body(WholePlace{row, slot});
  if (whole_end < rows.end)
    for (int slot = 0; slot < row_slots; slot += P::width) body(place(elements, whole_end, slot, P::width));
}

/// body(at) down the rows of one pack's slots.
template <class Body>
TK_FN void for_each_row(std::size_t elements, const RowRange& rows, int slot, int width, const Body& body) {
  const std::size_t whole_end = whole_rows_end(elements, rows);
  for (std::size_t row = rows.first; row < whole_end; ++row) body(WholePlace{row, slot});
  if (whole_end < rows.end) body(place(elements, whole_end, slot, width));
}

/// Q sums over a strip: body(acc, at) adds one pack's contributions to P acc[Q]; sums[q] is the tree over the slots.
/// Row by row: memory is read in order, which its prefetchers need.
template <class P, int Q, class Body>
TK_FN void sum_strip(std::size_t elements, std::size_t strip, float* sums, const Body& body) {
  const RowRange rows = rows_of_strip(elements, strip);
  const std::size_t whole_end = whole_rows_end(elements, rows);
  typename P::Slots slots[Q];
  for (int slot = 0; slot < row_slots; slot += P::width)
    each<Q>([&](auto q) TK_INLINE { slots[q].put(slot, P::splat(0.0f)); });
  const auto visit = [&](int slot, const auto& add) TK_INLINE {
    P acc[Q];
    each<Q>([&](auto q) TK_INLINE { acc[q] = slots[q].template get<P>(slot); });
    add(acc);
    each<Q>([&](auto q) TK_INLINE { slots[q].put(slot, acc[q]); });
  };
  for (std::size_t row = rows.first; row < whole_end; ++row)
    for (int slot = 0; slot < row_slots; slot += P::width)
      visit(slot, [&](P* acc) TK_INLINE { body(acc, WholePlace{row, slot}); });
  if (whole_end < rows.end)
    for (int slot = 0; slot < row_slots; slot += P::width)
      visit(slot, [&](P* acc) TK_INLINE { body(acc, place(elements, whole_end, slot, P::width)); });
  each<Q>([&](auto q) TK_INLINE { sums[q] = slots[q].tree(); });
}

}  // namespace toposim::kernels
