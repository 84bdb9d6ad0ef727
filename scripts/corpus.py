#!/usr/bin/env python3
"""Schedules and runs a folder of modules that somebody else wrote, as a user would.

  corpus.py BUILD_DIR MODULES                 a table of what became of them
  corpus.py BUILD_DIR MODULES --json out.json and each module's outcome
  corpus.py BUILD_DIR MODULES --only PART     only files whose name contains PART

Each file below MODULES that ends in .mlir is scheduled for a machine that works
in f32 and for one that works in int8. It counts as scheduled if a function of it
has a layer; where none has, it is tried with halves=widen if the reason says that
this would help, and with extents given if a public function leaves some open. Each such function then runs on the simulator, on the
machine on which more of it are layers, and is compared with upstream's lowering
alone. Declarations and functions without a layer are no entries. A
function that has too much to compute for the machine's array, or does not finish in
time, runs on a larger machine of the same arithmetic, and if that is, or is sure to be,
too slow, too, without data, to compare traffic.

What an outcome means:
  agrees       the outputs are equal, or differ by no more than docs/Frontends.md says
  bytes only   too large to run with data in the time given; traffic is as predicted
  undefined    the network reads memory that it never wrote, or outside of a tensor
  time         nothing of this in the time given
  refused      an error that says what is not supported
  differs      the outputs differ, or traffic is not as predicted
  crash        a signal or a stack dump
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import resource
import struct
import subprocess
import tempfile

MACHINES = ("gemmini-fp32", "gemmini")
HARDWARE = pathlib.Path(__file__).parent.parent / "hardware"
SEARCH = ["--time-limit=2s"]
MEMORY = 9 << 30
# What open extents are given: rows, columns and channels; and of a convolution the image, its
# window and what that leaves.
EXTENT = 16
WINDOW, IMAGE = 3, EXTENT + 2
# Multiply-accumulates from which on only the larger machine is tried: simulating this many on an
# array of 4 by 4 takes about half a minute.
MANY = 1 << 33
# Multiply-accumulates that the reference makes in a second: what has more of them than time for them
# runs without data at once.
RATE = 1 << 32


class Outcome:
    def __init__(self, kind, cause=""):
        self.kind, self.cause = kind, cause


def larger(machine, folder):
    """The machine with an array of 32 by 32 and memories that go with it."""
    if machine == "gemmini":
        return "gemmini-large"
    text = (HARDWARE / f"{machine}.yaml").read_text(encoding="utf-8")
    text = text.replace(f"name: {machine}", f"name: {machine}-large")
    text = text.replace("side: {value: 4,", "side: {value: 32,")
    text = re.sub(r"capacity: \{value: (\d+)",
                  lambda m: f"capacity: {{value: {8 * int(m.group(1))}", text)
    path = folder / f"{machine}-large.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def call(command, limit):
    """Exit code (None: no time), output and errors."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=limit, preexec_fn=bound)
    except subprocess.TimeoutExpired:
        return None, "", ""
    return done.returncode, done.stdout, done.stderr


def crashed(code, errors):
    return code is not None and (code < 0 or "Stack dump" in errors or
                                 "the tool crashed on this input" in errors)


def cause_of(errors):
    """The first error without what is particular to its file."""
    found = (re.search(r"not scheduled: (.*)", errors) or
             re.search(r"error: (.*)", errors))
    text = found.group(1) if found else (errors.strip().splitlines() or [""])[-1]
    text = re.sub(r"\S*\.mlir:\d+:\d+", "a place", text)
    text = re.sub(r"#\d+|@[\w.$-]+|tensor<[^>]*>|memref<[^>]*>+", "_", text)
    return re.sub(r"-?\d+", "N", text)[:110]


def signatures(text):
    """The public functions with a body: name to the types of the arguments."""
    found = {}
    for match in re.finditer(r"func\.func\s+(?:public\s+)?@([\w.$-]+)\s*\(", text):
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        arguments = text[match.end():end - 1]
        body = re.match(r"[^{}]*(?:\{[^{}]*\}[^{}]*)?\{", text[end:].split("func.func")[0])
        if body:
            found[match.group(1)] = re.findall(r"%[\w.$-]+\s*:\s*([\w!.]+(?:<[^>]*>)?)", arguments)
    return found


