#!/usr/bin/env python3
"""Measures the figures of docs/Results.md.

    scripts/results.py BUILD_DIR              prints the sections of under two minutes
    scripts/results.py BUILD_DIR --only=NAME  prints this one (may be given again)
    scripts/results.py BUILD_DIR --all        all, also those of hours
    scripts/results.py BUILD_DIR ... --update writes them into the page, between their
                                              marks, with the day
    scripts/results.py BUILD_DIR ... --reference=DIR
                                              where other tools' data lies, which is not
                                              part of the tree: timeloop/points.json,
                                              defines/points.json, firesim/layers.csv and
                                              modules/*.mlir; without it sections that
                                              read it are left out
    scripts/results.py BUILD_DIR --list       says what there is, how long it takes, and
                                              what it runs

A section is made here of what the tools print as JSON, or is the table that a
command prints. A command that fails, a page without the marks, or one with a
table outside of them, ends the script with an error.
"""

import argparse
import collections
import datetime
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import codesign_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "Results.md"
NETWORKS = (("ResNet18", "resnet18"), ("MobileNetV1", "mobilenet_v1"), ("VGG16", "vgg16"),
            ("VGG19", "vgg19"), ("GPT-3 (512)", "gpt3_block"))  # fmt: skip
MACHINES = (("large", "gemmini-large"), ("small", "gemmini-small"), ("stock", "gemmini"))
LIMITED = (("resnet18", "gemmini-large"), ("resnet18", "gemmini-small"), ("mobilenet_v1", "gemmini-large"),
           ("mobilenet_v1", "gemmini-small"), ("vgg16", "gemmini-small"))  # fmt: skip
FIVE = " ".join(f"examples/{name}.mlir" for _, name in NETWORKS)
STREAMS = "examples/resnet18.mlir examples/mobilenet_v1.mlir examples/gpt3_block_small.mlir"
NONE = "–"  # not measured, or there is none


class Tools:
    def __init__(self, build, reference, scratch):
        self.build, self.reference, self.scratch, self.pages = build.resolve(), reference, scratch, scratch

    def filled(self, command):
        return command.format(build=self.build, reference=self.reference, scratch=self.scratch, pages=self.pages)

    def run(self, command, **more):
        """What a shell command prints, run in the root, with the tools in front."""
        path = f'PATH="{self.build}/bin:$PATH"; '
        return subprocess.run(path + self.filled(command), shell=True, cwd=ROOT, text=True,
                              stdout=subprocess.PIPE, check=True, **more).stdout  # fmt: skip

    def json(self, command):
        return json.loads(self.run(command, stderr=subprocess.DEVNULL))

    def search(self, network, options):
        """The summary of a search as --fadiff-schedule writes it."""
        summary = self.scratch / "summary.json"
        self.run(f'fadiff-opt examples/{network}.mlir -o /dev/null --fadiff-schedule='
                 f'"{options} summary={summary}"', stderr=subprocess.DEVNULL)  # fmt: skip
        return json.loads(summary.read_text())[0]

    def markdown(self, command):
        """What a command writes to the file that --markdown names."""
        path = self.scratch / "table.md"
        self.run(f"{command} --markdown={path} > /dev/null")
        return path.read_text()


def table(head, rows):
    lines = [f"| {' | '.join(map(str, line))} |\n" for line in (head, *rows)]
    return "".join([lines[0], "|---" * len(head) + "|\n", *lines[1:]])


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def percent(value, digits=2):
    return f"{100 * value:.{digits}f} %"


def count(value):
    """With a space between thousands."""
    return f"{value:,.0f}".replace(",", " ")


BOUND = "target=T latency=roofline pack=off core=off"


def exact_bound(tools):
    rows = []
    for machine, target in MACHINES:
        for name, network in NETWORKS:
            s = tools.search(network, BOUND.replace("T", target, 1))
            gap = percent(s["gap"]) if s["gap"] > 1e-9 else "0"
            fused = sum(e["fused"] for e in s["edges"])
            rows.append((f"{name} {machine}", f"{s['unfused_value']:.6e}", f"{s['value']:.6e}",
                         f"{s['value'] / s['unfused_value']:.3f}", gap,
                         f"{fused} of {len(s['edges'])}", f"{s['seconds']:.2f}"))  # fmt: skip
    return table(["network, machine", "unfused optimum", "with groups", "ratio", "gap", "edges fused", "s"], rows)


def whole_time(tools):
    """What the default finds, in the time of the emitted streams and the core, beside its bound."""
    rows = []
    for machine, target in MACHINES:
        for name, network in NETWORKS:
            s = tools.search(network, f"target={target}")
            rows.append((f"{name} {machine}", f"{s['value']:.6e}", f"{s['cycles']:.0f}", percent(s["gap"]),
                         percent(s["unfused_gap"]), f"{s['seconds']:.2f}"))  # fmt: skip
    return table(["network, machine", "EDP", "cycles", "gap", "gap of the optimum without fusion", "s"], rows)


