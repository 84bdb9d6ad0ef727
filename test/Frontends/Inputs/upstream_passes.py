"""Upstream passes before ours change nothing that counts.

For each network below a folder and each row of passes: what becomes layers
after the passes is compared with what becomes layers without them. Wanted are
the same multiply-accumulates, and no fewer tails (results in the type that the
next layer reads) and edges (layers that read a layer's result as it is).
"""

import pathlib
import re
import subprocess
import sys

ROWS = [
    ["--linalg-generalize-named-ops"],
    ["--linalg-fold-unit-extent-dims"],
    ["--linalg-fuse-elementwise-ops"],
    ["--canonicalize", "--cse"],
    ["--linalg-specialize-generic-ops"],
    ["--convert-elementwise-to-linalg"],
    ["--linalg-generalize-named-ops", "--linalg-fuse-elementwise-ops"],
    ["--linalg-generalize-named-ops", "--canonicalize", "--cse"],
    ["--linalg-generalize-named-ops", "--linalg-specialize-generic-ops"],
    ["--linalg-fuse-elementwise-ops", "--canonicalize", "--cse"],
    ["--linalg-fold-unit-extent-dims", "--canonicalize", "--cse"],
    ["--linalg-fuse-elementwise-ops", "--linalg-fold-unit-extent-dims"],
    ["--linalg-generalize-named-ops", "--linalg-fold-unit-extent-dims"],
    ["--linalg-generalize-named-ops", "--convert-elementwise-to-linalg"],
    ["--linalg-fold-unit-extent-dims", "--linalg-specialize-generic-ops"],
    ["--linalg-fold-unit-extent-dims", "--convert-elementwise-to-linalg"],
    ["--linalg-fuse-elementwise-ops", "--linalg-specialize-generic-ops"],
    ["--linalg-fuse-elementwise-ops", "--convert-elementwise-to-linalg"],
    ["--linalg-specialize-generic-ops", "--canonicalize", "--cse"],
    ["--linalg-specialize-generic-ops", "--convert-elementwise-to-linalg"],
    ["--convert-elementwise-to-linalg", "--canonicalize", "--cse"],
    ["--linalg-block-pack-matmul=block-factors=32,16,64"],
    ["--linalg-block-pack-matmul=block-factors=7,5,3"],
    ["--linalg-block-pack-matmul=block-factors=8,8,8", "--canonicalize"],
    ["--linalg-block-pack-matmul=block-factors=32,16,64",
     "--linalg-generalize-named-ops", "--linalg-fuse-elementwise-ops"],
]

# These stand before TOSA is lowered, and change nothing in other networks.
TOSA_ROWS = [["--tosa-reduce-transposes"]]

# Upstream's pass makes operations of these that do not verify.
UPSTREAM_FAILS = ("op inferred input/output operand",
                  "op expected operand #0 rank")


# A sum without any axis has none that a bias could lie along: its read-out stays
# on the host, all of one element.
NO_AXES = {("matvec_one_row.mlir", "--linalg-generalize-named-ops "
            "--linalg-fold-unit-extent-dims")}


def count(path, passes, tosa_passes=()):
    target = "gemmini-fp32" if path.parent.name == "f32" else "gemmini"
    element = "f32" if target == "gemmini-fp32" else "i8"
    done = subprocess.run(
        ["fadiff-opt", path, *tosa_passes, "--fadiff-import", *passes,
         "--fadiff-import",
         f"--fadiff-attach-target=target={target}", "--fadiff-normalize",
         "--fadiff-form-layers=allow-empty",
         "--mlir-elide-elementsattrs-if-larger=4"],
        capture_output=True, text=True, timeout=120)
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
    return macs, tails, edges


def main():
    failed = compared = skipped = 0
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*/*.mlir")):
        alone = count(path, [])
        rows = [(row, []) for row in ROWS]
        if path.parent.name == "tosa":
            rows += [([], row) for row in TOSA_ROWS]
        for passes, tosa_passes in rows:
            found = count(path, passes, tosa_passes)
            row = [*tosa_passes, *passes]
            if found is None:
                skipped += 1
                continue
            compared += 1
            if (path.name, " ".join(row)) in NO_AXES:
                found = (found[0], *alone[1:])
            if isinstance(found, str) or found[0] != alone[0] or \
                    found[1] < alone[1] or found[2] < alone[2]:
                failed += 1
                print(f"{path.name} after {' '.join(row)}: wanted (multiply-"
                      f"accumulates, tails, edges) {alone}, found {found}")
    print(f"{compared} compared, {failed} differ, {skipped} that upstream breaks")
    return failed != 0


sys.exit(main())
