#!/usr/bin/env python3
"""Measures the figures of docs/Results.md.

    scripts/results.py BUILD_DIR              prints the sections of under two minutes
    scripts/results.py BUILD_DIR --only=NAME  prints this one (may be given again)
    scripts/results.py BUILD_DIR --all        all, also those of hours
    scripts/results.py BUILD_DIR ... --update writes them into the page, between their
                                              marks; commands that write pages of
                                              their own do that with --update only
    scripts/results.py BUILD_DIR --list       says what there is, and what it runs

A section is made here of what the tools print as JSON, or is what a command
prints. Each that is written says when it was measured. A command that fails, or
a page without the marks, ends the script with an error.
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "Results.md"
NETWORKS = (("ResNet18", "resnet18"), ("MobileNetV1", "mobilenet_v1"), ("VGG16", "vgg16"),
            ("VGG19", "vgg19"), ("GPT-3 (512)", "gpt3_block"))  # fmt: skip
MACHINES = (("large", "gemmini-large"), ("small", "gemmini-small"), ("stock", "gemmini"))
LIMITED = (("resnet18", "gemmini-large"), ("resnet18", "gemmini-small"), ("mobilenet_v1", "gemmini-large"),
           ("mobilenet_v1", "gemmini-small"), ("vgg16", "gemmini-small"))  # fmt: skip
FIVE = " ".join(f"examples/{name}.mlir" for _, name in NETWORKS)
STREAMS = "examples/resnet18.mlir examples/mobilenet_v1.mlir examples/gpt3_block_small.mlir"


class Tools:
    def __init__(self, build, scratch):
        self.build, self.scratch, self.pages = build.resolve(), scratch, scratch

    def run(self, command, **more):
        """What a shell command prints, run in the root, with the tools in front."""
        path = f'PATH="{self.build}/bin:$PATH"; '
        return subprocess.run(path + command, shell=True, cwd=ROOT, text=True,
                              stdout=subprocess.PIPE, check=True, **more).stdout  # fmt: skip

    def search(self, network, options):
        """The summary of a search as --fadiff-schedule writes it."""
        summary = self.scratch / "summary.json"
        self.run(f'fadiff-opt examples/{network}.mlir -o /dev/null --fadiff-schedule='
                 f'"{options} summary={summary}"', stderr=subprocess.DEVNULL)  # fmt: skip
        return json.loads(summary.read_text())[0]

    def markdown(self, command):
        """What a command writes to the file that --markdown names."""
        path = self.scratch / "table.md"
        self.run(f"{command.format(pages=self.pages)} --markdown={path} > /dev/null")
        return path.read_text()


def table(head, rows):
    lines = [f"| {' | '.join(map(str, line))} |\n" for line in (head, *rows)]
    return "".join([lines[0], "|---" * len(head) + "|\n", *lines[1:]])


BOUND = "target=T pack=off core=off"


def exact_bound(tools):
    rows = []
    for machine, target in MACHINES:
        for name, network in NETWORKS:
            s = tools.search(network, BOUND.replace("T", target, 1))
            gap = f"{100 * s['gap']:.2f} %" if s["gap"] > 1e-9 else "0"
            fused = sum(e["fused"] for e in s["edges"])
            rows.append((f"{name} {machine}", f"{s['unfused_value']:.6e}", f"{s['value']:.6e}",
                         f"{s['value'] / s['unfused_value']:.3f}", gap,
                         f"{fused} of {len(s['edges'])}", f"{s['seconds']:.2f}"))  # fmt: skip
    return table(["network, machine", "unfused optimum", "with groups", "ratio", "gap", "edges fused", "s"], rows)


def constraints(tools):
    def found(s):
        return f"{s['cycles']:.0f}, {s['energy_pj'] * 1e-6:.1f}"

    rows = []
    for network, target in LIMITED:
        options = BOUND.replace("T", target, 1)
        fast, frugal = (tools.search(network, f"{options} objective={o}") for o in ("latency", "energy"))
        limit = round((fast["cycles"] + frugal["cycles"]) / 2)
        s = tools.search(network, f"{options} objective=energy constraint=latency<={limit}cycles")
        rows.append((f"{network}, {target}", found(fast), found(frugal), limit, found(s),
                     f"{s['lower_bound'] * 1e-6:.1f}", f"{100 * s['gap']:.2f} %"))  # fmt: skip
    return table(["network, machine", "cycles, uJ of the fastest", "of the most frugal", "N", "found", "bound, uJ", "gap"], rows)


def attack(tools):
    rows = []
    for latency in ("roofline", "issue"):
        r = json.loads(tools.run(f"fadiff-bench attack --seed=1 --cells=50 --latency={latency}"))
        rows.append((f"`{latency}`", r["cells"], r["schedules"], r["below_bound"], r["search_not_worse"],
                     r["without_bound"], f"{100 * r['mean_gap']:.2f} %, {100 * r['worst_gap']:.2f} %"))  # fmt: skip
    return table(["latency", "networks", "legal schedules", "below their bound", "search as good as annealing",
                  "without a bound", "gap: mean, largest"], rows)  # fmt: skip


def throughput(tools):
    r = json.loads(tools.run("fadiff-bench throughput"))
    names = (("exact values", "exact_value_per_second"), ("eight at a time", "batched_value_per_second"),
             ("real-valued", "relaxed_value_per_second"),
             ("with slopes by every factor", "relaxed_value_and_gradient_per_second"))  # fmt: skip
    return table(["convention", *(n for n, _ in names)],
                 [(c, *(f"{r[c][key]['median'] * 1e-6:.2f} million" for _, key in names))
                  for c in ("machine", "timeloop")])  # fmt: skip


def markdown(command):
    return lambda tools: tools.markdown(command)


# Name, the commands in words, what makes the section, whether it takes less than two
# minutes. Those of strings are run as they are: {build} is the build, {update} is
# --update where that was asked for.
SECTIONS = (
    ("exact-bound", f'fadiff-opt examples/NAME.mlir --fadiff-schedule="{BOUND} summary=-" -o /dev/null', exact_bound, True),
    ("constraints", f'fadiff-opt examples/NAME.mlir --fadiff-schedule="{BOUND} objective=energy constraint=latency<=Ncycles summary=-" -o /dev/null', constraints, True),
    ("attack", "fadiff-bench attack --seed=1 --cells=50 --latency=roofline|issue", attack, True),
    ("throughput", "fadiff-bench throughput", throughput, True),
    *((f"table1-{name}", f"fadiff-bench table1 {options}", markdown(f"fadiff-bench table1 {options}"), False) for name, options in (
        ("own-end", "--time=0 --seeds=1 --evaluations=0 --optimizer=fadiff,gradient,dosa,ga,hillclimb,random,exact"),
        ("equal", "--time=3 --svg={pages}/table1-timeloop.svg"),
        ("machine", "--time=3 --evaluations=0 --convention=machine --svg={pages}/table1-machine.svg"),
        ("full-space", "--full-space --time=0 --seeds=1 --evaluations=0 --optimizer=dosa-first-space,dosa,gradient,fadiff,exact"),
    )),
    ("programs", f"fadiff-bench programs {FIVE}", markdown(f"fadiff-bench programs {FIVE}"), False),
    ("growth", "fadiff-bench growth", None, False),
    ("gradient", "fadiff-bench gradient && fadiff-bench gradient --cells=300 --seed=11 && fadiff-bench gradient --large --cells=20 --seed=2026", None, False),
    ("constants", "fadiff-bench constants --table", None, False),
    ("latency", f"fadiff-bench latency {STREAMS} examples/vgg16.mlir examples/vgg19.mlir", None, False),
    ("matmul-loops", f"fadiff-bench latency {STREAMS} --loop-ws=off --rows && fadiff-bench latency {STREAMS} --loop-ws=auto --rows", None, False),
    ("core", "scripts/core_time.py {build} resnet18 mobilenet_v1 --target=gemmini,gemmini-large -- --static-memory --prepare-weights", None, False),
    ("commands", "scripts/core_time.py {build} resnet18 mobilenet_v1 -- --schedule=core=off", None, False),
    ("exports", "scripts/exports_table.py {build} {update}", None, False),
    ("read-outs", "scripts/exports_table.py {build} --machine gemmini --machine gemmini-npu --style tflite --style tflite_per_channel {update}", None, False),
    ("onnx-networks", "scripts/exports_table.py {build} --style own --style onnx_f32 --style tflite --style onnx_qdq", None, False),
    ("designs", "scripts/codesign_table.py {build} {update}", None, False),
)  # fmt: skip


def marks(name):
    return f"<!-- results: {name} -->\n", f"<!-- end of results: {name} -->\n"


def put(page, name, text):
    begin, end = marks(name)
    before, found, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found or not found_end:
        sys.exit(f"{PAGE}: no marks of the section '{name}'")
    return before + begin + text + end + after


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="those of hours, too")
    parser.add_argument("--update", action="store_true", help="write docs/Results.md")
    parser.add_argument("--list", action="store_true", help="say what there is")
    args = parser.parse_args()
    names = [name for name, *_ in SECTIONS]
    for name in args.only:
        if name not in names:
            parser.error(f"no section '{name}'; there are {', '.join(names)}")
    page = PAGE.read_text()
    for name, _, make, _ in SECTIONS:
        if make:
            put(page, name, "")  # before hours are spent on it
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(args.build, pathlib.Path(scratch))
        if args.update:
            tools.pages = PAGE.parent / "Results"
        for name, command, make, quick in SECTIONS:
            if args.only and name not in args.only:
                continue
            if args.list:
                print(f"{name}{'' if quick else ' (long)'}: {command}")
                continue
            if not (quick or args.all or args.only):
                continue
            if make:
                text = make(tools)
            else:
                text = tools.run(command.format(build=tools.build, update="--update" if args.update else ""))
            if make and args.update:
                said = f"(`{command.format(pages='docs/Results')}`, {datetime.date.today()})\n\n"
                head, gap, body = text.strip().partition("\n\n") if text.startswith("## ") else ("", "", text.strip())
                PAGE.write_text(put(PAGE.read_text(), name, f"{head}{gap}{said}{body}\n"))
            else:
                print(f"== {name}: {command}\n\n{text}", flush=True)


if __name__ == "__main__":
    main()
