#!/usr/bin/env python3
"""Checks that the core libraries keep their layers.

usage: check_layering.py [source directory]

No file of a core library, and none of its unit tests, may include an MLIR
header, and no file of a core library a header of a library that it is not
allowed to use. Prints one line per offence (file:line: what) and exits 1 if
there is one.
"""

import re
import sys
from pathlib import Path

# What each core library may include besides itself. The libraries that know
# MLIR stand below all of these and are named nowhere here.
ALLOWED = {
    "Support": set(),
    "Workload": set(),
    "Hardware": {"Support"},
    "Schedule": {"Workload", "Hardware"},
    "CostModel": {"Support", "Workload", "Hardware", "Schedule"},
    "Search": {"Support", "Workload", "Hardware", "Schedule", "CostModel"},
    "Bench": {
        "Support",
        "Workload",
        "Hardware",
        "Schedule",
        "CostModel",
        "Search",
    },
    "ISA": {"Hardware"},
    "Simulator": {"Hardware", "ISA"},
}
SUFFIXES = {".h", ".hpp", ".inc", ".def", ".c", ".cc", ".cpp"}
INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')


def offences(path: Path, library: str, is_test: bool):
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        if header.startswith(("mlir/", "mlir-c/")):
            yield number, f"{library} must not know MLIR, but includes {header}"
        parts = header.split("/")
        if is_test or len(parts) < 3 or parts[0] != "fadiff":
            continue
        allowed = ALLOWED[library]
        if parts[1] != library and parts[1] not in allowed:
            uses = ", ".join(sorted(allowed)) or "no other library"
            yield number, f"{library} may use {uses}, but includes {header}"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = 0
    checked = 0
    for library in ALLOWED:
        for top in ("include/fadiff", "lib", "unittests"):
            for path in sorted((root / top / library).rglob("*")):
                if path.suffix not in SUFFIXES:
                    continue
                checked += 1
                for line, what in offences(path, library, top == "unittests"):
                    print(f"{path.relative_to(root)}:{line}: {what}")
                    found += 1
    if not checked:
        print(f"{root}: no core library here; give the source directory")
        return 1
    print(f"layering: {checked} files checked, {found} offences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
