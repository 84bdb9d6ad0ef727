#!/usr/bin/env python3
"""Measures what docs/Codesign.md and docs/Results.md say of hardware as a variable.

usage: codesign_table.py BUILD --all [--rows=a,b] [--zoo=MODELS] [--dosa=FILE] [--update]
       codesign_table.py BUILD --list
       codesign_table.py BUILD [--part=methods,streams,simulated,transfer,clocks]
                         [--networks a,b] [--areas x,y] [--zoo=MODELS] [--update]

--all prints "What is shown" of docs/Codesign.md: what is wanted, what was found, and
the command that makes it; with --update it goes into the page, where rows that were
not made stay. --list names the rows and how long they take, and fails if the page has
others. Some rows say in short what is in the tables that --part makes:

methods    `fadiff-bench codesign` for each network and area, by the roofline: boxes,
           DOSA's way, descent, Bayesian optimisation and random machines (as many as
           descent took).
streams    boxes and descent in the time of the emitted streams.
simulated  the programs of the four best machines of boxes, in that time, on the
           simulator, beside the best machine by the roofline with its program.
transfer   the best machine for each network, in that time, and what each other
           network takes on it: searched anew, run on the simulator with data, its
           outputs held against the reference's and its DRAM bytes checked.
clocks     a design with numbers that no grid holds (benchmarks/clocked.yaml): a
           grid of 10^4 machines against descent.
blind      on the networks that DOSA was tried on, of scripts/export_zoo.py MODELS: the
           search against random machines, and Bayesian optimisation over machines,
           each with 1000 random mappings per layer and machine; without fusion. What
           does not fit is repaired, drawn again, or counts as failed (--misfits).

Prints the tables (without blind, if --part does not say so). scripts/results.py
puts each into the page.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
METHODS = "boxes,dosa,descent,bo,random"
MISFITS = "repaired", "redrawn", "failed"


def bench(build, network, *options):
    command = [
        str(Path(build) / "bin/fadiff-bench"),
        "codesign",
        network if "/" in network else str(ROOT / f"examples/{network}.mlir"),
        "--pack=off",
        *options,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and "run on no machine" in done.stderr:
        return []
    sys.stderr.write(done.stderr)
    done.check_returncode()
    return json.loads(done.stdout)["rows"]


def machine(parameters):
    sizes = "/".join(
        f"{parameters[name]:g}"
        for name in ("side", "scratchpad_kib", "accumulator_kib")
    )
    short = {"mvout_spad": "copied", "accumulator_operand": "in place"}
    return f"{sizes}, {short[parameters['hand_over']]}"


def methods(build, networks, areas):
    yield (
        "| network | mm2 | boxes: machine, EDP | gap | searched | seconds | descent: EDP over boxes', "
        "searched, seconds | DOSA's way | Bayesian | random |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    gaps, parts, overs = [], [], []
    for network in networks:
        for area in areas:
            rows = bench(build, network, f"--area={area}", f"--method={METHODS}", "--timed")
            by = {row["method"]: row for row in rows}
            boxes, descent = by["boxes"], by["descent"]
            best = boxes["best"]
            over = {name: f"{row['best']['value'] / best['value']:.3f}" for name, row in by.items()}
            gap = f"{100 * boxes['gap']:.2f} %" if "gap" in boxes else "none"
            yield (
                f"| {network} | {area} | {machine(best['parameters'])}: {best['value']:.5g} | {gap} "
                f"| {boxes['searches']} of {boxes['affordable_machines']} | {boxes['seconds']:.1f} "
                f"| {over['descent']}, {descent['searches']}, {descent['seconds']:.1f} "
                f"| {over['dosa']} | {over['bo']} | {over['random']} |"
            )
            gaps.append(boxes.get("gap", math.inf))
            parts.append(boxes["searches"] / boxes["affordable_machines"])
            overs.append(descent["best"]["value"] / best["value"] - 1)
    return {"boxes": within(gaps, 0.01), "boxes-searches": within(parts, 1 / 3), "descent": within(overs, 0.01)}


def within(values, limit):
    """How many are at most the limit, and the others; how large the largest is where all are."""
    others = [f"{100 * value:.1f} %" for value in sorted(values) if value > limit]
    if not others:
        return f"all {len(values)}; at most {100 * max(values):.1f} %"
    ends = others[0] if len(others) == 1 else f"{others[0]} to {others[-1]}"
    return f"**{len(values) - len(others)} of {len(values)}**; else {ends}"


def ratios(values):
    return f"{min(values):.2f} to {max(values):.2f}"


def short_of(wanted, values):
    return f"**{ratios(values)}**" if min(values) < wanted else ratios(values)


def streams(build, networks, areas):
    yield (
        "| network | mm2 | boxes: machine, EDP | gap | searched | bounded | seconds "
        "| descent: EDP over boxes', searched, seconds |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    gaps, parts, overs = [], [], []
    for network in networks:
        for area in areas:
            boxes, descent = bench(
                build, network, f"--area={area}", "--latency=streams", "--method=boxes,descent", "--timed"
            )
            best = boxes["best"]
            yield (
                f"| {network} | {area} | {machine(best['parameters'])}: {best['value']:.5g} "
                f"| {100 * boxes['gap']:.1f} % | {boxes['searches']} of {boxes['affordable_machines']} "
                f"| {boxes['bounded_machines']} | {boxes['seconds']:.1f} "
                f"| {descent['best']['value'] / best['value']:.3f}, {descent['searches']}, {descent['seconds']:.1f} |"
            )
            gaps.append(boxes["gap"])
            parts.append(boxes["searches"] / boxes["affordable_machines"])
            overs.append(descent["best"]["value"] / best["value"] - 1)
    return {"streams": within(gaps, 0.01), "streams-searches": within(parts, 1 / 3), "streams-descent": within(overs, 0.01)}


def simulated(build, networks, areas):
    yield (
        "| network | mm2 | best by streams: EDP predicted, simulated | best of four simulated "
        "| best by roofline: EDP predicted, simulated |"
    )
    yield "|---|---|---|---|---|"
    losses, gains = [], []
    for network in networks:
        for area in areas:
            (row,) = bench(build, network, f"--area={area}", "--latency=streams", "--rescore=4")
            (other,) = bench(build, network, f"--area={area}", "--rescore=1")
            found, (byroofline,) = row["rescored"], other["rescored"]
            best = min(found, key=lambda one: one["simulated_value"])
            yield (
                f"| {network} | {area} "
                f"| {machine(row['best']['parameters'])}: {found[0]['value']:.4g}, {found[0]['simulated_value']:.4g} "
                f"| {'the same' if best is found[0] else best['machine'] + ': ' + format(best['simulated_value'], '.4g')} "
                f"| {machine(other['best']['parameters'])}: {byroofline['value']:.4g}, {byroofline['simulated_value']:.4g} |"
            )
            losses.append(found[0]["simulated_value"] / best["simulated_value"] - 1)
            gains.append(byroofline["simulated_value"] / found[0]["simulated_value"] - 1)
    return {
        "simulated": f"best of four simulated in {sum(loss <= 0 for loss in losses)} of {len(losses)}, else at most "
        f"{100 * max(losses):.1f} % from it; {100 * min(gains):.0f} to {100 * max(gains):.0f} % better than by the roofline"
    }


def run(command):
    return subprocess.run(command, capture_output=True, check=True, text=True)


def transfer(build, networks, areas):
    """Each network on each machine, over the network's own best."""
    tools = Path(build) / "bin"
    yield "| mm2 | found for | " + " | ".join(networks) + " | outputs identical | bytes as predicted |"
    yield "|---|---|" + "---|" * len(networks) + "---|---|"
    runs, losses, all_same, all_equal = 0, [], 0, 0
    for area in areas:
        values, exact, identical, known = {}, {}, {}, {}
        with tempfile.TemporaryDirectory() as folder:
            for found_for in networks:
                description = f"{folder}/{found_for}.yaml"
                run([
                    tools / "fadiff-opt", ROOT / f"examples/{found_for}.mlir",
                    f"--fadiff-codesign=area={area} latency=streams pack=off machine={description}",
                    "-o", "/dev/null",
                ])
                for network in networks:
                    of = Path(description).read_text(), network
                    if of not in known:  # one machine may be the best for several
                        known[of] = run([
                            tools / "fadiff-run", ROOT / f"examples/{network}.mlir",
                            f"--target={description}", "--pack=off", "--latency=streams", "--json",
                        ])
                    ran = known[of]
                    report = json.loads(ran.stdout)
                    identical[found_for, network] = "output identical to the reference" in ran.stderr
                    total = report["totals"]
                    values[found_for, network] = total["edp_uj_cycles"]
                    exact[found_for, network] = all(
                        g["simulated"]["dram_read_bytes"] == g["dram_read_bytes"]
                        and g["simulated"]["dram_write_bytes"] == g["dram_write_bytes"]
                        for g in report["groups"] if "dram_read_bytes" in g
                    )
        for found_for in networks:
            cells = [
                f"{values[found_for, network] / values[network, network]:.3f}"
                for network in networks
            ]
            same, equal = (
                sum(of[found_for, network] for network in networks) for of in (identical, exact)
            )
            yield (
                f"| {area} | {found_for} | " + " | ".join(cells)
                + f" | {same} of {len(networks)} | {equal} of {len(networks)} |"
            )
            runs += len(networks)
            all_same += same
            all_equal += equal
            losses += [values[found_for, network] / values[network, network] for network in networks]
    return {
        "transfer": f"outputs identical in {all_same}, bytes in {all_equal} of {runs}; up to {max(losses):.2f} times the EDP"
    }