def objectives(tools):
    """The programs of three objectives, simulated, with what the core does."""
    rows = []
    for machine, target in MACHINES:
        for name, network in NETWORKS:
            cycles = {o: whole(tools, f"examples/{network}.mlir --target={target} --objective={o}")["totals"]["simulated_cycles"]
                      for o in ("latency", "edp", "energy")}  # fmt: skip
            rows.append((f"{name} {machine}", *map(count, cycles.values()), f"{cycles['latency'] / min(cycles.values()):.3f}"))
    return table(["network, machine", "latency", "EDP", "energy", "latency / fastest"], rows)


# What is changed in hardware/gemmini.yaml, in this order.
OWN_MACHINES = (
    ("2 bytes per cycle of DRAM", (r"(?m)^  rate: [^}]*}\n", ""), (r"bandwidth: {value: 8,", "bandwidth: {value: 2,")),
    ("64 x 64", (r"side: {value: 16,", "side: {value: 64,"), (r"value: 262144,", "value: 1048576,"), (r"value: 65536,", "value: 262144,")),
    ("128 x 128", (r"side: {value: 16,", "side: {value: 128,"), (r"value: 262144,", "value: 2097152,"), (r"value: 65536,", "value: 524288,")),
)  # fmt: skip


def own_machines(tools):
    rows = []
    for name, *changes in OWN_MACHINES:
        text = (ROOT / "hardware/gemmini.yaml").read_text()
        for before, after in changes:
            text, found = re.subn(before, after, text)
            assert found, f"hardware/gemmini.yaml has no {before}"
        file = tools.scratch / "own.yaml"
        file.write_text(text)
        for network in ("resnet18", "mobilenet_v1", "vgg16"):
            totals = whole(tools, f"examples/{network}.mlir --target={file}")["totals"]
            predicted, simulated = totals["predicted_cycles"], totals["simulated_cycles"]
            rows.append((f"{network}, {name}", count(predicted), count(simulated), f"{predicted / simulated:.3f}"))
    return table(["network, machine", "predicted", "simulated", "predicted / simulated"], rows)


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
                     f"{s['lower_bound'] * 1e-6:.1f}", percent(s["gap"])))  # fmt: skip
    return table(["network, machine", "cycles, uJ of the fastest", "of the most frugal", "N", "found", "bound, uJ", "gap"], rows)


def attack(tools):
    rows = []
    for latency in ("roofline", "issue", "busy", "streams"):
        r = tools.json(f"fadiff-bench attack --seed=1 --cells=50 --latency={latency}")
        rows.append((f"`{latency}`", r["cells"], r["schedules"], r["below_bound"], r["search_not_worse"],
                     r["without_bound"], f"{percent(r['mean_gap'])}, {percent(r['worst_gap'])}"))  # fmt: skip
    return table(["latency", "networks", "legal schedules", "below their bound", "search as good as annealing",
                  "without a bound", "gap: mean, largest"], rows)  # fmt: skip


def throughput(tools):
    r = tools.json("fadiff-bench throughput")
    names = (("exact values", "exact_value_per_second"), ("eight at a time", "batched_value_per_second"),
             ("real-valued", "relaxed_value_per_second"),
             ("with slopes by every factor", "relaxed_value_and_gradient_per_second"))  # fmt: skip
    return table(["convention", *(n for n, _ in names)],
                 [(c, *(f"{r[c][key]['fastest'] * 1e-6:.2f} million" for _, key in names))
                  for c in ("machine", "timeloop")])  # fmt: skip


def simulator_speed(tools):
    rows = []
    for name, rest in re.findall(r"^BM_(\w+/\d+)\b(.*)$", tools.run("SimulatorBenchmark", stderr=subprocess.DEVNULL), re.M):
        kind, side = name.split("/")
        rates = dict(re.findall(r"(MAC|commands)=(\S+)/s", rest))
        rows.append(({"Functional": "yes", "TimingOnly": "no"}[kind], side, rates["MAC"], rates["commands"]))
    return table(["with data", "side", "MAC/s", "commands/s"], rows)


def growth(tools):
    return table(["layers", "seconds", "most memory, MB"],
                 [(c["layers"], f"{c['seconds']:.1f}", f"{c['peak_memory_mb']:.0f}")
                  for c in tools.json("fadiff-bench growth")["chains"]])  # fmt: skip


def library(tools):
    """What the library's loops move, by `fadiff-bench heuristic`."""
    rows = []
    for t in tools.json("fadiff-bench heuristic")["traffic"]:
        whole = t["library"]
        rows.append((f"{t['network']}, {t['target']}", *(f"{b * 1e-6:.2f}" for b in (
            whole["read"], whole["written"], whole["layers"]["read"], whole["residual_read"] + whole["average_read"],
            t["library_unpooled_convolutions"]["read"], t["program"]["read"])),
            f"{t['layers_equal']} of {t['layers']}"))  # fmt: skip
    return table(["MB", "library, in", "out", "layers, in", "residual additions and average pooling, in",
                  "layers without pooling, in", "our program, in", "layers with equal W and I"], rows)  # fmt: skip


