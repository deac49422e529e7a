#pragma once
#include <algorithm>
#include <cstddef>

#include "sim/workloads/fixed_math.hpp"

namespace toposim::workloads {

/// x[i] = e^(x[i] - max x); returns their sum. Eight (four) running sums, the last count % lanes one by one. `largest`
/// receives the maximum.
template <class Scalar>
Scalar exponentials(Scalar* x, std::size_t count, Scalar& largest) {
  largest = x[0];
  for (std::size_t i = 1; i < count; ++i) largest = x[i] > largest ? x[i] : largest;
  constexpr std::size_t step = lanes<Scalar>;
  const std::size_t whole = count / step * step;
  Pack<Scalar> sums{};
  for (std::size_t i = 0; i < whole; i += step) {
    const Pack<Scalar> e = exp_pack<Scalar>(load(x + i) - largest);
    store(x + i, e);
    sums += e;
  }
  Scalar total = sum<Scalar>(sums);
  for (std::size_t i = whole; i < count; ++i) total += x[i] = exp(x[i] - largest);
  return total;
}

/// Softmax and cross entropy of one row: returns -log softmax(logits)[target] in nats, and turns the logits into
/// `scale` times its gradient, scale (softmax(logits) - [target]).
template <class Scalar>
double cross_entropy(Scalar* logits, std::size_t classes, std::size_t target, Scalar scale) {
  const double of_target = logits[target];
  Scalar largest;
  const Scalar total = exponentials(logits, classes, largest);
  const Scalar factor = scale / total;
  for (std::size_t c = 0; c < classes; ++c) logits[c] *= factor;
  logits[target] -= scale;
  return log(static_cast<double>(total)) + (static_cast<double>(largest) - of_target);
}

}  // namespace toposim::workloads
