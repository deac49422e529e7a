#pragma once
// The members of TransformerModel: forward, backward, what its parameters are.
#include <cmath>

#include "sim/workloads/draws.hpp"
#include "sim/workloads/transformer_model.hpp"

namespace toposim::workloads {

template <class Scalar, template <class> class SecondLayer>
void TransformerModel<Scalar, SecondLayer>::forward(const Scalar* parameters,
                                                    const std::vector<const std::uint8_t*>& texts) {
  const std::size_t count = rows(texts.size());
  for (std::size_t r = 0; r < count; ++r) {
    const Scalar* token = parameters + texts[r / context][r % context] * width;
    const Scalar* position = parameters + position_begin() + r % context * width;
    for (std::size_t c = 0; c < width; ++c) x_[r * width + c] = token[c] + position[c];
  }
  forward_block(parameters, first_, count);
  forward_block(parameters, second_, count);
  normalise(parameters, final_norm_, final_, count);
  matrix(logits_.data(), count, vocabulary).noalias() =
      matrix(final_.y.data(), count, width) * matrix(parameters, vocabulary, width).transpose();
}

template <class Scalar, template <class> class SecondLayer>
template <class B>
void TransformerModel<Scalar, SecondLayer>::forward_block(const Scalar* parameters, B& block, std::size_t count) {
  normalise(parameters, block.attention_norm, block.before_attention, count);
  block.project.forward(parameters, block.before_attention.y.data(), block.qkv.data(), count);
  for (std::size_t s = 0; s < count / context; ++s)
    attention_.forward(block.qkv.data() + s * context * Attend::projected, block.attended.data() + s * context * width,
                       block.p.data() + s * Attend::weights);
  block.join.forward(parameters, block.attended.data(), x_.data(), count, true);
  normalise(parameters, block.layer_norm, block.before_layer, count);
  block.layer.forward(parameters, block.before_layer.y.data(), x_.data(), count);
}

template <class Scalar, template <class> class SecondLayer>
double TransformerModel<Scalar, SecondLayer>::loss(const std::uint8_t* sample_text, std::size_t sample, Scalar scale) {
  double total = 0;
  for (std::size_t i = 0; i < context; ++i)
    total += cross_entropy(logits_.data() + (sample * context + i) * vocabulary, vocabulary, sample_text[i + 1], scale);
  return total / context;
}

template <class Scalar, template <class> class SecondLayer>
void TransformerModel<Scalar, SecondLayer>::backward(const Scalar* parameters,
                                                     const std::vector<const std::uint8_t*>& texts, std::size_t workers,
                                                     std::size_t batch, GradientRows<Scalar> gradients,
                                                     double* losses) {
  const WorkerRows shape{workers, rows(batch)};
  for (std::size_t w = 0; w < workers; ++w) {
    losses[w] = 0;
    for (std::size_t k = 0; k < batch; ++k)
      losses[w] += loss(texts[w * batch + k], w * batch + k, 1 / static_cast<Scalar>(shape.rows_each));
    losses[w] /= static_cast<double>(batch);
    const std::size_t row = w * shape.rows_each;
    matrix(gradients.worker(w), vocabulary, width).noalias() =
        matrix(logits_.data() + row * vocabulary, shape.rows_each, vocabulary).transpose() *
        matrix(final_.y.data() + row * width, shape.rows_each, width);
  }
  matrix(dbranch_.data(), shape.rows(), width).noalias() =
      matrix(logits_.data(), shape.rows(), vocabulary) * matrix(parameters, vocabulary, width);
  std::fill(dx_.data(), dx_.data() + shape.rows() * width, Scalar(0));
  normalise_backward(parameters, final_norm_, final_, shape, gradients);
  backward_block(parameters, second_, shape, gradients, losses);
  backward_block(parameters, first_, shape, gradients, losses);
  for (std::size_t w = 0; w < workers; ++w) embedding_gradient(texts, w, batch, gradients.worker(w));
}

template <class Scalar, template <class> class SecondLayer>
template <class B>
void TransformerModel<Scalar, SecondLayer>::backward_block(const Scalar* parameters, B& block, WorkerRows shape,
                                                           GradientRows<Scalar> gradients, double* losses) {
  block.layer.backward(parameters, block.before_layer.y.data(), dx_.data(), dbranch_.data(), shape, gradients, losses);
  normalise_backward(parameters, block.layer_norm, block.before_layer, shape, gradients);

  block.join.input_gradient(parameters, dx_.data(), dbranch_.data(), shape.rows());
  for (std::size_t s = 0; s < shape.rows() / context; ++s)
    attention_.backward(block.qkv.data() + s * context * Attend::projected, block.p.data() + s * Attend::weights,
                        dbranch_.data() + s * context * width, dqkv_.data() + s * context * Attend::projected);
  for (std::size_t w = 0; w < shape.workers; ++w) {
    const std::size_t row = w * shape.rows_each;
    block.join.weight_gradient(block.attended.data() + row * width, dx_.data() + row * width, shape.rows_each,
                               gradients.worker(w));
    block.project.weight_gradient(block.before_attention.y.data() + row * width, dqkv_.data() + row * Attend::projected,
                                  shape.rows_each, gradients.worker(w));
  }
  block.project.input_gradient(parameters, dqkv_.data(), dbranch_.data(), shape.rows());
  normalise_backward(parameters, block.attention_norm, block.before_attention, shape, gradients);
}

template <class Scalar, template <class> class SecondLayer>
void TransformerModel<Scalar, SecondLayer>::embedding_gradient(const std::vector<const std::uint8_t*>& texts,
                                                               std::size_t w, std::size_t batch,
                                                               Scalar* gradient) const {
  Scalar* positions = gradient + position_begin();
  std::fill(positions, positions + context * width, Scalar(0));
  for (std::size_t r = 0; r < batch * context; ++r) {
    const Scalar* dx = dx_.data() + (w * batch * context + r) * width;
    Scalar* token = gradient + texts[w * batch + r / context][r % context] * width;
    Scalar* position = positions + r % context * width;
    for (std::size_t c = 0; c < width; ++c) {
      token[c] += dx[c];
      position[c] += dx[c];
    }
  }
}

template <class Scalar, template <class> class SecondLayer>
std::vector<LayerGroup> TransformerModel<Scalar, SecondLayer>::groups() const {
  std::vector<LayerGroup> all = {{"tokens", 0, position_begin()}, {"positions", position_begin(), block_begin()}};
  const auto add = [&](const auto& block) {
    const std::string name = "block" + std::to_string(block.number);
    all.push_back({name + ".attention", block.attention_norm.begin, block.join.end()});
    all.push_back({name + ".layer_norm", block.layer_norm.begin, block.layer_norm.end()});
    for (const LayerGroup& group : block.layer.groups(name)) all.push_back(group);
  };
  add(first_);
  add(second_);
  all.push_back({"final_norm", final_norm_.begin, final_norm_.end()});
  return all;
}

template <class Scalar, template <class> class SecondLayer>
double TransformerModel<Scalar, SecondLayer>::multiplications() {
  const double projections = 2.0 * (width * Attend::projected + width * width);
  const double attention = 2.0 * 2.0 * context * width;
  return context * (projections + attention + vocabulary * width + FeedForward<Scalar>::multiplications_per_row +
                    SecondLayer<Scalar>::multiplications_per_row);
}

template <class Scalar, template <class> class SecondLayer>
std::vector<Scalar> TransformerModel<Scalar, SecondLayer>::initial_parameters(std::uint64_t seed) const {
  std::vector<Scalar> parameters(parameter_count());
  const Draws draws(seed, DrawPurpose::initial_parameters);
  constexpr double deviation = 0.08, branches = 4;
  std::uint32_t stream = 0;
  const auto fill = [&](std::size_t begin, std::size_t end, double sigma) {
    std::vector<double> z(end - begin);
    draws.normals(0, stream++, 0, z.data(), z.size());
    for (std::size_t i = 0; i < z.size(); ++i) parameters[begin + i] = static_cast<Scalar>(sigma * z[i]);
  };
  const auto fill_norm = [&](const LayerNorm<width>& norm) {
    std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(norm.begin), width, Scalar(1));
  };
  const auto fill_block = [&](const auto& block) {
    fill_norm(block.attention_norm);
    fill_norm(block.layer_norm);
    fill(block.project.begin, block.project.bias(), deviation);
    fill(block.join.begin, block.join.bias(), deviation / std::sqrt(branches));
    for (const DrawnWeights& weights : block.layer.drawn_weights())
      fill(weights.begin, weights.end, weights.ends_branch ? deviation / std::sqrt(branches) : deviation);
  };
  fill(0, position_begin(), deviation);
  fill(position_begin(), block_begin(), deviation);
  fill_block(first_);
  fill_block(second_);
  fill_norm(final_norm_);
  return parameters;
}

}  // namespace toposim::workloads
