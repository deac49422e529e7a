#!/usr/bin/env bash
# lint.sh BUILD_DIR: formatting, include directions, house rules, clang-tidy. Every finding is printed; exit 1 if any.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1
status=0
fail() { printf '%s\n' "$*"; status=1; }

mapfile -t sources < <(git ls-files 'topology/*.[ch]pp' 'faults/*.[ch]pp' 'kernels/*.[ch]pp' 'sim/*.[ch]pp' 'analysis/*.[ch]pp' 'tests/*.[ch]pp')

if ! said=$(clang-format --dry-run --Werror "${sources[@]}" 2>&1); then
  grep -E 'error:' <<<"$said"
  fail 'lint: run clang-format -i on the files above'
fi

tests/front/include_direction.sh || status=1

for file in "${sources[@]}"; do
  lines=$(wc -l <"$file")
  [ "$lines" -le 400 ] || fail "$file:1: $lines lines; a file is one noun, at most 400 lines"
done
grep -nE '\b(TODO|FIXME|XXX|HACK)\b' "${sources[@]}" && fail 'lint: unfinished work above'
grep -nE 'EXPECT_TRUE\(true\)|ASSERT_TRUE\(true\)|GTEST_SKIP\(\);' $(git ls-files 'tests/*.cpp') && fail 'lint: a test that asserts nothing, or skips without saying why'

# clang-tidy, once for each state of a file and of everything of ours it includes.
stamps=$build/lint; mkdir -p "$stamps"
ninja -C "$build" -t deps 2>/dev/null | awk -v root="$PWD/" '
  /^[^ ]/ { n = 0 }
  /^ / { path = $1; if (index(path, root) == 1) path = substr(path, length(root) + 1)
         sub(/^(\.\.\/)+/, "", path); sub(/^include\/[a-z_]+\//, "", path); sub(/^build\/[a-z]+\/include\/[a-z_]+\//, "", path)
         if (path ~ /^(topology|faults|kernels|sim|analysis|tests)\//) { if (!n++) tu = path; print tu, path } }' | sort -u >"$stamps/deps"
tidy_one() {
  local file=$1 stamps=$2 build=$3 key
  key=$( (clang-tidy --version; cat .clang-tidy "$file"; awk -v f="$file" '$1 == f { print $2 }' "$stamps/deps" | sort -u | xargs -r cat) 2>/dev/null | sha256sum | cut -c1-32)
  [ -e "$stamps/$key" ] && return 0
  local out
  if out=$(clang-tidy -p "$build" --quiet "$file" 2>/dev/null); then : >"$stamps/$key"; else printf '%s\n' "$out"; return 1; fi
}
export -f tidy_one
git ls-files 'topology/*.cpp' 'faults/*.cpp' 'kernels/*.cpp' 'sim/*.cpp' 'analysis/*.cpp' |
  xargs -P "$(nproc)" -I{} bash -c 'tidy_one "$@"' _ {} "$stamps" "$build" || fail 'lint: clang-tidy findings above'

[ "$status" -eq 0 ] && echo 'lint: clean'
exit "$status"
