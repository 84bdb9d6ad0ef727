#!/usr/bin/env python3
# Whether a search kept a limit of cycles that a looser one does not, and paid no
# more energy for it than its bound allows to say.
#   check_constraint.py cycles looser.json summary.json

import json
import sys

most = float(sys.argv[1])
with open(sys.argv[2]) as file:
    (looser,) = json.load(file)
with open(sys.argv[3]) as file:
    (found,) = json.load(file)
assert looser["cycles"] > most, looser["cycles"]
assert found["cycles"] < most, found["cycles"]
assert found["value"] == found["energy_pj"] > looser["value"]
bound = found["lower_bound"]
assert looser["lower_bound"] < bound <= found["value"], bound
