#include "sim/accuracy/gradient_scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace toposim::accuracy {
namespace {

using emulator::GramMatrix;

std::vector<std::vector<std::uint32_t>> members_of(std::span<const std::uint32_t> domain) {
  std::vector<std::vector<std::uint32_t>> members(*std::max_element(domain.begin(), domain.end()) + std::size_t{1});
  for (std::uint32_t w = 0; w < domain.size(); ++w) members[domain[w]].push_back(w);
  return members;
}

double cosine(double product, double a_square, double b_square) {
  return a_square > 0 && b_square > 0 ? std::clamp(product / std::sqrt(a_square * b_square), -1.0, 1.0) : 0;
}

/// Mean over pairs of workers, those of one domain and those of two.
void pair_means(const GramMatrix& gram, std::span<const std::uint32_t> domain, SceneNumbers& numbers) {
  double cosines[2] = {}, angles[2] = {}, pairs[2] = {};
  for (std::size_t a = 0; a < domain.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const int out = domain[a] == domain[b] ? 0 : 1;
      const double c = cosine(gram(a, b), gram(a, a), gram(b, b));
      cosines[out] += c;
      angles[out] += std::acos(c) * 180 / std::numbers::pi;
      ++pairs[out];
    }
  const auto mean = [&](const double(&sum)[2], int out) { return pairs[out] > 0 ? sum[out] / pairs[out] : 0; };
  numbers.c_in = mean(cosines, 0);
  numbers.c_out = mean(cosines, 1);
  numbers.angle_in_deg = mean(angles, 0);
  numbers.angle_out_deg = mean(angles, 1);
}

/// Unbiased variance (trace of the covariance) of one worker's gradient inside each domain, summed over workers.
double spread(const GramMatrix& gram, std::span<const std::uint32_t> domain) {
  double sum = 0;
  for (const auto& members : members_of(domain)) {
    const auto n = static_cast<double>(members.size());
    if (members.size() < 2) continue;
    double squares = 0, total = 0;
    for (const std::uint32_t a : members) {
      squares += gram(a, a);
      for (const std::uint32_t b : members) total += gram(a, b);
    }
    sum += std::max(squares - total / n, 0.0) * n / (n - 1);
  }
  return sum;
}

SceneNumbers numbers_of(const GramMatrix& gram, const StepSimilarities& similarities,
                        std::span<const std::uint32_t> domain, std::uint32_t batch) {
  SceneNumbers numbers;
  pair_means(gram, domain, numbers);
  const auto workers = static_cast<double>(domain.size());
  std::vector<double> full(gram.vectors(), 0.0);
  std::fill_n(full.begin(), domain.size(), 1 / workers);
  const double full_square = gram.square(full), variance = spread(gram, domain) / workers;
  numbers.gradient_l2 = std::sqrt(full_square);
  numbers.noise_l2 = std::sqrt(variance / workers);
  double truth_square = full_square - variance / workers;
  if (similarities.population) {
    const std::size_t p = similarities.population_vector();
    truth_square = gram(p, p);
    numbers.population_l2 = std::sqrt(truth_square);
    full[p] = -1;
    if (numbers.noise_l2 > 0) numbers.population_error = std::sqrt(gram.square(full)) / numbers.noise_l2;
  }
  if (truth_square > 0) numbers.noise_scale_samples = batch * variance / truth_square;
  if (numbers.noise_scale_samples > 0) numbers.batch_over_noise_scale = batch / numbers.noise_scale_samples;
  if (truth_square > 0) numbers.iid_cosine = 1 / (1 + numbers.noise_scale_samples / batch);
  return numbers;
}

std::vector<double> domain_cosines(const GramMatrix& gram, std::span<const std::uint32_t> domain) {
  const auto members = members_of(domain);
  const std::size_t n = members.size();
  std::vector<double> products(n * n, 0.0), cosines(n * n);
  for (std::size_t a = 0; a < domain.size(); ++a)
    for (std::size_t b = 0; b < domain.size(); ++b) products[domain[a] * n + domain[b]] += gram(a, b);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      cosines[a * n + b] = a == b ? 1 : cosine(products[a * n + b], products[a * n + a], products[b * n + b]);
  return cosines;
}

}  // namespace

double noise_l2(const GramMatrix& gram, std::span<const std::uint32_t> domain) {
  return std::sqrt(spread(gram, domain)) / static_cast<double>(domain.size());
}

Scene scene_of(const StepSimilarities& similarities, std::span<const std::uint32_t> domain, std::uint32_t batch) {
  Scene scene;
  scene.step = similarities.step;
  scene.all = numbers_of(similarities.all, similarities, domain, batch);
  for (const GramMatrix& group : similarities.groups)
    scene.groups.push_back(numbers_of(group, similarities, domain, batch));
  scene.domain_cosines = domain_cosines(similarities.all, domain);
  return scene;
}

}  // namespace toposim::accuracy