def clocks(build, networks, areas):
    yield "| network | method | machines searched | seconds | machine | EDP, uJ·us | over descent |"
    yield "|---|---|---|---|---|---|---|"
    design = f"--design={ROOT / 'benchmarks/clocked.yaml'}"
    found = []
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as gridded:
        # Ten values for each range.
        text = (ROOT / "benchmarks/clocked.yaml").read_text()

        def values(match):
            low, high = float(match[1]), float(match[2])
            steps = [low * (high / low) ** (i / 9) for i in range(10)]
            return "{values: [" + ", ".join(f"{step:.6g}" for step in steps) + "], init: " + f"{steps[4]:.6g}"

        gridded.write(re.sub(r"\{from: ([0-9.]+), to: ([0-9.]+), init: [0-9.]+, legal: any", values, text))
        gridded.flush()
        for network in networks:
            (descent,) = bench(build, network, design, "--area=1.5", "--method=descent", "--timed")
            (grid,) = bench(build, network, f"--design={gridded.name}", "--area=1.5", "--method=grid", "--timed")
            for row in (descent, grid):
                best = row["best"]
                shown = ", ".join(
                    f"{name} {value:.3g}" for name, value in best["parameters"].items()
                    if isinstance(value, (int, float)) and name in ("clock_ghz", "dram_gbps", "mac_nj_scale", "scratchpad_words")
                )
                yield (
                    f"| {network} | {row['method']} | {row['searches']} | {row['seconds']:.0f} | {shown} "
                    f"| {best['value']:.5g} | {best['value'] / descent['best']['value']:.4f} |"
                )
            over = grid["best"]["value"] / descent["best"]["value"] - 1
            found.append(
                f"{descent['searches']} of {grid['searches']} searches, {abs(100 * over):.1f} % {'better' if over > 0 else 'worse'}"
            )
    return {"clocks": "; ".join(found)}


