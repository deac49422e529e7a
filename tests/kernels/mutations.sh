#!/usr/bin/env bash
# mutations.sh TOPOKERNELS_CHECK CXX: mistakes planted in a copy of the kernels, one at a time, and whether the golden
# hashes notice. The copy without a mistake has to pass, each of the others has to miss hashes.
#
# That a*b + c is not contracted cannot be tested with -ffp-contract=fast: every fma in the kernels is written as one, and
# nothing else has a product and a sum that would be taken together. So one fma is taken apart instead.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
check=$1 cxx=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "FAIL: $*"; status=1; }

# One instruction set, under all three names: what TOPOKERNELS_CHECK chooses is what is built here.
isa=baseline others='avx2 avx512' flags=()
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
  isa=avx2 others='baseline avx512' flags=(-mavx2 -mfma)
fi
printf '#include "kernels/backend/cpu.hpp"\nnamespace toposim::kernels {\n' >"$work/names.cpp"
for other in $others; do
  printf 'const Backend& cpu_%s() { return cpu_%s(); }\n' "$other" "$isa" >>"$work/names.cpp"
done
echo '}' >>"$work/names.cpp"
compile() { "$cxx" -std=c++20 -O1 -fPIC -ffp-contract=off -Wno-psabi "$@"; }

compile -I"$root" -r -nostdlib -o "$work/api.o" "$root"/kernels/api/*.cpp "$root/kernels/backend/cuda_absent.cpp" \
  "$work/names.cpp" || { echo 'FAIL: the API does not compile'; exit 1; }

# Few sizes are enough: a row and one element, a strip and one element; subnormal numbers for what flushes them.
grep -E 'elements=(129|4097) (uniform|subnormal)$' "$root/tests/golden/kernel_hashes.txt" | grep -v 'gram .* count=64 ' >"$work/golden"

# build NAME [FILE SED]: $work/NAME/lib.so from a copy with SED applied to FILE, which has to change it.
build() {
  local name=$1 file=${2:-} edit=${3:-} copy=$work/$1
  mkdir -p "$copy" && cp -r "$root/kernels" "$copy/kernels"
  if [ -n "$file" ]; then
    sed -i "$edit" "$copy/kernels/$file"
    ! cmp -s "$root/kernels/$file" "$copy/kernels/$file" || { echo "the mistake changes nothing in kernels/$file any more: rewrite it"; return 1; }
  fi
  compile -fopenmp "${flags[@]}" -I"$copy" -c -o "$copy/cpu.o" "$copy/kernels/backend/cpu.cpp" &&
    "$cxx" -shared -fopenmp -o "$copy/lib.so" "$work/api.o" "$copy/cpu.o"
}
hashes() { LD_PRELOAD="$work/$1/lib.so" "$check" --rehearse hashes "$work/golden" listed; }

# mutate NAME FILE SED KERNEL ...: every kernel named has to miss hashes, by computing something else and not by a crash.
mutate() {
  local name=$1 said kernel
  if ! build "$1" "$2" "$3" >"$work/$name.log" 2>&1; then fail "$name: $(head -3 "$work/$name.log")"; return; fi
  said=$(hashes "$name" 2>&1) && { fail "$name: no hash notices"; return; }
  grep -q ' 4 bytes off: [1-9][0-9]* mismatches$' <<<"$said" || { fail "$name: no count of mismatches: $(tail -2 <<<"$said")"; return; }
  for kernel in "${@:4}"; do
    grep -q "^mismatch: $kernel " <<<"$said" || fail "$name: no hash of $kernel notices"
  done
  echo "$name: $(tail -1 <<<"$said")"
}

build none >"$work/none.log" 2>&1 || { cat "$work/none.log"; echo 'FAIL: the copy does not build'; exit 1; }
said=$(hashes none 2>&1) || fail "without a mistake: $(tail -5 <<<"$said")"
echo "none: $(tail -1 <<<"$said")"

# Two levels of the fixed tree, within a vector, change places.
mutate tree pack/cpu_pack.hpp 's/permuted(t\[0\], iota() ^ half)/permuted(t[0], iota() ^ (half == 1 ? 2u : half == 2 ? 1u : half))/' \
  compare pool_metrics gram clip normalise
# What is beyond the last whole row is dropped.
mutate tail body/shape.hpp 's|all = rows_of(elements);|all = elements / row_slots;|' \
  pool segments scale correct compare pool_metrics gram clip normalise quantise dequantise
# Subnormal results are flushed to zero.
mutate flush backend/plain_arithmetic.hpp 's/0x1f80/0x9fc0/' pool segments scale correct
# One fma taken apart: two roundings in place of one.
mutate fma body/pool.hpp 's/acc = fma(P::splat(weights\[i\]), P::load(inputs\[i\], at), acc);/acc = P::splat(weights[i]) * P::load(inputs[i], at) + acc;/' \
  pool segments pool_metrics
exit "$status"
