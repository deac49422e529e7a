#!/usr/bin/env bash
# progress_test.sh TOPOSIM: a run that lasts tells a terminal how far it is and how much longer; a pipe is told nothing.
set -uo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
quick=$source_dir/scenarios/quickstart.yaml
command -v script >/dev/null || { echo 'skipped: no script (util-linux), which gives a pseudo-terminal'; exit 0; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
failures=0
# A million replicas take minutes: each run is ended once there is something to see, or after 5 s.
on_a_terminal() {  # on_a_terminal PATTERN OPTION...: whether PATTERN comes up on the terminal
  local pattern=$1 found=1 i; shift; rm -f pid screen; : >screen
  script -qec "echo \$\$ >pid; exec '$toposim' '$quick' --replicas 1000000 --out out $*" /dev/null >screen 2>/dev/null </dev/null &
  for ((i = 0; i < 50; ++i)); do
    sleep 0.1
    grep -qaE "$pattern" screen && { found=0; break; }
  done
  [ -s pid ] && kill -9 "$(cat pid)"; wait $!
  return "$found"
}
# "replica 5120/1000000, 97 s left", after half a second, over what stood in the line before.
on_a_terminal $'\r\e\\[Kreplica [1-9][0-9]*/1000000, [0-9]+ s left' ||
  { echo 'no replicas done and seconds left on a terminal:'; head -c 500 screen | cat -v; failures=1; }
grep -qa 'building the cluster and pricing a step \.\.\.' screen || { echo 'no word of what is done before'; failures=1; }

# The same run for 1.5 s, with --quiet on a terminal or into a pipe.
timeout -s KILL 1.5 script -qec "timeout -s KILL 1.3 '$toposim' '$quick' --replicas 1000000 --quiet --out out" /dev/null >screen 2>/dev/null </dev/null
! grep -qa 'replica\|left\|\.\.\.' screen || { echo '--quiet on a terminal:'; head -c 500 screen | cat -v; failures=1; }
{ timeout -s KILL 1.5 "$toposim" "$quick" --replicas 1000000 --out out 2>&1 || true; } 2>/dev/null </dev/null | cat >piped
[ ! -s piped ] || { echo 'in a pipe:'; head -c 500 piped | cat -v; failures=1; }

# A run that ends takes its line away: what comes last before the report is a cleared line.
script -qec "'$toposim' '$quick' --replicas 5 --out out" /dev/null >screen 2>/dev/null </dev/null || { echo 'failed on a terminal'; failures=1; }
tr -d '\n' <screen | grep -qaP '\r\e\[K(?!replica|building|cross)' || { echo 'the line is still there at the end:'; head -c 500 screen | cat -v; failures=1; }
exit "$failures"