def blind(build, networks, areas):
    seeds = range(1, 6)
    yield (
        "| network | mm2 | descent: machines, EDP | boxes | DOSA's way "
        + "".join(f"| {name}, {misfits} " for name in ("random", "Bayesian") for misfits in MISFITS) + "|"
    )
    yield "|---|---|---|---|---|" + "---|" * (2 * len(MISFITS))
    options = ["--requantize=hardware", "--fuse=off", "--core=off"]
    dosa, overs = [], {}
    for network in networks:
        for area in areas:
            rows = bench(build, network, f"--area={area}", "--method=boxes,dosa,descent", *options)
            by = {row["method"]: row for row in rows}
            value, searches = by["descent"]["best"]["value"], by["descent"]["searches"]
            over = [f"x {by[method]['best']['value'] / value:.3f}" for method in ("boxes", "dosa")]
            dosa.append(by["dosa"]["best"]["value"] / value)
            found = {}
            for misfits in MISFITS:
                for seed in seeds:
                    for method in ("random", "bo"):
                        # None if no machine had a mapping for every layer.
                        for row in bench(
                            build, network, f"--area={area}", f"--method={method}", *options, f"--searches={searches}",
                            "--blind-mappings=random", f"--misfits={misfits}", f"--seed={seed}",
                        ):
                            found.setdefault((method, misfits), []).append(row["best"]["value"])
            for method in ("random", "bo"):
                for misfits in MISFITS:
                    values = found.get((method, misfits), [])
                    if not values:
                        over.append("none found")
                        continue
                    ratio = math.exp(sum(map(math.log, values)) / len(values)) / value
                    overs.setdefault((method, misfits), []).append(ratio)
                    over.append(f"x {ratio:.3f}" + (f" ({len(values)} seeds)" if len(values) < len(seeds) else ""))
            yield f"| {Path(network).stem} | {area} | {searches}, {value:.5g} | " + " | ".join(over) + " |"
    return {
        "dosa-way": ratios(dosa),
        **{
            f"blind-{misfits}": "; ".join(
                short_of(2, overs[method, misfits]) if (method, misfits) in overs else "none found" for method in ("random", "bo")
            )
            for misfits in MISFITS
        },
    }


