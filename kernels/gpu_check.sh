#!/usr/bin/env bash
# The kernels on a GPU: every golden hash, compute-sanitizer, and every kernel's time against the card's own copy.
# Needs CUDA's toolkit, g++, CMake and Ninja, and no network. At most 8 minutes in all.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
  cat <<'TXT'
kernels/gpu_check.sh [--rehearse] [--build DIR] [--check PROGRAM] [--golden FILE] [--results DIR]

Leaves DIR/<card>.json and DIR/<card>.txt (tests/bench/results, unless given) when all hashes are met and
compute-sanitizer finds nothing; else says what is wrong in one line, leaves no file, and exits with 1.

--rehearse   the same on the CPU, where there is no GPU: everything but CUDA's own calls is run
--build      where to build; build/gpu_check unless given
--check      a topokernels_check that is built already
--golden     the hashes to reach; tests/golden/kernel_hashes.txt unless given
TXT
}

say() { printf 'gpu_check: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

rehearse=() build=$root/build/gpu_check check='' results='' golden=$root/tests/golden/kernel_hashes.txt
while [ $# -gt 0 ]; do
  case $1 in
    --rehearse) rehearse=(--rehearse); shift; continue ;;
    -h|--help) usage; exit 0 ;;
  esac
  [ $# -ge 2 ] || { usage >&2; exit 2; }
  case $1 in
    --build) build=$2 ;; --check) check=$2 ;; --golden) golden=$2 ;; --results) results=$2 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift 2
done
rehearsing() { [ ${#rehearse[@]} -gt 0 ]; }
[ -n "$results" ] || { rehearsing && results=$build/rehearsal || results=$root/tests/bench/results; }

# Every step gets what is left of the budget, less what the steps after it need at least.
budget_s=470
left() { echo $((budget_s - SECONDS - ${1:-0})); }
# within SECONDS COMMAND ...: 124 where it took longer.
within() { local limit=$1; shift; [ "$limit" -gt 0 ] || return 124; timeout -k 5 "$limit" "$@"; }

work=$(mktemp -d) || die 'no folder for temporary files'
trap 'rm -rf "$work"' EXIT

if [ -z "$check" ]; then
  for tool in cmake ninja g++; do
    command -v "$tool" >/dev/null || die "no $tool: install g++, CMake 3.25 or later and Ninja"
  done
  say "building in $build"
  within "$(left 60)" cmake -G Ninja -S "$root/kernels/gpu_check" -B "$build" >"$work/log" 2>&1 ||
    { tail -20 "$work/log" >&2; die "could not configure $build"; }
  why_not=$(cat "$build/cuda.txt")
  [ -z "$why_not" ] || rehearsing || die "CUDA: $why_not; it is looked for on PATH, in \$CUDA_PATH and in /usr/local/cuda"
  within "$(left 60)" cmake --build "$build" --target topokernels_check >"$work/log" 2>&1 ||
    { grep -E -A10 -m3 'FAILED|error' "$work/log" >&2 || tail -20 "$work/log" >&2; die 'the build failed, or took longer than there is'; }
  check=$build/topokernels_check
fi
check=("$check" "${rehearse[@]}")

device=$(within 60 "${check[@]}" device 2>&1) || die "${device:-the GPU does not answer}"
card=$(sed -n 's/^card: //p' <<<"$device")
say "$card"

within "$(left 30)" "${check[@]}" hashes "$golden" >"$work/hashes" 2>&1
status=$?
[ "$status" -ne 124 ] || die 'the hashes were not all computed in time'
if [ "$status" -ne 0 ]; then
  cat "$work/hashes" >&2
  die "hashes: $(grep -c '^mismatch' "$work/hashes") mismatches: these are not the bits of the CPU"
fi
hashes=$(tail -1 "$work/hashes")
say "$hashes"

# Where memcheck misses a planted overrun, it does not work here, and silence would mean nothing.
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer "${CUDA_PATH:-/usr/local/cuda}/bin/compute-sanitizer" 2>/dev/null | head -1)
memcheck='' racecheck=''
if rehearsing; then
  memcheck='not run: a rehearsal' racecheck=$memcheck
elif [ -z "$sanitizer" ]; then
  memcheck='not run: no compute-sanitizer on this machine' racecheck=$memcheck
else
  within 30 "$sanitizer" --tool memcheck "${check[@]}" overrun >"$work/planted" 2>&1
  if ! grep -q 'Invalid __global__' "$work/planted"; then
    memcheck="not run: compute-sanitizer does not work here: $(grep -m1 -iE 'error|not supported|unable|fail' "$work/planted" || echo 'it did not find a planted overrun')"
    racecheck=$memcheck
  fi
fi
# One strip and two, whole rows and a rest: tools slow kernels down a hundredfold.
grep -E 'elements=(129|300|4097) uniform$' "$golden" | grep -v 'gram .* count=64 ' >"$work/small"
# run_tool NAME: its verdict, and its words where it has findings.
run_tool() {
  local limit; limit=$(left 100); [ "$limit" -le 90 ] || limit=90
  within "$limit" "$sanitizer" --tool "$1" "${check[@]}" hashes "$work/small" listed >"$work/$1" 2>&1
  local status=$? summary
  summary=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/$1" | tail -1 | sed 's/^=* *//')
  if [ "$status" -eq 124 ]; then verdict="not finished in $limit s"
  elif [ "$status" -eq 0 ] && grep -qE 'SUMMARY: 0 ' <<<"$summary"; then verdict="clean, on small cases ($summary)"
  else grep -m40 -E '^=|^mismatch' "$work/$1" >&2; die "compute-sanitizer, $1: exit status $status, ${summary:-no summary}"
  fi
}
[ -n "$memcheck" ] || { run_tool memcheck; memcheck=$verdict; }
[ -n "$racecheck" ] || { run_tool racecheck; racecheck=$verdict; }
say "memcheck: $memcheck"
say "racecheck: $racecheck"

commit=$(git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown)
[ -z "$(git -C "$root" status --porcelain --untracked-files=no 2>/dev/null)" ] || commit+=' and changes'
seconds=$(left 45)
[ "$seconds" -le 150 ] || seconds=150
[ "$seconds" -gt 5 ] || die 'no time is left for timings'
# A row may be under way when its time is over.
within "$((seconds + 40))" "${check[@]}" timings "$seconds" "$work/result" hashes="$hashes" memcheck="$memcheck" \
  racecheck="$racecheck" commit="$commit" date="$(date -u +%Y-%m-%d)" >"$work/table" 2>"$work/log" ||
  { cat "$work/log" >&2; die 'the timings failed, or took longer than there is'; }

# Both files appear whole, and only now.
name=$(tr -c 'A-Za-z0-9.\n' _ <<<"$card"); rehearsing && name=rehearsal
mkdir -p "$results" || die "cannot write to $results"
for kind in txt json; do
  cp "$work/result.$kind" "$results/.$name.$kind.new" && mv -f "$results/.$name.$kind.new" "$results/$name.$kind" ||
    die "cannot write $results/$name.$kind"
done
cat "$work/table"
say "$results/$name.json and .txt, after $SECONDS s"
