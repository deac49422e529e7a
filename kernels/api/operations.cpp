// The operations of the C ABI: check everything, choose where, run.
#include "kernels/backend/operations.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "kernels/api/message.hpp"
#include "kernels/api/regions.hpp"
#include "kernels/api/target.hpp"
#include "kernels/backend/plain_arithmetic.hpp"

namespace toposim::kernels {
namespace {

// What a check returns, or its caller goes on.
#define TK_TRY(expression) \
  if (const tk_status status = (expression); status != TK_OK) return status

/// Above this no product of sizes can overflow: 2^48 elements are 1 PB of fp32.
constexpr std::size_t elements_max = std::size_t{1} << 48;

tk_status need(const void* pointer, const char* name) {
  return pointer ? TK_OK : fail(TK_BAD_ARGUMENT, "%s is a null pointer", name);
}
tk_status count(std::size_t value, std::size_t least, std::size_t most, const char* name) {
  if (value >= least && value <= most) return TK_OK;
  return fail(TK_BAD_ARGUMENT, "%s is %zu: expected %zu to %zu", name, value, least, most);
}
tk_status type(tk_type value, bool int8_too, const char* name) {
  if (value == TK_FP32 || value == TK_BF16 || (int8_too && value == TK_INT8)) return TK_OK;
  return fail(TK_BAD_ARGUMENT, "%s is %d: expected fp32 or bf16%s", name, static_cast<int>(value),
              int8_too ? " or int8" : "");
}
tk_status finite(double value, const char* name) {
  return std::isfinite(value) ? TK_OK : fail(TK_BAD_ARGUMENT, "%s is %g: expected a finite number", name, value);
}

/// Weights of one segment as the kernels take them.
tk_status final_weights(const float* weights, std::size_t first, std::size_t end, bool normalise,
                        std::vector<float>& result) {
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) {
    if (!std::isfinite(weights[i]))
      return fail(TK_BAD_ARGUMENT, "weights[%zu] is %g: expected a finite number", i, static_cast<double>(weights[i]));
    sum += static_cast<double>(weights[i]);
  }
  if (normalise && sum == 0) return fail(TK_ZERO_WEIGHTS, "weights %zu to %zu add up to zero", first, end - 1);
  for (std::size_t i = first; i < end; ++i)
    result.push_back(normalise ? static_cast<float>(static_cast<double>(weights[i]) / sum) : weights[i]);
  for (std::size_t i = first; i < end; ++i)
    if (!std::isfinite(result[i]))
      return fail(TK_BAD_ARGUMENT, "weights[%zu] over the sum of weights, %g, is not finite", i, sum);
  return TK_OK;
}

tk_status check_pool_shape(const tk_pool_args* a) {
  TK_TRY(need(a, "args"));
  TK_TRY(count(a->elements, 1, elements_max, "elements"));
  TK_TRY(count(a->segments, 1, TK_INPUTS_MAX, "segments"));
  TK_TRY(need(a->first, "first"));
  if (a->first[0] != 0) return fail(TK_BAD_ARGUMENT, "first[0] is %zu: expected 0", a->first[0]);
  for (std::size_t s = 0; s < a->segments; ++s)
    if (a->first[s + 1] <= a->first[s])
      return fail(TK_BAD_ARGUMENT, "first[%zu] is %zu and first[%zu] is %zu: every segment has at least one input", s,
                  a->first[s], s + 1, a->first[s + 1]);
  TK_TRY(count(a->first[a->segments], 1, TK_INPUTS_MAX, "inputs"));
  TK_TRY(type(a->input_type, true, "input_type"));
  return type(a->output_type, false, "output_type");
}

/// In place only with an input of the same segment: another's launch may come first. And not in several passes.
tk_status check_in_place(const tk_pool_args& a) {
  std::vector<std::pair<const void*, std::size_t>> outputs;  // with their segments, by address
  for (std::size_t s = 0; s < a.segments; ++s) outputs.emplace_back(a.output[s], s);
  std::sort(outputs.begin(), outputs.end());
  for (std::size_t i = 0; i < a.first[a.segments]; ++i) {
    auto at = std::lower_bound(outputs.begin(), outputs.end(), std::pair{a.input[i].data, std::size_t{0}});
    for (; at != outputs.end() && at->first == a.input[i].data; ++at) {
      const std::size_t s = at->second, begin = a.first[s], end = a.first[s + 1];
      if (i < begin || i >= end || end - begin > pool_inputs)
        return fail(TK_BAD_ARGUMENT, "output[%zu] is input[%zu]: only an input of its own segment, of up to %d, may be",
                    s, i, pool_inputs);
    }
  }
  return TK_OK;
}

template <class Body>
tk_status guarded(const Body& body) {
  const PlainArithmetic plain;  // weights are made ready here
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(TK_BAD_ARGUMENT, "out of memory while checking arguments");
  } catch (const std::exception& error) {
    return fail(TK_BAD_ARGUMENT, "%s", error.what());
  }
}

