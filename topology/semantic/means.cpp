#include "topology/semantic/means.hpp"

#include <algorithm>

#include "topology/semantic/parallel.hpp"

namespace toposim::topology {
namespace {

// Partial sums over ranges of samples, added in order. As many as stay within 64 MB, from the sizes alone: results must
// not depend on threads.
std::uint64_t lanes_for(std::uint64_t labels, std::uint64_t dims) {
  return std::clamp<std::uint64_t>((std::uint64_t{1} << 23) / (labels * dims), 1, 16);
}

struct Sums {
  std::vector<double> vectors;  // labels x dims
  std::vector<double> squares;
  std::vector<std::uint64_t> counts;
};

}  // namespace

double LabelledMeans::inertia() const {
  double sum = 0;
  for (const double one : inertias) sum += one;
  return sum;
}

LabelledMeans means_of(const CentredRows& rows, const std::vector<std::uint32_t>& labels, std::uint64_t label_count,
                       unsigned threads) {
  const std::uint64_t dims = rows.dims(), lanes = lanes_for(label_count, dims);
  std::vector<Sums> parts(lanes);
  for_each_task(lanes, threads, [&](std::size_t lane) {
    Sums& part = parts[lane];
    part.vectors.assign(label_count * dims, 0.0);
    part.squares.assign(label_count, 0.0);
    part.counts.assign(label_count, 0);
    const TaskRange range = part_of(rows.rows(), lane, lanes);
    std::vector<float> buffer(rows.chunk_rows() * dims);
    for (std::size_t first = range.first; first < range.end; first += rows.chunk_rows()) {
      const std::size_t count = std::min<std::size_t>(rows.chunk_rows(), range.end - first);
      rows.read(first, count, buffer.data());
      for (std::size_t r = 0; r < count; ++r) {
        const std::uint32_t label = labels[first + r];
        const float* const x = buffer.data() + r * dims;
        double* const sum = part.vectors.data() + label * dims;
        double square[4] = {};
        std::uint64_t k = 0;
        for (; k + 4 <= dims; k += 4) {
          for (std::uint64_t i = 0; i < 4; ++i) {
            const double value = x[k + i];
            sum[k + i] += value;
            square[i] += value * value;
          }
        }
        for (; k < dims; ++k) {
          const double value = x[k];
          sum[k] += value;
          square[0] += value * value;
        }
        part.squares[label] += (square[0] + square[1]) + (square[2] + square[3]);
        ++part.counts[label];
      }
    }
  });
  LabelledMeans result{Rows(label_count, dims), std::vector<std::uint64_t>(label_count, 0),
                       std::vector<double>(label_count, 0.0)};
  for_each_task(label_count, threads, [&](std::size_t label) {
    double squares = 0, mean_squares = 0;
    for (const Sums& part : parts) {
      result.counts[label] += part.counts[label];
      squares += part.squares[label];
    }
    if (result.counts[label] == 0) return;
    const auto count = static_cast<double>(result.counts[label]);
    for (std::uint64_t k = 0; k < dims; ++k) {
      double sum = 0;
      for (const Sums& part : parts) sum += part.vectors[label * dims + k];
      result.centroids.row(label)[k] = static_cast<float>(sum / count);
      mean_squares += sum / count * sum;
    }
    result.inertias[label] = std::max(0.0, squares - mean_squares);
  });
  return result;
}

}  // namespace toposim::topology
