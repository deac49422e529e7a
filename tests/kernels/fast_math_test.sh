#!/usr/bin/env bash
# fast_math_test.sh CXX CMAKE: neither the compiler nor CMake lets fast-math through, each in our words.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cxx=$1 cmake=$2
status=0
fail() { echo "FAIL: $*"; status=1; }

# Each flag as the build would see it.
compiled() { "$cxx" -std=c++20 -O2 -I"$root" "$@" -fsyntax-only -x c++ - <<<'#include "kernels/body/shape.hpp"' 2>&1; }
said=$(compiled) || fail "without fast-math shape.hpp does not compile: $said"
for flag in -ffast-math -Ofast -ffinite-math-only; do
  said=$(compiled "$flag") && fail "$flag compiles"
  grep -q 'error: .*topokernels promises the same bits everywhere' <<<"$said" || fail "$flag is refused in other words: $said"
done

configured() { "$cmake" "$@" -P "$root/kernels/refuse_fast_math.cmake" 2>&1; }
for flags in '' '-O3 -march=native -ffp-contract=off' '-fno-fast-math'; do
  said=$(configured "-DCMAKE_CXX_FLAGS=$flags") || fail "CMake refuses '$flags': $said"
done
for flag in -ffast-math -Ofast -funsafe-math-optimizations -fassociative-math -freciprocal-math -ffinite-math-only -fno-signed-zeros; do
  for variable in CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_RELEASE; do
    said=$(configured "-D$variable=-O2 $flag") && fail "CMake takes $flag in $variable"
    grep -qz "promises the same bits.*remove $flag" <<<"$(tr -s ' \n' ' ' <<<"$said")" || fail "$flag is refused in other words: $said"
  done
done
# And both of toposim's projects ask.
for project in CMakeLists.txt kernels/gpu_check/CMakeLists.txt; do
  grep -q '^include(.*refuse_fast_math.cmake)' "$root/$project" || fail "$project does not refuse fast-math"
done
exit "$status"
