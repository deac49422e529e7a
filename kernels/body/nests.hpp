#pragma once
// The two loop nests that every kernel is written in: element by element, and sums over a strip.
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

/// Q sums over a strip: body(acc, at) adds one pack's contributions to P acc[Q]; sums[q] is the tree over the slots.
///
/// Rows are taken `Group` at a time, and a slot's sums kept in registers for that long: memory is read nearly in order,
/// which its prefetchers need, and lines stay in the first cache while neighbouring packs use them. A slot adds its
/// rows in order whatever Group is.
template <class P, int Q, int Group, class Body>
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
  std::size_t row = rows.first;
  for (; row + Group <= whole_end; row += Group)
    for (int slot = 0; slot < row_slots; slot += P::width)
      visit(slot, [&](P* acc) TK_INLINE {
        each<Group>([&](auto r) TK_INLINE { body(acc, WholePlace{row + r, slot}); });
      });
  for (; row < rows.end; ++row)
    for (int slot = 0; slot < row_slots; slot += P::width)
      visit(slot, [&](P* acc) TK_INLINE { body(acc, place(elements, row, slot, P::width)); });
  each<Q>([&](auto q) TK_INLINE { slots[q].tree(sums + q); });
}

}  // namespace toposim::kernels
