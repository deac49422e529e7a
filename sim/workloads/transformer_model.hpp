#pragma once
// A byte-level language model: a pre-norm transformer of two blocks, width 48, four heads, context 64, vocabulary 128,
// learned positions, output tied to the token embedding (Radford et al. 2019, made small).
#include <cstdint>
#include <string>
#include <vector>

#include "sim/workloads/attention.hpp"
#include "sim/workloads/cross_entropy.hpp"
#include "sim/workloads/feed_forward.hpp"
#include "sim/workloads/layer_norm.hpp"

namespace toposim::workloads {

/// SecondLayer: what follows the attention of the second block.
template <class Scalar, template <class> class SecondLayer>
class TransformerModel {
 public:
  using Attend = Attention<Scalar>;
  static constexpr std::size_t vocabulary = 128, context = Attend::length, width = Attend::width, text = context + 1;

  explicit TransformerModel(std::size_t max_samples)
      : first_(0, block_begin(), rows(max_samples)),
        second_(1, first_.end(), rows(max_samples)),
        final_norm_{second_.end()},
        x_(rows(max_samples) * width),
        final_(rows(max_samples)),
        logits_(rows(max_samples) * vocabulary),
        dx_(rows(max_samples) * width),
        dbranch_(rows(max_samples) * width),
        dqkv_(rows(max_samples) * Attend::projected) {}

  std::size_t parameter_count() const { return final_norm_.end(); }
  std::vector<LayerGroup> groups() const;
  /// Multiply-adds of one forward pass of a sample.
  static double multiplications();
  const auto& second_layer() const { return second_.layer; }

  /// Normal, deviation 0.08 for embeddings and weights: GPT-2 has 0.02 at width 768, times sqrt(768 / 48). Weights that
  /// end a residual branch: over the square root of the four branches. Gains 1, biases 0.
  std::vector<Scalar> initial_parameters(std::uint64_t seed) const;

  /// texts[s]: 65 bytes below 128 of sample s.
  void forward(const Scalar* parameters, const std::vector<const std::uint8_t*>& texts);

  /// After forward(): context x vocabulary numbers of a sample.
  const Scalar* logits(std::size_t sample) const { return logits_.data() + sample * context * vocabulary; }

  /// After forward(): mean loss of a sample in nats per byte; its logits become `scale` times the gradient of the sum
  /// over its bytes.
  double loss(const std::uint8_t* sample_text, std::size_t sample, Scalar scale);

  /// After forward() of `workers` x `batch` samples.
  void backward(const Scalar* parameters, const std::vector<const std::uint8_t*>& texts, std::size_t workers,
                std::size_t batch, GradientRows<Scalar> gradients, double* losses);

 private:
  static constexpr std::size_t rows(std::size_t samples) { return samples * context; }
  static constexpr std::size_t position_begin() { return vocabulary * width; }
  static constexpr std::size_t block_begin() { return position_begin() + context * width; }

  /// A normalised copy of some rows.
  struct Normal {
    explicit Normal(std::size_t count) : y(count * width), normal(count * width), inverse_deviation(count) {}
    Buffer<Scalar> y, normal, inverse_deviation;
  };

  template <template <class> class Layer>
  struct Block {
    Block(std::size_t number_, std::size_t begin, std::size_t count)
        : number(number_),
          attention_norm{begin},
          project{width, Attend::projected, attention_norm.end()},
          join{width, width, project.end()},
          layer_norm{join.end()},
          layer(layer_norm.end(), count),
          before_attention(count),
          before_layer(count),
          qkv(count * Attend::projected),
          attended(count * width),
          p(count / context * Attend::weights) {}
    std::size_t end() const { return layer.end(); }

    std::size_t number;
    LayerNorm<width> attention_norm;
    Dense project, join;
    LayerNorm<width> layer_norm;
    Layer<Scalar> layer;
    Normal before_attention, before_layer;
    Buffer<Scalar> qkv, attended, p;
  };

  template <class B>
  void forward_block(const Scalar* parameters, B& block, std::size_t count);
  template <class B>
  void backward_block(const Scalar* parameters, B& block, WorkerRows shape, GradientRows<Scalar> gradients,
                      double* losses);
  void embedding_gradient(const std::vector<const std::uint8_t*>& texts, std::size_t w, std::size_t batch,
                          Scalar* gradient) const;

  void normalise(const Scalar* parameters, const LayerNorm<width>& norm, Normal& to, std::size_t count) {
    norm.forward(parameters, x_.data(), count, to.y.data(), to.normal.data(), to.inverse_deviation.data());
  }
  /// dx_ += the gradient through the norm of what dbranch_ holds; gains and biases of each worker.
  void normalise_backward(const Scalar* parameters, const LayerNorm<width>& norm, const Normal& at, WorkerRows shape,
                          GradientRows<Scalar> gradients) {
    norm.input_gradient(parameters, dbranch_.data(), shape.rows(), at.normal.data(), at.inverse_deviation.data(),
                        dx_.data());
    for (std::size_t w = 0; w < shape.workers; ++w) {
      const std::size_t from = w * shape.rows_each * width;
      norm.weight_gradient(dbranch_.data() + from, at.normal.data() + from, shape.rows_each, gradients.worker(w));
    }
  }

  Block<FeedForward> first_;
  Block<SecondLayer> second_;
  LayerNorm<width> final_norm_;
  Attend attention_;
  Buffer<Scalar> x_;
  Normal final_;
  Buffer<Scalar> logits_, dx_, dbranch_, dqkv_;
};

}  // namespace toposim::workloads

#include "sim/workloads/transformer_parts.hpp"