def library_time(tools):
    """The library's programs and ours, timed by one simulator."""
    rows = []
    for e in tools.json("fadiff-bench library --target=gemmini,gemmini-large")["library"]:
        name = e["network"].replace("mobilenetv1", "mobilenet_v1")
        ours = whole(tools, f"examples/{name}.mlir --target={e['target']}")["totals"]["simulated_cycles"]
        thin = sum(layer["cycles"] for layer in e["layers"] if layer["layer"].startswith("dw"))
        rows.append((name, e["target"], million(e["cycles"]), million(thin) if thin else NONE,
                     million(ours), f"{ours / e['cycles']:.2f}"))  # fmt: skip
    return table(["network", "machine", "library's program", "of these depthwise", "ours", "ours over the library's"], rows)


def gradient(tools):
    rows = []
    for name, options in (("five networks on three machines", ""), ("random", " --cells=300 --seed=11")):
        r = tools.json("fadiff-bench gradient" + options)
        rows.append((name, r["cells"], r["gradient_within_one_percent"], percent(r["gradient_worst_excess"], 1),
                     r["without_steps_within_one_percent"], percent(r["without_steps_worst_excess"], 1)))  # fmt: skip
    return table(["cells", "number", "gradient within 1 %", "furthest off", "without steps within 1 %", "furthest off"], rows)


LARGE = "fadiff-bench gradient --large --cells=200 --seed=20261128"


def gradient_large(tools):
    r = tools.json(LARGE)
    ratios = {optimizer: math.exp(sum(math.log(row[optimizer]) for row in r["rows"]) / len(r["rows"]))
              for optimizer in ("hillclimb", "ga", "bo", "random", "dosa", "exact", "without_steps")}  # fmt: skip
    return (table(["cells", "without a proof", "gradient better than any other", "not worse", "without steps not worse",
                   "gradient over the best other, mean"],
                  [(200, r["cells_without_proof"], r["gradient_better"], r["gradient_not_worse"], r["without_steps_not_worse"],
                    f"{r['gradient_to_best_other']:.4f}")])
            + "\n" + table(["over the gradient, geometric mean", *ratios], [("", *(f"{ratio:.4f}" for ratio in ratios.values()))]))  # fmt: skip


def gradient_streams(tools):
    rows = []
    for name, options in (("five networks on three machines", ""), ("random", " --cells=100 --seed=11")):
        r = tools.json("fadiff-bench gradient --latency=streams" + options)
        for how, key in (("gradient", "gradient"), ("without steps", "without_steps")):
            ratios = [row[key] for row in r["rows"]]
            logs = sum(math.log(ratio) for ratio in ratios) / len(ratios)
            rows.append((name, how, len(ratios), r[key + "_within_one_percent"], sum(ratio < 0.999 for ratio in ratios),
                         f"{min(ratios):.3f}", f"{max(ratios):.3f}", f"{math.exp(logs):.4f}",
                         f"{sum(row[key + '_seconds'] / row['known_seconds'] for row in r['rows']) / len(ratios):.1f}"))  # fmt: skip
    return table(["cells", "search", "number", "at most 1 % above the default", "more than 0.1 % below", "least", "most",
                  "geometric mean", "time, mean of ratios"], rows)  # fmt: skip


def constants(tools):
    return tools.run("fadiff-bench constants --table 2>&1 > /dev/null")


AGREEMENT = ["nests", "number", "τ", "geometric mean of predicted / simulated", "mean error", "largest",
             "closed form: mean error", "roofline: τ", "geometric mean"]  # fmt: skip


def agreement(name, part):
    streams, roofline = part["streams"], part["roofline"]
    return (name, part["rows"], f"{streams['tau']:.3f}", f"{streams['geometric_mean']:.2f}",
            percent(streams["mean_abs_rel_error"], 1), percent(streams["max_abs_rel_error"], 1),
            percent(part["closed_form"]["mean_abs_rel_error"], 1), f"{roofline['tau']:.3f}",
            f"{roofline['geometric_mean']:.2f}")  # fmt: skip


def latency(tools):
    r = tools.json(f"fadiff-bench latency {STREAMS} examples/vgg16.mlir examples/vgg19.mlir")
    rows = [agreement("all", r["all"])]
    for by in ("by_target", "by_kind", "by_schedule", "by_network"):
        rows += [agreement(name, part) for name, part in r[by].items()]
    return table(AGREEMENT, rows)


def issue(tools):
    rows = []
    for network in ("resnet18", "mobilenet_v1"):
        r = tools.json(f"fadiff-bench latency --target=gemmini examples/{network}.mlir")
        for schedule in ("heuristic", "unfused", "fused"):
            part = r["by_schedule"][schedule]
            roof, core = part["roofline"], part["issue"]
            rows.append((f"{network}, {schedule}", part["rows"], f"{roof['tau']:.3f}", f"{core['tau']:.3f}",
                         f"{roof['geometric_mean']:.2f}", f"{core['geometric_mean']:.2f}",
                         percent(roof["mean_abs_rel_error"], 1), percent(core["mean_abs_rel_error"], 1),
                         f"{part['commands']['ratio']:.3f}"))  # fmt: skip
    return table(["nests", "number", "τ: roofline", "issue", "geometric mean: roofline", "issue", "mean error: roofline",
                  "issue", "commands predicted / issued"], rows)  # fmt: skip


def whole(tools, command):
    """What fadiff-run reports of a network."""
    return tools.json(f"fadiff-run {command} --timing-only --json")


