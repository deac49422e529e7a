#include "sim/workloads/optimizer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/workloads/error.hpp"
#include "sim/workloads/fixed_math.hpp"

namespace toposim::workloads {

namespace {

void check_sizes(std::size_t parameters, std::size_t gradient, std::size_t state) {
  if (gradient != parameters || state != parameters)
    throw WorkloadError(
        fmt::format("optimiser: {} parameters, {} gradient values, state for {}", parameters, gradient, state));
}

}  // namespace

AdamState adam_state(std::size_t parameter_count) {
  AdamState state;
  state.first_moment.assign(parameter_count, 0);
  state.second_moment.assign(parameter_count, 0);
  return state;
}

void adam_step(const AdamSettings& settings, double learning_rate, std::span<const float> gradient, AdamState& state,
               std::span<float> parameters) {
  check_sizes(parameters.size(), gradient.size(), state.first_moment.size());
  state.beta1_power *= settings.beta1;
  state.beta2_power *= settings.beta2;
  const auto b1 = static_cast<float>(settings.beta1), b2 = static_cast<float>(settings.beta2);
  const auto rest1 = static_cast<float>(1 - settings.beta1), rest2 = static_cast<float>(1 - settings.beta2);
  const auto rate = static_cast<float>(learning_rate / (1 - state.beta1_power));
  const auto unbias = static_cast<float>(1 / (1 - state.beta2_power));
  const auto epsilon = static_cast<float>(settings.epsilon);
  float* m = state.first_moment.data();
  float* v = state.second_moment.data();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const float g = gradient[i];
    m[i] = b1 * m[i] + rest1 * g;
    v[i] = b2 * v[i] + rest2 * (g * g);
    parameters[i] -= rate * m[i] / (std::sqrt(v[i] * unbias) + epsilon);
  }
}

SgdState sgd_state(std::size_t parameter_count) {
  return {std::vector<float>(parameter_count, 0.0f)};
}

void sgd_step(double momentum, double learning_rate, std::span<const float> gradient, SgdState& state,
              std::span<float> parameters) {
  check_sizes(parameters.size(), gradient.size(), state.velocity.size());
  const auto mu = static_cast<float>(momentum), rate = static_cast<float>(learning_rate);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    state.velocity[i] = mu * state.velocity[i] + gradient[i];
    parameters[i] -= rate * state.velocity[i];
  }
}

Optimizer::Optimizer(const OptimizerSettings& settings, std::size_t parameter_count) : settings_(settings) {
  if (settings_.kind == OptimizerKind::adam)
    adam_ = adam_state(parameter_count);
  else
    sgd_ = sgd_state(parameter_count);
}

void Optimizer::step(double learning_rate, std::span<const float> gradient, std::span<float> parameters) {
  if (settings_.kind == OptimizerKind::adam)
    adam_step(settings_.adam, learning_rate, gradient, adam_, parameters);
  else
    sgd_step(settings_.momentum, learning_rate, gradient, sgd_, parameters);
}

double learning_rate(const CosineSchedule& schedule, std::uint64_t step) {
  if (step < schedule.warmup_steps)
    return schedule.peak_rate * static_cast<double>(step + 1) / static_cast<double>(schedule.warmup_steps);
  if (step >= schedule.total_steps) return schedule.final_rate;
  const double x = static_cast<double>(step - schedule.warmup_steps) /
                   static_cast<double>(schedule.total_steps - schedule.warmup_steps);
  return schedule.final_rate + (schedule.peak_rate - schedule.final_rate) * (1 + sine_cosine(x / 2).cosine) / 2;
}

}  // namespace toposim::workloads
