#pragma once
// The switch layer of Fedus, Zoph, Shazeer, "Switch transformers" (JMLR 2022): a router gives each token to one of
// eight experts, 48 - 96 - 48 with GELU; its probability multiplies the expert's output. No capacity limit, so no token
// is dropped, and no jitter.
#include <array>
#include <cstdint>

#include "sim/workloads/cross_entropy.hpp"
#include "sim/workloads/feed_forward.hpp"

namespace toposim::workloads {

template <class Scalar>
class SwitchLayer {
 public:
  static constexpr std::size_t width = 48, hidden = 96, experts = 8;
  /// Of the auxiliary loss, experts sum_e f_e P_e: f_e the share of a worker's tokens that e takes, P_e its mean
  /// probability (their equation 4).
  static constexpr double balance = 0.01;

  SwitchLayer(std::size_t begin, std::size_t max_rows);

  std::size_t end() const { return layers_.back().end(); }
  std::vector<LayerGroup> groups(const std::string& block) const;
  std::vector<DrawnWeights> drawn_weights() const;
  static constexpr double multiplications_per_row = 2.0 * width * hidden + width * experts;

  /// y += the layer's output.
  void forward(const Scalar* parameters, const Scalar* x, Scalar* y, std::size_t rows);

  /// dx = the gradient of x; weight gradients of each worker; adds each worker's auxiliary loss to `losses`.
  void backward(const Scalar* parameters, const Scalar* x, const Scalar* dy, Scalar* dx, WorkerRows shape,
                GradientRows<Scalar> gradients, double* losses);

  /// After backward(): row per worker, the tokens of each expert.
  void copy_tokens(std::size_t workers, std::uint32_t* out) const {
    std::copy(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(workers * experts), out);
  }

 private:
  const Dense& up(std::size_t e) const { return layers_[2 * e]; }
  const Dense& down(std::size_t e) const { return layers_[2 * e + 1]; }
  std::size_t first_of(std::size_t e) const { return segment_[e]; }
  std::size_t padded_count(std::size_t e) const { return segment_[e + 1] - segment_[e]; }

  void route(const Scalar* parameters, const Scalar* x, std::size_t rows);
  void router_gradient(const Scalar* parameters, const Scalar* x, Scalar* dx, WorkerRows shape,
                       GradientRows<Scalar> gradients, double* losses);
  void expert_weight_gradients(WorkerRows shape, GradientRows<Scalar> gradients);

  std::size_t router_;
  std::array<Dense, 2 * experts> layers_;  ///< up and down of expert after expert

  // By row.
  Buffer<Scalar> probability_, dprobability_;
  std::vector<std::uint8_t> expert_;
  std::vector<std::size_t> place_;  ///< of the row among the sorted ones
  std::vector<std::uint32_t> tokens_;
  // Sorted by expert, then row; each expert starts at a multiple of row_multiple.
  std::array<std::size_t, experts + 1> segment_{};
  Buffer<Scalar> in_, h_, slope_, out_, dout_, dh_, din_;
};

}  // namespace toposim::workloads

#include "sim/workloads/switch_parts.hpp"
