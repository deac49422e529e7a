#include "topology/semantic/centred_rows.hpp"

#include <algorithm>
#include <cmath>

#include "topology/semantic/parallel.hpp"

namespace toposim::topology {
namespace {

constexpr std::size_t lanes = 16;  // partial sums, added in order: the same bits for any number of threads

struct Moments {
  std::vector<double> sum;  // of x - reference
  double squares = 0;       // of |x - reference|^2
};

}  // namespace

std::uint64_t CentredRows::chunk_rows() const {
  return std::clamp<std::uint64_t>((std::uint64_t{1} << 20) / dims(), 16, 2048);
}

// Sums are taken about the first row, so that identical rows have a spread of exactly zero.
CentredRows::CentredRows(const Embeddings& embeddings, unsigned threads) : embeddings_(&embeddings), mean_(dims()) {
  std::vector<float> reference(dims());
  embeddings.read(0, 1, reference.data());
  std::vector<Moments> parts(lanes);
  for_each_task(lanes, threads, [&](std::size_t lane) {
    Moments& part = parts[lane];
    part.sum.assign(dims(), 0.0);
    const TaskRange range = part_of(rows(), lane, lanes);
    std::vector<float> buffer(chunk_rows() * dims());
    std::vector<double> squares(dims(), 0.0);
    for (std::size_t first = range.first; first < range.end; first += chunk_rows()) {
      const std::size_t count = std::min<std::size_t>(chunk_rows(), range.end - first);
      embeddings.read(first, count, buffer.data());
      for (std::size_t r = 0; r < count; ++r) {
        const float* const x = buffer.data() + r * dims();
        for (std::size_t k = 0; k < dims(); ++k) {
          const double off = static_cast<double>(x[k]) - static_cast<double>(reference[k]);
          part.sum[k] += off;
          squares[k] += off * off;
        }
      }
    }
    for (const double square : squares) part.squares += square;
  });
  const auto n = static_cast<double>(rows());
  double squares = 0, shift_squares = 0;
  for (std::size_t k = 0; k < dims(); ++k) {
    double sum = 0;
    for (const Moments& part : parts) sum += part.sum[k];
    mean_[k] = reference[k] + sum / n;
    shift_squares += sum / n * sum;
  }
  for (const Moments& part : parts) squares += part.squares;
  total_squares_ = std::max(0.0, squares - shift_squares);
  if (total_squares_ > 0)
    scale_ = std::ldexp(1.0, -std::ilogb(std::sqrt(total_squares_ / (n * static_cast<double>(dims())))));
}

void CentredRows::read(std::uint64_t first, std::uint64_t count, float* out) const {
  embeddings_->read(first, count, out);
  for (std::uint64_t r = 0; r < count; ++r) {
    float* const x = out + r * dims();
    for (std::uint64_t k = 0; k < dims(); ++k) {
      x[k] = static_cast<float>((static_cast<double>(x[k]) - mean_[k]) * scale_);
    }
  }
}

Rows CentredRows::gather(const std::vector<std::uint64_t>& which, unsigned threads) const {
  Rows result(which.size(), dims());
  constexpr std::size_t rows_per_task = 1024;
  for_each_task((which.size() + rows_per_task - 1) / rows_per_task, threads, [&](std::size_t task) {
    const std::size_t end = std::min(which.size(), (task + 1) * rows_per_task);
    for (std::size_t i = task * rows_per_task; i < end;) {
      std::size_t run = 1;  // consecutive rows in one go
      while (i + run < end && which[i + run] == which[i] + run) ++run;
      read(which[i], run, result.row(i));
      i += run;
    }
  });
  return result;
}

void CentredRows::restore(const float* centred, float* out) const {
  for (std::uint64_t k = 0; k < dims(); ++k) {
    out[k] = static_cast<float>(static_cast<double>(centred[k]) / scale_ + mean_[k]);
  }
}

}  // namespace toposim::topology
