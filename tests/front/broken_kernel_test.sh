#!/usr/bin/env bash
# broken_kernel_test.sh TOPOSIM: the gates of an accuracy study see a kernel that no longer computes what it should. A
# library that is loaded first takes the place of functions of libtopokernels.so; one at a time makes a small mistake.
set -uo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
compiler=${CXX:-c++}
[ -e /usr/share/datasets/fashion-mnist ] || { echo 'skipped: no Fashion-MNIST at /usr/share/datasets/fashion-mnist'; exit 77; }
command -v "$compiler" >/dev/null || { echo "skipped: no compiler $compiler"; exit 77; }
libraries=$(ldd "$toposim")
grep -qE 'lib(a|t|ub)san' <<<"$libraries" && { echo 'skipped: a sanitizer has to be loaded first'; exit 77; }
grep -q 'libtopokernels.so' <<<"$libraries" || { echo "$toposim does not load libtopokernels.so"; exit 1; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"

cat >broken.cpp <<'END'
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/topokernels.h"

namespace {
bool broken(const char* what) { return std::strcmp(std::getenv("BROKEN"), what) == 0; }
template <class Function>
Function* real(Function*, const char* name) { return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name)); }
}  // namespace

extern "C" {
TK_API tk_status tk_pool(const tk_exec* exec, const tk_pool_args* args) {
  tk_pool_args changed = *args;
  std::vector<size_t> first(args->first, args->first + args->segments + 1);
  std::vector<float> weights(args->weights, args->weights + first.back());
  if (broken("last_input") && first.back() > 1) --first.back();
  if (broken("weight_sign")) for (float& w : weights) w = -w;
  changed.first = first.data();
  changed.weights = weights.data();
  return real(tk_pool, "tk_pool")(exec, &changed);
}
TK_API tk_status tk_sketch(const tk_exec* exec, const tk_sketch_args* args) {
  const tk_status status = real(tk_sketch, "tk_sketch")(exec, args);
  if (broken("sketch")) for (size_t k = 0; k < args->width; ++k) args->result[k] = 0;
  return status;
}
TK_API tk_status tk_gram(const tk_exec* exec, const tk_gram_args* args) {
  const tk_status status = real(tk_gram, "tk_gram")(exec, args);
  if (broken("gram"))
    for (size_t i = 0; i < args->inputs; ++i)
      for (size_t j = 0; j < i; ++j) args->result[i * (i + 1) / 2 + j] *= 0.5;
  return status;
}
TK_API tk_status tk_quantise(const tk_exec* exec, const tk_quantise_args* args) {
  const tk_status status = real(tk_quantise, "tk_quantise")(exec, args);
  if (broken("scales")) for (size_t k = 0; k < (args->elements + 127) / 128; ++k) args->scales[k] *= 2;
  return status;
}
}
END
"$compiler" -std=c++17 -O1 -shared -fPIC -I"$source_dir" broken.cpp -o broken.so -ldl || { echo "skipped: $compiler makes no shared library"; exit 77; }

# At the start of training, clustered by label: neighbours are alike and the survivors at large are not; rounding to
# 1/127 is little beside four missing of 32; a model that learns is far below the loss of guessing, ln 10 = 2.3.
cat >scenario.yaml <<'END'
name: kernels_at_work
study: accuracy
training: {workload: fashion-mlp, workers: 32, steps: 40}
placement: {embeddings: labels, global_mix: 0%}
faults: [{pattern: permanent, share: 12.5%, name: four_gone}]
compensation: {domain_threshold: 100%}
schemes: [uniform, shrink, {estimator: drop, name: rounded, int8: true}]
gradient: {at: [0%], draws: 100}
run: {seeds: 1}
gates:
  - global_error_ratio.shrink.mean <= 0.9
  - local_cosine.uniform.mean >= 0.5
  - global_error_ratio.rounded.max <= 1.1
  - final_loss.fault_free.max <= 1.2
END
failures=0
"$toposim" scenario.yaml --quiet --out sound || { echo 'gates fail with kernels that are sound'; exit 1; }
# One input in 32 left out is a little noise to a model. What tells is the number it had before: same seed, same loss, to
# a ten-thousandth.
loss=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } $at["scheme"] == "fault_free" { print $at["final_loss"]; exit }' \
  sound/runs.csv)
awk -v loss="$loss" 'BEGIN { printf "  - final_loss.fault_free.mean >= %.6f\n  - final_loss.fault_free.mean <= %.6f\n", loss * 0.9999, loss * 1.0001 }' >>scenario.yaml
seen() {  # seen MISTAKE GATE...: each of these gates fails
  local mistake=$1 output status; shift
  output=$(BROKEN=$mistake LD_PRELOAD=$work/broken.so "$toposim" scenario.yaml --out broken 2>&1); status=$?
  [ "$status" -eq 1 ] || { echo "$mistake: exit $status, not 1"; failures=$((failures + 1)); }
  for gate; do
    grep -qF "FAILED  $gate" <<<"$output" && continue
    echo "$mistake: '$gate' does not fail"; grep -A8 '^GATES' <<<"$output"; failures=$((failures + 1))
  done
}
BROKEN=nothing LD_PRELOAD=$work/broken.so "$toposim" scenario.yaml --quiet --out same || { echo 'gates fail with a library that changes nothing'; failures=$((failures + 1)); }
"$toposim" compare sound same >/dev/null || { echo 'the library that changes nothing changes something'; failures=$((failures + 1)); }
seen last_input 'final_loss.fault_free.mean'
seen weight_sign 'final_loss.fault_free.max <= 1.2'
seen sketch 'global_error_ratio.shrink.mean <= 0.9'
seen gram 'local_cosine.uniform.mean >= 0.5'
seen scales 'global_error_ratio.rounded.max <= 1.1'
exit $((failures > 0))
