#pragma once
// Optimisers as values and functions of them: a copy of the state is a copy of the run. Plain fp32 arithmetic in a
// fixed order; step sizes are worked out in double.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::workloads {

/// Kingma and Ba, "Adam" (ICLR 2015), algorithm 1.
struct AdamSettings {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

struct AdamState {
  std::vector<float> first_moment, second_moment;
  double beta1_power = 1, beta2_power = 1;  ///< beta^t after t steps
};

AdamState adam_state(std::size_t parameter_count);

/// m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, p -= rate m^ / (sqrt(v^) + epsilon), m^ = m / (1 - b1^t), v^
/// likewise. Throws WorkloadError where sizes differ.
void adam_step(const AdamSettings& settings, double learning_rate, std::span<const float> gradient, AdamState& state,
               std::span<float> parameters);

/// Polyak's heavy ball (1964): u = momentum u + g, p -= rate u. Zero momentum is plain SGD.
struct SgdState {
  std::vector<float> velocity;
};

SgdState sgd_state(std::size_t parameter_count);

/// Throws WorkloadError where sizes differ.
void sgd_step(double momentum, double learning_rate, std::span<const float> gradient, SgdState& state,
              std::span<float> parameters);

enum class OptimizerKind : std::uint8_t { adam, momentum_sgd };

struct OptimizerSettings {
  OptimizerKind kind = OptimizerKind::adam;
  AdamSettings adam;
  double momentum = 0.9;  ///< of momentum_sgd
};

/// Either of them, with its state.
class Optimizer {
 public:
  Optimizer(const OptimizerSettings& settings, std::size_t parameter_count);
  /// Throws WorkloadError where sizes differ.
  void step(double learning_rate, std::span<const float> gradient, std::span<float> parameters);

 private:
  OptimizerSettings settings_;
  AdamState adam_;
  SgdState sgd_;
};

/// A linear rise to the peak, then half a cosine down (Loshchilov and Hutter, SGDR, ICLR 2017, equation 5).
struct CosineSchedule {
  double peak_rate = 1e-3, final_rate = 0;
  std::uint64_t warmup_steps = 0, total_steps = 1;
};

/// Of step 0, 1, ...: peak (step + 1) / warmup in the warm-up; then final + (peak - final) (1 + cos(pi x)) / 2, x
/// rising from 0 to 1 over the rest; final from total_steps on.
double learning_rate(const CosineSchedule& schedule, std::uint64_t step);

}  // namespace toposim::workloads
