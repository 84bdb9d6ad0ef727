#!/usr/bin/env bash
# What takes too long for every change: random networks through the whole way,
# mutated nests against the verifier, networks on memrefs against what is raised
# of them, damaged ONNX models and data, many random legal schedules of random networks, annealing against
# the search's bounds, networks of torchvision as torch exports them, and the two
# networks of examples/digits trained anew. The first two note what they have done under build/nightly and go on
# there when started again with the same seed; failing cases stand there as well,
# made as small as possible. docs/Nightly.md has the last result.
#
# The last two need PyTorch, torchvision, ONNX and scikit-learn for Debian's Python,
# which are installed here.
#
#   FADIFF_FUZZ_SEED   seed of all random cases (default: the day as a number)
#   FADIFF_FUZZ_COUNT  random networks (default 10000); mutated nests are half as
#                      many, as is damaged data, networks on memrefs a fifth, networks per test with
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
part scripts/fuzz_data.py --seed="$seed" --count="$((count / 2))" --out="$out/data"
part env FADIFF_RANDOM_SEED="$seed" FADIFF_RANDOM_NETWORKS="$((count / 500))" \
  build/release/unittests/EndToEndTests --gtest_brief=1 --gtest_filter='Random*'
part build/release/bin/fadiff-bench attack --seed="$seed" \
  --cells="$((count / 5))" --threads=2

# As root only, as scripts/setup.sh; else they have to be there.
torch=(python3-torch python3-torchvision python3-onnx python3-sklearn)
if ! dpkg-query --show "${torch[@]}" >/dev/null 2>&1; then
  part env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${torch[@]}"
fi
part /usr/bin/python3 scripts/check_exports.py build/release
part /usr/bin/python3 scripts/export_zoo.py "$out/zoo"
part scripts/zoo_table.py build/release "$out/zoo"
part /usr/bin/python3 scripts/export_zoo.py "$out/zoo13" --opset=13 --open-batch --style=f32
part scripts/zoo_table.py build/release "$out/zoo13" --style=f32 --dim=batch=1 --values-up-to=0
part /usr/bin/python3 examples/digits/train.py "$out/digits"
for network in digits shapes; do
  for form in "" --int8; do
    part examples/digits/accuracy.py build/release/bin/fadiff-run "$network" $form --models="$out/digits"
  done
done
exit "$status"
