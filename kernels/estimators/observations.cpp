#include "kernels/estimators/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace toposim::estimators {

void check(const Observations& seen) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument("estimator: " + what); };
  if (seen.workers == 0) refuse("no workers");
  if (seen.domain.size() != seen.workers)
    refuse(fmt::format("{} workers, but a domain for {}", seen.workers, seen.domain.size()));
  if (seen.steps.empty()) refuse("no step to look at");
  for (std::size_t age = 0; age < seen.steps.size(); ++age) {
    const StepVectors& step = seen.steps[age];
    if (step.rows.size() != seen.workers * seen.width || step.present.size() != seen.workers)
      refuse(fmt::format(
          "the vectors of {} steps ago are {} numbers and {} flags; {} workers of width {} need {} and {}", age,
          step.rows.size(), step.present.size(), seen.workers, seen.width, seen.workers * seen.width, seen.workers));
  }
  if (seen.centroids.size() != seen.workers * seen.centroid_width)
    refuse(fmt::format("centroids are {} numbers; {} workers of width {} need {}", seen.centroids.size(), seen.workers,
                       seen.centroid_width, seen.workers * seen.centroid_width));
  if (std::none_of(seen.steps[0].present.begin(), seen.steps[0].present.end(), [](std::uint8_t p) { return p != 0; }))
    refuse("no worker survived this step");
}

Products::Products(const Observations& seen) : seen_(&seen), sums_(seen.steps.size()) {
  check(seen);
  members_.resize(*std::max_element(seen.domain.begin(), seen.domain.end()) + std::size_t{1});
  for (std::uint32_t w = 0; w < seen.workers; ++w) {
    (seen.alive(w) ? survivors_ : dead_).push_back(w);
    if (seen.alive(w)) members_[seen.domain[w]].push_back(w);
  }
}

std::vector<std::uint32_t> Products::neighbours(std::uint32_t worker) const {
  std::vector<std::uint32_t> others = members_[seen_->domain[worker]];
  std::erase(others, worker);
  return others;
}

double Products::dot(std::uint32_t a, std::uint32_t b, std::size_t age) const {
  const float* x = seen_->steps[age].rows.data() + a * seen_->width;
  const float* y = seen_->steps[age].rows.data() + b * seen_->width;
  double sum = 0;
  for (std::size_t k = 0; k < seen_->width; ++k) sum += static_cast<double>(x[k]) * static_cast<double>(y[k]);
  return sum;
}

const std::vector<double>& Products::sum(std::size_t age) const {
  std::vector<double>& total = sums_[age];
  if (total.empty()) {
    total.assign(seen_->width, 0.0);
    for (const std::uint32_t w : survivors_) {
      if (!seen_->alive(w, age)) continue;
      const float* x = seen_->steps[age].rows.data() + w * seen_->width;
      for (std::size_t k = 0; k < seen_->width; ++k) total[k] += static_cast<double>(x[k]);
    }
  }
  return total;
}

double Products::dot_sum(std::uint32_t worker, std::size_t age) const {
  const std::vector<double>& total = sum(age);
  const float* x = seen_->steps[age].rows.data() + worker * seen_->width;
  double result = 0;
  for (std::size_t k = 0; k < seen_->width; ++k) result += static_cast<double>(x[k]) * total[k];
  return result;
}

double Products::sum_sum(std::size_t age) const {
  double result = 0;
  for (const double t : sum(age)) result += t * t;
  return result;
}

}  // namespace toposim::estimators