PARTS = {
    "methods": (methods, "resnet18,mobilenet_v1,vgg16,vgg19,gpt3_block", "2.136,1.147,0.193"),
    "streams": (streams, "resnet18,mobilenet_v1,vgg16,vgg19,gpt3_block", "2.136,1.147,0.193"),
    "simulated": (simulated, "resnet18,mobilenet_v1", "2.136,1.147,0.193"),
    "transfer": (transfer, "resnet18,mobilenet_v1,vgg16,vgg19,gpt3_block", "1.147"),
    "clocks": (clocks, "tiny", ""),
    "blind": (blind, "unet,resnet50,bert_base,retinanet", "1.147"),
}


def tests(binary, pattern):
    """A row of unit tests."""
    def measure(options):
        command = [f"{options.build}/unittests/{binary}", f"--gtest_filter={pattern}"]
        done = subprocess.run(command, capture_output=True, text=True)
        passed = re.search(r"\[  PASSED  \] (\d+) test", done.stdout)
        if done.returncode or not passed or passed[1] == "0":
            return "**failed**"
        return f"yes; {passed[1]} test{'s' if passed[1] != '1' else ''}"
    return measure


def tool(options, *command):
    """What a tool prints as JSON, run in the root."""
    path = [str(Path(options.build) / "bin" / command[0]), *command[1:]]
    return json.loads(subprocess.run(path, stdout=subprocess.PIPE, check=True, text=True, cwd=ROOT).stdout)


def slope_cost(options):
    schedules = tool(options, "fadiff-bench", "throughput", "--mappings=1", "--networks=resnet18,mobilenetv1")["schedules"]
    return ", ".join(f"{row['evaluation_and_slopes_ms']:.2f} ms {name}" for name, row in schedules.items())


def dosa_energies(options):
    return f"{100 * tool(options, 'fadiff-bench', 'dosa', options.dosa)['energy_mean_abs_error']:.2f} %"


def dosa_area(options):
    row = tool(options, "fadiff-bench", "area", options.dosa)
    return f"{100 * row['largest_error']:.1f} %, mean {100 * row['mean_error']:.1f} %"


TARGETS = '--fadiff-technology-targets="factor=100 limits=clock:2,bandwidth_dram:4 summary=F.json"'


def targets(options):
    over = []
    with tempfile.TemporaryDirectory() as folder:
        for network in ("resnet18", "mobilenet_v1", "gpt3_block_small"):
            summary = Path(folder) / "targets.json"
            run([
                Path(options.build) / "bin/fadiff-opt", ROOT / f"examples/{network}.mlir",
                "--fadiff-schedule=target=gemmini-large latency=roofline",
                f"--fadiff-technology-targets=factor=100 limits=clock:2,bandwidth_dram:4 summary={summary}", "-o", "/dev/null",
            ])
            row = json.loads(summary.read_text())
            over.append(row["effort"] / row["bound"] - 1)
    return f"effort at most {max(over):.0e} above the bound"


