#!/usr/bin/env bash
# What takes too long for every change, in steps:
#
#   nightly.sh                    all of them, one after the other
#   nightly.sh --list             their names, and what they do
#   nightly.sh --only=zoo,digits  these alone; --only=fuzz-onnx --only=fuzz-data, too
#   nightly.sh --update           and writes what they found into docs/Nightly.md
#                                 and docs/Zoo.md
#
# What a step prints stands in build/nightly/<seed>/<step>.log, its row of the table
# (when it began, minutes, the last line of each command) in <step>.row. Failing
# cases stand there as well, made as small as possible. The random networks and nests
# note what they have done and go on there when started again with the same seed.
#
# Steps modules, digits, zoo and zoo-open-batch need PyTorch, torchvision, ONNX and
# scikit-learn for Debian's Python, which the step `torch` installs.
#
#   FADIFF_FUZZ_SEED   seed of all random cases (default: the day as a number)
#   FADIFF_FUZZ_COUNT  random networks and damaged models (default 10000); mutated
#                      nests and damaged data are half as many, networks on memrefs a
#                      fifth, networks per test with random schedules a 125th, at
#                      least 80, four times what the test is made for, attacked bounds
#                      a fifth; small chains against brute force are a 2500th times
#                      what CTest draws, at least four times
#
# Exits with 1 if a step failed; the others run all the same.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

seed=${FADIFF_FUZZ_SEED:-$(date +%Y%m%d)}
count=${FADIFF_FUZZ_COUNT:-10000}
out=build/nightly/$seed
bin=build/release/bin
debian=/usr/bin/python3 # the one that Debian's python3-torch is for
torch=(python3-torch python3-torchvision python3-onnx python3-sklearn)

names=() texts=()
step() { names+=("$1") texts+=("$2"); }

step build 'what the others need is built'
build() {
  part scripts/setup.sh
  part cmake --preset release
  part cmake --build --preset release
}
step onnx "ONNX's own tests of its operators"
onnx_tests() {
  $bin/fadiff-bench onnx /usr/share/libonnx-testdata/data >"$out/onnx.json" || return
  python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
print("onnx: {} of {} passed, {} failed, {} not supported".format(
    found["passed"], found["tests"], len(found["failed"]), len(found["not_supported"])))' \
    "$out/onnx.json"
}
onnx() { part onnx_tests; }
step torch 'PyTorch is there, or is installed'
torch() {
  # As root only, as scripts/setup.sh; else the packages have to be there.
  dpkg-query --show "${torch[@]}" >/dev/null 2>&1 ||
    part env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q --no-install-recommends "${torch[@]}"
  part $debian -c 'import torch, torchvision, onnx, sklearn; print("torch", torch.__version__)'
}
step modules 'small modules as torch exports them, against torch'
modules() { part $debian scripts/check_exports.py build/release; }
step digits 'the networks of examples/digits, trained anew'
digits() {
  part $debian examples/digits/train.py "$out/digits"
  for network in digits shapes; do
    for form in "" --int8; do
      part examples/digits/accuracy.py $bin/fadiff-run $network $form --models="$out/digits"
    done
  done
}
step zoo 'networks of torchvision and others as torch exports them, in f32, QDQ and quantised'
zoo() {
  part $debian scripts/export_zoo.py "$out/zoo" --trained="$out/trained"
  part scripts/zoo_table.py build/release "$out/zoo" --time-limit=5s "${update[@]}"
}
step zoo-open-batch 'the same in opset 13 with open batch, f32, timed alone'
zoo-open-batch() {
  part $debian scripts/export_zoo.py "$out/zoo13" --trained="$out/trained" \
    --opset=13 --open-batch --style=f32
  part scripts/zoo_table.py build/release "$out/zoo13" --time-limit=5s \
    --style=f32 --dim=batch=1 --values-up-to=0
}
step fuzz-onnx 'damaged ONNX models'
fuzz-onnx() { part scripts/fuzz_onnx.py --seed="$seed" --count="$count" --out="$out/onnx"; }
step fuzz-data 'damaged inputs and calibration data'
fuzz-data() { part scripts/fuzz_data.py --seed="$seed" --count=$((count / 2)) --out="$out/data"; }
step networks 'random networks through the whole way'
networks() {
  part scripts/fuzz_networks.py --seed="$seed" --count="$count" --out="$out/networks"
}
step nests 'changed nests against the verifier'
nests() { part scripts/fuzz_nests.py --seed="$seed" --count=$((count / 2)) --out="$out/nests"; }
step memrefs 'networks on memrefs against what is raised of them'
memrefs() {
  part scripts/fuzz_memrefs.py --seed="$seed" --count=$((count / 5)) --out="$out/memrefs"
}
step schedules 'random legal schedules of random networks'
schedules() {
  part env FADIFF_RANDOM_SEED="$seed" FADIFF_RANDOM_NETWORKS=$((count > 10000 ? count / 125 : 80)) \
    build/release/unittests/EndToEndTests --gtest_brief=1 --gtest_filter='Random*'
}
step upstream-passes "upstream's passes in pairs, before ours"
upstream-passes() {
  part env PATH="$PWD/$bin:$PATH" python3 test/Frontends/Inputs/upstream_passes.py test/Frontends --every-pair
}
step brute-force 'bounds of groups against all schedules of small chains'
brute-force() {
  part env FADIFF_RANDOM_TIMES=$((count > 10000 ? count / 2500 : 4)) \
    build/release/unittests/SearchTests --gtest_brief=1 --gtest_filter='ExactFusionTest.NothingIsBelow*'
}
step attack "annealing against the search's bounds"
attack_bounds() {
  $bin/fadiff-bench attack --seed="$seed" --cells=$((count / 5)) --threads=2 \
    >"$out/attack.json" || return
  python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
print("attack: {} cells, {} legal schedules, at most {:.2%} below a bound; mean gap {:.2%}, "
      "the search as good or better in {}, {} without a bound".format(
          found["cells"], found["schedules"], found["worst_excess"], found["mean_gap"],
          found["search_not_worse"], found["without_bound"]))' "$out/attack.json"
}
attack() { part attack_bounds; }