def issue_choice(tools):
    rows = []
    for machine, objective in (("gemmini", "edp"), ("gemmini", "latency"), ("gemmini-large", "edp"),
                               ("gemmini-large", "latency"), ("gemmini-small", "edp")):  # fmt: skip
        roof, core = (whole(tools, f"examples/resnet18.mlir --target={machine} --objective={objective} --latency={m}")["totals"]
                      for m in ("roofline", "issue"))  # fmt: skip
        more = (f"{100 * (core[key] / roof[key] - 1):+.1f} %" for key in ("simulated_cycles", "dram_bytes", "energy_pj"))
        rows.append((machine, objective, count(roof["simulated_cycles"]), count(core["simulated_cycles"]), *more))
    return table(["machine", "objective", "cycles, roofline", "cycles, issue", "more cycles", "more DRAM bytes", "more energy"], rows)


# Simulated cycles of the accelerator over the limit that are wanted: large, stock.
REQUIRED = (("resnet18", 1.3, 1.15), ("mobilenet_v1", 1.5, 1.35), ("vgg16", 1.08, 1.05), ("gpt3_block", 1.1, 1.05))


def least_cycles(layers, own, fields):
    """What no schedule is faster than: multiply-accumulates over the array, depthwise ones
    as blocks on the diagonal, or weights over what the DMA brings per cycle. `own` has the
    multiply-accumulates before taps are packed, which pads."""
    side = fields["array.side"]
    macs = weights = 0
    for layer in layers:
        dims = layer["dims"]
        kernel = dims.get("R", 1) * dims.get("S", 1)
        depthwise = dims.get("G", 1) > 1 and "K" not in dims and "C" not in dims
        if depthwise and kernel == 1:
            continue  # a residual addition
        macs += own[layer["name"]] * layer["runs"] * (side if depthwise else 1)
        weights += kernel * dims.get("G", 1) * dims.get("C", 1) * dims.get("K", 1)
    rate = min(fields["dma.bus_width"], fields["dma.requests_in_flight"] * fields["dma.max_request"] / fields["dma.latency"])
    return max(macs / side**2, weights / rate)


