#!/usr/bin/env bash
# toposim faults from outside: report, files, exit status, a model that a scenario takes, a trace that one replays.
set -uo pipefail
toposim=$1
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"

# Eight nodes fail in turn, every 3 h, for an hour: 80 faults in 238 h.
awk 'BEGIN { print "start,end,node,component"
  for (i = 0; i < 80; i++) printf "%d,%d,n%d,%s\n", i * 10800, i * 10800 + 3600 + i, i % 8, i % 3 ? "gpu" : "nic" }' >t.csv
gzip -k t.csv

expect 0 '80 faults on 8 of 8 nodes' "$toposim" faults t.csv --nodes 8 --out a
expect 0 '80 faults on 8 of 8 nodes' "$toposim" faults t.csv.gz --nodes 8 --out b
expect 0 'identical: the same digest' "$toposim" compare a b
expect 0 'of at least 8 nodes' "$toposim" faults t.csv --component gpu
for file in results.json hazard.csv quantiles.csv; do [ -s "a/$file" ] || fail "no a/$file"; done
[ "$(head -1 a/hazard.csv)" = times,from_h,to_h,events,observed_per_h,exponential_per_h,weibull_per_h,lognormal_per_h ] ||
  fail "a/hazard.csv begins with $(head -1 a/hazard.csv)"

sed '5s/^[0-9]*,/soon,/' t.csv >bad.csv
expect 2 'bad.csv:5:1: expected a time' "$toposim" faults bad.csv
expect 0 '1 malformed row skipped' "$toposim" faults bad.csv --lenient
expect 2 'cannot be opened' "$toposim" faults none.csv
expect 2 'none of its 80 faults' "$toposim" faults t.csv --nodes 8 --component fan

expect 0 '' "$toposim" faults t.csv --nodes 8 --quiet --model model.yaml
quick=$source_dir/scenarios/quickstart.yaml
awk '/^faults:/ { skip = 1; next } /^[#a-z]/ { skip = 0 } !skip' "$quick" | sed '/^gates:/,$d' >base.yaml
cat base.yaml model.yaml >fitted.yaml
expect 0 'no problems found' "$toposim" lint fitted.yaml
{ cat base.yaml; echo 'faults: {trace: {file: t.csv, nodes: 8}}'; } >replay.yaml
expect 0 'replay of t.csv: 80 faults in 9.918 d of 8 nodes' "$toposim" replay.yaml --replicas 2 --out c --threads 1
rm t.csv
expect 2 'faults.trace: t.csv: cannot be opened' "$toposim" replay.yaml

exit $((failures > 0))
