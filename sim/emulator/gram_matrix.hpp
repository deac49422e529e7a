#pragma once
// All inner products of many vectors, by the gram kernel, in blocks of coordinates so that the vectors need not be in
// memory whole.
#include <cstddef>
#include <span>
#include <vector>

namespace toposim::emulator {

class GramMatrix {
 public:
  explicit GramMatrix(std::size_t vectors);

  /// Adds the products over some coordinates: one span per vector, all of one length. The same bits for any number of
  /// threads. Throws std::invalid_argument where sizes do not fit.
  void add(std::span<const std::span<const float>> rows, int threads);
  /// Adds those of another matrix of the same size, over other coordinates.
  void add(const GramMatrix& other);

  std::size_t vectors() const { return vectors_; }
  double operator()(std::size_t a, std::size_t b) const { return values_[a * vectors_ + b]; }

  /// |sum of coefficients[i] x vector i|^2: never below 0, where rounding would leave it. One coefficient per vector;
  /// zeros cost nothing.
  double square(std::span<const double> coefficients) const;
  /// <sum a[i] x_i, sum b[i] x_i>.
  double product(std::span<const double> a, std::span<const double> b) const;

 private:
  std::size_t vectors_;
  std::vector<double> values_;  ///< row-major, symmetric
};

}  // namespace toposim::emulator
