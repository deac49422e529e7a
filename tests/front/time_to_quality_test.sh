#!/usr/bin/env bash
# time_to_quality_test.sh TOPOSIM: an accuracy study measures, a lifecycle study takes it and says how long until the
# fault-free loss; what was not measured is refused.
set -uo pipefail
toposim=$1
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work" || exit 1

cat >measure.yaml <<'YAML'
name: measure
study: accuracy
training: {workload: fashion-mlp, workers: 16, steps: 40, budgets: [50%, 100%, 200%, 400%]}
faults: [{pattern: permanent, share: 12.5%}]
schemes: [shrink]
gradient: {draws: 0}
run: {seeds: 2}
YAML
mkdir weeks
# Eight replicas: one missing is the 12.5 % that was measured, and 85 % of them have to be there.
cat >weeks/weeks.yaml <<'YAML'
name: weeks
cluster: {gpu: h100, nodes: 8, fabric: {type: leaf_spine, nodes_per_leaf: 4}}
job: {model: llama2-70b, tensor_parallel: 8, data_parallel: 8, global_batch: 1024, compute_efficiency: 50%}
domains: {size: 8}
faults: rsc-1
schemes:
  - checkpoint_restart
  - {scheme: drop_replica, minimum_replicas: 85%, statistics: {accuracy: ../measured/accuracy.json}}
  - scheme: compensate
    minimum_replicas: 85%
    domain_threshold: 100%
    statistics: {accuracy: ../measured/accuracy.json, scheme: shrink, faults: permanent}
run: {duration: 30d, replicas: 20}
YAML

expect 2 'measured/accuracy.json: there is no such file' "$toposim" lint weeks/weeks.yaml
data=/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz
[ -e "$data" ] || { echo "skipped: $data is missing (Debian's dataset-fashion-mnist)"; exit $((failures > 0)); }
expect 0 '' "$toposim" measure.yaml --quiet --out measured

expect 0 'TIME TO QUALITY' "$toposim" weeks/weeks.yaml --out weeks/out
expect 0 'measured on a small model: ' "$toposim" weeks/weeks.yaml --out weeks/out
expect 0 'compensate: shrink under permanent_12.5 (12.5 % dead), 2 seeds' "$toposim" weeks/weeks.yaml --out weeks/out
grep -q '"mean_s": [0-9]' weeks/out/results.json || { echo 'no time to quality in results.json'; failures=$((failures + 1)); }
head -1 weeks/out/replicas.csv | grep -q ',time_to_quality_s$' || { echo 'no time to quality in replicas.csv'; failures=$((failures + 1)); }
digest() { grep -m1 '"digest"' "$1/results.json"; }
"$toposim" weeks/weeks.yaml --quiet --threads 1 --out weeks/one
[ "$(digest weeks/out)" = "$(digest weeks/one)" ] || { echo 'the digest depends on the threads'; failures=$((failures + 1)); }

# Two of eight missing were not measured: with a lower minimum the job gets there, and the study ends.
expect 1 'with 25 % of its replicas missing, and efficiency was measured up to 12.5 %' \
  "$toposim" weeks/weeks.yaml --set 'schemes[1].minimum_replicas=50%' --out weeks/refused
[ ! -e weeks/refused ] || { echo 'a refused study wrote results'; failures=$((failures + 1)); }
expect 0 'measured in domains of 8 workers, and domains.size is 4' "$toposim" lint weeks/weeks.yaml --set domains.size=4
expect 2 "there is no 'shrnk'; did you mean 'shrink'?" "$toposim" lint weeks/weeks.yaml --set 'schemes[2].statistics.scheme=shrnk'
expect 2 'the measurement that replaces it' "$toposim" lint weeks/weeks.yaml --set 'schemes[2].statistics.estimation_penalty=1'
head -c 300 measured/accuracy.json >cut && cp cut measured/accuracy.json
expect 2 'accuracy.json: no JSON from byte' "$toposim" weeks/weeks.yaml --out weeks/cut
exit $((failures > 0))
