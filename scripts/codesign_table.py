#!/usr/bin/env python3
"""Compares methods that choose machines and writes docs/Codesign.md's table.

usage: codesign_table.py BUILD [--update] [--networks a,b] [--areas x,y]

Runs `fadiff-bench codesign` for each network and area: boxes, descent, random
machines (as many as descent took), and the programs of the best machines on
the simulator. Prints the table, or puts it into the page with --update.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "<!-- begin: scripts/codesign_table.py -->"
END = "<!-- end: scripts/codesign_table.py -->"
METHODS = "boxes,descent,random"


def run(build, network, area):
    command = [
        str(Path(build) / "bin/fadiff-bench"),
        "codesign",
        str(ROOT / f"examples/{network}.mlir"),
        f"--area={area}",
        f"--method={METHODS}",
        "--pack=off",
        "--rescore=4",
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


def table(build, networks, areas):
    lines = [
        "| network | mm2 | method | machines searched | side/KiB/KiB, hand-over "
        "| EDP, uJ·cycles | gap | best of 4 simulated: EDP |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for network in networks:
        for area in areas:
            for row in run(build, network, area):
                best = row["best"]
                gap = f"{100 * row['gap']:.2f} %" if "gap" in row else "–"
                simulated = min(
                    row["rescored"], key=lambda one: one["simulated_value"]
                )
                first = row["rescored"][0]
                note = (
                    ""
                    if simulated is first
                    else f" (of the first {first['simulated_value']:.4g})"
                )
                lines.append(
                    f"| {network} | {area} | {row['method']} "
                    f"| {row['searches']} of {row['affordable_machines']} "
                    f"| {machine(best['parameters'])} | {best['value']:.5g} "
                    f"| {gap} | {simulated['simulated_value']:.4g}{note} |"
                )
                print(lines[-1], file=sys.stderr)
    return lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("build")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--networks", default="resnet18,mobilenet_v1")
    parser.add_argument("--areas", default="1.147,0.193")
    arguments = parser.parse_args()
    text = "\n".join(
        table(
            arguments.build,
            arguments.networks.split(","),
            arguments.areas.split(","),
        )
    )
    if not arguments.update:
        print(text)
        return
    page = ROOT / "docs/Codesign.md"
    before, rest = page.read_text().split(BEGIN)
    _, after = rest.split(END)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