def limits(tools):
    rows = []
    for network, *wanted in REQUIRED:
        for machine, required in zip(("gemmini-large", "gemmini"), wanted, strict=True):
            r = whole(tools, f"examples/{network}.mlir --target={machine}")
            fields = r["machine"]["fields"]
            # Fully connected layers stand behind all others and have other limits.
            dense = [layer for layer in r["layers"] if not {"P", "Q"} & set(layer["dims"])]
            parts = [dense, [layer for layer in r["layers"] if layer not in dense]]
            own = {layer["name"]: layer["macs"] for layer in r["host"]["layers"]}
            limit = sum(least_cycles(part, own, fields) for part in (parts if network == "vgg16" else [r["layers"]]))
            now = r["totals"]["simulated_accelerator_cycles"]
            found = [group["simulated"] for group in r["groups"]]
            total = {key: sum(s[key] for s in found) for key in found[0]}
            places = fields["dma.requests_in_flight"] // fields["array.side"] + 1
            busy = {"array": total["execute_busy"], "DMA in": max(total["load_busy"], total["load_open"] // places),
                    "DMA out": total["store_busy"], "issue": fields["issue.command_cycles"] * total["commands"]}  # fmt: skip
            longest = max(busy, key=busy.get)
            fast = whole(tools, f"examples/{network}.mlir --target={machine} --objective=latency")
            fastest = fast["totals"]["simulated_accelerator_cycles"] / limit
            bound = tools.search(network, f"target={machine} objective=latency core=off")["lower_bound"] / limit
            if now <= required * limit:
                forbids = "reached"
            elif fastest <= required:
                forbids = "reached for latency"
            elif bound > required:
                forbids = "the bound"
            elif busy[longest] > required * limit:
                forbids = longest
            else:
                forbids = f"waiting; {longest} is longest"
            rows.append((network, machine, million(limit), million(now), f"{now / limit:.2f}",
                         f"{fastest:.2f}", f"{bound:.2f}", f"≤ {required}",
                         *(million(busy[unit]) for unit in busy), percent(total["start"] / now), forbids))  # fmt: skip
    return table(["network", "machine", "limit", "simulated", "over the limit", "for latency", "bound", "required", "array busy", "DMA in",
                  "DMA out", "issue", "first computes", "what forbids it"], rows)  # fmt: skip


def streams_choice(tools):
    rows = []
    for machine, network in itertools.product(("gemmini", "gemmini-large", "gemmini-small"), ("resnet18", "mobilenet_v1")):
        roof, own = (whole(tools, f"examples/{network}.mlir --target={machine} --latency={m}")["totals"] for m in ("roofline", "streams"))
        off = (percent(abs(t["predicted_cycles"] / t["simulated_cycles"] - 1), 1) for t in (roof, own))
        more = (f"{100 * (own[key] / roof[key] - 1):+.1f} %" for key in ("simulated_cycles", "energy_pj", "simulated_edp_uj_cycles"))
        rows.append((machine, network, *off, count(roof["simulated_cycles"]), count(own["simulated_cycles"]), *more))
    return table(["machine", "network", "cycles off by: roofline", "streams", "simulated: roofline", "streams", "more cycles",
                  "more energy", "more EDP"], rows)  # fmt: skip


def matmul_loops(tools):
    off, auto = (tools.json(f"fadiff-bench latency {STREAMS} --loop-ws={how} --rows")["rows"] for how in ("off", "auto"))
    found = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for a, b in zip(off, auto, strict=True):
        sums = found[a["schedule"], a["network"], a["target"]]
        by_loop = a["commands"] != b["commands"]
        for place, value in enumerate((a["simulated"], b["simulated"], by_loop, by_loop * a["simulated"], by_loop * b["simulated"])):
            sums[place] += value
    return table(["mappings", "network", "machine", "cycles, `off`", "cycles, `auto`", "nests run by loops", "their cycles"],
                 [(*key, count(a), count(b), n, f"{100 * (after / before - 1):+.0f} %")
                  for key, (a, b, n, before, after) in found.items() if n])  # fmt: skip


THIN = (("resnet18", "gemmini-large"), ("resnet18", "gemmini-small"), ("mobilenet_v1", "gemmini-large"),
        ("mobilenet_v1", "gemmini-small"), ("vgg16", "gemmini-large"), ("vgg16", "gemmini-small"))  # fmt: skip


def thin(tools):
    rows = []
    for network, machine in THIN:
        for name, pack in (("as it is", "off"), ("columns", "columns"), ("rows and columns", "on")):
            r = whole(tools, f"examples/{network}.mlir --target={machine} --latency=streams --fuse=off --pack={pack}")
            layer, group = r["layers"][0], r["groups"][0]
            rows.append((network, machine, name, layer["rows_used"], count(group["cycles"]),
                         count(group["simulated"]["cycles"]),
                         count(group["dram_read_bytes"] + group["dram_write_bytes"]), f"{group['energy_pj'] * 1e-6:.0f}"))  # fmt: skip
    return table(["network", "machine", "conv1", "array rows", "cycles, predicted", "cycles, simulated", "DRAM bytes", "energy, uJ"], rows)


def defines(tools):
    r = tools.json("fadiff-bench defines {reference}/defines/points.json")
    of = [(name, a["points"], *(f"{a[key]:.2f}" for key in ("energy_tau", "latency_tau", "edp_tau")),
           percent(a["edp_regret_mean"], 1), percent(a["edp_regret_max"], 1)) for name, a in r["accelerators"].items()]  # fmt: skip
    exact = [(what, r[f"{key}_exact"], r[f"{key}_eligible"]) for what, key in
             (("multiply-accumulates, fused", "macs"), ("DRAM bytes, group fits", "dram"))]  # fmt: skip
    return (table(["machine", "points that fit", "energy: τ", "latency: τ", "EDP: τ", "the pick's EDP over the best, mean", "largest"], of)
            + "\n" + table(["equal to DeFiNES", "points", "of"], exact))  # fmt: skip


def timeloop(tools):
    rows = []
    for model in ("exact", "paper"):
        r = tools.json("fadiff-bench timeloop {reference}/timeloop/points.json --model=" + model)
        rows.append((f"`{model}`", r["points"], f"{r['counts_exact']} of {r['counts_total']}",
                     *(f"{r[key]:.2f}" for key in ("access_accuracy", "latency_tau", "energy_tau", "energy_rho"))))  # fmt: skip
    return table(["model", "points", "counts that are equal", "access accuracy", "latency: τ", "energy: τ", "energy: ρ"], rows)


RTL = ["points", "number", "τ", "ρ", "mean error"]
KINDS = (("both", None), ("searched mappings", "target.gemmini_cycle"), ("Gemmini's tiling", "target.gemmini_auto_cycle"))


def against_rtl(name, part):
    for kind, key in KINDS:
        p = part[key] if key else part
        yield (f"{name}, {kind}", p["points"], f"{p['latency_tau']:.3f}", f"{p['latency_rho']:.3f}",
               percent(p["mean_abs_rel_error"], 1))  # fmt: skip


def loop_unit(tools):
    r = tools.json("fadiff-bench firesim {reference}/firesim/layers.csv --fit")
    return table(RTL, [*against_rtl("cross-validated", r["fit"]["cross_validated"]),
                       *against_rtl("training", r["fit"]["training"]), *against_rtl("roofline", r["roofline"])])  # fmt: skip


def simulator_rtl(tools):
    r = tools.json("fadiff-bench rtl {reference}/firesim/layers.csv --target=benchmarks/gemmini-firesim.yaml --fit")
    return table(RTL, [*against_rtl("layers not fitted to", r["other_layers"]),
                       *against_rtl("every second layer", r["every_second_layer"]), *against_rtl("all", r["all"])])  # fmt: skip


def million(instructions):
    return f"{instructions * 1e-6:.2f}"


CORE_TIME = "scripts/core_time.py {build} resnet18 mobilenet_v1"
PREPARED = "--target=gemmini,gemmini-large -- --static-memory --prepare-weights"


def core_runs(text):
    """Each network on a target, from what core_time.py prints."""
    for name, run in re.findall(r"^(\S+ on \S+)\n((?:  .*\n)+)", text, re.M):
        def number(pattern, run=run):
            found = re.search(pattern, run, re.M)
            return float(found[1]) if found else None

        network, _, machine = name.partition(" on ")
        yield network, machine, number


def core(tools):
    rows = []
    text = tools.run(f"{CORE_TIME} {PREPARED}") + tools.run(f"{CORE_TIME.replace('resnet18 mobilenet_v1', 'gpt3_block_small')} {PREPARED}")
    for network, machine, number in core_runs(text):
        prepared, over = number(r"(\d+) instructions to prepare"), number(r"\(([\d.]+) of what was counted")
        rows.append((network, machine, million(number(r"^ +(\d+) .* in all$")), million(number(r"(\d+) .* issuing commands$")),
                     million(number(r"(\d+) +operations on the core$")), million(prepared) if prepared else NONE, over or NONE))  # fmt: skip
    return table(["network", "machine", "a call", "issuing commands", "operations on the core", "weights, once",
                  "operations predicted / counted"], rows)  # fmt: skip


def vectors(tools):
    """A call of the GPT block on the core, scalar and with vectors, beside the accelerator."""
    rows = []
    for machine in ("gemmini-large", "gemmini"):
        accelerator = whole(tools, f"examples/gpt3_block_small.mlir --target={machine}")["totals"]["simulated_accelerator_cycles"]
        counts = {}
        for bits in (128, 256, 512):
            text = tools.run(f"scripts/core_time.py {{build}} gpt3_block_small --target={machine} --vector={bits} {PREPARED[PREPARED.index('-- '):]}")
            counts["scalar"], counts[bits] = (int(n) for n in re.findall(r"(\d+) instructions,", text))
        rows.append((machine, *(count(counts[way] / 1e3) for way in ("scalar", 128, 256, 512)), count(accelerator / 1e3)))
    return table(["machine", "scalar", "128 bits", "256 bits", "512 bits", "accelerator, thousand cycles"], rows)


def core_commands(tools):
    rows = []
    for network, machine, number in core_runs(tools.run(CORE_TIME + " -- --schedule=core=off")):
        rows.append((network, machine, count(number(r"(\d+) commands among")), number(r"([\d.]+) +command  issuing commands$"),
                     count(number(r"(\d+) bytes in the object"))))  # fmt: skip
    return table(["network", "machine", "commands", "instructions per command", "bytes of the object"], rows)


def onnx_read(tools):
    """Seconds and memory of reading the paper's ResNet-50 and writing bytecode."""
    tools.run("scripts/write_exports.py {scratch} --style onnx_f32 --network resnet50_full")
    model = tools.scratch / "onnx_f32" / "resnet50_full.onnx"
    start = time.monotonic()
    reader = subprocess.Popen([tools.build / "bin" / "fadiff-onnx", model, "--emit-bytecode", "-o", "/dev/null"])
    _, status, usage = os.wait4(reader.pid, 0)
    seconds = time.monotonic() - start
    if status:
        sys.exit(f"fadiff-onnx {model} failed")
    return table(["MB of the model", "seconds", "most memory, MB"],
                 [(f"{model.stat().st_size * 1e-6:.0f}", f"{seconds:.2f}", f"{usage.ru_maxrss * 1024e-6:.0f}")])  # fmt: skip


def corpus(tools):
    text = tools.run("scripts/corpus.py {build} {reference}/modules --limit 60 --jobs 1")
    return text.split("\n| outcome | cause |")[0]


def shapes(tools):
    """Rows of quantize_table.py, with the machine and without seconds."""
    ways = " ".join(f"--way '{way}'" for way in ("", *(f"ranges=mse weights=mse bias-correction{more}"
                                                      for more in ("", " equalize", " rounding=descent"))))  # fmt: skip
    rows = []
    tools.run("/usr/bin/python3 scripts/export_zoo.py {scratch} --style f32 --network mobilenet_v2_shapes --network mobilenet_v2")
    for network, tried in (("mobilenet_v2_shapes", ways), ("mobilenet_v2", "--way 'ranges=mse weights=mse bias-correction'")):
        for machine in ("gemmini", "gemmini-npu"):
            text = tools.run(f"scripts/quantize_table.py {{build}} {{scratch}}/f32/{network}.onnx "
                             f"--calibration {{scratch}}/calibration/{network} --target {machine} {tried}")  # fmt: skip
            for line in text.splitlines()[2:]:
                name, *rest = cells(line)
                rows.append((f"{name}, {machine}", *rest[:-1]))
    return table(["network, machine", "options", "outputs", "of the other half", "lowest alone", "lowest in the net", "same largest"], rows)


def programs(tools):
    """The tool's table, and what follows from it."""
    moved = {(t["network"].replace("mobilenetv1", "mobilenet_v1").replace("gpt3-512", "gpt3_block"), t["target"]):
             (t["library"]["read"] + t["library"]["written"]) * 1e-6
             for t in tools.json("fadiff-bench heuristic")["traffic"]}  # fmt: skip
    text = tools.markdown(f"fadiff-bench programs {FIVE}")
    return f"{over_rule(text, moved)}\n{text}"


def over_rule(text, library_mb):
    by = collections.defaultdict(dict)
    for line in text.splitlines():
        if line.startswith("|") and not line.startswith(("| network", "|---")):
            network, machine, schedule, _, cycles, _, megabytes, *_ = cells(line)
            by[network, machine][schedule] = (float(cycles), float(megabytes))
    rows = []
    for (network, machine), of in by.items():
        (slow, many), (fast, few) = of["heuristic"], of["fused"]
        library_moves = library_mb.get((network, machine))
        rows.append((network, machine, f"{fast / slow:.2f}", f"{few / many:.2f}",
                     f"{few / library_moves:.2f}" if library_moves else NONE))  # fmt: skip
    return table(["network", "machine", "cycles, fused over Gemmini's rule", "DRAM bytes, fused over the rule",
                  "DRAM bytes, fused over the library"], rows)  # fmt: skip


def markdown(command):
    return lambda tools: tools.markdown(command)


def printed(command):
    """The table that a command prints, without what it says in front."""
    return lambda tools: re.search(r"^\|.*\Z", tools.run(command), re.M | re.S)[0]


QUANTIZED = ("scripts/export_zoo.py {scratch} --network resnet18 --style f32 && "
             "scripts/quantize_table.py --images {scratch}/images --count 8 --size 224 && "
             "scripts/quantize_table.py {build} {scratch}/f32/resnet18.onnx --calibration {scratch}/images")  # fmt: skip
EXPORTED = ("scripts/write_exports.py {scratch} --style onnx_f32 && scripts/quantize_table.py {build} {scratch}/onnx_f32/*.onnx "
            "--way '' --way 'ranges=mse weights=mse bias-correction rounding=descent'")  # fmt: skip
EXPORTS = "scripts/exports_table.py {build}"
ROWS_OF_DOSA = "{reference}/firesim/layers.csv"


class Section:
    """Its name, its commands in words, what makes it (None if that is what the command
    prints), and how long it takes. `{build}`, `{reference}` and `{scratch}` stand for paths."""

    def __init__(self, name, command, make, takes):
        self.name, self.command, self.make, self.takes = name, command, make or printed(command), takes

    @property
    def quick(self):
        return self.takes.endswith(" s")

    @property
    def shown(self):
        return self.command.format(build="build/release", reference="REFERENCE", scratch="OUT", pages="docs/Results")


# What takes seconds is made without --all.
SECTIONS = tuple(Section(*of) for of in (
    ("exact-bound", f'fadiff-opt examples/NAME.mlir --fadiff-schedule="{BOUND} summary=-" -o /dev/null', exact_bound, "20 s"),
    ("whole-time", 'fadiff-opt examples/NAME.mlir --fadiff-schedule="target=T summary=-" -o /dev/null', whole_time, "60 s"),
    ("objectives", "fadiff-run examples/NAME.mlir --target=T --objective=O --timing-only --json", objectives, "minutes"),
    ("own-machines", "fadiff-run examples/NAME.mlir --target=FILE --timing-only --json", own_machines, "a minute"),
    ("constraints", f'fadiff-opt examples/NAME.mlir --fadiff-schedule="{BOUND} objective=energy constraint=latency<=Ncycles summary=-" -o /dev/null', constraints, "60 s"),
    ("attack", "fadiff-bench attack --seed=1 --cells=50 --latency=roofline|issue|busy|streams", attack, "minutes"),
    *((f"designs-{part}", f"scripts/codesign_table.py {{build}} --part={part}" + (" --zoo={build}/zoo" if part == "blind" else ""), None,
       "minutes, behind scripts/export_zoo.py build/release/zoo" if part == "blind" else "minutes") for part in codesign_table.PARTS),
    ("throughput", "fadiff-bench throughput", throughput, "30 s"),
    ("simulator-speed", "SimulatorBenchmark", simulator_speed, "10 s"),
    *((f"table1-{name}", f"fadiff-bench table1 {options}", markdown(f"fadiff-bench table1 {options}"), "hours") for name, options in (
        ("own-end", "--time=0 --seeds=1 --evaluations=0 --optimizer=fadiff,gradient,dosa,ga,hillclimb,random,exact"),
        ("equal", "--time=10 --svg={pages}/table1-timeloop.svg"),
        ("machine", "--time=3 --evaluations=0 --convention=machine --svg={pages}/table1-machine.svg"),
        ("full-space", "--full-space --time=0 --seeds=1 --evaluations=0 --optimizer=dosa-first-space,dosa,gradient,fadiff,exact"),
    )),
    ("growth", "fadiff-bench growth", growth, "minutes"),
    ("programs", f"fadiff-bench programs {FIVE}", programs, "an hour"),
    ("library", "fadiff-bench heuristic", library, "2 s"),
    ("library-time", "fadiff-bench library --target=gemmini,gemmini-large; fadiff-run examples/NAME.mlir --target=T --timing-only --json", library_time, "a minute"),
    ("gradient-streams", "fadiff-bench gradient --latency=streams; fadiff-bench gradient --latency=streams --cells=100 --seed=11", gradient_streams, "7 minutes"),
    ("gradient", "fadiff-bench gradient; fadiff-bench gradient --cells=300 --seed=11", gradient, "minutes"),
    ("gradient-large", LARGE, gradient_large, "hours"),
    ("constants", "fadiff-bench constants --table", constants, "hours"),
    ("core", f"{CORE_TIME} gpt3_block_small {PREPARED}", core, "minutes"),
    ("vectors", f"scripts/core_time.py {{build}} gpt3_block_small --target=T --vector=BITS {PREPARED[PREPARED.index('-- '):]}", vectors, "minutes"),
    ("core-commands", f"{CORE_TIME} -- --schedule=core=off", core_commands, "minutes"),
    ("limits", "fadiff-run examples/NAME.mlir --target=T --timing-only --json", limits, "minutes"),
    ("matmul-loops", f"fadiff-bench latency {STREAMS} --loop-ws=off|auto --rows", matmul_loops, "an hour"),
    ("thin", "fadiff-run examples/NAME.mlir --target=T --latency=streams --fuse=off --pack=off|columns|on --timing-only --json", thin, "minutes"),
    ("defines", "fadiff-bench defines {reference}/defines/points.json", defines, "1 s"),
    ("timeloop", "fadiff-bench timeloop {reference}/timeloop/points.json --model=exact|paper", timeloop, "1 s"),
    ("loop-unit", f"fadiff-bench firesim {ROWS_OF_DOSA} --fit", loop_unit, "3 s"),
    ("simulator-rtl", f"fadiff-bench rtl {ROWS_OF_DOSA} --target=benchmarks/gemmini-firesim.yaml --fit", simulator_rtl, "minutes"),
    ("latency", f"fadiff-bench latency {STREAMS} examples/vgg16.mlir examples/vgg19.mlir", latency, "an hour"),
    ("issue", "fadiff-bench latency --target=gemmini examples/resnet18.mlir, and of mobilenet_v1", issue, "minutes"),
    ("issue-choice", "fadiff-run examples/resnet18.mlir --target=T --objective=O --latency=roofline|issue --timing-only --json", issue_choice, "minutes"),
    ("streams-choice", "fadiff-run examples/NETWORK.mlir --target=T --latency=roofline|streams --timing-only --json", streams_choice, "minutes"),
    ("exports", EXPORTS, None, "hours"),
    ("read-outs", f"{EXPORTS} --machine gemmini --machine gemmini-npu --style tflite --style tflite_per_channel", None, "an hour"),
    ("onnx-networks", f"{EXPORTS} --style own --style onnx_f32 --style tflite --style onnx_qdq", None, "an hour"),
    ("onnx-read", "fadiff-onnx OUT/onnx_f32/resnet50_full.onnx --emit-bytecode -o /dev/null", onnx_read, "20 s"),
    ("corpus", "scripts/corpus.py {build} {reference}/modules --limit 60 --jobs 1", corpus, "an hour"),
    ("quantized-resnet18", QUANTIZED, None, "minutes"),
    ("quantized-exports", EXPORTED, None, "minutes"),
    ("noise", "/usr/bin/python3 scripts/zoo/noise.py", None, "minutes"),
    ("quantized-shapes", "scripts/quantize_table.py {build} OUT/f32/NETWORK.onnx --calibration OUT/calibration/NETWORK --target T --way WAY", shapes, "minutes, of which ten train a network"),
))  # fmt: skip


def marks(name):
    return f"<!-- results: {name} -->\n", f"<!-- end of results: {name} -->\n"


def put(page, name, text):
    begin, end = marks(name)
    before, found, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found or not found_end:
        sys.exit(f"{PAGE}: no marks of the section '{name}'")
    return before + begin + text + end + after


def outside(page):
    """The lines of tables that no section writes."""
    for section in SECTIONS:
        page = put(page, section.name, "")
    return re.findall(r"^ *\|.*", page, re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="those of hours, too")
    parser.add_argument("--update", action="store_true", help="write docs/Results.md")
    parser.add_argument("--reference", type=pathlib.Path, metavar="DIR", help="other tools' data")
    parser.add_argument("--list", action="store_true", help="say what there is")
    args = parser.parse_args()
    names = [section.name for section in SECTIONS]
    for name in args.only:
        if name not in names:
            parser.error(f"no section '{name}'; there are {', '.join(names)}")
    for line in outside(PAGE.read_text()):  # before hours are spent on it
        sys.exit(f"{PAGE}: a table that no section writes: {line}")
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(args.build, args.reference and args.reference.resolve(), pathlib.Path(scratch))
        if args.update:
            tools.pages = PAGE.parent / "Results"
        for section in SECTIONS:
            if args.only and section.name not in args.only:
                continue
            if args.list:
                print(f"{section.name} ({section.takes}): {section.shown}")
                continue
            if not (section.quick or args.all or args.only):
                continue
            if "{reference}" in section.command and not args.reference:
                print(f"== {section.name}: left out, it needs --reference=DIR\n", flush=True)
                continue
            text = section.make(tools)
            if args.update:
                said = f"(`{section.shown}`, {datetime.date.today()})\n\n"
                head, gap, body = text.strip().partition("\n\n") if text.startswith("## ") else ("", "", text.strip())
                PAGE.write_text(put(PAGE.read_text(), section.name, f"{head}{gap}{said}{body}\n"))
            else:
                print(f"== {section.name}: {section.shown}\n\n{text}", flush=True)


if __name__ == "__main__":
    main()
