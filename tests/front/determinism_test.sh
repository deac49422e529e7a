#!/usr/bin/env bash
# determinism_test.sh TOPOSIM: the same seed gives the same bytes for any number of threads; another seed does not.
set -euo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
run() { local out=$1; shift; "$toposim" "$source_dir/scenarios/quickstart.yaml" --replicas 40 --quiet --out "$work/$out" "$@"; }
digest() { grep -o '"digest": *"[^"]*"' "$work/$1/results.json"; }
for threads in 1 2 3; do run "t$threads" --threads "$threads"; done
run again --threads 2
run other --seed 987
for other in t2 t3 again; do
  cmp "$work/t1/replicas.csv" "$work/$other/replicas.csv"
  cmp "$work/t1/timeline.csv" "$work/$other/timeline.csv"
  [ "$(digest t1)" = "$(digest "$other")" ] || { echo "digests differ: t1 $(digest t1), $other $(digest "$other")"; exit 1; }
done
[ -n "$(digest t1)" ] || { echo 'no digest in results.json'; exit 1; }
[ "$(digest t1)" != "$(digest other)" ] || { echo 'another seed, the same digest'; exit 1; }
# A target precision stops at the same replica whatever the threads.
for threads in 1 3; do run "p$threads" --threads "$threads" --set run.target_precision=0.05 --set run.replicas=400; done
cmp "$work/p1/replicas.csv" "$work/p3/replicas.csv"
