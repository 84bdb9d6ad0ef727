"""Gives the only layer of a schedule in JSON the temporal factors of argument 2.

Factors that are not named are 1; what was predicted is left out.
"""

import json
import sys

schedule = json.load(open(sys.argv[1]))
wanted = json.loads(sys.argv[2])
schedule.pop("totals", None)
for group in schedule["groups"]:
    group.pop("cycles", None)
    group.pop("energy_pj", None)
(point,) = schedule["points"]
point.pop("predicted", None)
for level, factors in point["mapping"]["temporal"].items():
    for dim in factors:
        factors[dim] = wanted.get(level, {}).get(dim, 1)
print(json.dumps(schedule, indent=2))
