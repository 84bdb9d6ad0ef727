#!/usr/bin/env python3
"""Schedules the models of export_zoo.py, runs them, and writes a table of them.

  zoo_table.py BUILD_DIR MODELS                print the table
  zoo_table.py BUILD_DIR MODELS --update       write it into docs/Zoo.md
  zoo_table.py BUILD_DIR MODELS --network unet --values-up-to=0
  zoo_table.py BUILD_DIR MODELS --style int8 --update    these rows alone, anew

f32 models are for gemmini-fp32 with an array of 16x16 in place of 4x4, so that it
takes less commands to run them, QDQ ones, with activations of int8 or uint8, for
gemmini with requantize=hardware, and "int8" is what --quantize makes of the f32 ones for gemmini, by the samples in
MODELS/calibration, half of which are held out. Each is timed on the simulator without
data (--timing-only). Then the host computes the f32 ones that are not too large by
upstream's lowering alone, from the input that torch had, and what that gives is
compared with torch. Exit code 1 if a model is refused, has less than 99 % of its
multiply-accumulates on the array, is further from torch than 80 dB, or, quantised,
has less than 95 % of its tails on the array.
"""

import argparse
import array
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "Zoo.md"
ARRAY, DECIBELS, TAILS = 0.99, 80.0, 0.95
NAMES = ["network", "style", "layers", "multiply-accumulates", "on the array", "tails",
         "host operations", "million cycles", "of the core", "seconds", "against float",
         "same largest"]


def floats(path):
    """The elements of a .npy file of f32."""
    data = path.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return array.array("f", data[start:])


def decibels(found, wanted):
    noise = sum((a - b) ** 2 for a, b in zip(found, wanted))
    signal = sum(b * b for b in wanted)
    return 10 * math.log10(signal / noise) if noise else math.inf


def first_error(done):
    lines = [line for line in done.stderr.splitlines() if "error:" in line]
    return lines[0] if lines else f"ends with {done.returncode}"


