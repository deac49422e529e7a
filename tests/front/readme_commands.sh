#!/usr/bin/env bash
# Runs the README's commands as written and compares what they print with what the README says they print.
# A command stands on a line `$ ./dev run ...` in a ```console block; its output follows, up to the next `$` or the end
# of the block. `./dev test` is what runs this script and is not run again. Figures of cost (CPU seconds, memory) differ
# from machine to machine and are masked on both sides. TOPOSIM_UPDATE_GOLDEN=1 rewrites the README instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
  /^```console$/ { inside = 1; next }
  /^```$/ { inside = 0; name = ""; next }
  inside && /^\$ / { n++; name = work "/" n; print substr($0, 3) > (name ".command"); printf "" > (name ".expected"); next }
  inside && name { print > (name ".expected") }' README.md

mask() { sed -E 's/(cpu|wall) [0-9.]+ (us|ms|s|min)/\1 #/g; s/memory peak [0-9.]+ [kMG]B/memory peak #/g; s/threads [0-9]+/threads #/g'; }
status=0 ran=0
for command_file in $(ls "$work"/*.command | sort -V); do
  name=${command_file%.command}
  command=$(cat "$command_file")
  case "$command" in './dev test'*) continue ;; esac
  bash -c "$command" >"$name.actual" 2>"$name.errors" </dev/null || { echo "README: '$command' failed:"; cat "$name.errors"; status=1; continue; }
  ran=$((ran + 1))
  if [ "${TOPOSIM_UPDATE_GOLDEN:-0}" = 1 ]; then
    awk -v command="\$ $command" -v actual="$name.actual" '
      skipping && (/^```$/ || /^\$ /) { skipping = 0 }
      skipping { next }
      { print }
      $0 == command { skipping = 1; while ((getline line < actual) > 0) print line }' README.md >"$work/README.md"
    cat "$work/README.md" >README.md
  elif ! diff -u --label "README.md" --label "$command" <(mask <"$name.expected") <(mask <"$name.actual"); then
    echo "README: the output of '$command' is not what README.md says (TOPOSIM_UPDATE_GOLDEN=1 $0 rewrites it)"
    status=1
  fi
done
[ "$ran" -gt 0 ] || { echo 'README: no command found in a ```console block'; status=1; }
[ "$status" -eq 0 ] && echo "README: $ran commands print what it says"
exit "$status"