def slurm(options):
    done = subprocess.run(["lit-22", f"{options.build}/test", "--filter", "Codesign/slurm"], capture_output=True, text=True)
    return "yes" if re.search(r"Passed *: +1 ", done.stdout) else "**not run or failed**"


def part(name):
    return lambda options: options.figures(name)


# Name, measure, what is wanted, how it is made, the command, how long that takes.
ROWS = (
    ("slopes", "slopes by all rates are differences of the model", "1e-6", tests("CodesignTests", "RatesTest.*"),
     "CodesignTests --gtest_filter='RatesTest.*'", "s"),
    ("joint-slopes", "slopes of the joint descent by the machine's numbers are differences of its loss", "1e-6",
     tests("CodesignTests", "*JointSlopes*"), "CodesignTests --gtest_filter='*JointSlopes*'", "s"),
    ("slope-cost", "cost of all twelve slopes at once, whole network", "10 ms", slope_cost,
     "fadiff-bench throughput --mappings=1 --networks=resnet18,mobilenetv1", "s"),
    ("points", "the design's points are the shipped machines", "last bit", tests("HardwareTests", "Design*"),
     "HardwareTests --gtest_filter='Design*'", "s"),
    ("energies", "energies on 8,000 mappings and 95 machines of DOSA", "mean 0.2 %", dosa_energies, "fadiff-bench dosa FILE", "s"),
    ("area", "area law, fitted again", "largest error 18.5 %", dosa_area, "fadiff-bench area FILE", "s"),
    ("boxes", "best machines by the roofline, five networks, three areas", "gap 1 %", part("methods"), "--part=methods", "minutes"),
    ("boxes-searches", "searches of boxes over the grid's", "a third", part("methods"), "the same", "minutes"),
    ("descent", "descent over boxes", "1 %", part("methods"), "the same", "minutes"),
    ("streams", "best machines by streams", "gap 1 %", part("streams"), "--part=streams", "minutes"),
    ("streams-searches", "searches of boxes by streams, beside bounds, over the grid's", "a third", part("streams"), "the same", "minutes"),
    ("streams-descent", "descent over boxes, by streams", "1 %", part("streams"), "the same", "minutes"),
    ("blind-repaired", "random machines and mappings, Bayesian optimisation, over descent; misfits repaired", "2 ×", part("blind"),
     "--part=blind --zoo=MODELS", "minutes"),
    ("blind-redrawn", "the same, misfits drawn again", "2 ×", part("blind"), "the same", "minutes"),
    ("blind-failed", "the same, misfits count as failed", "2 ×", part("blind"), "the same", "minutes"),
    ("dosa-way", "DOSA's way over descent, its four networks", "by how much", part("blind"), "the same", "minutes"),
    ("clocks", "numbers that no grid holds", "a hundredth of the grid's searches", part("clocks"), "--part=clocks", "minutes"),
    ("simulated", "machines by streams, simulated", "no second opinion needed", part("simulated"), "--part=simulated", "minutes"),
    ("transfer", "a machine for one network on all five", "bit-exact, bytes as predicted", part("transfer"), "--part=transfer", "minutes"),
    ("closed-forms", "blocked product, as printed and as it is; DRAGON's theorem 1", "within 1 % of closed forms",
     tests("CodesignTests", "*Block*:*Balanced*"), "CodesignTests --gtest_filter='*Block*:*Balanced*'", "s"),
    ("targets", "technology targets, EDP / 100, three networks", "bound", targets, "above", "s"),
    ("shards", "a killed shard", "the same bytes", slurm, "test/Codesign/slurm.test", "s"),
    ("ranking", "ranking beside DRAGON's Table 4", "beside it", None, "", ""),
)  # fmt: skip
PAGE = ROOT / "docs/Codesign.md"
BEGIN, END = "<!-- codesign_table.py: begin -->\n", "<!-- codesign_table.py: end -->\n"


