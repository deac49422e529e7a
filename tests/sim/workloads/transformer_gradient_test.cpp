#include <gtest/gtest.h>

#include "gradient_check.hpp"
#include "sim/workloads/transformer_model.hpp"

namespace toposim::workloads {
namespace {

using Model = TransformerModel<double, FeedForward>;

constexpr std::size_t workers = 2, batch = 2;

/// Texts in which all bytes below 128 occur.
std::vector<std::uint8_t> some_text(std::size_t samples) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < samples * Model::text; ++i)
    bytes.push_back(static_cast<std::uint8_t>(i * i / 3 % Model::vocabulary));
  return bytes;
}

const std::vector<std::uint8_t>& bytes() {
  static const std::vector<std::uint8_t> text = some_text(workers * batch);
  return text;
}

std::vector<const std::uint8_t*> texts(std::size_t first, std::size_t count) {
  std::vector<const std::uint8_t*> rows;
  for (std::size_t s = first; s < first + count; ++s) rows.push_back(bytes().data() + s * Model::text);
  return rows;
}

/// Mean loss of a worker, from a forward pass of its samples alone.
double loss(Model& model, const std::vector<double>& parameters, std::size_t worker) {
  const auto own = texts(worker * batch, batch);
  model.forward(parameters.data(), own);
  double total = 0;
  for (std::size_t s = 0; s < batch; ++s) total += model.loss(own[s], s, 1);
  return total / batch;
}

// Everything is smooth, so a step of 1e-3 leaves errors of h^4 = 1e-12 of the fifth derivative, and 1e-16 x 5 / 1e-3 of
// rounding. Parameters well away from zero, so that attention is not uniform. The second of two workers.
TEST(TransformerGradient, MatchesFiniteDifferences) {
  Model model(workers * batch);
  auto parameters = testing::normal_numbers(model.parameter_count(), 0, 0.15);
  for (const LayerGroup& group : model.groups())
    if (group.name.find("norm") != std::string::npos)
      for (std::size_t i = group.begin; i < group.begin + Model::width; ++i) parameters[i] += 1;
  std::vector<double> gradients(workers * parameters.size()), losses(workers);
  model.forward(parameters.data(), texts(0, workers * batch));
  model.backward(parameters.data(), texts(0, workers * batch), workers, batch, {gradients.data(), parameters.size()},
                 losses.data());
  constexpr std::size_t worker = 1;
  EXPECT_DOUBLE_EQ(loss(model, parameters, worker), losses[worker]);
  const auto begin = gradients.begin() + static_cast<std::ptrdiff_t>(worker * parameters.size());
  testing::check_gradient(
      model.groups(), parameters, {begin, begin + static_cast<std::ptrdiff_t>(parameters.size())},
      [&](const auto& p) { return loss(model, p, worker); }, 1e-3, 1e-6);
}

}  // namespace
}  // namespace toposim::workloads