def shape_choices(types, text):
    """Values of --shapes for open extents, most likely first."""
    shapes = []
    for kind in types:
        match = re.match(r"(?:tensor|memref)<((?:[\d?]+x)+)", kind)
        shapes.append(match.group(1).rstrip("x").split("x") if match else [])

    def given(choose):
        parts = []
        tensors = 0
        for shape in shapes:
            parts.append("x".join(choose(tensors, axis) if extent == "?" else extent
                                  for axis, extent in enumerate(shape)) if "?" in shape else "")
            tensors += bool(shape)
        return ",".join(parts)

    equal = given(lambda place, axis: str(EXTENT))
    # Axes of a convolution by the letters in its name: image, filter, and the result as the image.
    conv = re.search(r"conv_[123]d(?:_([ncghwd]+)_([a-z]+?)(?:_q)?)?\b", text)
    if not conv:
        return [equal]
    letters = (conv.group(1) or "", conv.group(2) or "", conv.group(1) or "")

    def window(place, axis):
        letter = letters[min(place, 2)][axis:axis + 1] or "w"
        if letter in "hwd":
            return str((IMAGE, WINDOW, EXTENT)[min(place, 2)])
        return "1" if letter == "n" else str(EXTENT)

    return [given(window), equal]


def index_inputs(types, folder):
    """A value of --inputs that makes arguments of type index what open extents are given: where a
    function takes both, the one is the extent of the other."""
    header = "{'descr': '<i8', 'fortran_order': False, 'shape': (), }".ljust(117) + "\n"
    path = folder / "extent.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack("<q", EXTENT))
    files = [str(path) if kind == "index" else "" for kind in types]
    return ",".join(files) if any(files) else ""


WIDEN = "halves=widen"


def schedule(build, path, machine, limit, shapes=None, entry=None, halves=""):
    """Of each function with a layer the multiply-accumulates in layers and what option it took; or
    an outcome."""
    with tempfile.TemporaryDirectory() as folder:
        summary = pathlib.Path(folder) / "summary.json"
        passes = []
        if shapes:
            passes = [f"--fadiff-static-shapes=shapes={shapes} entry={entry}"]
        code, _, errors = call(
            [build / "bin" / "fadiff-opt", path, *passes,
             f"--fadiff-schedule=target={machine} time-limit=2s {halves} "
             f"summary={summary}", "-o", "/dev/null"], limit)
        if code is None:
            return Outcome("time")
        if crashed(code, errors):
            return Outcome("crash", cause_of(errors))
        if code != 0 or not summary.exists():
            if not halves and WIDEN in errors:
                return schedule(build, path, machine, limit, shapes, entry, WIDEN)
            return Outcome("refused", cause_of(errors))
        functions = json.loads(summary.read_text())
        return {f["function"]: (f["host"]["macs_on_array"], halves)
                for f in functions if f["host"]["layers"]}


def run(build, path, function, machine, large, limit, macs, shapes, inputs, halves):
    command = [build / "bin" / "fadiff-run", path, f"--entry={function}", "--check",
               "--summary=none", *SEARCH, *([f"--shapes={shapes}"] if shapes else []),
               *([f"--inputs={inputs}"] if inputs else []),
               *([f"--{halves}"] if halves else [])]
    attempts = [([f"--target={machine}"], "agrees"), ([f"--target={large}"], "agrees"),
                ([f"--target={large}", "--timing-only"], "bytes only")]
    for options, kind in attempts[(macs >= MANY) + (macs >= limit * RATE):]:
        code, output, errors = call([*command, *options], limit)
        if code == 0:
            return Outcome(kind)
        if code is None:
            continue
        if crashed(code, errors):
            return Outcome("crash", cause_of(errors))
        if "never writes" in errors or "out-of-bounds" in errors:
            return Outcome("undefined", cause_of(errors))
        if "differ, first at" in output + errors or "NOT as predicted" in output + errors:
            return Outcome("differs")
        return Outcome("refused", cause_of(errors))
    return Outcome("time")


