#!/usr/bin/env bash
# exit_status_test.sh TOPOSIM: 0 done, 1 failed, 2 bad input or usage; nothing is written when it is not 0.
set -uo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
quick=$source_dir/scenarios/quickstart.yaml
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
nothing_written() { [ -z "$(ls -A .)" ] || { echo "written after $1:"; ls -A; failures=$((failures + 1)); rm -rf ./*; }; }

expect 0 'toposim' "$toposim" --version
for fact in toposim commit simgrid cuda vector_isa; do  # each with a value
  "$toposim" --version | grep -qE "^$fact +[^ ]" || { echo "--version does not name $fact"; failures=$((failures + 1)); }
done
expect 0 'Exit status' "$toposim" --help
expect 0 'SCENARIO' "$toposim" lint --help
expect 0 '' "$toposim" lint "$quick"
expect 2 'which scenario' "$toposim"
expect 2 'see toposim --help' "$toposim" --nonsense "$quick"
expect 2 'see toposim --help' "$toposim" "$quick" "$quick"
expect 2 'no-such.yaml' "$toposim" no-such.yaml
expect 2 'path.to.key=value' "$toposim" "$quick" --set nonsense
expect 2 'run.replica' "$toposim" "$quick" --set run.replica=3
expect 2 'seed' "$toposim" "$quick" --seed minus-one
expect 2 'replicas' "$toposim" "$quick" --replicas 0
expect 2 '--seed -1: run.seed' "$toposim" "$quick" --seed -1
expect 2 '--seed 0x10: run.seed' "$toposim" "$quick" --seed 0x10
expect 2 'quickstart.yaml: nvls cannot run' "$toposim" lint "$quick" --set job.collectives.algorithm=nvls
expect 2 'quickstart.yaml: nvls cannot run' "$toposim" "$quick" --set job.collectives.algorithm=nvls
expect 0 'warning: the job does not fit' "$toposim" lint "$quick" --set job.tensor_parallel=1
expect 2 '' bash -c '"$1" no-such.yaml 2>&- <&-' _ "$toposim"
nothing_written 'bad usage'

mkdir read_only file_in_the_way; rmdir file_in_the_way; : >file_in_the_way
expect 1 'file_in_the_way' "$toposim" "$quick" --replicas 2 --out file_in_the_way
expect 1 'file_in_the_way' "$toposim" "$quick" --replicas 2 --out file_in_the_way/below
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w read_only; expect 1 'read_only' "$toposim" "$quick" --replicas 2 --out read_only/results; chmod u+w read_only
fi
expect 1 'standard output' bash -c '"$1" "$2" --replicas 2 --out results >/dev/full' _ "$toposim" "$quick"
expect 1 '' bash -c '"$1" "$2" --replicas 2 --out results >/dev/full 2>/dev/full' _ "$toposim" "$quick"
rm -rf read_only file_in_the_way results
expect 1 'File too large' bash -c 'ulimit -f 1; "$1" "$2" --replicas 20 --out results' _ "$toposim" "$quick"
nothing_written 'a file size limit'
expect 0 'warning: the job does not fit' "$toposim" "$quick" --replicas 2 --quiet --out results --set job.tensor_parallel=1
rm -rf results
expect 0 '' "$toposim" "$quick" --replicas 2 --quiet --out quiet
[ "$(ls quiet | sort | paste -sd' ')" = 'replicas.csv results.json timeline.csv' ] || { echo 'unexpected files:'; ls -A quiet; failures=$((failures + 1)); }
[ -z "$("$toposim" "$quick" --replicas 2 --quiet --out quiet 2>&1)" ] || { echo '--quiet printed something'; failures=$((failures + 1)); }
# The report goes to a pipe without control characters, and to a closed stdin without asking anything.
LC_ALL=C "$toposim" "$quick" --replicas 2 --out plain >plain.txt 2>plain.err <&- || { echo 'failed with LC_ALL=C'; failures=$((failures + 1)); }
[ ! -s plain.err ] || { echo 'something on stderr in a pipe:'; cat plain.err; failures=$((failures + 1)); }
! LC_ALL=C grep -qP '[^\x20-\x7e\n]' plain.txt || { echo 'bytes beyond ASCII with LC_ALL=C'; failures=$((failures + 1)); }

exit $((failures > 0))
