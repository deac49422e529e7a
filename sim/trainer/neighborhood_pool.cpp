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
                                  std::span<const std::uint8_t> present, bool sketch,
                                  std::span<const std::uint8_t> late) {
  if (present.size() != workers()) refuse(fmt::format("{} flags for {} workers", present.size(), workers()));
  if (!late.empty() && late.size() != workers())
    refuse(fmt::format("{} flags of late ones for {} workers", late.size(), workers()));
  if (stride < spec_.parameters || gradients.size() < (workers() - 1) * stride + spec_.parameters)
    refuse(fmt::format("{} numbers, {} apart, are no gradients of {} parameters for {} workers", gradients.size(),
                       stride, spec_.parameters, workers()));
  if (spec_.history_steps > 0 && !now_.present.empty()) {
    for (std::size_t w = 0; w < workers(); ++w) now_.present[w] = there(w) ? 1 : 0;
    past_.push_front(std::move(now_));
    if (past_.size() > spec_.history_steps) past_.pop_back();
    now_ = {};
  }
  gradients_ = gradients;
  stride_ = stride;
  now_.present.assign(present.begin(), present.end());
  now_.late.assign(late.begin(), late.end());
  keep_gradients();
  now_.sketches.assign(workers() * (sketch ? spec_.sketch_width : 0), 0.0F);
  if (sketch && spec_.sketch_width > 0) take_sketches();
}

/// Of those who are there, by any thread: the first exception is the caller's.
template <class Work>
void NeighborhoodPool::for_each_there(const Work& work) {
  std::exception_ptr failure;
#pragma omp parallel num_threads(spec_.threads)
  {
    kernels::Kernels kernels;
#pragma omp for schedule(static)
    for (std::size_t w = 0; w < workers(); ++w) {
      if (!there(w)) continue;
      try {
        work(kernels, w, std::span<const float>(gradients_.data() + w * stride_, spec_.parameters));
      } catch (...) {
#pragma omp critical(toposim_pool_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Now, where a later step will want them: then the caller's memory holds that step's.
void NeighborhoodPool::keep_gradients() {
  if (spec_.int8) {
    now_.quantised.resize(workers() * int8_stride());
    now_.scales.resize(workers() * scales_stride());
    for_each_there([&](kernels::Kernels& kernels, std::size_t w, std::span<const float> gradient) {
      kernels.quantise(gradient, {now_.quantised.data() + w * int8_stride(), spec_.parameters},
                       {now_.scales.data() + w * scales_stride(), scales_stride()});
    });
  } else if (spec_.history_steps > 0) {
    now_.gradients.resize(workers() * spec_.parameters);
    for_each_there([&](kernels::Kernels&, std::size_t w, std::span<const float> gradient) {
      std::copy(gradient.begin(), gradient.end(),
                now_.gradients.begin() + static_cast<std::ptrdiff_t>(w * spec_.parameters));
    });
  }
}

void NeighborhoodPool::take_sketches() {
  for_each_there([&](kernels::Kernels& kernels, std::size_t w, std::span<const float> gradient) {
    kernels.sketch(gradient, spec_.seed, {now_.sketches.data() + w * spec_.sketch_width, spec_.sketch_width});
  });
}

estimators::Observations NeighborhoodPool::observations() const {
  estimators::Observations seen{
      workers(), now_.sketches.size() / workers(), spec_.domain, {}, spec_.centroid_width, spec_.centroids};
  seen.steps.push_back({now_.sketches, now_.present});
  for (const Step& step : past_)
    if (step.sketches.size() == now_.sketches.size()) seen.steps.push_back({step.sketches, step.present});
  return seen;
}

kernels::Vector NeighborhoodPool::row(const estimators::Term& term) const {
  const bool known = term.worker < workers() && term.age <= past_.size();
  const Step* step = !known ? nullptr : term.age == 0 ? &now_ : &past_[term.age - 1];
  if (step == nullptr || step->present[term.worker] == 0)
    refuse(fmt::format("worker {} has no gradient of {} steps ago", term.worker, term.age));
  const std::size_t n = spec_.parameters;
  if (spec_.int8)
    return {std::span<const std::int8_t>(step->quantised).subspan(term.worker * int8_stride(), n),
            std::span<const float>(step->scales).subspan(term.worker * scales_stride(), scales_stride())};
  return term.age == 0 ? gradients_.subspan(term.worker * stride_, n)
                       : std::span<const float>(step->gradients).subspan(term.worker * n, n);
}

void NeighborhoodPool::combine(std::span<const estimators::Term> terms, std::span<float> out) const {
  if (out.size() != spec_.parameters) refuse(fmt::format("{} numbers for {} parameters", out.size(), spec_.parameters));
  if (terms.empty()) refuse("nothing to combine");
  std::vector<kernels::Vector> inputs;
  std::vector<float> weights;
  for (const estimators::Term& term : terms) {
    inputs.push_back(row(term));
    weights.push_back(static_cast<float>(term.coefficient));
  }
  kernels::Kernels(spec_.threads).pool(inputs, weights, out);
}

}  // namespace toposim::trainer
