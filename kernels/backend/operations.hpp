#pragma once
// Each operation as its jobs in order: written once, for whatever launches jobs. A launcher L has
//   template <class Job> void operator()(const Job& job)   every item of the job, before those of the next launch
// Arguments are checked (kernels/api) and weights final; `workspace` is large enough.
#include <cstddef>
#include <cstdint>

#include "kernels/body/elementwise.hpp"
#include "kernels/body/finish.hpp"
#include "kernels/body/pool.hpp"
#include "kernels/body/reductions.hpp"
#include "kernels/body/sketch.hpp"
#include "kernels/topokernels.h"

namespace toposim::kernels {

TK_FN constexpr std::size_t in_16(std::size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

/// Sums of strips to numbers: fp32 strip sums, then fp64 levels that swap between two areas.
struct SumWorkspace {
  std::size_t elements, quantities;
  TK_FN std::size_t strips() const { return strips_of(elements); }
  TK_FN std::size_t partial_bytes() const { return in_16(strips() * quantities * sizeof(float)); }
  TK_FN std::size_t level_bytes() const { return in_16(strips_of(strips()) * quantities * sizeof(double)); }
  TK_FN std::size_t bytes() const { return partial_bytes() + 2 * level_bytes(); }
};

template <class L>
void finish(L& launch, const SumWorkspace& sizes, void* workspace, double* result) {
  auto* bytes = static_cast<unsigned char*>(workspace);
  double* levels[2];
  levels[0] = reinterpret_cast<double*>(bytes + sizes.partial_bytes());
  levels[1] = reinterpret_cast<double*>(bytes + sizes.partial_bytes() + sizes.level_bytes());
  const auto quantities = static_cast<int>(sizes.quantities);
  std::size_t count = sizes.strips();
  int into = 0;
  launch(FinishJob<float>{count, quantities, static_cast<const float*>(workspace),
                          count <= strip_elements ? result : levels[into]});
  for (count = strips_of(count); count > 1; count = strips_of(count)) {
    launch(FinishJob<double>{count, quantities, levels[into], count <= strip_elements ? result : levels[1 - into]});
    into = 1 - into;
  }
}

/// Calls visit(T{}) with the element type that a tk_type names.
template <class Visit>
void with_type(tk_type type, const Visit& visit) {
  if (type == TK_FP32) return visit(float{});
  if (type == TK_BF16) return visit(Bf16{});
  visit(Int8{});
}
template <class Visit>
void with_float_type(tk_type type, const Visit& visit) {
  if (type == TK_FP32) return visit(float{});
  visit(Bf16{});
}

template <class T>
Source<T> source_of(const tk_vector& v, T) {
  return {static_cast<const T*>(v.data)};
}
TK_FN Source<Int8> source_of(const tk_vector& v, Int8) {
  return {static_cast<const Int8*>(v.data), v.scales};
}

/// Segments of few inputs share a launch; one of many takes several, which leave sums in the workspace between them.
template <class L>
void run_pool(L& launch, const tk_pool_args& a, const float* weights, void* workspace) {
  with_type(a.input_type, [&](auto in) {
    with_float_type(a.output_type, [&](auto out) {
      using In = decltype(in);
      using Out = decltype(out);
      PoolJob<In, Out> job{};
      job.elements = a.elements;
      job.partial = static_cast<float*>(workspace);
      const auto add = [&](std::size_t input) {
        const int at = job.first[job.segments];
        job.inputs[at] = source_of(a.input[input], in);
        job.weights[at] = weights[input];
        ++job.first[job.segments];
      };
      const auto flush = [&] {
        if (job.segments > 0) launch(job);
        job.segments = 0;
        job.first[0] = 0;
      };
      for (std::size_t segment = 0; segment < a.segments; ++segment) {
        const std::size_t begin = a.first[segment], end = a.first[segment + 1];
        if (static_cast<std::size_t>(job.first[job.segments]) + (end - begin) > pool_inputs) flush();
        for (std::size_t pass = begin; pass < end; pass += pool_inputs) {
          const std::size_t pass_end = pass + pool_inputs < end ? pass + pool_inputs : end;
          job.resume = pass > begin;
          job.last = pass_end == end;
          job.outputs[job.segments] = static_cast<Out*>(a.output[segment]);
          ++job.segments;
          job.first[job.segments] = job.first[job.segments - 1];
          for (std::size_t input = pass; input < pass_end; ++input) add(input);
          if (end - begin > pool_inputs) flush();
        }
        job.resume = false;
        job.last = true;
      }
      flush();
    });
  });
}
TK_FN std::size_t pool_workspace(const tk_pool_args& a) {
  for (std::size_t s = 0; s < a.segments; ++s)
    if (a.first[s + 1] - a.first[s] > pool_inputs) return in_16(a.elements * sizeof(float));
  return 0;
}

template <class L>
void run_scale(L& launch, const tk_scale_args& a) {
  with_float_type(a.type, [&](auto t) {
    launch(ScaleJob<decltype(t)>{a.elements, static_cast<decltype(t)*>(a.data), a.factor, nullptr});
  });
}

template <class L>
void run_correct(L& launch, const tk_correct_args& a) {
  with_type(a.input_type, [&](auto in) {
    with_float_type(a.output_type, [&](auto out) {
      launch(CorrectJob<decltype(in), decltype(out)>{a.elements, source_of(a.local, in), source_of(a.global, in),
                                                     a.beta, 1.0f - a.beta, static_cast<decltype(out)*>(a.output)});
    });
  });
}

TK_FN SumWorkspace metrics_workspace(std::size_t elements) {
  return {elements, metric_sums};
}
template <class L>
void run_metrics(L& launch, const tk_metrics_args& a, void* workspace) {
  with_type(a.type, [&](auto t) {
    launch(MetricsJob<decltype(t)>{a.elements, source_of(a.estimate, t), source_of(a.truth, t),
                                   static_cast<float*>(workspace)});
  });
  finish(launch, metrics_workspace(a.elements), workspace, &a.result->dot);
}

template <class L>
void run_pool_metrics(L& launch, const tk_pool_metrics_args& a, const float* weights, void* workspace) {
  with_type(a.type, [&](auto t) {
    PoolMetricsJob<decltype(t)> job{};
    job.elements = a.elements;
    job.count = static_cast<int>(a.inputs);
    for (std::size_t i = 0; i < a.inputs; ++i) {
      job.inputs[i] = source_of(a.input[i], t);
      job.weights[i] = weights[i];
    }
    job.truth = source_of(a.truth, t);
    job.partial = static_cast<float*>(workspace);
    launch(job);
  });
  finish(launch, metrics_workspace(a.elements), workspace, &a.result->dot);
}

TK_FN SumWorkspace gram_workspace(const tk_gram_args& a) {
  return {a.elements, a.inputs * (a.inputs + 1) / 2};
}
template <class L>
void run_gram(L& launch, const tk_gram_args& a, void* workspace) {
  with_type(a.type, [&](auto t) {
    GramJob<decltype(t)> job{};
    job.elements = a.elements;
    job.count = static_cast<int>(a.inputs);
    for (std::size_t i = 0; i < a.inputs; ++i) job.inputs[i] = source_of(a.input[i], t);
    job.partial = static_cast<float*>(workspace);
    launch(job);
  });
  finish(launch, gram_workspace(a), workspace, a.result);
}

TK_FN std::size_t sketch_workspace(const tk_sketch_args& a) {
  return in_16(sketch_blocks(a.elements) * a.width * sizeof(float));
}
template <class L>
void run_sketch(L& launch, const tk_sketch_args& a, void* workspace) {
  auto* partial = static_cast<float*>(workspace);
  with_type(a.type, [&](auto t) {
    launch(SketchJob<decltype(t)>{a.elements, source_of(a.input, t), static_cast<int>(a.width), a.seed, partial});
  });
  launch(SketchSumJob{sketch_blocks(a.elements), static_cast<int>(a.width), partial, a.result});
}

TK_FN SumWorkspace clip_sums(const tk_clip_args& a) {
  return {a.elements, 1};
}
TK_FN std::size_t clip_workspace(const tk_clip_args& a) {
  return clip_sums(a).bytes() + 32;  // the square and the factor
}
template <class L>
void run_clip(L& launch, const tk_clip_args& a, void* workspace) {
  auto* square = reinterpret_cast<double*>(static_cast<unsigned char*>(workspace) + clip_sums(a).bytes());
  auto* factor = reinterpret_cast<float*>(square + 2);
  with_float_type(a.type, [&](auto t) {
    using T = decltype(t);
    launch(SquareJob<T>{a.elements, {static_cast<const T*>(a.data)}, static_cast<float*>(workspace)});
    finish(launch, clip_sums(a), workspace, square);
    launch(ClipFactorJob{square, a.limit, a.normalise != 0, a.norm, factor});
    launch(ScaleJob<T>{a.elements, static_cast<T*>(a.data), 0.0f, factor});
  });
}

template <class L>
void run_quantise(L& launch, const tk_quantise_args& a) {
  with_float_type(a.input_type, [&](auto t) {
    using T = decltype(t);
    launch(QuantiseJob<T>{a.elements, {static_cast<const T*>(a.input)}, reinterpret_cast<Int8*>(a.output), a.scales});
  });
}
template <class L>
void run_dequantise(L& launch, const tk_dequantise_args& a) {
  with_float_type(a.output_type, [&](auto t) {
    launch(ConvertJob<Int8, decltype(t)>{a.elements, source_of(a.input, Int8{}), static_cast<decltype(t)*>(a.output)});
  });
}

/// A backend: every operation, with what launches it bound to it. `how` is the launcher's own settings.
struct Backend {
  void (*pool)(const void* how, const tk_pool_args&, const float* weights, void* workspace);
  void (*scale)(const void* how, const tk_scale_args&);
  void (*correct)(const void* how, const tk_correct_args&);
  void (*metrics)(const void* how, const tk_metrics_args&, void* workspace);
  void (*pool_metrics)(const void* how, const tk_pool_metrics_args&, const float* weights, void* workspace);
  void (*gram)(const void* how, const tk_gram_args&, void* workspace);
  void (*sketch)(const void* how, const tk_sketch_args&, void* workspace);
  void (*clip)(const void* how, const tk_clip_args&, void* workspace);
  void (*quantise)(const void* how, const tk_quantise_args&);
  void (*dequantise)(const void* how, const tk_dequantise_args&);
};

template <class L>
constexpr Backend backend_of() {
  return {[](const void* how, const tk_pool_args& a, const float* w, void* ws) {
            L l(how);
            run_pool(l, a, w, ws);
          },
          [](const void* how, const tk_scale_args& a) {
            L l(how);
            run_scale(l, a);
          },
          [](const void* how, const tk_correct_args& a) {
            L l(how);
            run_correct(l, a);
          },
          [](const void* how, const tk_metrics_args& a, void* ws) {
            L l(how);
            run_metrics(l, a, ws);
          },
          [](const void* how, const tk_pool_metrics_args& a, const float* w, void* ws) {
            L l(how);
            run_pool_metrics(l, a, w, ws);
          },
          [](const void* how, const tk_gram_args& a, void* ws) {
            L l(how);
            run_gram(l, a, ws);
          },
          [](const void* how, const tk_sketch_args& a, void* ws) {
            L l(how);
            run_sketch(l, a, ws);
          },
          [](const void* how, const tk_clip_args& a, void* ws) {
            L l(how);
            run_clip(l, a, ws);
          },
          [](const void* how, const tk_quantise_args& a) {
            L l(how);
            run_quantise(l, a);
          },
          [](const void* how, const tk_dequantise_args& a) {
            L l(how);
            run_dequantise(l, a);
          }};
}

}  // namespace toposim::kernels
