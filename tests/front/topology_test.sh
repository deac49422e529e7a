#!/usr/bin/env bash
# topology_test.sh TOPOSIM: what `toposim topology` tells of a fabric file and of a scenario, and its exit status.
set -uo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
fabric=$source_dir/scenarios/fabrics/eight_nodes.ibnetdiscover
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
expect 0 'nodes     8, 4 GPUs and 4 adapters each' "$toposim" topology "$fabric"
expect 0 'leaf-b3 to spine-1: 1 cable, where most pairs have 2' "$toposim" topology "$fabric"
expect 0 'access    32 of 800 Gbps' "$toposim" topology "$fabric" --link-rate 800Gbps
expect 0 'nodes     8, 8 GPUs and 4 adapters each' "$toposim" topology "$source_dir/scenarios/imported_fabric.yaml"
expect 0 'switches  3 leaves, 32 spines' "$toposim" topology "$source_dir/scenarios/quickstart.yaml"
gzip -c "$fabric" >packed
expect 0 'nodes     8,' "$toposim" topology packed --tables "${fabric%.ibnetdiscover}.lfts"
expect 0 'graph fabric {' "$toposim" topology "$fabric" --dot -
[ "$(ls)" = packed ] || { echo 'written without being asked:'; ls; failures=$((failures + 1)); }
expect 0 'LOOKS WRONG' "$toposim" topology "$fabric" --dot picture.dot
grep -q 'spine-1' picture.dot || { echo 'no picture was written'; failures=$((failures + 1)); }
expect 0 '<graphml' "$toposim" topology "$fabric" --graphml -
expect 0 'LOOKS WRONG' "$toposim" topology "$fabric" --graphml fabric.graphml
diff <("$toposim" topology "$fabric" | sed -n '/^SIZE/,$p') <("$toposim" topology fabric.graphml | sed -n '/^SIZE/,$p') ||
  { echo 'GraphML read back is another fabric'; failures=$((failures + 1)); }
expect 2 'cannot both go to standard output' "$toposim" topology "$fabric" --graphml - --dot -
expect 2 'which fabric' "$toposim" topology
expect 2 'there is no such file' "$toposim" topology no-such.ibnetdiscover
expect 2 'bandwidth' "$toposim" topology "$fabric" --link-rate 3
expect 2 'go with a fabric file' "$toposim" topology "$source_dir/scenarios/quickstart.yaml" --link-rate 3Gbps
expect 2 'has no fabric' "$toposim" topology "$source_dir/scenarios/accuracy_quickstart.yaml"
expect 2 'nothing was looked at' "$toposim" topology "$toposim"
exit $((failures > 0))
