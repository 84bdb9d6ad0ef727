#!/usr/bin/env bash
# Builds everything and runs every test: GoogleTest, lit and the layering check,
# all under CTest. Exits with CTest's exit code.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset release
cmake --build --preset release

status=0
ctest --preset release --parallel "$(nproc)" "$@" || status=$?

# CTest swallows the output of a test that passes, lit's summary with it, but
# keeps it in its log: from "Testing Time" to the end of lit's output.
log=build/release/Testing/Temporary/LastTest.log
summary=$(sed -n '/^Testing Time:/,/^<end of output>/{/^<end of output>/!p}' "$log")
if [[ -n $summary ]]; then
  printf '\nlit: %s\n' "$summary"
elif [[ $# -eq 0 ]]; then
  echo "test.sh: error: lit did not run, or did not finish: no summary in $log" >&2
  [[ $status -ne 0 ]] || status=1
fi
exit "$status"
