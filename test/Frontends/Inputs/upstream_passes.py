"""Upstream passes before ours change nothing that counts.

For each network below a folder and each row of passes: what becomes layers
after the passes is compared with what becomes layers without them. Wanted are
the same multiply-accumulates, and no fewer tails (results in the type that the
next layer reads) and edges (layers that read a layer's result as it is).

    upstream_passes.py FOLDER [--every-pair]

Each network is given every pass alone, and of the pairs one in six: which ones
depends on the network, so that all of them are seen. With `--every-pair` each
is given them all, which takes ten minutes.
"""

import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import sys

PASSES = [
    ["--linalg-generalize-named-ops"],
    ["--linalg-fold-unit-extent-dims"],
    ["--linalg-fuse-elementwise-ops"],
    ["--canonicalize", "--cse"],
    ["--linalg-specialize-generic-ops"],
    ["--convert-elementwise-to-linalg"],
    ["--linalg-block-pack-matmul=block-factors=32,16,64"],
]

PAIRS = [a + b for a, b in itertools.permutations(PASSES, 2)]

# What else is worth a look.
MORE = [
    ["--linalg-block-pack-matmul=block-factors=7,5,3"],
    ["--linalg-block-pack-matmul=block-factors=8,8,8", "--canonicalize"],
    ["--linalg-block-pack-matmul=block-factors=32,16,64",
     "--linalg-generalize-named-ops", "--linalg-fuse-elementwise-ops"],
]

# These stand before TOSA is lowered, and change nothing in other networks.
TOSA_PASSES = ["--tosa-reduce-transposes"]

# Upstream's pass makes operations of these that do not verify.
UPSTREAM_FAILS = ("op inferred input/output operand",
                  "op expected operand #0 rank")


# A sum without any axis has none that a bias could lie along: its read-out stays
# on the host, all of one element.
NO_AXES = {("matvec_one_row.mlir", "--linalg-generalize-named-ops "
            "--linalg-fold-unit-extent-dims")}


def run(path, *passes, text=None):
    return subprocess.run(["fadiff-opt", path, *passes], input=text,
                          capture_output=True, text=True, timeout=120)


def count(path, passes, known):
    """(multiply-accumulates, tails, edges) of `path` after `passes`, None where upstream breaks it,
    or the error. `known` are those of the texts that were seen before."""
    after = run(path, *passes, "--fadiff-import")
    if after.returncode == 0 and after.stdout in known:
        return known[after.stdout]
    target = "gemmini-fp32" if path.parent.name == "f32" else "gemmini"
    element = "f32" if target == "gemmini-fp32" else "i8"
    done = after if after.returncode != 0 else run(
        "-", f"--fadiff-attach-target=target={target}", "--fadiff-normalize",
        "--fadiff-form-layers=allow-empty",
        "--mlir-elide-elementsattrs-if-larger=4", text=after.stdout)
    if done.returncode != 0:
        return None if any(text in done.stderr for text in UPSTREAM_FAILS) else done.stderr
    macs, tails, edges, made = 0, 0, 0, set()
    layer = None
    for line in done.stdout.splitlines():
        head = re.match(r'\s*(%\w+) = fadiff\.layer "[^"]*" ins\(([^:]*):.*'
                        r'workload\(<\[([^\]]*)\]', line)
        if head:
            layer, operands, dims = head.groups()
            product = 1
            for bound in re.findall(r"= (\d+)", dims):
                product *= int(bound)
            macs += product
            edges += sum(operand.strip() in made for operand in operands.split(","))
            indent = line[:len(line) - len(line.lstrip())]
        elif layer and line.startswith(indent + "} -> "):
            tails += line.rstrip().endswith(element + ">")
            made.add(layer)
            layer = None
    known[after.stdout] = macs, tails, edges
    return known[after.stdout]


def compare(path, pairs):
    """What is wrong after each row of passes; None for rows that upstream breaks."""
    known = {}
    alone = count(path, ["--fadiff-import"], known)
    rows = [["--fadiff-import", *row] for row in PASSES + pairs + MORE]
    if path.parent.name == "tosa":
        rows += [[*TOSA_PASSES, "--fadiff-import", *row] for row in [[], *PASSES]]
    results = []
    for row in rows:
        found = count(path, row, known)
        name = " ".join(part for part in row if part != "--fadiff-import")
        if found and (path.name, name) in NO_AXES:
            found = (found[0], *alone[1:])
        if found is None:
            results.append(None)
        elif isinstance(found, str) or found[0] != alone[0] or \
                found[1] < alone[1] or found[2] < alone[2]:
            results.append(f"{path.name} after {name}: wanted (multiply-accumulates, tails, "
                           f"edges) {alone}, found {found}")
        else:
            results.append("")
    return results


def main():
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*/*.mlir"))
    every = 1 if "--every-pair" in sys.argv[2:] else 6
    shares = [PAIRS[number % every::every] for number in range(len(paths))]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = [result for row in pool.map(compare, paths, shares) for result in row]
    compared = [result for result in results if result is not None]
    wrong = [result for result in compared if result]
    print(*wrong, sep="\n")
    print(f"{len(compared)} compared, {len(wrong)} differ, "
          f"{len(results) - len(compared)} that upstream breaks")
    return bool(wrong)


sys.exit(main())
