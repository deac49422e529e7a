#pragma once
// What an estimator may look at in one step: who is alive, where, and a vector for each worker and step: its gradient,
// or a sketch of it (inner products of sketches are those of the gradients, in expectation).
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::estimators {

/// Row per worker of `width` numbers, and whether each row was ever there.
struct StepVectors {
  std::span<const float> rows;            ///< workers x width
  std::span<const std::uint8_t> present;  ///< per worker: 1 where the worker computed a gradient in that step
};

struct Observations {
  std::size_t workers = 0, width = 0;
  std::span<const std::uint32_t> domain;  ///< per worker
  std::vector<StepVectors> steps;         ///< [0]: this step; [a]: a steps ago. Rows that are not present are not read
  std::size_t centroid_width = 0;
  std::span<const float> centroids;  ///< workers x centroid_width: mean embedding of each worker's data; may be empty

  bool alive(std::size_t worker, std::size_t age = 0) const { return steps[age].present[worker] != 0; }
};

/// Throws std::invalid_argument, naming what does not fit, for sizes that disagree or a step without a survivor.
void check(const Observations& seen);

/// Inner products of an Observations in fp64, and the sets that estimators are written in.
class Products {
 public:
  explicit Products(const Observations& seen);

  const Observations& seen() const { return *seen_; }
  const std::vector<std::uint32_t>& survivors() const { return survivors_; }
  const std::vector<std::uint32_t>& dead() const { return dead_; }
  const std::vector<std::vector<std::uint32_t>>& survivors_by_domain() const { return members_; }
  /// Survivors of a worker's domain other than itself, in order.
  std::vector<std::uint32_t> neighbours(std::uint32_t worker) const;

  double dot(std::uint32_t a, std::uint32_t b, std::size_t age = 0) const;
  /// With the sum over the survivors of now.
  double dot_sum(std::uint32_t worker, std::size_t age = 0) const;
  double sum_sum(std::size_t age = 0) const;

 private:
  const Observations* seen_;
  std::vector<std::uint32_t> survivors_, dead_;
  std::vector<std::vector<std::uint32_t>> members_;
  mutable std::vector<std::vector<double>> sums_;  ///< by age, made when asked for
  const std::vector<double>& sum(std::size_t age) const;
};

}  // namespace toposim::estimators
