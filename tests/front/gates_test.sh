#!/usr/bin/env bash
# gates_test.sh TOPOSIM: gates set the exit status and junit.xml; compare tells equal results from others.
set -uo pipefail
toposim=$1; source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
xml() {  # xml FILE: name of the suite, cases, failed ones and their number as told, as an XML parser sees them
  if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.etree.ElementTree as e
suite = e.parse(sys.argv[1]).getroot().find("testsuite")
print(suite.get("name"), len(suite.findall("testcase")), len(suite.findall("testcase/failure")), suite.get("failures"))' "$1"
  else
    echo 'without python3 junit.xml is not parsed' >&2
    echo "quickstart $(grep -c '<testcase' "$1") $(grep -c '<failure' "$1") $(grep -o 'failures="[0-9]*"' "$1" | head -1 | tr -dc 0-9)"
  fi
}
gates() { cat "$source_dir/scenarios/quickstart.yaml"; printf 'gates:\n'; printf '  - %s\n' "$@"; }

# Of the sample in the README: useful 91.1, 99.73 and 99.6 % of the time.
gates 'ettr.drop_replica >= 95%' 'ettr.compensate_shrink.p50 > 0.9' 'lost_work_s.drop_replica.max < 30d' >pass.yaml
gates 'ettr.drop_replica >= 95%' 'lost_work_s.drop_replica <= 1s' 'etr.drop_replica > 0' >fail.yaml
run=(--replicas 20)
expect 0 'passed  ettr.drop_replica >= 95%: 99.' "$toposim" pass.yaml "${run[@]}" --out pass
expect 0 '' "$toposim" pass.yaml "${run[@]}" --quiet --out pass
[ -z "$("$toposim" pass.yaml "${run[@]}" --quiet --out pass 2>&1)" ] || { echo '--quiet and gates that pass printed something'; failures=$((failures + 1)); }
[ "$(xml pass/junit.xml)" = 'quickstart 3 0 0' ] || { echo 'junit.xml of gates that pass:'; cat pass/junit.xml; failures=$((failures + 1)); }
expect 1 'FAILED  lost_work_s.drop_replica <= 1s: ' "$toposim" fail.yaml "${run[@]}" --out fail
expect 1 "FAILED  etr.drop_replica > 0: no metric 'etr'; did you mean 'ettr'?" "$toposim" fail.yaml "${run[@]}" --out fail
line=$(grep -n 'etr.drop_replica' fail.yaml | cut -d: -f1)
expect 1 "fail.yaml:$line: gate etr.drop_replica > 0 failed" "$toposim" fail.yaml "${run[@]}" --quiet --out fail
[ "$(xml fail/junit.xml)" = 'quickstart 3 2 2' ] || { echo 'junit.xml of gates that fail:'; cat fail/junit.xml; failures=$((failures + 1)); }
expect 0 'no problems found' "$toposim" lint fail.yaml
expect 2 "did you mean 'drop_replica'?" "$toposim" lint pass.yaml --set 'gates[0]=ettr.drop_replicas > 1%'
expect 0 '' "$toposim" "$source_dir/scenarios/quickstart.yaml" "${run[@]}" --quiet --out fail
[ ! -e fail/junit.xml ] || { echo 'junit.xml of an earlier run is still there'; failures=$((failures + 1)); }

expect 0 'identical: the same digest' "$toposim" compare pass fail
expect 0 'identical' "$toposim" compare pass/results.json fail/
expect 0 '' "$toposim" pass.yaml "${run[@]}" --quiet --seed 2 --out other
expect 1 'they DIFFER' "$toposim" compare pass other
expect 1 '.metrics.' "$toposim" compare pass other
expect 0 'they agree' "$toposim" compare pass other --statistical
expect 0 'they agree' "$toposim" compare pass other --ignore 'schemes.*' --ignore 'fabric.*'
expect 0 'Exit status: 0 they agree' "$toposim" compare --help
expect 2 'which two?' "$toposim" compare pass
expect 2 'no such file' "$toposim" compare pass nowhere
expect 2 'PATTERN=VALUE' "$toposim" compare pass other --tolerance 1%
expect 2 'write 2% if that is meant' "$toposim" compare pass other --rtol 2
head -c 500 pass/results.json >cut.json
expect 2 'cut.json: no JSON from byte' "$toposim" compare pass cut.json
expect 1 'standard output' bash -c '"$1" compare pass fail >/dev/full' _ "$toposim"

exit $((failures > 0))
