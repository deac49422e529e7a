#!/usr/bin/env bash
# gpu_check_test.sh TOPOKERNELS_CHECK: kernels/gpu_check.sh rehearsed on the CPU, what it refuses, and that it leaves
# results only when all is well.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
check=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
status=0
fail() { echo "FAIL: $*"; status=1; }
script() { "$root/kernels/gpu_check.sh" --check "$check" --results "$work/results" "$@" >"$work/out" 2>"$work/err"; }

# 32 rows: fp32 and bf16 have 11 each (pool twice, compare, pool_metrics, correct, gram, sketch twice, scale, clip,
# quantise), int8 8 and dequantise twice.
script --rehearse || { cat "$work/err"; fail 'the rehearsal fails'; }
grep -q '2184 hashes, aligned and 4 bytes off: 0 mismatches' "$work/err" || fail 'the rehearsal does not compute all hashes'
[ "$(grep -cE '^(pool|compare|pool_metrics|correct|gram|sketch|scale|clip|quantise|dequantise) ' "$work/out")" -eq 32 ] || fail 'the table has not 32 rows'
grep -q 'out of time' "$work/out" && fail 'the table has rows that were not measured'
cmp -s "$work/out" "$work/results/rehearsal.txt" || fail 'the table in the file is not the one printed'
[ "$(grep -c '"percent_of_copy"' "$work/results/rehearsal.json")" -eq 32 ] || fail 'the JSON has not 32 rows'
[ "$(ls -A "$work/results" | wc -l)" -eq 2 ] || fail "more than two files: $(ls -A "$work/results")"

# One digit of one hash changed: named twice, aligned and 4 bytes off, and no file is left.
rm -r "$work/results"
sed '/ gram bf16 fp32 count=5 elements=127 wide$/s/^./z/' "$root/tests/golden/kernel_hashes.txt" >"$work/golden"
script --rehearse --golden "$work/golden" && fail 'a wrong hash is not noticed'
[ "$(grep -c '^mismatch: gram bf16 fp32 count=5 elements=127 wide: ' "$work/err")" -eq 2 ] || fail 'the wrong hash is not named'
grep -q '^gpu_check: hashes: 2 mismatches' "$work/err" || fail "no plain line about mismatches: $(tail -1 "$work/err")"
[ ! -e "$work/results" ] || fail 'results are left behind'

sed 1,9d "$root/tests/golden/kernel_hashes.txt" >"$work/golden"
script --rehearse --golden "$work/golden" && fail 'missing hashes are not noticed'
script --rehearse --golden "$work/none" && fail 'a missing golden file is not noticed'

# Without a GPU: one plain line.
if ! "$check" device >/dev/null 2>&1; then
  script && fail 'no GPU, and no failure'
  [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^gpu_check: no CUDA device' "$work/err" || fail "without a GPU: $(cat "$work/err")"
fi
# With a GPU and compute-sanitizer that are played: what the script makes of each of their answers.
mkdir "$work/bin"
cat >"$work/bin/topokernels_check" <<TXT
#!/bin/sh
case \$1 in
  device) echo 'card: Played GPU/2' ;;
  overrun) exit 1 ;;
  *) exec "$check" --rehearse "\$@" ;;
esac
TXT
cat >"$work/bin/compute-sanitizer" <<'TXT'
#!/bin/sh
tool=$2; shift 2
errors=0
case $PLAYED-$2 in
  unsupported-*) echo '========= Error: Device not supported. Please refer to the documentation'; exit 1 ;;
  blind-overrun) ;;
  *-overrun) echo '========= Invalid __global__ read of size 4 bytes'; errors=1 ;;
  finding-hashes) [ "$tool" = racecheck ] && errors=3 ;;
esac
[ "$2" = overrun ] || "$@" || exit $?
[ "$tool" = memcheck ] && echo "========= ERROR SUMMARY: $errors errors"
[ "$tool" = racecheck ] && echo "========= RACECHECK SUMMARY: $errors hazards displayed ($errors errors, 0 warnings)"
exit 0
TXT
chmod +x "$work"/bin/*
played() { PLAYED=$1 PATH=$work/bin:$PATH "$root/kernels/gpu_check.sh" --check "$work/bin/topokernels_check" --results "$work/results" >"$work/out" 2>"$work/err"; }
played clean || { cat "$work/err"; fail 'a clean run fails'; }
for tool in memcheck racecheck; do
  grep -qE "^  \"$tool\": \"clean, on small cases \(.*SUMMARY: 0 " "$work/results/Played_GPU_2.json" || fail "$tool: no verdict in the JSON"
done
rm -r "$work/results"
played finding && fail 'a finding of racecheck is not noticed'
grep -q '^gpu_check: compute-sanitizer, racecheck: .*3 hazards' "$work/err" || fail "a finding: $(tail -1 "$work/err")"
[ ! -e "$work/results" ] || fail 'results are left behind a finding'
for way in unsupported blind; do
  played "$way" || { cat "$work/err"; fail "$way: a tool that does not work is taken for a finding"; }
  grep -q '^racecheck .*not run: compute-sanitizer does not work here: ' "$work/results/Played_GPU_2.txt" || fail "$way: the table does not say that the tool does not work"
  rm -r "$work/results"
done

script --nonsense; [ $? -eq 2 ] || fail 'a wrong call is not refused'
[ ! -e "$work/results" ] || fail 'results are left behind'
exit "$status"