def module(build, path, large, folder, limit):
    """What became of a module: whether it has layers, and each function's outcome."""
    text = path.read_text(encoding="utf-8", errors="replace")
    tried = {machine: schedule(build, path, machine, limit) for machine in MACHINES}
    shapes = {}
    entries = {}
    for machine, functions in tried.items():
        for function, (macs, halves) in (functions.items() if isinstance(functions, dict) else ()):
            if macs > entries.get(function, ("", 0))[1]:
                entries[function] = (machine, macs, halves)
    if not entries:
        for function, types in signatures(text).items():
            if not any("?" in kind for kind in types):
                continue
            for choice in shape_choices(types, text):
                for machine in MACHINES:
                    found = schedule(build, path, machine, limit, choice, function)
                    if isinstance(found, dict) and function in found and function not in entries:
                        entries[function] = (machine, *found[function])
                        shapes[function] = choice
    if not entries:
        worst = next(iter(tried.values()))
        for outcome in tried.values():
            if isinstance(outcome, Outcome) and outcome.kind in ("crash", "time"):
                worst = outcome
        return {"file": path.name, "scheduled": False, "kind": getattr(worst, "kind", "refused"),
                "cause": getattr(worst, "cause", ""), "runs": []}
    runs = []
    for function, (machine, macs, halves) in entries.items():
        inputs = (index_inputs(signatures(text)[function], folder) if function in shapes else "")
        outcome = run(build, path, function, machine, large[machine], limit, macs,
                      shapes.get(function), inputs, halves)
        runs.append({"function": function, "machine": machine, "shapes": shapes.get(function, ""),
                     "halves": halves,
                     "kind": outcome.kind, "cause": outcome.cause})
    return {"file": path.name, "scheduled": True, "runs": runs}


def table(results):
    """Markdown: modules, then what became of the functions that have layers, then causes."""
    scheduled = [r for r in results if r["scheduled"]]
    runs = [x for r in scheduled for x in r["runs"]]
    kinds = collections.Counter(x["kind"] for x in runs)
    share = 100 * len(scheduled) / max(1, len(results))
    text = (f"{len(scheduled)} of {len(results)} modules have a layer ({share:.1f} %); of their "
            f"{len(runs)} functions with layers:\n\n| outcome | functions | share |\n|---|---|---|\n")
    for kind in ("agrees", "bytes only", "undefined", "time", "refused", "differs", "crash"):
        text += f"| {kind} | {kinds[kind]} | {100 * kinds[kind] / max(1, len(runs)):.1f} % |\n"
    causes = collections.Counter((x["kind"], x["cause"]) for x in runs if x["cause"])
    causes.update(("no layer", r["cause"] or r["kind"]) for r in results if not r["scheduled"])
    text += "\n| outcome | cause | |\n|---|---|---|\n"
    for (kind, cause), count in sorted(causes.items(), key=lambda item: (-item[1], item[0])):
        text += f"| {kind} | {cause} | {count} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, help="build directory")
    parser.add_argument("modules", type=pathlib.Path, help="folder of .mlir files")
    parser.add_argument("--only", default="", help="part of the names of files to take")
    parser.add_argument("--limit", type=float, default=60, help="seconds for each call of a tool")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, help="file for each module's outcome")
    options = parser.parse_args()
    paths = sorted(p for p in options.modules.rglob("*.mlir") if options.only in p.name)
    results = []
    with (tempfile.TemporaryDirectory() as folder,
          concurrent.futures.ThreadPoolExecutor(options.jobs) as pool):
        folder = pathlib.Path(folder)
        large = {machine: larger(machine, folder) for machine in MACHINES}
        for result in pool.map(lambda p: module(options.build, p, large, folder, options.limit),
                               paths):
            results.append(result)
            if options.json:
                options.json.write_text(json.dumps(results, indent=1))
    print(table(results), end="")


if __name__ == "__main__":
    main()
