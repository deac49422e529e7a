#include <gtest/gtest.h>

#include "gradient_check.hpp"
#include "sim/workloads/mlp_model.hpp"

namespace toposim::workloads {
namespace {

using Model = MlpModel<double>;

constexpr std::size_t workers = 3, batch = 5;
const std::vector<LayerGroup> layers = {{"hidden", Model::first.begin, Model::first.end()},
                                        {"output", Model::second.begin, Model::second.end()}};

struct Outcome {
  std::vector<double> losses = std::vector<double>(workers);
  std::vector<double> gradients = std::vector<double>(workers * Model::parameter_count);
};

Outcome run(const std::vector<double>& parameters, const std::vector<double>& inputs) {
  Model model(workers * batch);
  std::copy(inputs.begin(), inputs.end(), model.input(0));
  std::vector<std::uint8_t> labels;
  for (std::size_t r = 0; r < workers * batch; ++r) labels.push_back(static_cast<std::uint8_t>(r * 7 % 10));
  Outcome result;
  model.forward(parameters.data(), workers * batch);
  model.backward(parameters.data(), labels.data(), workers, batch, {result.gradients.data(), Model::parameter_count},
                 result.losses.data());
  return result;
}

// Each worker's row against the differences of that worker's loss. A step of 1e-6 moves a hidden unit by about 1e-6:
// chances are below 1e-3 that one of 3 x 5 x 64 units of size 1 crosses the kink of ReLU. Rounding: 1e-16 x loss 3 /
// 1e-6 = 3e-10, against gradients of about 1e-2 (output), 1e-3 (hidden).
TEST(MlpGradient, MatchesFiniteDifferences) {
  const auto parameters = testing::normal_numbers(Model::parameter_count, 0, 0.05);
  const auto inputs = testing::normal_numbers(workers * batch * Model::inputs, 1, 1);
  const Outcome at = run(parameters, inputs);
  for (std::size_t w = 0; w < workers; ++w) {
    const auto begin = at.gradients.begin() + static_cast<std::ptrdiff_t>(w * Model::parameter_count);
    const std::vector<double> gradient(begin, begin + Model::parameter_count);
    EXPECT_EQ(testing::check_gradient(
                  layers, parameters, gradient, [&](const auto& p) { return run(p, inputs).losses[w]; }, 1e-6, 1e-6),
              0);
  }
}

// With all parameters zero the logits are zero: softmax 1/10 each, loss log 10; gradient of an output bias 1/10 minus
// the share of its class among the labels. Worker 0 has labels 0 7 4 1 8: bias 0 gets 0.1 - 1/5 = -0.1, bias 2 gets
// 0.1.
TEST(MlpGradient, OfZeroParametersByHand) {
  const Outcome at =
      run(std::vector<double>(Model::parameter_count), testing::normal_numbers(workers * batch * 784, 1, 1));
  EXPECT_NEAR(at.losses[0], 2.302585092994046, 1e-14);
  EXPECT_NEAR(at.gradients[Model::second.bias() + 0], -0.1, 1e-15);
  EXPECT_NEAR(at.gradients[Model::second.bias() + 2], 0.1, 1e-15);
}

}  // namespace
}  // namespace toposim::workloads
