#!/usr/bin/env python3
"""Runs whole networks as exporters spell them, and writes a table of them.

  exports_table.py BUILD_DIR                    print the table
  exports_table.py BUILD_DIR --style iree --network resnet18
  exports_table.py BUILD_DIR --machine gemmini --machine gemmini-npu --style tflite
                                                on other machines than the style's

The networks are those of write_exports.py, written to BUILD_DIR/exports or
--out. Each is scheduled, run on the simulator and compared with upstream's lowering alone;
int8 ones with requantize=hardware, where deviations of one add up from layer to
layer. A network that is refused stays in the table, with the first error.
"""

import argparse
import concurrent.futures
import importlib
import json
import pathlib
import re
import subprocess

import write_exports

NAMES = ["network", "style", "layers", "multiply-accumulates", "tails", "edges fused",
         "host operations", "EDP", "outputs"]


def head(names):
    return f"| {' | '.join(names)} |\n{'|---' * len(names)}|\n"


def row(build, path, style, machine, limit):
    options = [f"--target={machine or style.target}", f"--time-limit={limit}", "--summary=json"]
    if style.element == "i8":
        options += ["--requantize=hardware", "--tolerance=255", "--float-tolerance=0.5"]
    else:
        options += ["--float-tolerance=1e-4"]
    start = f"| {path.stem} | `{path.parent.name}` | " + (f"`{machine}` | " if machine else "")
    try:
        done = subprocess.run([build / "bin" / "fadiff-run", path, *options],
                              capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return start + "| | | | | | longer than 10 minutes |\n"
    errors = re.findall(r"error: (.*)", done.stderr)
    if not done.stdout.strip():
        return start + f"| | | | | | {errors[0] if errors else 'no result'} |\n"
    functions = json.loads(done.stdout)
    hosts = [f["host"] for f in functions]
    edges = [e for f in functions for e in f["edges"]]

    def total(key):
        return sum(h[key] for h in hosts)

    def largest(pattern):
        return max(re.findall(pattern, done.stderr), key=float, default=None)

    apart = largest(r"largest difference from the reference: (\d+)")
    share = largest(r"largest difference of floats from the reference: ([0-9.e+-]+)")
    if errors:
        outputs = errors[0]
    elif "elements differ" in done.stderr:
        outputs = "differ"
    elif "NOT as predicted" in done.stderr:
        outputs = "bytes not as predicted"
    elif apart is not None and apart != "0":
        outputs = f"at most {apart} apart"
    elif share is not None:
        outputs = f"{share} of the largest"
    else:
        outputs = "identical"
    return (start + f"{sum(len(h['layers']) for h in hosts)} | "
            f"{100 * total('macs_on_array') / max(1, total('macs')):.1f} % | "
            f"{total('tails_on_array')} of {total('tails')} | "
            f"{sum(e['fused'] for e in edges)} of {len(edges)} | "
            f"{sum(len(h['operations']) for h in hosts)} | "
            f"{sum(f['value'] for f in functions):.3g} | {outputs} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, help="build directory")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the networks")
    parser.add_argument("--style", choices=write_exports.STYLES, action="append")
    parser.add_argument("--network", action="append")
    parser.add_argument("--machine", action="append")
    parser.add_argument("--time-limit", default="0s", help="of each search; 0s is none")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    out = options.out or options.build / "exports"
    tasks = []
    for style in options.style or write_exports.STYLES:
        module = importlib.import_module(style).Style
        for name in write_exports.STYLES[style]:
            if not options.network or name in options.network:
                path = write_exports.write(out, style, name)
                tasks += [(path, module, machine) for machine in options.machine or [None]]
    tasks.sort(key=lambda task: (task[0].stem, list(write_exports.STYLES).index(task[0].parent.name)))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = pool.map(lambda task: row(options.build, *task, options.time_limit), tasks)
        print(head(NAMES[:2] + ["machine"] + NAMES[2:] if options.machine else NAMES), end="")
        for line in rows:
            print(line, end="", flush=True)


if __name__ == "__main__":
    main()
