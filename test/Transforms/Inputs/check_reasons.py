#!/usr/bin/env python3
"""Checks that no reason of a search's summary speaks against its choice.

    check_reasons.py summary.json

Of two costs that a reason names, the one that was not taken must not be lower in
both energy and latency; and the groups it names must be those of the schedule.
What another choice would cost in parts must be what its energy and cycles make of
the network's. Prints the reasons that name groups, and counts.
"""

import json
import re
import sys

COST = r"([0-9.]+) uJ and ([0-9]+) cycles"
checked = others = runners_up = 0


def check(search, other, energy, cycles):
    """The ratios of `other`, in place of something of that cost."""
    assert search["objective"] == "edp"
    new_energy = search["energy_pj"] + other["energy_pj"] - energy
    new_cycles = search["cycles"] + other["cycles"] - cycles
    ratio = new_energy * new_cycles * 1e-6 / search["value"]
    # Breaking ties may have saved a little since.
    assert abs(other["objective_ratio"] / ratio - 1) < 1e-3, (other, ratio)
    assert other["objective_ratio"] >= 1 - 1e-9, other
    assert abs(other["energy_ratio"] - other["energy_pj"] / energy) < 1e-9
    assert abs(other["cycles_ratio"] - other["cycles"] / cycles) < 1e-9


for search in json.load(open(sys.argv[1])):
    groups = [", ".join(group) for group in search["groups"]]
    for edge in search["edges"]:
        reason = edge.get("reason", "")
        if "grouping" in edge:
            named = re.findall(r"\[([^\]]*)\]", edge["grouping"])
            assert named and all(name in groups for name in named), edge
        if "other" in edge:
            check(search, edge["other"], edge["energy_pj"], edge["cycles"])
            others += 1
        costs = [(float(e), float(c)) for e, c in re.findall(COST, reason)]
        if "grouped as" in reason:
            print(reason)
            named = re.findall(r"\[([^\]]*)\]", reason)
            assert named and all(name in groups for name in named), reason
            taken, other = costs
        elif "not cheaper" in reason:
            other, taken = costs
        else:
            continue
        assert not (other[0] < taken[0] and other[1] < taken[1]), reason
        checked += 1
    for layer in search["layers"]:
        if "runner_up" in layer:
            assert any(layer["name"] in group for group in search["groups"]), layer
            check(search, layer["runner_up"], layer["energy_pj"], layer["cycles"])
            runners_up += 1
print(checked, "reasons agree with their numbers")
print(others, "edges and", runners_up, "layers have another choice")
