#!/usr/bin/env bash
# accuracy_test.sh TOPOSIM: an accuracy study from outside: the CI gate passes, the same bytes for any number of
# threads, Ctrl-C and missing data.
set -uo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
gate=$source_dir/scenarios/accuracy_gate.yaml
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
[ -e /usr/share/datasets/fashion-mnist ] || { echo "skipped: Debian's dataset-fashion-mnist is not installed"; exit 77; }
failures=0
fail() { echo "$*"; failures=1; }

"$toposim" "$gate" --out gate --threads 2 >report || { fail "the accuracy gate does not pass"; sed -n '/^GATES/,$p' report; }
grep -q '<testsuite .*failures="0"' gate/junit.xml || fail "no junit.xml without failures"

small=(--set training.steps=6 --set run.seeds=1 --set gradient.draws=20 --set 'gates=[]' --quiet)
for threads in 1 3; do "$toposim" "$gate" "${small[@]}" --threads "$threads" --out "t$threads" || fail "$threads threads: failed"; done
for file in gradient.csv runs.csv losses.csv; do cmp "t1/$file" "t3/$file" || failures=1; done
"$toposim" "$gate" "${small[@]}" --seed 5 --out other
cmp -s t1/gradient.csv other/gradient.csv && fail "another seed, the same draws"

before=$(sha256sum t1/*)
for delay in 0.3 2; do
  env --default-signal=INT "$toposim" "$gate" --quiet --set training.steps=100000 --out t1 2>words & pid=$!
  sleep "$delay"; start=$(date +%s%N); kill -s INT "$pid"; wait "$pid"; status=$?
  took_ms=$((($(date +%s%N) - start) / 1000000))
  [ "$status" -eq 130 ] || { fail "exit $status after SIGINT at $delay s"; cat words; }
  [ "$took_ms" -le 1000 ] || fail "took $took_ms ms to stop"
  [ "$(sha256sum t1/*)" = "$before" ] || fail "the earlier results changed"
done

"$toposim" "$gate" --set training.data.fashion_mnist=/nonexistent --out none 2>words; status=$?
[ "$status" -eq 2 ] || fail "exit $status without data"
grep -q 'dataset-fashion-mnist' words || { fail "does not say which package"; cat words; }
[ ! -e none ] || fail "wrote results without data"
exit "$failures"
