#include <algorithm>
#include <array>
#include <cmath>

#include "sim/workloads/diffusion_model.hpp"
#include "sim/workloads/diffusion_process.hpp"
#include "sim/workloads/fashion_workload.hpp"
#include "sim/workloads/models.hpp"
#include "sim/workloads/tiled_pass.hpp"

namespace toposim::workloads {

namespace {

using Model = DiffusionModel<float>;
static_assert(Model::pixels == DiffusionProcess::pixels && Model::time_numbers == DiffusionProcess::time_numbers);

class Pass final : public TiledPass {
 public:
  Pass(const FashionImages& images, const DiffusionProcess& process, const Sizes& sizes)
      : TiledPass(sizes, 1), images_(images), process_(process), model_(tile_samples()) {}

 private:
  void run_tile(const Tile& tile) override {
    const Draws draws(tile.key.seed, DrawPurpose::training_noise);
    const std::size_t rows = tile.workers * batch();
    for (std::size_t r = 0; r < rows; ++r)
      process_.draw(draws, tile.key.step, tile.samples[r], images_.image(tile.samples[r]), model_.input(r),
                    model_.target(r));
    model_.forward(tile.parameters, rows);
    model_.backward(tile.parameters, tile.workers, batch(), tile.gradients, tile.losses);
  }

  const FashionImages& images_;
  const DiffusionProcess& process_;
  Model model_;
};

class FashionDiffusion final : public FashionWorkload {
 public:
  using FashionWorkload::FashionWorkload;

  std::string_view name() const override { return "fashion-diffusion"; }
  std::size_t parameter_count() const override { return Model::parameter_count; }
  const std::vector<LayerGroup>& groups() const override {
    static const std::vector<LayerGroup> groups = {{"hidden0", Model::first.begin, Model::first.end()},
                                                   {"hidden1", Model::second.begin, Model::second.end()},
                                                   {"output", Model::third.begin, Model::third.end()}};
    return groups;
  }

  /// Forward and weight gradients of the three layers; input gradients of the last two.
  double flops_per_sample() const override {
    constexpr double later = static_cast<double>(Model::hidden) * (Model::hidden + Model::pixels);
    return 4.0 * (Model::inputs * Model::hidden + later) + 2.0 * later;
  }

  /// Normal with variance 1 / inputs; biases zero.
  std::vector<float> initial_parameters(std::uint64_t seed) const override {
    std::vector<float> parameters(Model::parameter_count);
    const Draws draws(seed, DrawPurpose::initial_parameters);
    std::uint32_t stream = 0;
    for (const Dense& layer : {Model::first, Model::second, Model::third})
      draw_weights(draws, stream++, layer, std::sqrt(1.0 / static_cast<double>(layer.in)), parameters);
    return parameters;
  }

  std::unique_ptr<GradientPass> make_pass(std::size_t max_workers, std::size_t batch) const override {
    return std::make_unique<Pass>(data().training, process_,
                                  TiledPass::Sizes{max_workers, batch, Model::parameter_count, sample_count()});
  }

  Evaluation evaluate(std::span<const float> parameters, std::size_t limit) const override;

 private:
  DiffusionProcess process_;
};

/// The error of the predicted noise on draws that depend on the image's index only.
Evaluation FashionDiffusion::evaluate(std::span<const float> parameters, std::size_t limit) const {
  check_parameters(parameters, Model::parameter_count);
  const FashionImages& images = data().held_out;
  constexpr std::size_t chunk = 128, bands = 4, band_steps = DiffusionProcess::steps / bands;
  Model model(chunk);
  const Draws draws(0, DrawPurpose::evaluation_noise);
  const std::vector<std::size_t> taken = spread(images.size(), limit);
  std::array<std::size_t, bands> seen{};
  std::array<double, bands> error{};
  for (std::size_t first = 0; first < taken.size(); first += chunk) {
    const std::size_t rows = std::min(chunk, taken.size() - first);
    std::array<std::size_t, chunk> band;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t index = taken[first + r];
      const std::size_t t = process_.draw(draws, 0, static_cast<std::uint32_t>(index), images.image(index),
                                          model.input(r), model.target(r));
      band[r] = (t - 1) / band_steps;
    }
    model.forward(parameters.data(), rows);
    for (std::size_t r = 0; r < rows; ++r) {
      ++seen[band[r]];
      error[band[r]] += model.loss(r, 1);
    }
  }
  Evaluation evaluation;
  evaluation.metric_name = "noise mean square error";
  evaluation.class_names = {"t 1-50", "t 51-100", "t 101-150", "t 151-200"};
  evaluation.samples = taken.size();
  double total = 0;
  for (std::size_t b = 0; b < bands; ++b) {
    evaluation.per_class.push_back(mean_or_nan(error[b], seen[b]));
    total += error[b];
  }
  evaluation.loss = evaluation.metric = mean_or_nan(total, taken.size());
  return evaluation;
}

}  // namespace

std::unique_ptr<Workload> make_fashion_diffusion(const DataPaths& paths) {
  return std::make_unique<FashionDiffusion>(read_fashion(paths.fashion_mnist));
}

}  // namespace toposim::workloads
