import collections
import json
import sys

report = json.load(sys.stdin)
found = collections.defaultdict(list)
for group in report["groups"]:
    layers = [report["layers"][i] for i in group["layers"]]
    dims = layers[0]["dims"]
    if len(layers) == 1 and dims.get("R") == 3 and dims.get("C") == dims.get("K"):
        found[dims["C"]].append(layers[0]["cycles"])
for channels, cycles in sorted(found.items()):
    text = "the same cycles" if len(set(cycles)) == 1 else f"{cycles}"
    print(f"{len(cycles)} layers of {channels} to {channels} channels: {text}")
