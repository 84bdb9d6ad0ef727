"""Gives the layers of a schedule in JSON the temporal factors of the arguments
from 2 on, one for each.

Factors that are not named are 1; what was predicted is left out.
"""

import json
import sys

schedule = json.load(open(sys.argv[1]))
schedule.pop("totals", None)
for group in schedule["groups"]:
    group.pop("cycles", None)
    group.pop("energy_pj", None)
for point, text in zip(schedule["points"], sys.argv[2:], strict=True):
    wanted = json.loads(text)
    point.pop("predicted", None)
    for level, factors in point["mapping"]["temporal"].items():
        for dim in factors:
            factors[dim] = wanted.get(level, {}).get(dim, 1)
print(json.dumps(schedule, indent=2))
