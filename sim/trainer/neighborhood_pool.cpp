#include "sim/trainer/neighborhood_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "kernels/topokernels.hpp"

namespace toposim::trainer {
namespace {

void refuse(const std::string& what) {
  throw std::invalid_argument("neighborhood pool: " + what);
}

}  // namespace

NeighborhoodPool::NeighborhoodPool(NeighborhoodSpec spec) : spec_(std::move(spec)) {
  if (spec_.domain.empty()) refuse("no workers");
  if (spec_.parameters == 0) refuse("no parameters");
  if (spec_.sketch_width % 64 != 0 || spec_.sketch_width > TK_SKETCH_WIDTH_MAX)
    refuse(fmt::format("sketch width {} is no multiple of 64 up to {}", spec_.sketch_width, TK_SKETCH_WIDTH_MAX));
  if (spec_.centroids.size() != workers() * spec_.centroid_width)
    refuse(fmt::format("{} numbers of centroids for {} workers of width {}", spec_.centroids.size(), workers(),
                       spec_.centroid_width));
}

void NeighborhoodPool::begin_step(std::span<const float> gradients, std::size_t stride,
                                  std::span<const std::uint8_t> present, bool sketch) {
  if (present.size() != workers()) refuse(fmt::format("{} flags for {} workers", present.size(), workers()));
  if (stride < spec_.parameters || gradients.size() < (workers() - 1) * stride + spec_.parameters)
    refuse(fmt::format("{} numbers, {} apart, are no gradients of {} parameters for {} workers", gradients.size(),
                       stride, spec_.parameters, workers()));
  if (spec_.history_steps > 0 && !now_.present.empty()) {
    past_.push_front(std::move(now_));
    if (past_.size() > spec_.history_steps) past_.pop_back();
    now_ = {};
  }
  gradients_ = gradients;
  stride_ = stride;
  now_.present.assign(present.begin(), present.end());
  if (spec_.history_steps > 0) {  // now: later the caller's memory holds the next step's
    now_.gradients.resize(workers() * spec_.parameters);
    for (std::size_t w = 0; w < workers(); ++w)
      if (present[w] != 0)
        std::copy_n(gradients.data() + w * stride, spec_.parameters, now_.gradients.data() + w * spec_.parameters);
  }
  const std::size_t width = sketch ? spec_.sketch_width : 0;
  now_.sketches.assign(workers() * width, 0.0F);
  if (width == 0) return;
  std::exception_ptr failure;
#pragma omp parallel num_threads(spec_.threads)
  {
    kernels::Kernels kernels;
#pragma omp for schedule(static)
    for (std::size_t w = 0; w < workers(); ++w) {
      if (now_.present[w] == 0) continue;
      try {
        kernels.sketch({gradients.data() + w * stride, spec_.parameters}, spec_.seed,
                       {now_.sketches.data() + w * width, width});
      } catch (...) {
#pragma omp critical(toposim_sketch_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

estimators::Observations NeighborhoodPool::observations() const {
  estimators::Observations seen{
      workers(), now_.sketches.size() / workers(), spec_.domain, {}, spec_.centroid_width, spec_.centroids};
  seen.steps.push_back({now_.sketches, now_.present});
  for (const Step& step : past_)
    if (step.sketches.size() == now_.sketches.size()) seen.steps.push_back({step.sketches, step.present});
  return seen;
}

std::span<const float> NeighborhoodPool::row(const estimators::Term& term) const {
  const bool known = term.worker < workers() && term.age <= past_.size();
  const Step* step = !known ? nullptr : term.age == 0 ? &now_ : &past_[term.age - 1];
  if (step == nullptr || step->present[term.worker] == 0)
    refuse(fmt::format("worker {} has no gradient of {} steps ago", term.worker, term.age));
  return term.age == 0
             ? gradients_.subspan(term.worker * stride_, spec_.parameters)
             : std::span<const float>(step->gradients).subspan(term.worker * spec_.parameters, spec_.parameters);
}

void NeighborhoodPool::combine(std::span<const estimators::Term> terms, std::span<float> out) const {
  if (out.size() != spec_.parameters) refuse(fmt::format("{} numbers for {} parameters", out.size(), spec_.parameters));
  if (terms.empty()) refuse("nothing to combine");
  std::vector<kernels::Vector> inputs;
  std::vector<float> weights;
  for (const estimators::Term& term : terms) {
    inputs.emplace_back(row(term));
    weights.push_back(static_cast<float>(term.coefficient));
  }
  kernels::Kernels(spec_.threads).pool(inputs, weights, out);
}

}  // namespace toposim::trainer
