#include "sim/emulator/gram_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include "kernels/topokernels.hpp"

namespace toposim::emulator {
namespace {

constexpr std::size_t block = 32;  // two of them fill the kernel's 64 inputs

}  // namespace

GramMatrix::GramMatrix(std::size_t vectors) : vectors_(vectors), values_(vectors * vectors) {}

void GramMatrix::add(std::span<const std::span<const float>> rows, int threads) {
  if (rows.size() != vectors_)
    throw std::invalid_argument(fmt::format("gram matrix: {} rows for {} vectors", rows.size(), vectors_));
  const std::size_t blocks = (vectors_ + block - 1) / block;
  // Pairs of different blocks hold the products inside both; those inside block i are taken from the pair with its
  // neighbour, once.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < blocks; ++i)
    for (std::size_t j = i + 1; j < blocks; ++j) pairs.emplace_back(i, j);
  if (blocks == 1) pairs.emplace_back(0, 0);
  const auto count = [&](std::size_t b) { return std::min(block, vectors_ - b * block); };
  std::exception_ptr failure;
#pragma omp parallel num_threads(std::max(threads, 1))
  {
    kernels::Kernels kernels;
#pragma omp for schedule(dynamic)
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      try {
        const auto [i, j] = pairs[p];
        std::vector<std::span<const float>> inputs(rows.begin() + static_cast<std::ptrdiff_t>(i * block),
                                                   rows.begin() + static_cast<std::ptrdiff_t>(i * block + count(i)));
        if (j != i)
          inputs.insert(inputs.end(), rows.begin() + static_cast<std::ptrdiff_t>(j * block),
                        rows.begin() + static_cast<std::ptrdiff_t>(j * block + count(j)));
        const std::vector<double> products = kernels.gram(inputs);
        const bool own_i = j == i || (j == i + 1), own_j = j == i + 1 && j + 1 == blocks;
        for (std::size_t a = 0; a < inputs.size(); ++a)
          for (std::size_t b = 0; b <= a; ++b) {
            const bool in_j = a >= count(i), both_i = !in_j, both_j = in_j && b >= count(i);
            if ((both_i && !own_i) || (both_j && !own_j)) continue;
            const std::size_t row = in_j ? j * block + a - count(i) : i * block + a;
            const std::size_t column = b >= count(i) ? j * block + b - count(i) : i * block + b;
            const double value = products[a * (a + 1) / 2 + b];
            values_[row * vectors_ + column] += value;
            if (row != column) values_[column * vectors_ + row] += value;
          }
      } catch (...) {
#pragma omp critical(toposim_gram_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void GramMatrix::add(const GramMatrix& other) {
  if (other.vectors_ != vectors_)
    throw std::invalid_argument(fmt::format("gram matrix: {} vectors added to {}", other.vectors_, vectors_));
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += other.values_[i];
}

double GramMatrix::product(std::span<const double> a, std::span<const double> b) const {
  if (a.size() != vectors_ || b.size() != vectors_)
    throw std::invalid_argument(
        fmt::format("gram matrix: {} and {} coefficients for {} vectors", a.size(), b.size(), vectors_));
  double sum = 0;
  for (std::size_t i = 0; i < vectors_; ++i) {
    if (a[i] == 0) continue;
    const double* row = values_.data() + i * vectors_;
    double along = 0;
    for (std::size_t j = 0; j < vectors_; ++j) along += b[j] * row[j];
    sum += a[i] * along;
  }
  return sum;
}

double GramMatrix::square(std::span<const double> coefficients) const {
  return std::max(product(coefficients, coefficients), 0.0);
}

}  // namespace toposim::emulator
