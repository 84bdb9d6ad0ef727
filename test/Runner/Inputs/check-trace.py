"""Checks a trace of fadiff-run: tracks, names, order, no overlap, the bound."""

import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
tracks = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
assert sorted(tracks.values()) == ["execute", "host", "layers", "load", "store"], tracks
slices = {name: [] for name in tracks.values()}
for e in events:
    if e["ph"] == "X":
        assert e["dur"] > 0 and e["ts"] >= 0, e
        slices[tracks[e["tid"]]].append(e)
end = max(e["ts"] + e["dur"] for e in slices["layers"])
for name, track in slices.items():
    last = 0
    for e in sorted(track, key=lambda e: e["ts"]):
        assert e["ts"] >= last, (name, e)
        last = e["ts"] + e["dur"]
    assert last <= end, (name, last, end)
kinds = {"load": {"mvin"}, "execute": {"preload", "compute"}, "host": {"fence"}}
for name, wanted in kinds.items():
    assert {e["name"].split()[-1] for e in slices[name]} <= wanted, name
layers = {e["name"] for e in slices["layers"]}
for e in slices["load"]:
    layer, tile, _ = e["name"].split()
    assert layer in layers and tile == "t%d" % e["args"]["tile"], e
print("cycles", end, "dropped", trace["otherData"]["dropped_commands"])
print("commands", sum(len(t) for n, t in slices.items() if n != "layers"))
print("tiles", max(e["args"]["tile"] for e in slices["store"]) > 0)
