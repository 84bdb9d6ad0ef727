#!/usr/bin/env python3
# Whether a summary of a search with given layers has the value of another
# summary, or of a schedule file.
#   check_given.py wanted.json summary.json layers

import json
import sys

wanted, found, layers = sys.argv[1:]
with open(wanted) as file:
    wanted = json.load(file)
with open(found) as file:
    (found,) = json.load(file)
value = (
    wanted[0]["value"]
    if isinstance(wanted, list)
    else wanted["totals"]["energy_pj"] * 1e-6 * wanted["totals"]["cycles"]
)
assert abs(found["value"] / value - 1) < 1e-12, (found["value"], value)
assert found["given_layers"] == int(layers), found["given_layers"]
assert 0 < found["given_energy_pj"] <= found["energy_pj"]
assert 0 < found["given_cycles"] <= found["cycles"]
assert found["lower_bound"] <= found["value"] * (1 + 1e-12)
