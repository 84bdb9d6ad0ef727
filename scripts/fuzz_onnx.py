#!/usr/bin/env python3
#===- fuzz_onnx.py - Damaged ONNX models ---------------------------------===#
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Reads damaged ONNX models: each is taken or refused with an error, none
crashes the tool, hangs it or takes all memory.

usage: fuzz_onnx.py [--seed N] [--count N] [--jobs N] [--build-dir DIR]
                    [--models DIR] [--out DIR]

The models are those of ONNX's own tests. Half of the changes are to bytes
(flipped, cut off, repeated), half to the fields of the messages (dropped,
doubled, swapped, other numbers and names), with lengths that fit again. Prints
each failure and a line with the counts, exits with 1 if there was a failure,
and leaves the models that failed in --out.
"""

import sys
from pathlib import Path

import damaged


def main():
    parser = damaged.parser("onnx")
    parser.add_argument("--models", type=Path,
                        default=Path("/usr/share/libonnx-testdata/data"))
    options = parser.parse_args()
    sources = sorted(options.models.rglob("*.onnx"))
    if not sources:
        sys.exit(f"fuzz_onnx.py: error: no model below {options.models}")

    def case(draw, name):
        data = draw.choice(sources).read_bytes()
        try:
            data = draw.choice([damaged.change_bytes, damaged.change_fields])(draw, data)
        except ValueError: # a message that this does not take apart
            data = damaged.change_bytes(draw, data)
        path = options.out / f"{name}.onnx"
        path.write_bytes(data)
        found = damaged.try_one([options.build_dir / "bin/fadiff-onnx", path, "-o", "/dev/null"],
                                lambda text: text.startswith("error: '"))
        if not isinstance(found, str):
            path.unlink()
        return path, found

    return damaged.run_cases("models", options, case)


if __name__ == "__main__":
    sys.exit(main())
