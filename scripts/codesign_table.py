#!/usr/bin/env python3
"""Measures what docs/Results.md says of methods that choose machines.

usage: codesign_table.py BUILD [--part=methods,streams,simulated,transfer,clocks]
                         [--networks a,b] [--areas x,y] [--zoo=MODELS]

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
           each with 1000 random mappings per layer and machine; without fusion.

Prints the tables (without blind, if --part does not say so). scripts/results.py
puts each into the page.
"""

import argparse
import json
import math
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
METHODS = "boxes,dosa,descent,bo,random"


def bench(build, network, *options):
    command = [
        str(Path(build) / "bin/fadiff-bench"),
        "codesign",
        network if "/" in network else str(ROOT / f"examples/{network}.mlir"),
        "--pack=off",
        *options,
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
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


def streams(build, networks, areas):
    yield (
        "| network | mm2 | boxes: machine, EDP | gap | searched | bounded | seconds "
        "| descent: EDP over boxes', searched, seconds |"
    )
    yield "|---|---|---|---|---|---|---|---|"
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


def simulated(build, networks, areas):
    yield (
        "| network | mm2 | best by streams: EDP predicted, simulated | best of four simulated "
        "| best by roofline: EDP predicted, simulated |"
    )
    yield "|---|---|---|---|---|"
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


def run(command):
    return subprocess.run(command, capture_output=True, check=True, text=True)


def transfer(build, networks, areas):
    """Each network on each machine, over the network's own best."""
    tools = Path(build) / "bin"
    yield "| mm2 | found for | " + " | ".join(networks) + " | outputs identical | bytes as predicted |"
    yield "|---|---|" + "---|" * len(networks) + "---|---|"
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


def clocks(build, networks, areas):
    yield "| network | method | machines searched | seconds | machine | EDP, uJ·us | over descent |"
    yield "|---|---|---|---|---|---|---|"
    design = f"--design={ROOT / 'benchmarks/clocked.yaml'}"
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


def blind(build, networks, areas):
    yield "| network | mm2 | descent: machines, EDP | boxes | DOSA's way | random, 5 seeds | Bayesian, 5 seeds |"
    yield "|---|---|---|---|---|---|---|"
    options = ["--requantize=hardware", "--fuse=off", "--core=off"]
    for network in networks:
        for area in areas:
            def best(method, *more):
                (row,) = bench(build, network, f"--area={area}", f"--method={method}", *options, *more)
                return row["searches"], row["best"]["value"]

            searches, value = best("descent")
            over = [best(method)[1] / value for method in ("boxes", "dosa")]
            for method in ("random", "bo"):
                found = [
                    best(method, f"--searches={searches}", "--blind-mappings=random", f"--seed={seed}")[1]
                    for seed in range(1, 6)
                ]
                over.append(math.exp(sum(map(math.log, found)) / len(found)) / value)
            yield (
                f"| {Path(network).stem} | {area} | {searches}, {value:.5g} | "
                + " | ".join(f"x {ratio:.3f}" for ratio in over) + " |"
            )


PARTS = {
    "methods": (methods, "resnet18,mobilenet_v1,vgg16,vgg19,gpt3_block", "2.136,1.147,0.193"),
    "streams": (streams, "resnet18,mobilenet_v1,vgg16,vgg19,gpt3_block", "2.136,1.147,0.193"),
    "simulated": (simulated, "resnet18,mobilenet_v1", "2.136,1.147,0.193"),
    "transfer": (transfer, "resnet18,mobilenet_v1,vgg16,vgg19,gpt3_block", "1.147"),
    "clocks": (clocks, "tiny", ""),
    "blind": (blind, "unet,resnet50,bert_base,retinanet", "1.147"),
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("build")
    parser.add_argument("--part", default="methods,streams,simulated,transfer,clocks")
    parser.add_argument("--networks")
    parser.add_argument("--areas")
    parser.add_argument("--zoo")
    arguments = parser.parse_args()
    for part in arguments.part.split(","):
        measure, networks, areas = PARTS[part]
        networks = (arguments.networks or networks).split(",")
        if part == "blind":
            networks = [f"{arguments.zoo}/qdq/{network}.onnx" for network in networks]
        for line in measure(
            arguments.build,
            networks,
            (arguments.areas or areas).split(","),
        ):
            print(line, flush=True)


if __name__ == "__main__":
    main()
