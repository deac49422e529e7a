#pragma once
// The sums of strips to one number, in fp64, 4096 at a time by the same shape; and what is derived from it.
#include "kernels/body/shape.hpp"

namespace toposim::kernels {

/// One work item per quantity and group of 4096.
template <class T>
struct FinishJob {
  std::size_t count;  ///< numbers per quantity
  int quantities;
  const T* input;  ///< quantity q from q x count on
  double* output;  ///< quantity q from q x groups on

  TK_FN std::size_t groups() const { return strips_of(count); }
  TK_FN std::size_t items() const { return static_cast<std::size_t>(quantities) * groups(); }
  template <class B>
  TK_FN void run(std::size_t item) const {
    const std::size_t quantity = item / groups(), group = item % groups();
    const T* from = input + quantity * count;
    const RowRange rows = rows_of_strip(count, group);
    typename B::Doubles sums;
    for (std::size_t row = rows.first; row < rows.end; ++row) {
      const Place at = place(count, row, 0, row_slots);
      sums.add(from + at.index(), at.valid);
    }
    B::put(output + item, sums.tree());
  }
};

/// What a clipped gradient is multiplied by. Norms that are not finite give 0 or NaN: look at the norm.
struct ClipFactorJob {
  const double* square;
  double limit;  ///< norm at most, or exactly when `normalise`
  bool normalise;
  double* norm;
  float* factor;

  TK_FN std::size_t items() const { return 1; }
  template <class B>
  TK_FN void run(std::size_t) const {
    const double n = __builtin_sqrt(*square);
    double f = 1.0;
    if (!(n <= limit) || (normalise && n > 0)) f = limit / n;
    B::put(norm, n);
    B::put(factor, static_cast<float>(f));
  }
};

}  // namespace toposim::kernels
