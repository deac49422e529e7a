#!/usr/bin/env bash
# python_example_test.sh PYTHON SCRIPT READ_BACK: what the example writes is what the reader reads. 77: no NumPy.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" -B "$2" --self-test "$folder"
"$3" "$folder"
