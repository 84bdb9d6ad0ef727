#!/usr/bin/env bash
# Builds everything and runs every test: GoogleTest, lit, and the checks of layers,
# format and generated pages, all under CTest; then the core libraries' tests
# once more, under AddressSanitizer and UndefinedBehaviorSanitizer. Arguments go
# to the first CTest, and leave out the second. Exits with CTest's exit code.
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

# The core libraries alone: libMLIR is not built for it, and a whole network takes
# too long. Enumerations by brute force stay out for their time.
if [[ $# -eq 0 ]]; then
  heavy='^(ExactFusionTest\.NothingIsBelowTheBoundOf(PooledOutputs|Random|Residual|Pools|ChainsInPlace|SmallChains)'
  heavy+='|Exact(Fusion)?Test\.NothingIsBelowThe(Bound|Hull)Where(Issue|Requests|PoolingOnTheCore)Counts'
  heavy+='|SearchTest\.(ObjectivesLead|SameSeed|FusesWhere|GroupsCome|ReportsProgress|ReachesTheKnown)'
  heavy+='|ExactTest\.NothingIsBelowTheHullOfRandomLayers'
  heavy+='|.*/NetworkSearch|.*/EachOptimizer\.KeepsToItsSpace/(bo|random|ga))'
  cmake --preset debug
  cmake --build --preset debug --target core-tests
  ctest --preset debug --parallel "$(nproc)" --label-regex '^core$' \
    --exclude-regex "$heavy" || status=$?
fi
exit "$status"
