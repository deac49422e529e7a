#include <gtest/gtest.h>

#include "gradient_check.hpp"
#include "sim/workloads/switch_layer.hpp"
#include "sim/workloads/transformer_model.hpp"

namespace toposim::workloads {
namespace {

constexpr std::size_t workers = 2, batch = 2, text_length = 65, vocabulary = 128;

/// Texts in which all bytes below 128 occur.
std::vector<std::uint8_t> some_text(std::size_t samples) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < samples * text_length; ++i)
    bytes.push_back(static_cast<std::uint8_t>(i * i / 3 % vocabulary));
  return bytes;
}

const std::vector<std::uint8_t>& bytes() {
  static const std::vector<std::uint8_t> text = some_text(workers * batch);
  return text;
}

std::vector<const std::uint8_t*> texts(std::size_t first, std::size_t count) {
  std::vector<const std::uint8_t*> rows;
  for (std::size_t s = first; s < first + count; ++s) rows.push_back(bytes().data() + s * text_length);
  return rows;
}

/// Parameters well away from zero, so that attention is not uniform; gains around 1.
std::vector<double> some_parameters(const std::vector<LayerGroup>& groups) {
  auto parameters = testing::normal_numbers(groups.back().end, 0, 0.15);
  for (const LayerGroup& group : groups) {
    const bool norm = group.name.find("norm") != std::string::npos;
    if (norm || group.name.find("attention") != std::string::npos)
      for (std::size_t i = group.begin; i < group.begin + 48; ++i) parameters[i] += 1;
  }
  return parameters;
}

struct Gradients {
  std::vector<double> values = {}, losses = std::vector<double>(workers);
};

template <class Model>
Gradients gradients_of(Model& model, const std::vector<double>& parameters, std::size_t first, std::size_t count) {
  Gradients g;
  g.values.resize(count * parameters.size());
  const auto rows = texts(first * batch, count * batch);
  model.forward(parameters.data(), rows);
  model.backward(parameters.data(), rows, count, batch, {g.values.data(), parameters.size()}, g.losses.data());
  return g;
}

std::vector<double> of_worker(const Gradients& g, std::size_t worker) {
  const auto size = std::ssize(g.values) / static_cast<std::ptrdiff_t>(workers);
  const auto begin = g.values.begin() + static_cast<std::ptrdiff_t>(worker) * size;
  return {begin, begin + size};
}

/// Mean loss of a worker, from a forward pass of its samples alone.
template <class Model>
double loss(Model& model, const std::vector<double>& parameters, std::size_t worker) {
  const auto own = texts(worker * batch, batch);
  model.forward(parameters.data(), own);
  double total = 0;
  for (std::size_t s = 0; s < batch; ++s) total += model.loss(own[s], s, 1);
  return total / batch;
}

// Everything is smooth, so a step of 1e-3 leaves errors of h^4 = 1e-12 of the fifth derivative, and 1e-16 x 5 / 1e-3 of
// rounding. The second of two workers.
TEST(TransformerGradient, MatchesFiniteDifferences) {
  TransformerModel<double, FeedForward> model(workers * batch);
  const auto parameters = some_parameters(model.groups());
  const Gradients at = gradients_of(model, parameters, 0, workers);
  EXPECT_DOUBLE_EQ(loss(model, parameters, 1), at.losses[1]);
  EXPECT_EQ(
      testing::check_gradient(
          model.groups(), parameters, of_worker(at, 1), [&](const auto& p) { return loss(model, p, 1); }, 1e-3, 1e-6),
      0);
}

// With experts the loss jumps where a token changes its expert. 128 tokens whose two best routes differ by about 0.3: a
// step of 1e-5 moves that by about 1e-5, so chances of a jump are 128 x 1e-5 / 0.3 = 0.4 % for each parameter, and no
// tolerance hides one. The whole loss of a worker is that of its bytes and the auxiliary one, of which backward()
// reports the sum: so differences are of backward()'s losses. An expert or two may get no token here.
TEST(SwitchGradient, MatchesFiniteDifferences) {
  TransformerModel<double, SwitchLayer> model(workers * batch);
  const auto parameters = some_parameters(model.groups());
  const Gradients at = gradients_of(model, parameters, 0, workers);
  EXPECT_GT(at.losses[1], loss(model, parameters, 1));
  const auto whole_loss = [&](const auto& p) { return gradients_of(model, p, 1, 1).losses[0]; };
  EXPECT_LE(testing::check_gradient(model.groups(), parameters, of_worker(at, 1), whole_loss, 1e-5, 1e-6), 2);
}

}  // namespace
}  // namespace toposim::workloads
