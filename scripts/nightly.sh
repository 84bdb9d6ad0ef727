#!/usr/bin/env bash
# What takes too long for every change: random networks through the whole way,
# mutated nests against the verifier, networks on memrefs against what is raised
# of them, damaged ONNX models, many random legal schedules of random networks, and annealing against
# the search's bounds. The first two note what they have done under build/nightly and go on
# there when started again with the same seed; failing cases stand there as well,
# made as small as possible. docs/Nightly.md has the last result.
#
#   FADIFF_FUZZ_SEED   seed of all random cases (default: the day as a number)
#   FADIFF_FUZZ_COUNT  random networks (default 10000); mutated nests are half as
#                      many, networks on memrefs a fifth, networks per test with
#                      random schedules a 500th, attacked bounds a fifth
#
# Exits with 1 if any part failed; the others run all the same.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh && cmake --preset release >/dev/null &&
  cmake --build --preset release || exit 1

seed=${FADIFF_FUZZ_SEED:-$(date +%Y%m%d)}
count=${FADIFF_FUZZ_COUNT:-10000}
out=build/nightly/$seed
mkdir -p "$out"
status=0
part() {
  printf '== %s\n' "$*"
  "$@" || status=1
}

part scripts/fuzz_networks.py --seed="$seed" --count="$count" --out="$out/networks"
part scripts/fuzz_nests.py --seed="$seed" --count="$((count / 2))" --out="$out/nests"
part scripts/fuzz_memrefs.py --seed="$seed" --count="$((count / 5))" --out="$out/memrefs"
part scripts/fuzz_onnx.py --seed="$seed" --count="$count" --out="$out/onnx"
part env FADIFF_RANDOM_SEED="$seed" FADIFF_RANDOM_NETWORKS="$((count / 500))" \
  build/release/unittests/EndToEndTests --gtest_brief=1 --gtest_filter='Random*'
part build/release/bin/fadiff-bench attack --seed="$seed" \
  --cells="$((count / 5))" --threads=2
exit "$status"
