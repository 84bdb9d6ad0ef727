#!/usr/bin/env python3
"""Checks that every C and C++ file is as clang-format-22 writes it.

usage: check_format.py [--fix] [source directory]

Prints one line per file that is not, and exits 1 if there is one; with --fix,
writes them anew instead. Clang-format's other versions format differently.
"""

import argparse
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOPS = ("include", "lib", "tools", "unittests", "benchmarks", "examples", "test")
SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp"}
TOOL = "clang-format-22"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fix", action="store_true", help="format them")
    parser.add_argument("root", nargs="?", default=".", type=Path)
    arguments = parser.parse_args()
    files = sorted(
        path
        for top in TOPS
        for path in (arguments.root / top).rglob("*")
        if path.suffix in SUFFIXES and "Inputs" not in path.parts
    )
    if not files:
        print(f"{arguments.root}: no source files here; give the source directory")
        return 1
    if not shutil.which(TOOL):
        print(f"{TOOL} is not installed; scripts/setup.sh installs it")
        return 1

    def formatted(path: Path) -> bytes:
        command = [TOOL, str(path)]
        return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout

    unlike = 0
    with ThreadPoolExecutor() as pool:
        texts = list(pool.map(formatted, files))
    for path, text in zip(files, texts):
        if text == path.read_bytes():
            continue
        unlike += 1
        if arguments.fix:
            path.write_bytes(text)
        print(f"{path}: " + ("formatted" if arguments.fix else
                             "not formatted; run scripts/check_format.py --fix"))
    print(f"format: {len(files)} files checked, {unlike} not formatted")
    return 1 if unlike and not arguments.fix else 0


if __name__ == "__main__":
    sys.exit(main())
