"""Runs the shell blocks of a page, one after the other.

usage: run-blocks.py page.md source-root object-root scratch [--times]

They run in `scratch`, which looks like the root of the repository with a build
in it and a `network.mlir` and `net.mlir`, each by a shell that ends at the first command that
fails, behind those that begin with `export`. Prints the title
of each section whose blocks ran, with --times also the seconds.

A block without a language that directly follows a shell block is what the page
says that block prints, both streams together. Its lines must come in this
order, neighbours as neighbours; a line `...` stands for any lines, and `...`
in a line for any text.

A shell block directly under `<!-- not run: REASON -->` is left out, and so is said.

`<!-- for the test: COMMAND -->` in front of a block runs before it: it makes what
the reader has already, such as a model.

A block of another language directly under `<!-- from FILE -->` is quoted from
that file of the repository, by the same rules, but for indentation.
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
for name in ("network.mlir", "net.mlir"):
    shutil.copy(source / "examples" / "tiny.mlir", scratch / name)
for name in ("examples", "hardware", "docs", "scripts", "test", "benchmarks", "tools"):
    (scratch / name).symlink_to(source.resolve() / name)



def missing(quoted, printed):
    """The first line of `quoted` that has no place in `printed`, or None."""
    patterns = [
        re.compile(".*".join(map(re.escape, line.rstrip().split("..."))))
        for line in quoted
    ]

    def fits(line, at):
        return at < len(printed) and patterns[line].fullmatch(printed[at].rstrip())

    # Between two lines `...` a run of lines must match in one piece; the first
    # place where it does leaves the most for those behind it.
    begin, at, anywhere = 0, 0, False
    while begin < len(quoted):
        if quoted[begin].strip() == "...":
            begin, anywhere = begin + 1, True
            continue
        end = begin
        while end < len(quoted) and quoted[end].strip() != "...":
            end += 1
        best, places = begin, range(at, len(printed) + 1) if anywhere else [at]
        for place in places:
            line = begin
            while line < end and fits(line, place + line - begin):
                line += 1
            best = max(best, line)
            # What is last on the page is last in the output.
            rest = end == len(quoted) and place + end - begin != len(printed)
            if line == end and not rest:
                break
        else:
            return quoted[min(best, end - 1)]
        begin, at, anywhere = end, place + end - begin, False
    return None


setup, ran, checked, left_out = "set -eu\nexport EDITOR=true\n", 0, 0, 0
title = "at the top"
previous, printed = -1, ""
blocks = re.compile(
    r"^## (?P<title>[^\n]*)$"
    r"|^<!-- for the test: (?P<before>[^\n]*) -->$"
    r"|^(?:<!-- from (?P<source>\S+) -->\n|<!-- not run: (?P<why>[^\n]*) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.M | re.S,
)
text = page.read_text()
for match in blocks.finditer(text):
    if match["title"] is not None:
        title = match["title"]
        continue
    if match["before"] is not None:
        made = subprocess.run(
            ["sh", "-c", setup + match["before"]],
            cwd=scratch,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if made.returncode:
            sys.exit(f"{title}: {match['before']}: {made.stdout[-2000:]}")
        continue
    block = match["text"]
    if match["source"]:
        lines = (source / match["source"]).read_text().splitlines()
        found = missing(
            ["..."] + [l.strip() for l in block.splitlines()] + ["..."],
            [l.strip() for l in lines],
        )
        if found is not None:
            sys.exit(f"{title}: {match['source']} has not, or not here: {found}")
        checked += 1
        continue
    if match["kind"] == "" and previous >= 0 and not text[previous : match.start()].strip():
        found = missing(block.splitlines(), printed.splitlines())
        if found is not None:
            sys.exit(f"{title}: not printed, or not here: {found}\n{printed[-6000:]}")
        checked += 1
    previous = -1
    if match["kind"] != "sh":
        continue
    if match["why"]:
        print(f"{title}: not run, {match['why']}")
        left_out += 1
        continue
    if block.startswith("export "):  # what all others need
        setup += block
        continue
    start = time.monotonic()
    done = subprocess.run(
        ["bash", "-c", setup + block],
        cwd=scratch,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{title}: exit code {done.returncode}\n{block}{done.stdout[-2000:]}")
    previous, printed = match.end(), done.stdout
    ran += 1
    commands = len([l for l in block.splitlines() if l.strip()])
    took = f", {time.monotonic() - start:.1f} s" if "--times" in sys.argv else ""
    print(f"{title}: {commands} commands{took}")
assert ran + left_out > 0, "no block in " + str(page)
if checked:
    print(f"{checked} quotations hold")
