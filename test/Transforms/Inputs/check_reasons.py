#!/usr/bin/env python3
"""Checks that no reason of a search's summary speaks against its choice.

    check_reasons.py summary.json

Of two costs that a reason names, the one that was not taken must not be lower in
both energy and latency; and the groups it names must be those of the schedule.
Prints the reasons that name groups.
"""

import json
import re
import sys

COST = r"([0-9.]+) uJ and ([0-9]+) cycles"
checked = 0
for search in json.load(open(sys.argv[1])):
    groups = [", ".join(group) for group in search["groups"]]
    for edge in search["edges"]:
        reason = edge.get("reason", "")
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
print(checked, "reasons agree with their numbers")
