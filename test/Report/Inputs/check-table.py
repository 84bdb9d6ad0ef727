"""Holds the table and the CSV of fadiff-run against its JSON.

usage: check-table.py table.txt report.json table.csv
"""

import csv
import json
import sys

report = json.load(open(sys.argv[2]))
rows = list(csv.DictReader(open(sys.argv[3])))
lines = open(sys.argv[1]).read().splitlines()
start = next(i for i, line in enumerate(lines) if line.startswith("layer "))
end = next(i for i, line in enumerate(lines) if line.startswith("total "))
table = [line.split() for line in lines[start + 1 : end + 1]]

wanted = []
for number, group in enumerate(report["groups"]):
    wanted.append(("group", number, group["name"], group["energy_pj"], group["cycles"]))
    for i in group["layers"]:
        layer = report["layers"][i]
        wanted.append(
            ("layer", number, layer["name"], layer["total_energy_pj"],
             layer["total_cycles"])
        )
assert len(wanted) == len(rows) - 1
for row, (kind, number, name, energy, cycles) in zip(rows, wanted):
    assert (row["kind"], row["name"], int(row["group"])) == (kind, name, number), row
    assert float(row["energy_pj"]) == energy, row
    assert float(row["predicted_cycles"]) == cycles, row
total = report["totals"]
assert rows[-1]["kind"] == "total"
assert float(rows[-1]["energy_pj"]) == total["energy_pj"]
assert float(rows[-1]["simulated_cycles"]) == total["simulated_cycles"]

# In the table a layer alone has no line beside its group's.
shown = [w for w in wanted
         if w[0] == "group" or len(report["groups"][w[1]]["layers"]) > 1]
body = [words for words in table if words[0] not in ("core", "total")]
assert len(body) == len(shown), (body, shown)
for words, (kind, number, name, energy, cycles) in zip(body, shown):
    at = 4 if words[:2] == ["group", "of"] else 1
    assert words[at] == f"{energy * 1e-6:.3f}", (words, energy)
    assert words[at + 1] == f"{cycles:.0f}", (words, cycles)
assert table[-1][1] == f"{total['energy_pj'] * 1e-6:.3f}", table[-1]
assert int(table[-1][4]) == total["dram_bytes"], table[-1]
print(f"{len(shown)} rows and the total, all as in the JSON")
print("at most", max(len(line) for line in lines[start : end + 1]), "columns")
