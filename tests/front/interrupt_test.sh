#!/usr/bin/env bash
# interrupt_test.sh TOPOSIM: Ctrl-C stops within a second, exit 130, and leaves an earlier run's results whole.
set -uo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
quick=$source_dir/scenarios/quickstart.yaml
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
"$toposim" "$quick" --replicas 5 --quiet --out results || exit 1
before=$(sha256sum results/*)
failures=0
for delay in 0.05 0.3 1; do
  for signal in INT TERM; do
    # A background job of a script ignores SIGINT; env --default-signal undoes that.
    env --default-signal=INT "$toposim" "$quick" --replicas 1000000 --quiet --out results 2>words & pid=$!
    sleep "$delay"
    start=$(date +%s%N); kill -s "$signal" "$pid"; wait "$pid"; status=$?; took_ms=$((($(date +%s%N) - start) / 1000000))
    [ "$status" -eq 130 ] || [ "$delay" = 0.05 ] || { echo "exit $status after SIG$signal at $delay s"; cat words; failures=1; }
    [ "$took_ms" -le 1000 ] || { echo "took $took_ms ms to stop after SIG$signal at $delay s"; failures=1; }
    [ "$(sha256sum results/*)" = "$before" ] || { echo "the earlier results changed"; failures=1; }
    [ "$(ls -A results | wc -l)" -eq 3 ] || { echo "left behind:"; ls -A results; failures=1; }
  done
done
# Killed outright: whatever is left beside them, the three files stay whole.
"$toposim" "$quick" --replicas 1000000 --quiet --out results & pid=$!
sleep 0.3; kill -9 "$pid"; wait "$pid" 2>/dev/null
[ "$(sha256sum results/{replicas.csv,results.json,timeline.csv})" = "$before" ] || { echo 'results changed after SIGKILL'; failures=1; }
exit "$failures"
