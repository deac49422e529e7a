# What the tests of the program from outside say of it; to be sourced before the working directory changes.
failures=0

fail() { printf '%s\n' "$*"; failures=$((failures + 1)); }

# expect STATUS TEXT COMMAND...: the exit status, and TEXT in what it prints.
expect() {
  local status=$1 text=$2 output actual; shift 2
  output=$("$@" 2>&1 </dev/null); actual=$?
  [ "$actual" -eq "$status" ] || { fail "exit $actual, not $status: $*"; tail -20 <<<"$output"; }
  grep -qF -- "$text" <<<"$output" || { fail "'$text' is not in the output of: $*"; tail -20 <<<"$output"; }
}
