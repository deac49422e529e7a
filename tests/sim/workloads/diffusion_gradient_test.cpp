#include <gtest/gtest.h>

#include "gradient_check.hpp"
#include "sim/workloads/diffusion_model.hpp"

namespace toposim::workloads {
namespace {

using Model = DiffusionModel<double>;

constexpr std::size_t workers = 2, batch = 3;
const std::vector<LayerGroup> layers = {{"hidden0", Model::first.begin, Model::first.end()},
                                        {"hidden1", Model::second.begin, Model::second.end()},
                                        {"output", Model::third.begin, Model::third.end()}};

void fill(Model& model) {
  const auto inputs = testing::normal_numbers(workers * batch * Model::inputs, 1, 1);
  const auto target = testing::normal_numbers(workers * batch * Model::pixels, 2, 1);
  std::copy(inputs.begin(), inputs.end(), model.input(0));
  std::copy(target.begin(), target.end(), model.target(0));
}

// Smooth: a step of 1e-3 leaves errors of h^4 = 1e-12 of the fifth derivative.
TEST(DiffusionGradient, MatchesFiniteDifferences) {
  Model model(workers * batch);
  fill(model);
  const auto parameters = testing::normal_numbers(Model::parameter_count, 0, 0.1);
  std::vector<double> gradients(workers * Model::parameter_count), losses(workers);
  model.forward(parameters.data(), workers * batch);
  model.backward(parameters.data(), workers, batch, {gradients.data(), Model::parameter_count}, losses.data());
  for (std::size_t w = 0; w < workers; ++w) {
    const auto begin = gradients.begin() + static_cast<std::ptrdiff_t>(w * Model::parameter_count);
    EXPECT_EQ(testing::check_gradient(
                  layers, parameters, {begin, begin + Model::parameter_count},
                  [&](const auto& p) {
                    model.forward(p.data(), workers * batch);
                    return model.loss(w * batch, batch);
                  },
                  1e-3, 1e-6),
              0);
  }
}

// All parameters zero: outputs zero, so the loss is the mean square of the target, and an output bias has gradient
// -2 / (196 batch) times the sum of the target of its pixel.
TEST(DiffusionGradient, OfZeroParametersByHand) {
  Model model(workers * batch);
  fill(model);
  const std::vector<double> parameters(Model::parameter_count);
  std::vector<double> gradients(workers * Model::parameter_count), losses(workers);
  model.forward(parameters.data(), workers * batch);
  model.backward(parameters.data(), workers, batch, {gradients.data(), Model::parameter_count}, losses.data());
  double square = 0, of_pixel = 0;
  for (std::size_t r = 0; r < batch; ++r) {
    for (std::size_t i = 0; i < Model::pixels; ++i) square += model.target(r)[i] * model.target(r)[i];
    of_pixel += model.target(r)[17];
  }
  EXPECT_NEAR(losses[0], square / (196 * batch), 1e-13);
  EXPECT_NEAR(gradients[Model::third.bias() + 17], -2 * of_pixel / (196 * batch), 1e-15);
}

}  // namespace
}  // namespace toposim::workloads
