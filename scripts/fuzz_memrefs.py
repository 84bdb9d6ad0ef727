#!/usr/bin/env python3
#===- fuzz_memrefs.py - Networks on memrefs against their tensors --------===#
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Random networks on memrefs: what was raised to tensors against the memrefs.

    scripts/fuzz_memrefs.py --seed 1 --count 100 [--build-dir DIR] [--out DIR]

Each network is a function of linalg operations, copies, loads, stores, views,
loops and calls on a few small buffers. fadiff-run raises and schedules it, and
compares what its arguments hold in the end with the reference, which is not
raised. The exit code is 1 if one differs or is refused; those are kept in the
folder of --out.
"""

import argparse
import pathlib
import random
import subprocess
import sys

WHOLE = "memref<4x4xi32>"
LAYER = "%x, %w : memref<4x8xi8>, memref<8x4xi8>"
# Changes its argument; called, so that the caller's buffers are in memory.
CALLEE = f"""func.func private @change(%m: {WHOLE}) attributes {{no_inline}} {{
  linalg.add ins(%m, %m : {WHOLE}, {WHOLE}) outs(%m : {WHOLE})
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = memref.load %m[%c1, %c1] : {WHOLE}
  memref.store %v, %m[%c2, %c1] : {WHOLE}
  return
}}
"""


class Network:
    """Draws the text of one network."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.names = 0
        self.arguments = [f"%a{i}" for i in range(self.random.randint(2, 4))]
        self.buffers = list(self.arguments)

    def text(self):
        for value in range(4):
            self.emit(f"%c{value} = arith.constant {value} : index")
        self.emit("%seven = arith.constant 7 : i32")
        for _ in range(self.random.randint(3, 9)):
            self.operation(in_loop=False)
        for buffer in self.buffers[len(self.arguments):]:
            if self.random.random() < 0.5:
                self.emit(f"memref.dealloc {buffer} : {WHOLE}")
        apart = self.random.choice(["", ", llvm.noalias"])
        arguments = "".join(
            f', {name}: {WHOLE} {{fadiff.fill = "uniform(-50,50)"{apart}}}' for name in self.arguments)
        body = "\n".join("  " + line for line in self.lines)
        return (f"{CALLEE}func.func @main(%x: memref<4x8xi8>, %w: memref<8x4xi8>{arguments}) {{\n"
                f"{body}\n  return\n}}\n")

    def emit(self, line):
        self.lines.append(line)

    def new(self):
        self.names += 1
        return f"%v{self.names}"

    def operation(self, in_loop):
        kinds = [self.allocate, self.copy, self.copy, self.add, self.add, self.add, self.layer,
                 self.element, self.call]
        if not in_loop:
            kinds.append(self.loop)
        self.random.choice(kinds)()

    def allocate(self):
        name = self.new()
        self.emit(f"{name} = memref.alloc() : {WHOLE}")
        self.emit(f"linalg.fill ins(%seven : i32) outs({name} : {WHOLE})")
        self.buffers.append(name)

    def copy(self):
        source, target = self.random.sample(self.buffers, 2)
        self.emit(f"memref.copy {source}, {target} : {WHOLE} to {WHOLE}")

    def half(self, buffer):
        """A view of two rows, or of half the columns of the same numbers as two rows."""
        if self.random.random() < 0.5:
            row = self.random.randint(0, 2)
            part = f"memref<2x4xi32, strided<[4, 1], offset: {row * 4}>>"
            view = self.new()
            self.emit(f"{view} = memref.subview {buffer}[{row}, 0] [2, 4] [1, 1] : {WHOLE} to {part}")
            return view, part
        flat, wide, view = self.new(), self.new(), self.new()
        part = "memref<2x4xi32, strided<[8, 1], offset: 4>>"
        self.emit(f"{flat} = memref.collapse_shape {buffer} [[0, 1]] : {WHOLE} into memref<16xi32>")
        self.emit(f"{wide} = memref.expand_shape {flat} [[0, 1]] output_shape [2, 8] : "
                  "memref<16xi32> into memref<2x8xi32>")
        self.emit(f"{view} = memref.subview {wide}[0, 4] [2, 4] [1, 1] : memref<2x8xi32> to {part}")
        return view, part

    def add(self):
        left, right, out = (self.random.choice(self.buffers) for _ in range(3))
        if self.random.random() < 0.5 or out in (left, right):
            # Element by element, so that it may work in place.
            self.emit(f"linalg.add ins({left}, {right} : {WHOLE}, {WHOLE}) outs({out} : {WHOLE})")
            return
        (left, ltype), (right, rtype), (out, otype) = map(self.half, (left, right, out))
        self.emit(f"linalg.add ins({left}, {right} : {ltype}, {rtype}) outs({out} : {otype})")

    def layer(self):
        self.emit(f"linalg.matmul ins({LAYER}) outs({self.random.choice(self.buffers)} : {WHOLE})")

    def element(self):
        value, row, column = self.new(), self.random.randint(0, 3), self.random.randint(0, 3)
        self.emit(f"{value} = memref.load {self.random.choice(self.buffers)}[%c{row}, %c{column}] : {WHOLE}")
        self.emit(f"memref.store {value}, {self.random.choice(self.buffers)}[%c{column}, %c{row}] : {WHOLE}")

    def call(self):
        self.emit(f"func.call @change({self.random.choice(self.buffers)}) : ({WHOLE}) -> ()")

    def loop(self):
        """Works on one row per iteration, besides others; has no layer, as a schedule counts one trip."""
        index, view = self.new(), self.new()
        row = "memref<1x4xi32, strided<[4, 1], offset: ?>>"
        outside = list(self.buffers)
        self.emit(f"scf.for {index} = %c0 to %c3 step %c1 {{")
        for _ in range(self.random.randint(0, 3)):
            self.random.choice([self.copy, self.add, self.element, self.call, self.allocate])()
        self.emit(f"{view} = memref.subview {self.random.choice(outside)}[{index}, 0] [1, 4] [1, 1] : "
                  f"{WHOLE} to {row}")
        self.emit(f"linalg.add ins({view}, {view} : {row}, {row}) outs({view} : {row})")
        self.emit("}")
        self.buffers = outside


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--build-dir", type=pathlib.Path, default=root / "build/release")
    parser.add_argument("--out", type=pathlib.Path, default=root / "build/nightly/memrefs")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    failures = 0
    for number in range(options.count):
        network = options.out / f"{options.seed}.{number}.mlir"
        network.write_text(Network(f"{options.seed}.{number}").text())
        command = [options.build_dir / "bin/fadiff-run", network, "--target=gemmini-small", "--allow-empty",
                   "--summary=none", "--optimizer=heuristic"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode == 0:
            network.unlink()
            continue
        failures += 1
        print(f"FAILED: {' '.join(map(str, command))}")
    print(f"seed {options.seed}: {options.count} networks on memrefs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
