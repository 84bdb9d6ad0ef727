#!/usr/bin/env python3
"""Checks that the libraries keep their layers.

usage: check_layering.py [source directory]

No file of a library may include a header of another library that it is not
allowed to use. No file of a core library, and none of its unit tests, may
include an MLIR header. Libraries that are to serve any machine may not name one.
Prints one line per offence (file:line: what) and exits 1 if there is one.
"""

import re
import sys
from pathlib import Path

# What each core library may include besides itself; none may know MLIR.
CORE = {
    "Support": set(),
    "Workload": set(),
    "Hardware": {"Support"},
    "Schedule": {"Support", "Workload", "Hardware"},
    "CostModel": {"Support", "Workload", "Hardware", "Schedule"},
    "Search": {"Support", "Workload", "Hardware", "Schedule", "CostModel"},
    "Codesign": {
        "Support",
        "Workload",
        "Hardware",
        "Schedule",
        "CostModel",
        "Search",
    },
    "Bench": {
        "Support",
        "Workload",
        "Hardware",
        "Schedule",
        "CostModel",
        "Search",
        "ISA",
        "Simulator",
    },
    "ISA": {"Hardware"},
    "Simulator": {"Hardware", "ISA"},
    "Report": {
        "Support",
        "Workload",
        "Hardware",
        "Schedule",
        "CostModel",
        "Search",
        "Simulator",
    },
}
# The same for the libraries that know MLIR.
ABOVE = {
    "Dialect/Target": {"Hardware"},
    "Dialect/Fadiff": {
        "Dialect/Target",
        "Workload",
        "Hardware",
        "Schedule",
        "CostModel",
    },
    "Dialect/Gemmini": {"Dialect/Target", "Hardware", "ISA"},
    "Analysis": {"Dialect/Fadiff", "Workload", "Hardware"},
    "Transforms": {
        "Analysis",
        "Codesign",
        "Dialect/Fadiff",
        "Support",
        "Workload",
        "Hardware",
        "Schedule",
        "CostModel",
        "Search",
        "Report",
    },
    "Conversion": {
        "Dialect/Fadiff",
        "Dialect/Gemmini",
        "Workload",
        "Hardware",
        "Schedule",
        "CostModel",
        "ISA",
    },
    "Pipelines": {"Transforms"},
    "Runner": {
        "Analysis",
        "Conversion",
        "Dialect/Fadiff",
        "Dialect/Gemmini",
        "Pipelines",
        "Transforms",
        "Support",
        "Workload",
        "Schedule",
        "CostModel",
        "Search",
        "Simulator",
        "Report",
    },
    "Codegen": {"Analysis", "Conversion", "Dialect/Fadiff", "Dialect/Gemmini", "Hardware",
                "Runner"},
    "Onnx": {"Runner", "Support"},
    "CAPI": {"Analysis", "Onnx", "Quantize", "Runner", "Search", "Simulator",
             "Support", "Transforms"},
    "Quantize": {
        "Analysis",
        "Dialect/Fadiff",
        "Hardware",
        "Runner",
        "Support",
        "Transforms",
    },
}
ALLOWED = {**CORE, **ABOVE}

# They ask the hardware record what a machine can do.
NAME_NO_MACHINE = {"Schedule", "CostModel"}
MACHINE = re.compile(r"gemmini", re.IGNORECASE)
# What the latency model `streams` was called in files of FADiff 0.1.
OLD_NAME = ("include/fadiff/CostModel/Cost.h", '"gemmini"')

# What computes costs. Whoever only reads them includes Cost.h, CostModel.h or
# CostFunction.h, or an edit of a formula would rebuild everything.
FORMULAS = re.compile(
    r"fadiff/CostModel/(Batch|Counts|Group|Nest|Relaxed|Scalar)\.h$"
)

SUFFIXES = {".h", ".hpp", ".inc", ".def", ".c", ".cc", ".cpp", ".td"}
INCLUDE = re.compile(r'\s*#?\s*include\s*["<]([^">]+)[">]')


def library_of(header: str):
    """The library that a header of ours belongs to; None for another one."""
    parts = header.split("/")
    if len(parts) < 3 or parts[0] != "fadiff":
        return None
    return "/".join(parts[1:3]) if parts[1] == "Dialect" else parts[1]


def offences(root: Path, path: Path, library: str, is_test: bool):
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if library in NAME_NO_MACHINE and not is_test:
            file, name = OLD_NAME
            if str(path.relative_to(root)) == file:
                line = line.replace(name, "")
            if MACHINE.search(line):
                yield number, (
                    f"{library} serves any machine, but names Gemmini; ask "
                    "the Accelerator for what it can do"
                )
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        if library in CORE and header.startswith(("mlir/", "mlir-c/")):
            yield number, f"{library} must not know MLIR, but includes {header}"
        if (
            FORMULAS.match(header)
            and library != "CostModel"
            and path.is_relative_to(root / "include")
        ):
            yield number, f"a header that all may include has {header}"
        used = library_of(header)
        if is_test or used is None:
            continue
        allowed = ALLOWED[library]
        if used != library and used not in allowed:
            uses = ", ".join(sorted(allowed)) or "no other library"
            yield number, f"{library} may use {uses}, but includes {header}"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = 0
    checked = 0
    for library in sorted({*root.glob("lib/*/"), *root.glob("lib/Dialect/*/")}):
        name = str(library.relative_to(root / "lib"))
        if library.is_dir() and name != "Dialect" and name not in ALLOWED:
            print(f"lib/{name}: scripts/check_layering.py does not know what "
                  "this library may use")
            found += 1
    for library in ALLOWED:
        tops = ["include/fadiff", "lib"]
        if library in CORE:
            tops.append("unittests")
        for top in tops:
            for path in sorted((root / top / library).rglob("*")):
                if path.suffix not in SUFFIXES:
                    continue
                checked += 1
                for line, what in offences(
                    root, path, library, top == "unittests"
                ):
                    print(f"{path.relative_to(root)}:{line}: {what}")
                    found += 1
    if not checked:
        print(f"{root}: no library here; give the source directory")
        return 1
    print(f"layering: {checked} files checked, {found} offences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