class Figures:
    """What the parts found, each measured once."""

    def __init__(self, options):
        self.options, self.known = options, {}

    def __call__(self, name):
        if name not in self.known:
            self.known[name] = show(self.options, name, print_lines=False)
        return self.known[name]


def show(options, name, print_lines=True):
    """Makes the table of a part; what rows say of it."""
    measure, networks, areas = PARTS[name]
    networks = (options.networks or networks).split(",")
    if name == "blind":
        networks = [f"{options.zoo}/qdq/{network}.onnx" for network in networks]
    lines = measure(options.build, networks, (options.areas or areas).split(","))
    while True:
        try:
            line = next(lines)
        except StopIteration as end:
            return end.value
        if print_lines:
            print(line, flush=True)


def why_not(row, options):
    """Why a row cannot be made; empty if it can."""
    name, _, _, measure, command, _ = row
    if measure is None:
        return "**missing**"
    if "FILE" in command and not options.dosa:
        return "not made: wants --dosa=FILE, DOSA's rows"
    if (name == "dosa-way" or name.startswith("blind")) and not options.zoo:
        return "not made: wants --zoo=MODELS, of scripts/export_zoo.py"
    return ""


def shown(row, found):
    name, measure, wanted, _, command, _ = row
    if command.startswith("--part"):
        command = f"scripts/codesign_table.py build/release {command}"
    if command and command not in ("the same", "above"):
        command = f"`{command}`"
    return f"| {measure} | {wanted} | {found} | {command} |"


def split_page():
    before, rest = PAGE.read_text().split(BEGIN)
    rows, after = rest.split(END)
    return before, [line for line in rows.splitlines() if line.startswith("| ")][1:], after


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def write_page(made):
    """Puts lines, by the rows' names, into the page; others stay as they are there."""
    before, old, after = split_page()
    kept = {measure: found for measure, _, found, _ in map(cells, old)}
    lines = ["| measure | wanted | found | command |", "|---|---|---|---|"]
    for row in ROWS:
        lines.append(made.get(row[0]) or shown(row, kept.get(row[1], "not made yet")))
    PAGE.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + after)


def all_rows(options):
    chosen = options.rows.split(",") if options.rows else [row[0] for row in ROWS]
    if unknown := set(chosen) - {row[0] for row in ROWS}:
        raise SystemExit(f"--rows: no {', '.join(sorted(unknown))}; wanted some of {', '.join(row[0] for row in ROWS)}")
    options.figures = Figures(options)
    made = {}
    for row in ROWS:
        if row[0] not in chosen:
            continue
        reason = why_not(row, options)
        found = reason or row[3](options)
        line = shown(row, found[row[0]] if isinstance(found, dict) else found)
        print(line, flush=True)
        if not reason or row[3] is None:
            made[row[0]] = line
    if options.update:
        write_page(made)


def list_rows():
    for name, measure, wanted, make, command, takes in ROWS:
        print(f"{name} ({takes or 'missing'}): {measure}; wanted {wanted}: {command}")
    page = [(own[0], own[1], own[-1]) for own in map(cells, split_page()[1])]
    rows = [(own[0], own[1], own[-1]) for own in (cells(shown(row, "")) for row in ROWS)]
    if page != rows:
        wrong = next((pair for pair in zip(page, rows) if pair[0] != pair[1]), "another number of rows")
        raise SystemExit(f"docs/Codesign.md: other rows than these: {wrong}; wanted them from --update")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("build")
    parser.add_argument("--part", default="methods,streams,simulated,transfer,clocks")
    parser.add_argument("--networks")
    parser.add_argument("--areas")
    parser.add_argument("--zoo")
    parser.add_argument("--dosa")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--rows")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if options.list:
        list_rows()
    elif options.all or options.rows:
        all_rows(options)
    else:
        for name in options.part.split(","):
            found = show(options, name)
            rows = {row[0]: row for row in ROWS}
            if options.update:
                write_page({own: shown(rows[own], figure) for own, figure in found.items()})


if __name__ == "__main__":
    main()
