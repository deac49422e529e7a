#pragma once
// The members of SwitchLayer.
#include "sim/workloads/switch_layer.hpp"

namespace toposim::workloads {

template <class Scalar>
SwitchLayer<Scalar>::SwitchLayer(std::size_t begin, std::size_t max_rows)
    : router_(begin),
      probability_(max_rows * experts),
      dprobability_(max_rows * experts),
      expert_(max_rows),
      place_(max_rows) {
  std::size_t at = begin + width * experts;
  for (std::size_t e = 0; e < experts; ++e) {
    layers_[2 * e] = {width, hidden, at};
    layers_[2 * e + 1] = {hidden, width, up(e).end()};
    at = down(e).end();
  }
  const std::size_t sorted = max_rows + experts * (row_multiple - 1);
  for (Buffer<Scalar>* buffer : {&in_, &out_, &dout_, &din_}) *buffer = Buffer<Scalar>(sorted * width);
  for (Buffer<Scalar>* buffer : {&h_, &slope_, &dh_}) *buffer = Buffer<Scalar>(sorted * hidden);
}

template <class Scalar>
std::vector<LayerGroup> SwitchLayer<Scalar>::groups(const std::string& block) const {
  std::vector<LayerGroup> all = {{block + ".router", router_, router_ + width * experts}};
  for (std::size_t e = 0; e < experts; ++e)
    all.push_back({block + ".expert" + std::to_string(e), up(e).begin, down(e).end()});
  return all;
}

template <class Scalar>
std::vector<DrawnWeights> SwitchLayer<Scalar>::drawn_weights() const {
  std::vector<DrawnWeights> all = {{router_, router_ + width * experts, false}};
  for (std::size_t e = 0; e < experts; ++e) {
    all.push_back({up(e).begin, up(e).bias(), false});
    all.push_back({down(e).begin, down(e).bias(), true});
  }
  return all;
}

/// Softmax of each row's router outputs; the largest takes the row, the first of equals.
template <class Scalar>
void SwitchLayer<Scalar>::route(const Scalar* parameters, const Scalar* x, std::size_t rows) {
  matrix(probability_.data(), rows, experts).noalias() =
      matrix(x, rows, width) * matrix(parameters + router_, width, experts);
  std::array<std::size_t, experts> count{};
  for (std::size_t r = 0; r < rows; ++r) {
    Scalar* p = probability_.data() + r * experts;
    expert_[r] = static_cast<std::uint8_t>(std::max_element(p, p + experts) - p);
    ++count[expert_[r]];
    Scalar largest;
    const Scalar total = exponentials(p, experts, largest);
    for (std::size_t e = 0; e < experts; ++e) p[e] /= total;
  }
  for (std::size_t e = 0; e < experts; ++e) segment_[e + 1] = segment_[e] + padded_rows(count[e]);
  std::array<std::size_t, experts> next;
  std::copy(segment_.begin(), segment_.end() - 1, next.begin());
  for (std::size_t r = 0; r < rows; ++r) place_[r] = next[expert_[r]]++;
}

template <class Scalar>
void SwitchLayer<Scalar>::forward(const Scalar* parameters, const Scalar* x, Scalar* y, std::size_t rows) {
  route(parameters, x, rows);
  for (std::size_t r = 0; r < rows; ++r) std::copy(x + r * width, x + (r + 1) * width, in_.data() + place_[r] * width);
  for (std::size_t e = 0; e < experts; ++e) {
    const std::size_t first = first_of(e), count = padded_count(e);
    if (count == 0) continue;
    up(e).forward(parameters, in_.data() + first * width, h_.data() + first * hidden, count);
    gelu(h_.data() + first * hidden, slope_.data() + first * hidden, count * hidden);
    down(e).forward(parameters, h_.data() + first * hidden, out_.data() + first * width, count);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const Scalar gate = probability_[r * experts + expert_[r]];
    for (std::size_t c = 0; c < width; ++c) y[r * width + c] += gate * out_[place_[r] * width + c];
  }
}

template <class Scalar>
void SwitchLayer<Scalar>::backward(const Scalar* parameters, const Scalar* x, const Scalar* dy, Scalar* dx,
                                   WorkerRows shape, GradientRows<Scalar> gradients, double* losses) {
  const std::size_t rows = shape.rows();
  std::fill(dprobability_.data(), dprobability_.data() + rows * experts, Scalar(0));
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t of_gate = r * experts + expert_[r];
    Pack<Scalar> products{};
    for (std::size_t c = 0; c < width; c += lanes<Scalar>) {
      const Pack<Scalar> d = load(dy + r * width + c);
      products = fma(d, load(out_.data() + place_[r] * width + c), products);
      store(dout_.data() + place_[r] * width + c, d * probability_[of_gate]);
    }
    dprobability_[of_gate] = sum<Scalar>(products);
  }
  for (std::size_t e = 0; e < experts; ++e) {
    const std::size_t first = first_of(e), count = padded_count(e);
    if (count == 0) continue;
    down(e).input_gradient(parameters, dout_.data() + first * width, dh_.data() + first * hidden, count);
    multiply(dh_.data() + first * hidden, slope_.data() + first * hidden, count * hidden);
    up(e).input_gradient(parameters, dh_.data() + first * hidden, din_.data() + first * width, count);
  }
  for (std::size_t r = 0; r < rows; ++r)
    std::copy(din_.data() + place_[r] * width, din_.data() + (place_[r] + 1) * width, dx + r * width);
  tokens_.assign(shape.workers * experts, 0);
  for (std::size_t r = 0; r < rows; ++r) ++tokens_[r / shape.rows_each * experts + expert_[r]];
  router_gradient(parameters, x, dx, shape, gradients, losses);
  expert_weight_gradients(shape, gradients);
}

