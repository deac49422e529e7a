#pragma once
// Gradients against finite differences, in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/workloads/draws.hpp"
#include "sim/workloads/workload.hpp"

namespace toposim::workloads::testing {

/// (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h = f' + O(h^4 f''''').
inline double derivative(const std::function<double(double)>& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// Of each group, the largest entries of the gradient and some spread over the rest are compared one by one, and the
/// whole group along one random direction. Deviations count against the root mean square of the group's gradient, or
/// the entry itself where that is larger. Returns the number of groups whose gradient is zero, as that of an expert
/// without tokens has to be.
inline int check_gradient(const std::vector<LayerGroup>& groups, std::vector<double> parameters,
                          const std::vector<double>& gradient,
                          const std::function<double(const std::vector<double>&)>& loss, double h, double tolerance) {
  const Draws draws(7, DrawPurpose::initial_parameters);
  int without_gradient = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const LayerGroup& group = groups[g];
    const std::size_t size = group.end - group.begin;
    double square = 0;
    for (std::size_t i = group.begin; i < group.end; ++i) square += gradient[i] * gradient[i];
    const double rms = std::sqrt(square / static_cast<double>(size));
    without_gradient += rms == 0;

    std::vector<std::size_t> chosen(size);
    for (std::size_t i = 0; i < size; ++i) chosen[i] = group.begin + i;
    std::sort(chosen.begin(), chosen.end(),
              [&](std::size_t a, std::size_t b) { return std::abs(gradient[a]) > std::abs(gradient[b]); });
    std::vector<std::size_t> compared(chosen.begin(), chosen.begin() + std::min<std::ptrdiff_t>(4, std::ssize(chosen)));
    for (std::size_t i = 4; i < size; i += size / 5 + 1) compared.push_back(chosen[i]);
    for (const std::size_t i : compared) {
      const double at = parameters[i];
      const double numeric = derivative(
          [&](double step) {
            parameters[i] = at + step;
            return loss(parameters);
          },
          h);
      parameters[i] = at;
      EXPECT_LE(std::abs(numeric - gradient[i]), tolerance * std::max(rms, std::abs(gradient[i])))
          << group.name << " parameter " << i - group.begin << ": " << gradient[i] << ", numerically " << numeric;
    }

    std::vector<double> direction(size);
    draws.normals(0, static_cast<std::uint32_t>(g), 0, direction.data(), size);
    double norm = 0, along = 0;
    for (const double d : direction) norm += d * d;
    norm = std::sqrt(norm);
    for (std::size_t i = 0; i < size; ++i) along += gradient[group.begin + i] * direction[i] / norm;
    const std::vector<double> kept = parameters;
    const double numeric = derivative(
        [&](double step) {
          for (std::size_t i = 0; i < size; ++i)
            parameters[group.begin + i] = kept[group.begin + i] + step * direction[i] / norm;
          return loss(parameters);
        },
        h);
    parameters = kept;
    EXPECT_LE(std::abs(numeric - along), tolerance * std::max(rms, std::abs(along))) << group.name;
  }
  return without_gradient;
}

/// Standard normal numbers.
inline std::vector<double> normal_numbers(std::size_t count, std::uint32_t stream, double deviation) {
  std::vector<double> x(count);
  Draws(11, DrawPurpose::evaluation_noise).normals(0, stream, 0, x.data(), count);
  for (double& value : x) value *= deviation;
  return x;
}

}  // namespace toposim::workloads::testing