/// Checks regions, chooses the target, runs `launch(target)`, which has arguments of its own: what is written may lie
/// over the caller's.
template <class Launch>
tk_status run(const tk_exec* exec, const Regions& regions, bool in_place, std::size_t workspace_bytes,
              const Launch& launch) {
  TK_TRY(need(exec, "exec"));
  TK_TRY(regions.check(in_place));
  Target target;
  TK_TRY(choose_target(*exec, regions, workspace_bytes, target));
  launch(target);
  return outcome(target);
}

tk_status give(std::size_t* bytes, std::size_t value) {
  TK_TRY(need(bytes, "bytes"));
  *bytes = value;
  return succeed();
}

tk_status check_metrics_shape(const tk_metrics_args* a) {
  TK_TRY(need(a, "args"));
  TK_TRY(count(a->elements, 1, elements_max, "elements"));
  return type(a->type, true, "type");
}
tk_status check_pool_metrics_shape(const tk_pool_metrics_args* a) {
  TK_TRY(need(a, "args"));
  TK_TRY(count(a->elements, 1, elements_max, "elements"));
  TK_TRY(count(a->inputs, 1, pool_inputs, "inputs"));
  return type(a->type, true, "type");
}
tk_status check_gram_shape(const tk_gram_args* a) {
  TK_TRY(need(a, "args"));
  TK_TRY(count(a->elements, 1, elements_max, "elements"));
  TK_TRY(count(a->inputs, 1, TK_GRAM_INPUTS_MAX, "inputs"));
  return type(a->type, true, "type");
}
tk_status check_sketch_shape(const tk_sketch_args* a) {
  TK_TRY(need(a, "args"));
  TK_TRY(count(a->elements, 1, elements_max, "elements"));
  TK_TRY(count(a->width, sketch_width_min, sketch_width_max, "width"));
  if (a->width % 64 != 0) return fail(TK_BAD_ARGUMENT, "width is %zu: expected a multiple of 64", a->width);
  return type(a->type, true, "type");
}
tk_status check_clip_shape(const tk_clip_args* a) {
  TK_TRY(need(a, "args"));
  TK_TRY(count(a->elements, 1, elements_max, "elements"));
  return type(a->type, false, "type");
}

}  // namespace
}  // namespace toposim::kernels

using namespace toposim::kernels;

