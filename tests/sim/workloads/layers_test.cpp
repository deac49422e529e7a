// The parts of the models forwards, against their definitions written out.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "gradient_check.hpp"
#include "sim/workloads/attention.hpp"
#include "sim/workloads/layer_norm.hpp"
#include "sim/workloads/switch_layer.hpp"
#include "sim/workloads/transformer_model.hpp"

namespace toposim::workloads {
namespace {

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) by std::tanh.
TEST(Layers, GeluIsItsTanhForm) {
  std::vector<double> x, slope(400);
  for (int i = 0; i < 400; ++i) x.push_back(-10 + 0.05 * i);
  std::vector<double> y = x;
  gelu(y.data(), slope.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i], x[i] / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x[i] + 0.044715 * x[i] * x[i] * x[i]))), 1e-14);
}

TEST(Layers, SiluIsXTimesSigmoid) {
  std::vector<double> x, slope(400);
  for (int i = 0; i < 400; ++i) x.push_back(-10 + 0.05 * i);
  std::vector<double> y = x;
  silu(y.data(), slope.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i] / (1 + std::exp(-x[i])), 1e-14);
}

// A row of 0, 1, ..., 47: mean 23.5, variance (48^2 - 1) / 12 = 191.9167. Gains 2, biases 3: the first number is
// 3 - 2 x 23.5 / sqrt(191.91668) = -0.392688...
TEST(Layers, LayerNormByHand) {
  const LayerNorm<48> norm{0};
  std::vector<double> parameters(96, 2.0), x(48), y(48), normal(48), inverse(1);
  std::fill(parameters.begin() + 48, parameters.end(), 3.0);
  for (int i = 0; i < 48; ++i) x[static_cast<std::size_t>(i)] = i;
  norm.forward(parameters.data(), x.data(), 1, y.data(), normal.data(), inverse.data());
  EXPECT_NEAR(inverse[0], 1 / std::sqrt(191.0 + 11.0 / 12 + 1e-5), 1e-15);
  EXPECT_NEAR(y[0], 3 - 2 * 23.5 * inverse[0], 1e-13);
  EXPECT_NEAR(y[47], 3 + 2 * 23.5 * inverse[0], 1e-13);
}

template <class Scalar>
void expect_attention(double tolerance) {
  using A = Attention<Scalar>;
  const auto numbers = testing::normal_numbers(A::length * A::projected, 4, 1.5);
  const std::vector<Scalar> qkv(numbers.begin(), numbers.end());
  std::vector<Scalar> out(A::length * A::width), p(A::weights);
  A().forward(qkv.data(), out.data(), p.data());
  const auto at = [&](std::size_t row, std::size_t part, std::size_t h, std::size_t c) {
    return static_cast<double>(qkv[row * A::projected + part * A::width + h * A::depth + c]);
  };
  for (std::size_t h = 0; h < A::heads; ++h)
    for (std::size_t i = 0; i < A::length; ++i) {
      std::vector<double> weight(i + 1);
      double total = 0;
      for (std::size_t j = 0; j <= i; ++j) {
        double product = 0;
        for (std::size_t c = 0; c < A::depth; ++c) product += at(i, 0, h, c) * at(j, 1, h, c);
        total += weight[j] = std::exp(product / std::sqrt(12.0));
      }
      for (std::size_t c = 0; c < A::depth; ++c) {
        double mixed = 0;
        for (std::size_t j = 0; j <= i; ++j) mixed += weight[j] / total * at(j, 2, h, c);
        EXPECT_NEAR(static_cast<double>(out[i * A::width + h * A::depth + c]), mixed, tolerance) << h << " " << i;
      }
    }
}

TEST(Layers, AttentionIsItsDefinition) {
  expect_attention<double>(1e-13);
  expect_attention<float>(2e-5);
}

