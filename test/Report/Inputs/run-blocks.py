"""Runs the shell blocks of a page, one after the other.

usage: run-blocks.py page.md source-root object-root scratch [--times]

They run in `scratch`, which looks like the root of the repository with a build
in it and a `network.mlir`, each by a shell that ends at the first command that
fails, behind those that begin with `export`. Prints the title
of each section whose blocks ran, with --times also the seconds.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import time

page, source, objects, scratch = map(pathlib.Path, sys.argv[1:5])
shutil.rmtree(scratch, ignore_errors=True)
(scratch / "build").mkdir(parents=True)
(scratch / "build" / "release").symlink_to(objects.resolve())
shutil.copy(source / "examples" / "tiny.mlir", scratch / "network.mlir")
for name in ("examples", "hardware", "docs", "scripts", "test", "benchmarks"):
    (scratch / name).symlink_to(source.resolve() / name)

setup, ran = "set -eu\n", 0
title = "at the top"
for match in re.finditer(r"^## ([^\n]*)$|^```sh\n(.*?)^```$", page.read_text(), re.M | re.S):
    if match[1] is not None:
        title = match[1]
        continue
    block = match[2]
    if block.startswith("export "):  # what all others need
        setup += block
        continue
    start = time.monotonic()
    done = subprocess.run(
        ["sh", "-c", setup + block], cwd=scratch, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{title}: exit code {done.returncode}\n{block}{done.stderr[-2000:]}")
    ran += 1
    commands = len([l for l in block.splitlines() if l.strip()])
    took = f", {time.monotonic() - start:.1f} s" if "--times" in sys.argv else ""
    print(f"{title}: {commands} commands{took}")
assert ran > 0, "no block in " + str(page)
