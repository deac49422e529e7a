#pragma once
// A language model on WordNet's glosses.
#include <algorithm>
#include <array>

#include "sim/workloads/tiled_pass.hpp"
#include "sim/workloads/transformer_model.hpp"
#include "sim/workloads/wordnet_data.hpp"

namespace toposim::workloads {

template <template <class> class SecondLayer>
class TextWorkload final : public Workload {
 public:
  using Model = TransformerModel<float, SecondLayer>;
  static_assert(Model::text == text_bytes && Model::context == text_context);

  TextWorkload(std::string_view name, WordnetData data) : name_(name), data_(std::move(data)) {
    const Model model(1);
    parameter_count_ = model.parameter_count();
    groups_ = model.groups();
  }

  std::string_view name() const override { return name_; }
  std::size_t parameter_count() const override { return parameter_count_; }
  const std::vector<LayerGroup>& groups() const override { return groups_; }
  std::size_t expert_count() const override { return SecondLayer<float>::experts; }

  std::size_t sample_count() const override { return data_.training.size(); }
  std::uint32_t sample_label(std::size_t sample) const override { return data_.training.fields.at(sample); }
  const std::vector<std::string>& label_names() const override { return wordnet_field_names(); }
  SampleKind sample_kind() const override { return SampleKind::text; }
  std::size_t sample_byte_count() const override { return text_bytes; }
  std::span<const std::uint8_t> sample_bytes(std::size_t sample) const override {
    return data_.training.sample(sample);
  }

  /// A backward pass takes twice the forward's products; normalisation and the like are left out.
  double flops_per_sample() const override { return 2 * 3 * Model::multiplications(); }

  std::vector<float> initial_parameters(std::uint64_t seed) const override { return Model(1).initial_parameters(seed); }

  std::unique_ptr<GradientPass> make_pass(std::size_t max_workers, std::size_t batch) const override {
    return std::make_unique<Pass>(data_.training,
                                  TiledPass::Sizes{max_workers, batch, parameter_count_, sample_count()});
  }

  Evaluation evaluate(std::span<const float> parameters, std::size_t limit) const override;

 private:
  class Pass final : public TiledPass {
   public:
    Pass(const TextSamples& samples, const Sizes& sizes)
        : TiledPass(sizes, Model::context),
          samples_(samples),
          model_(tile_samples()),
          expert_tokens_(sizes.max_workers * SecondLayer<float>::experts) {}

    std::span<const std::uint32_t> expert_tokens() const override {
      return {expert_tokens_.data(), last_workers_ * SecondLayer<float>::experts};
    }

   private:
    void run_tile(const Tile& tile) override {
      texts_.clear();
      for (std::size_t s = 0; s < tile.workers * batch(); ++s)
        texts_.push_back(samples_.sample(tile.samples[s]).data());
      model_.forward(tile.parameters, texts_);
      model_.backward(tile.parameters, texts_, tile.workers, batch(), tile.gradients, tile.losses);
      last_workers_ = tile.first_worker + tile.workers;
      if constexpr (SecondLayer<float>::experts > 0)
        model_.second_layer().copy_tokens(tile.workers,
                                          expert_tokens_.data() + tile.first_worker * SecondLayer<float>::experts);
    }

    const TextSamples& samples_;
    Model model_;
    std::vector<const std::uint8_t*> texts_;
    std::vector<std::uint32_t> expert_tokens_;
    std::size_t last_workers_ = 0;
  };

  std::string_view name_;
  WordnetData data_;
  std::size_t parameter_count_ = 0;
  std::vector<LayerGroup> groups_;
};

template <template <class> class SecondLayer>
Evaluation TextWorkload<SecondLayer>::evaluate(std::span<const float> parameters, std::size_t limit) const {
  check_parameters(parameters, parameter_count_);
  const TextSamples& samples = data_.held_out;
  constexpr std::size_t chunk = 4;
  constexpr double bits = 1.44269504088896340736;  // of a nat
  Model model(chunk);
  const std::vector<std::size_t> taken = spread(samples.size(), limit);
  std::array<std::size_t, lexicographer_files> seen{};
  std::array<double, lexicographer_files> nats{};
  for (std::size_t first = 0; first < taken.size(); first += chunk) {
    std::vector<const std::uint8_t*> texts;
    for (std::size_t s = first; s < std::min(first + chunk, taken.size()); ++s)
      texts.push_back(samples.sample(taken[s]).data());
    model.forward(parameters.data(), texts);
    for (std::size_t s = 0; s < texts.size(); ++s) {
      const std::uint8_t field = samples.fields[taken[first + s]];
      ++seen[field];
      nats[field] += model.loss(texts[s], s, 0);
    }
  }
  Evaluation evaluation;
  evaluation.metric_name = "bits per byte";
  evaluation.class_names = wordnet_field_names();
  evaluation.samples = taken.size();
  double total = 0;
  for (std::size_t f = 0; f < lexicographer_files; ++f) {
    evaluation.per_class.push_back(mean_or_nan(bits * nats[f], seen[f]));
    total += nats[f];
  }
  evaluation.loss = mean_or_nan(total, taken.size());
  evaluation.metric = bits * evaluation.loss;
  return evaluation;
}

}  // namespace toposim::workloads