fail() {
  printf 'nightly.sh: error: %s\n' "$1" >&2
  exit 2
}

# Runs a command of a step; its last line is for the table.
part() {
  printf '== %s\n' "$*"
  local last result=0
  "$@" 2>&1 | tee "$out/part.log" || result=1
  last=$(grep -v '^[[:space:]]*$' "$out/part.log" | tail -n 1)
  rm -f "$out/part.log"
  last=${last//"$PWD/"/} last=${last//$'\r'/}
  [[ $result -eq 0 ]] || { failed=1 last="FAILED: $last"; }
  closing+=${closing:+<br>}${last//|/\\|}
}

# One step; false if a part of it failed.
run() {
  local failed=0 closing="" begun start=$SECONDS
  begun=$(date '+%Y-%m-%d %H:%M')
  "$1"
  local tenths=$(((SECONDS - start + 3) / 6))
  printf '| `%s` | %s | %d.%d | %s | %s |\n' "$1" "$begun" $((tenths / 10)) $((tenths % 10)) \
    "$seed, $count" "$closing" >"$out/$1.row"
  return $failed
}

# Rows of steps that did not run stay as they are.
write_table() {
  local page=docs/Nightly.md name
  local begin='<!-- nightly.sh: begin -->' end='<!-- nightly.sh: end -->'
  {
    sed "/^$begin/q" $page
    printf '| step | begun | minutes | seed, count | last lines |\n|---|---|---|---|---|\n'
    for name in "${names[@]}"; do
      if [[ " ${chosen[*]} " == *" $name "* && -f $out/$name.row ]]; then
        cat "$out/$name.row"
      else
        grep -F "| \`$name\` |" $page
      fi
    done
    sed -n "/^$end/,\$p" $page
  } >"$out/page.md" && mv "$out/page.md" $page
}

chosen=() update=()
for argument in "$@"; do
  case $argument in
  --list)
    for i in "${!names[@]}"; do printf '%-16s%s\n' "${names[i]}" "${texts[i]}"; done
    exit ;;
  --only=*)
    for name in ${argument//[=,]/ }; do
      [[ $name == --only ]] && continue
      [[ " ${names[*]} " == *" $name "* ]] || fail "no step is called '$name'; --list has them"
      chosen+=("$name")
    done ;;
  --update) update=(--update) ;;
  *) fail "'$argument' is not known; --list, --only=STEP,... and --update are" ;;
  esac
done
[[ $* != *--only* || ${#chosen[@]} -gt 0 ]] || fail '--only wants the name of a step; --list has them'
[[ ${#chosen[@]} -gt 0 ]] || chosen=("${names[@]}")

mkdir -p "$out"
for name in "${chosen[@]}"; do rm -f "$out/$name.row"; done
status=0
for name in "${chosen[@]}"; do
  run "$name" > >(tee "$out/$name.log") || status=1
  wait $! # until all of it stands in the log
  # Nothing can be tried with what is not built.
  [[ $name != build || $status -eq 0 ]] || break
done
[[ ${#update[@]} -eq 0 ]] || write_table
echo "nightly: ${#chosen[@]} steps, seed $seed, $([[ $status -eq 0 ]] && echo passed || echo FAILED)"
exit $status
