#!/usr/bin/env bash
# judge_test.sh TOPOSIM: exit status and words of `toposim judge`, on results written by hand.
set -uo pipefail
toposim=$1
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work" || exit 1

mkdir good empty
{
  echo faults,scheme,steps,seed,final_loss
  for seed in 1 2 3 4; do
    echo "skewed,drop,200,$seed,1.00$seed"; echo "skewed,literal,200,$seed,1.2"; echo "skewed,new,200,$seed,1.00$seed"
    echo "skewed,worse,200,$seed,1.10$seed"
  done
} >good/runs.csv
expect 0 'not inferior in final loss in 1 of 1 cells' "$toposim" judge new good
expect 1 'not inferior in final loss in 0 of 1 cells' "$toposim" judge worse good/
expect 0 'in 1 of 1 cells' "$toposim" judge worse good --against literal
expect 0 'in 2 of 2 cells' "$toposim" judge worse good good --margin 50%
expect 2 'has no scheme other' "$toposim" judge other good
expect 2 'has no scheme shrink' "$toposim" judge new good --against shrink
expect 2 'holds no runs.csv' "$toposim" judge new empty
expect 2 'holds no runs.csv' "$toposim" judge new nowhere
expect 2 'such as: toposim judge' "$toposim" judge new
expect 2 'that is the scheme itself' "$toposim" judge new good --against new
expect 2 '--margin' "$toposim" judge new good --margin lots
head -c 90 good/runs.csv >empty/runs.csv
expect 2 'was cut or changed' "$toposim" judge new empty
[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