extern "C" {

tk_status tk_pool_workspace(const tk_pool_args* a, size_t* bytes) {
  TK_TRY(check_pool_shape(a));
  return give(bytes, pool_workspace(*a));
}

tk_status tk_pool(const tk_exec* exec, const tk_pool_args* a) {
  return guarded([&] {
    TK_TRY(check_pool_shape(a));
    TK_TRY(need(a->input, "input"));
    TK_TRY(need(a->weights, "weights"));
    TK_TRY(need(a->output, "output"));
    std::vector<float> weights;
    Regions regions;
    for (std::size_t s = 0; s < a->segments; ++s) {
      TK_TRY(final_weights(a->weights, a->first[s], a->first[s + 1], a->normalise != 0, weights));
      regions.writes("output", a->output[s], bytes_of(a->output_type, a->elements), s);
    }
    for (std::size_t i = 0; i < a->first[a->segments]; ++i)
      regions.reads("input", a->input[i], a->input_type, a->elements, i);
    TK_TRY(check_in_place(*a));
    // Arrays are read between launches too, when outputs may lie where they were.
    const std::vector<std::size_t> first(a->first, a->first + a->segments + 1);
    const std::vector<tk_vector> input(a->input, a->input + first.back());
    const std::vector<void*> output(a->output, a->output + a->segments);
    tk_pool_args own = *a;
    own.first = first.data();
    own.input = input.data();
    own.output = output.data();
    return run(exec, regions, a->input_type == a->output_type, pool_workspace(*a),
               [&](const Target& t) { t.backend->pool(t.how(), own, weights.data(), exec->workspace); });
  });
}

tk_status tk_scale(const tk_exec* exec, const tk_scale_args* a) {
  return guarded([&] {
    TK_TRY(need(a, "args"));
    TK_TRY(count(a->elements, 1, elements_max, "elements"));
    TK_TRY(type(a->type, false, "type"));
    TK_TRY(finite(static_cast<double>(a->factor), "factor"));
    Regions regions;
    regions.writes("data", a->data, bytes_of(a->type, a->elements));
    return run(exec, regions, false, 0, [&, own = *a](const Target& t) { t.backend->scale(t.how(), own); });
  });
}

tk_status tk_correct(const tk_exec* exec, const tk_correct_args* a) {
  return guarded([&] {
    TK_TRY(need(a, "args"));
    TK_TRY(count(a->elements, 1, elements_max, "elements"));
    TK_TRY(type(a->input_type, true, "input_type"));
    TK_TRY(type(a->output_type, false, "output_type"));
    if (!(a->beta >= 0 && a->beta <= 1))
      return fail(TK_BAD_ARGUMENT, "beta is %g: expected 0 to 1", static_cast<double>(a->beta));
    Regions regions;
    regions.writes("output", a->output, bytes_of(a->output_type, a->elements));
    regions.reads("local", a->local, a->input_type, a->elements);
    regions.reads("global", a->global, a->input_type, a->elements);
    return run(exec, regions, a->input_type == a->output_type, 0,
               [&, own = *a](const Target& t) { t.backend->correct(t.how(), own); });
  });
}

tk_status tk_compare_workspace(const tk_metrics_args* a, size_t* bytes) {
  TK_TRY(check_metrics_shape(a));
  return give(bytes, metrics_workspace(a->elements).bytes());
}

tk_status tk_compare(const tk_exec* exec, const tk_metrics_args* a) {
  return guarded([&] {
    TK_TRY(check_metrics_shape(a));
    Regions regions;
    regions.writes_doubles("result", a->result, 4);
    regions.reads("estimate", a->estimate, a->type, a->elements);
    regions.reads("truth", a->truth, a->type, a->elements);
    return run(exec, regions, false, metrics_workspace(a->elements).bytes(),
               [&, own = *a](const Target& t) { t.backend->metrics(t.how(), own, exec->workspace); });
  });
}

tk_status tk_pool_metrics_workspace(const tk_pool_metrics_args* a, size_t* bytes) {
  TK_TRY(check_pool_metrics_shape(a));
  return give(bytes, metrics_workspace(a->elements).bytes());
}

tk_status tk_pool_metrics(const tk_exec* exec, const tk_pool_metrics_args* a) {
  return guarded([&] {
    TK_TRY(check_pool_metrics_shape(a));
    TK_TRY(need(a->input, "input"));
    TK_TRY(need(a->weights, "weights"));
    std::vector<float> weights;
    TK_TRY(final_weights(a->weights, 0, a->inputs, a->normalise != 0, weights));
    Regions regions;
    regions.writes_doubles("result", a->result, 4);
    for (std::size_t i = 0; i < a->inputs; ++i) regions.reads("input", a->input[i], a->type, a->elements, i);
    regions.reads("truth", a->truth, a->type, a->elements);
    return run(exec, regions, false, metrics_workspace(a->elements).bytes(), [&, own = *a](const Target& t) {
      t.backend->pool_metrics(t.how(), own, weights.data(), exec->workspace);
    });
  });
}

tk_status tk_gram_workspace(const tk_gram_args* a, size_t* bytes) {
  TK_TRY(check_gram_shape(a));
  return give(bytes, gram_workspace(*a).bytes());
}

tk_status tk_gram(const tk_exec* exec, const tk_gram_args* a) {
  return guarded([&] {
    TK_TRY(check_gram_shape(a));
    TK_TRY(need(a->input, "input"));
    Regions regions;
    regions.writes_doubles("result", a->result, gram_workspace(*a).quantities);
    for (std::size_t i = 0; i < a->inputs; ++i) regions.reads("input", a->input[i], a->type, a->elements, i);
    return run(exec, regions, false, gram_workspace(*a).bytes(),
               [&, own = *a](const Target& t) { t.backend->gram(t.how(), own, exec->workspace); });
  });
}

tk_status tk_sketch_workspace(const tk_sketch_args* a, size_t* bytes) {
  TK_TRY(check_sketch_shape(a));
  return give(bytes, sketch_workspace(*a));
}

tk_status tk_sketch(const tk_exec* exec, const tk_sketch_args* a) {
  return guarded([&] {
    TK_TRY(check_sketch_shape(a));
    Regions regions;
    regions.writes("result", a->result, sizeof(float) * a->width);
    regions.reads("input", a->input, a->type, a->elements);
    return run(exec, regions, false, sketch_workspace(*a),
               [&, own = *a](const Target& t) { t.backend->sketch(t.how(), own, exec->workspace); });
  });
}

tk_status tk_clip_workspace(const tk_clip_args* a, size_t* bytes) {
  TK_TRY(check_clip_shape(a));
  return give(bytes, clip_workspace(*a));
}

tk_status tk_clip(const tk_exec* exec, const tk_clip_args* a) {
  return guarded([&] {
    TK_TRY(check_clip_shape(a));
    TK_TRY(finite(a->limit, "limit"));
    if (!(a->limit > 0)) return fail(TK_BAD_ARGUMENT, "limit is %g: expected more than 0", a->limit);
    Regions regions;
    regions.writes("data", a->data, bytes_of(a->type, a->elements));
    regions.writes_doubles("norm", a->norm, 1);
    return run(exec, regions, false, clip_workspace(*a),
               [&, own = *a](const Target& t) { t.backend->clip(t.how(), own, exec->workspace); });
  });
}

tk_status tk_quantise(const tk_exec* exec, const tk_quantise_args* a) {
  return guarded([&] {
    TK_TRY(need(a, "args"));
    TK_TRY(count(a->elements, 1, elements_max, "elements"));
    TK_TRY(type(a->input_type, false, "input_type"));
    Regions regions;
    regions.writes("output", a->output, a->elements);
    regions.writes("scales", a->scales, sizeof(float) * rows_of(a->elements));
    regions.reads("input", a->input, bytes_of(a->input_type, a->elements));
    return run(exec, regions, false, 0, [&, own = *a](const Target& t) { t.backend->quantise(t.how(), own); });
  });
}

tk_status tk_dequantise(const tk_exec* exec, const tk_dequantise_args* a) {
  return guarded([&] {
    TK_TRY(need(a, "args"));
    TK_TRY(count(a->elements, 1, elements_max, "elements"));
    TK_TRY(type(a->output_type, false, "output_type"));
    Regions regions;
    regions.writes("output", a->output, bytes_of(a->output_type, a->elements));
    regions.reads("input", a->input, TK_INT8, a->elements);
    return run(exec, regions, false, 0, [&, own = *a](const Target& t) { t.backend->dequantise(t.how(), own); });
  });
}
}
