#!/usr/bin/env bash
# thread_sanitizer.sh: ThreadSanitizer on every kernel with three threads and with two callers at once. A race planted in
# a copy has to be found, the kernels as they are have to be free of reports. 77, saying why, where it cannot be run.
#
# With clang, since GCC's libgomp is not instrumented: every end of a parallel region would be reported. LLVM's libomp
# comes with Archer, which tells ThreadSanitizer what its barriers order; it is loaded by itself.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAIL: $*"; exit 1; }

command -v clang++ >/dev/null || skip 'no clang++ (on Debian: clang and libomp-dev)'
compile() { clang++ -std=c++20 -fsanitize=thread -fopenmp -g1 -Wno-psabi "$@"; }
printf 'int main() {\n#pragma omp parallel\n  {}\n}\n' >"$work/probe.cpp"
compile -o "$work/probe" "$work/probe.cpp" 2>"$work/log" && "$work/probe" >"$work/log" 2>&1 ||
  skip "clang++ has no OpenMP or no ThreadSanitizer: $(head -1 "$work/log")"
libomp=$(ldd "$work/probe" | awk '/libomp/ { print $3 }')
[ -e "$(dirname "$(readlink -f "$libomp")")/libarcher.so" ] || skip "no libarcher.so beside $libomp"

# The baseline's code under all three names; which instructions it is made of is no matter here.
cat >"$work/names.cpp" <<'TXT'
#include "kernels/backend/cpu.hpp"
namespace toposim::kernels {
const Backend& cpu_avx2() { return cpu_baseline(); }
const Backend& cpu_avx512() { return cpu_baseline(); }
}
TXT
mkdir "$work/rest"
(cd "$work/rest" && compile -c -I"$root" -I"$root/tests/kernels" "$root/tests/kernels/thread_sanitizer.cpp" \
  "$root"/kernels/api/*.cpp "$root/kernels/backend/cuda_absent.cpp" "$work/names.cpp") || fail 'the tests do not compile'

# build NAME: $work/NAME/run from $work/NAME/kernels
build() {
  compile -O1 -ffp-contract=off -I"$work/$1" -c -o "$work/$1/cpu.o" "$work/$1/kernels/backend/cpu.cpp" &&
    compile -o "$work/$1/run" "$work"/rest/*.o "$work/$1/cpu.o"
}
watch() { TSAN_OPTIONS='ignore_noninstrumented_modules=1 exitcode=66' "$work/$1/run" "$root/tests/golden/kernel_hashes.txt" >"$work/$1/said" 2>&1; }

# All strips leave their sums in the same place.
file=kernels/body/reductions.hpp
for name in planted real; do mkdir "$work/$name"; cp -r "$root/kernels" "$work/$name/kernels"; done
sed -i 's/static_cast<std::size_t>(q) \* strips + strip, /static_cast<std::size_t>(q) * strips, /' "$work/planted/$file"
cmp -s "$root/$file" "$work/planted/$file" && fail "the planted race changes nothing in $file any more: rewrite it"

build real || fail 'the kernels do not compile'
watch real || { head -60 "$work/real/said"; fail 'the kernels have a race, or miss hashes'; }
grep -q '^[1-9][0-9]* hashes, 0 missed' "$work/real/said" || fail "not all ran: $(tail -1 "$work/real/said")"
build planted || fail 'the planted race does not compile'
watch planted && fail 'the planted race is not found'
# The report has to name the place, not only exist.
grep -A3 'WARNING: ThreadSanitizer: data race' "$work/planted/said" | grep -qE 'put_sums|cpu_pack|::put|reductions\.hpp' ||
  { head -40 "$work/planted/said"; fail 'reports do not name the planted race'; }
echo "no race; the planted one is found, $(grep -c 'WARNING: ThreadSanitizer: data race' "$work/planted/said") reports"