// A byte changes what is predicted after it, and nothing before.
TEST(Layers, TheTransformerLooksBackOnly) {
  using Model = TransformerModel<double, FeedForward>;
  Model model(1);
  const auto parameters = testing::normal_numbers(model.parameter_count(), 0, 0.2);
  std::vector<std::uint8_t> text(Model::text, 'a'), other = text;
  constexpr std::size_t changed = 37;
  other[changed] = 'b';
  const auto logits_of_c = [&](const std::vector<std::uint8_t>& bytes) {
    std::vector<double> each;
    model.forward(parameters.data(), {bytes.data()});
    for (std::size_t i = 0; i < Model::context; ++i) each.push_back(model.logits(0)[i * Model::vocabulary + 'c']);
    return each;
  };
  const auto a = logits_of_c(text), b = logits_of_c(other);
  for (std::size_t i = 0; i < Model::context; ++i)
    if (i < changed)
      EXPECT_EQ(a[i], b[i]) << i;
    else
      EXPECT_NE(a[i], b[i]) << i;
}

/// y = W2 gelu(W1 x + b1) + b2 of one expert, parameters in the order W1, b1, W2, b2.
std::vector<double> expert_output(const double* w, const double* x) {
  using Layer = SwitchLayer<double>;
  const double *b1 = w + Layer::width * Layer::hidden, *w2 = b1 + Layer::hidden,
               *b2 = w2 + Layer::hidden * Layer::width;
  std::vector<double> h(b1, w2), y(b2, b2 + Layer::width);
  for (std::size_t j = 0; j < Layer::hidden; ++j) {
    for (std::size_t i = 0; i < Layer::width; ++i) h[j] += x[i] * w[i * Layer::hidden + j];
    h[j] = h[j] / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (h[j] + 0.044715 * h[j] * h[j] * h[j])));
  }
  for (std::size_t j = 0; j < Layer::hidden; ++j)
    for (std::size_t c = 0; c < Layer::width; ++c) y[c] += h[j] * w2[j * Layer::width + c];
  return y;
}

// Each row by the expert of its largest probability, times that; and the auxiliary loss 0.01 x 8 sum f P of each
// worker.
TEST(Layers, TheSwitchIsItsDefinition) {
  using Layer = SwitchLayer<double>;
  constexpr std::size_t rows = 12, workers = 3, each = rows / workers;
  constexpr std::size_t expert_size = 2 * Layer::width * Layer::hidden + Layer::hidden + Layer::width;
  Layer layer(0, rows);
  const auto parameters = testing::normal_numbers(layer.end(), 5, 0.3);
  const auto x = testing::normal_numbers(rows * Layer::width, 6, 1);
  std::vector<double> y(rows * Layer::width, 10.0);
  layer.forward(parameters.data(), x.data(), y.data(), rows);
  std::vector<double> expected_loss(workers);
  std::array<std::array<double, Layer::experts>, workers> share{}, mass{};
  for (std::size_t r = 0; r < rows; ++r) {
    const double* row = x.data() + r * Layer::width;
    std::array<double, Layer::experts> p{};
    double total = 0;
    for (std::size_t e = 0; e < Layer::experts; ++e) {
      for (std::size_t i = 0; i < Layer::width; ++i) p[e] += row[i] * parameters[i * Layer::experts + e];
      total += p[e] = std::exp(p[e]);
    }
    std::size_t best = 0;
    for (std::size_t e = 0; e < Layer::experts; ++e) {
      p[e] /= total;
      mass[r / each][e] += p[e] / each;
      if (p[e] > p[best]) best = e;
    }
    share[r / each][best] += 1.0 / each;
    const auto out = expert_output(parameters.data() + Layer::width * Layer::experts + best * expert_size, row);
    for (std::size_t c = 0; c < Layer::width; ++c)
      EXPECT_NEAR(y[r * Layer::width + c], 10 + p[best] * out[c], 1e-12) << r;
  }
  std::vector<double> dx(rows * Layer::width), dy(rows * Layer::width), gradients(workers * layer.end()),
      losses(workers);
  layer.backward(parameters.data(), x.data(), dy.data(), dx.data(), {workers, each}, {gradients.data(), layer.end()},
                 losses.data());
  std::vector<std::uint32_t> tokens(workers * Layer::experts);
  layer.copy_tokens(workers, tokens.data());
  for (std::size_t w = 0; w < workers; ++w) {
    double sum = 0;
    for (std::size_t e = 0; e < Layer::experts; ++e) {
      sum += share[w][e] * mass[w][e];
      EXPECT_NEAR(tokens[w * Layer::experts + e], share[w][e] * each, 1e-12);
    }
    EXPECT_NEAR(losses[w], 0.08 * sum, 1e-14);
  }
}

}  // namespace
}  // namespace toposim::workloads
