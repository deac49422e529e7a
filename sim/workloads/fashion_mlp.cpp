#include <algorithm>
#include <array>
#include <cmath>

#include "sim/workloads/fashion_workload.hpp"
#include "sim/workloads/mlp_model.hpp"
#include "sim/workloads/models.hpp"
#include "sim/workloads/tiled_pass.hpp"

namespace toposim::workloads {

namespace {

using Model = MlpModel<float>;

/// Mean and standard deviation of the training pixels, as fractions of white: the constants in common use.
constexpr float pixel_mean = 0.2860f, pixel_deviation = 0.3530f;

void standardise(std::span<const std::uint8_t> pixels, float* out) {
  for (std::size_t i = 0; i < pixels.size(); ++i)
    out[i] = (static_cast<float>(pixels[i]) / 255 - pixel_mean) / pixel_deviation;
}

class Pass final : public TiledPass {
 public:
  Pass(const FashionImages& images, const Sizes& sizes)
      : TiledPass(sizes, 1), images_(images), model_(tile_samples()), labels_(tile_samples()) {}

 private:
  void run_tile(const Tile& tile) override {
    const std::size_t rows = tile.workers * batch();
    for (std::size_t r = 0; r < rows; ++r) {
      standardise(images_.image(tile.samples[r]), model_.input(r));
      labels_[r] = images_.labels[tile.samples[r]];
    }
    model_.forward(tile.parameters, rows);
    model_.backward(tile.parameters, labels_.data(), tile.workers, batch(), tile.gradients, tile.losses);
  }

  const FashionImages& images_;
  Model model_;
  std::vector<std::uint8_t> labels_;
};

class FashionMlp final : public FashionWorkload {
 public:
  using FashionWorkload::FashionWorkload;

  std::string_view name() const override { return "fashion-mlp"; }
  std::size_t parameter_count() const override { return Model::parameter_count; }
  const std::vector<LayerGroup>& groups() const override {
    static const std::vector<LayerGroup> groups = {{"hidden", Model::first.begin, Model::first.end()},
                                                   {"output", Model::second.begin, Model::second.end()}};
    return groups;
  }

  /// Forward and weight gradients of both layers; the input gradient of the second.
  double flops_per_sample() const override {
    return 4.0 * (Model::inputs * Model::hidden + Model::hidden * Model::classes) +
           2.0 * (Model::hidden * Model::classes);
  }

  /// Normal with variance 2 / inputs before a ReLU (He et al. 2015), 1 / inputs before the softmax; biases zero.
  std::vector<float> initial_parameters(std::uint64_t seed) const override {
    std::vector<float> parameters(Model::parameter_count);
    const Draws draws(seed, DrawPurpose::initial_parameters);
    draw_weights(draws, 0, Model::first, std::sqrt(2.0 / Model::inputs), parameters);
    draw_weights(draws, 1, Model::second, std::sqrt(1.0 / Model::hidden), parameters);
    return parameters;
  }

  std::unique_ptr<GradientPass> make_pass(std::size_t max_workers, std::size_t batch) const override {
    return std::make_unique<Pass>(data().training,
                                  TiledPass::Sizes{max_workers, batch, Model::parameter_count, sample_count()});
  }

  Evaluation evaluate(std::span<const float> parameters, std::size_t limit) const override;
};

Evaluation FashionMlp::evaluate(std::span<const float> parameters, std::size_t limit) const {
  check_parameters(parameters, Model::parameter_count);
  const FashionImages& images = data().held_out;
  constexpr std::size_t chunk = 256;
  Model model(chunk);
  const std::vector<std::size_t> taken = spread(images.size(), limit);
  std::array<std::size_t, fashion_classes> seen{}, right{};
  double loss = 0;
  for (std::size_t first = 0; first < taken.size(); first += chunk) {
    const std::size_t rows = std::min(chunk, taken.size() - first);
    for (std::size_t r = 0; r < rows; ++r) standardise(images.image(taken[first + r]), model.input(r));
    model.forward(parameters.data(), rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::uint8_t label = images.labels[taken[first + r]];
      const float* logits = model.logits(r);
      ++seen[label];
      right[label] += std::max_element(logits, logits + Model::classes) - logits == label;
      loss += model.loss(&label, r, 1);
    }
  }
  Evaluation evaluation;
  evaluation.metric_name = "accuracy";
  evaluation.higher_is_better = true;
  evaluation.class_names = fashion_class_names();
  evaluation.samples = taken.size();
  std::size_t all_right = 0;
  for (std::size_t c = 0; c < fashion_classes; ++c) {
    evaluation.per_class.push_back(mean_or_nan(static_cast<double>(right[c]), seen[c]));
    all_right += right[c];
  }
  evaluation.loss = mean_or_nan(loss, taken.size());
  evaluation.metric = mean_or_nan(static_cast<double>(all_right), taken.size());
  return evaluation;
}

}  // namespace

std::unique_ptr<Workload> make_fashion_mlp(const DataPaths& paths) {
  return std::make_unique<FashionMlp>(read_fashion(paths.fashion_mnist));
}

}  // namespace toposim::workloads