/// Through the softmax: d = p (dp - sum p dp), dp of the gate plus balance experts f_e / rows of the auxiliary loss.
template <class Scalar>
void SwitchLayer<Scalar>::router_gradient(const Scalar* parameters, const Scalar* x, Scalar* dx, WorkerRows shape,
                                          GradientRows<Scalar> gradients, double* losses) {
  const auto each = static_cast<Scalar>(shape.rows_each);
  for (std::size_t w = 0; w < shape.workers; ++w) {
    std::array<Scalar, experts> pull, mass{};
    for (std::size_t e = 0; e < experts; ++e)
      pull[e] = static_cast<Scalar>(balance * experts) * (static_cast<Scalar>(tokens_[w * experts + e]) / each) / each;
    for (std::size_t r = w * shape.rows_each; r < (w + 1) * shape.rows_each; ++r) {
      const Scalar* p = probability_.data() + r * experts;
      Scalar* d = dprobability_.data() + r * experts;
      Scalar mean = 0;
      for (std::size_t e = 0; e < experts; ++e) {
        mass[e] += p[e];
        d[e] += pull[e];
        mean += p[e] * d[e];
      }
      for (std::size_t e = 0; e < experts; ++e) d[e] = p[e] * (d[e] - mean);
    }
    for (std::size_t e = 0; e < experts; ++e) losses[w] += static_cast<double>(pull[e]) * static_cast<double>(mass[e]);
    const std::size_t row = w * shape.rows_each;
    matrix(gradients.worker(w) + router_, width, experts).noalias() =
        matrix(x + row * width, shape.rows_each, width).transpose() *
        matrix(dprobability_.data() + row * experts, shape.rows_each, experts);
  }
  matrix(dx, shape.rows(), width).noalias() +=
      matrix(dprobability_.data(), shape.rows(), experts) * matrix(parameters + router_, width, experts).transpose();
}

/// Of each worker's own tokens, which lie together among the sorted rows of an expert.
template <class Scalar>
void SwitchLayer<Scalar>::expert_weight_gradients(WorkerRows shape, GradientRows<Scalar> gradients) {
  std::array<std::size_t, experts> at;
  std::copy(segment_.begin(), segment_.end() - 1, at.begin());
  for (std::size_t w = 0; w < shape.workers; ++w)
    for (std::size_t e = 0; e < experts; ++e) {
      const std::size_t count = tokens_[w * experts + e];
      Scalar* gradient = gradients.worker(w);
      if (count == 0) {
        std::fill(gradient + up(e).begin, gradient + down(e).end(), Scalar(0));
        continue;
      }
      up(e).weight_gradient(in_.data() + at[e] * width, dh_.data() + at[e] * hidden, count, gradient);
      down(e).weight_gradient(h_.data() + at[e] * hidden, dout_.data() + at[e] * width, count, gradient);
      at[e] += count;
    }
}

}  // namespace toposim::workloads