def run(options, path, *arguments):
    try:
        return subprocess.run([options.build / "bin" / "fadiff-run", path, *arguments,
                               *(f"--dim={dim}" for dim in options.dim)],
                              capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess([], 1, "", f"error: longer than {options.timeout} s")


def against_torch(options, path):
    """The worst signal-to-noise ratio among the outputs; an error as text."""
    data = options.models / "data"
    inputs = sorted(data.glob(f"{path.stem}.[0-9].npy"))
    wanted = sorted(data.glob(f"{path.stem}.out.[0-9].npy"))
    with tempfile.TemporaryDirectory() as folder:
        found = [pathlib.Path(folder) / w.name for w in wanted]
        done = run(options, path, "--reference-only", "--inputs=" + ",".join(map(str, inputs)),
                   "--outputs=" + ",".join(map(str, found)))
        if done.returncode:
            return first_error(done)
        return min(decibels(floats(f), floats(w)) for f, w in zip(found, wanted))


def quantisation(options, path):
    """What --quantize is told about the f32 model, as a list of arguments."""
    return ["--quantize", f"--quantize-options={options.quantize}",
            f"--calibration={options.models / 'calibration' / path.stem}"]


def of_report(path):
    """The ratio of the outputs of samples that were held out, the lowest if there
    are several, and how often their largest element is the same one."""
    outputs = json.loads(path.read_text(encoding="utf-8"))["outputs"]
    found = [o["held_out_db"] for o in outputs if o.get("held_out_db") is not None]
    same = [o["top1_held_out"] for o in outputs if "top1_held_out" in o]
    agreement = ", ".join(f"{each['same']} of {each['rows']}" for each in same)
    return f"{min(found):.1f} dB" if found else "equal", agreement


def row(options, path, style, failures):
    machine = {"f32": [f"--target={options.fp32}"],
               "qdq": ["--target=gemmini", "--requantize=hardware"],
               "uint8": ["--target=gemmini", "--requantize=hardware"],
               "int8": ["--target=gemmini", *quantisation(options, path),
                        f"--quantize-report={options.report}"]}[style]
    started = time.time()
    done = run(options, path, "--timing-only", "--summary=json",
               f"--time-limit={options.time_limit}", *machine)
    seconds = time.time() - started
    start = f"| {path.stem} | {style} | "
    if done.returncode:
        failures.append(f"{path}, {style}: {first_error(done)}")
        return start + f"refused: {first_error(done)} |\n"
    functions = json.loads(done.stdout)
    hosts = [function["host"] for function in functions]
    cycles, core = (sum(function[key] for function in functions)
                    for key in ("cycles", "core_cycles"))

    def total(key):
        return sum(host[key] for host in hosts)

    share = total("macs_on_array") / max(1, total("macs"))
    if share < ARRAY:
        failures.append(f"{path}, {style}: {100 * share:.2f} % of the multiply-accumulates on "
                        "the array")
    torch, same = "", ""
    if style == "int8":
        torch, same = of_report(options.report)
    if style != "f32" and total("tails_on_array") < TAILS * total("tails"):
        failures.append(f"{path}, {style}: {total('tails_on_array')} of {total('tails')} "
                        "tails on the array")
    if style == "f32" and total("macs") <= options.values_up_to * 1e9:
        torch = against_torch(options, path)
        if isinstance(torch, str) or torch < DECIBELS:
            failures.append(f"{path}: against torch: {torch}")
        torch = torch if isinstance(torch, str) else f"{torch:.0f} dB"
    return (start + f"{sum(len(h['layers']) for h in hosts)} | {total('macs') / 1e9:.2f} G | "
            f"{100 * share:.2f} % | {total('tails_on_array')} of {total('tails')} | "
            f"{sum(len(h['operations']) for h in hosts)} | {cycles / 1e6:.2f} | "
            f"{100 * core / cycles:.0f} % | {seconds:.1f} | {torch} | {same} |\n")


def merged(old, new):
    """The rows of table `old`, those of `new` in their places."""
    def rows(table):
        return {tuple(cell.strip() for cell in line.split("|")[1:3]): line + "\n"
                for line in table.splitlines()[2:]}
    head = "".join(line + "\n" for line in new.splitlines()[:2])
    if not old.startswith(head):
        return new
    both = {**rows(old), **rows(new)}
    order = {"f32": 0, "qdq": 1, "uint8": 2, "int8": 3}
    return head + "".join(both[key] for key in sorted(both, key=lambda k: (k[0], order[k[1]])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, help="build directory")
    parser.add_argument("models", type=pathlib.Path, help="what export_zoo.py wrote")
    parser.add_argument("--network", action="append")
    parser.add_argument("--style", choices=("f32", "qdq", "uint8", "int8"), action="append")
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=EXTENT",
                        help="what models leave open, as fadiff-run takes it")
    parser.add_argument("--time-limit", default="10s", help="of each search (default 10s)")
    parser.add_argument("--timeout", type=int, default=1200, help="seconds of each run")
    parser.add_argument("--values-up-to", type=float, default=2, metavar="G",
                        help="compute values of models with so many multiply-accumulates "
                             "(10^9, default 2)")
    parser.add_argument("--quantize", default="ranges=mse weights=mse bias-correction",
                        help="options of the quantisation (default %(default)s)")
    parser.add_argument("--update", action="store_true", help="write docs/Zoo.md")
    options = parser.parse_args()
    table, failures = f"| {' | '.join(NAMES)} |\n{'|---' * len(NAMES)}|\n", []
    print(table, end="", flush=True)
    folder = tempfile.TemporaryDirectory()
    options.report = pathlib.Path(folder.name) / "report.json"
    options.fp32 = pathlib.Path(folder.name) / "fp32-16x16.yaml"
    text = (ROOT / "hardware" / "gemmini-fp32.yaml").read_text(encoding="utf-8")
    options.fp32.write_text(text.replace("name: gemmini-fp32", "name: fp32-16x16")
                            .replace("side: {value: 4,", "side: {value: 16,"), encoding="utf-8")
    cases = [(path.stem, style, path) for style, ending in
             (("f32", "f32"), ("qdq", "qdq"), ("uint8", "uint8"), ("int8", "f32"))
             for path in options.models.glob(f"{ending}/*.onnx")]
    order = ("f32", "qdq", "uint8", "int8")
    for name, style, path in sorted(cases, key=lambda c: (c[0], order.index(c[1]))):
        if name in (options.network or [name]) and style in (options.style or order):
            line = row(options, path, style, failures)
            print(line, end="", flush=True)
            table += line
    if options.update:
        begin, end = "<!-- zoo_table.py: begin -->\n", "<!-- zoo_table.py: end -->\n"
        before, rest = DOCS.read_text(encoding="utf-8").split(begin)
        DOCS.write_text(before + begin + merged(rest.split(end)[0], table) + end + rest.split(end)[1], encoding="utf-8")
    for failure in failures:
        print(f"error: {failure}")
    print(f"zoo: {table.count(chr(10)) - 2} models imported, scheduled and timed, "
          f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
