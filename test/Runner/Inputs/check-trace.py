"""Checks a trace of fadiff-run: tracks, names, order, no overlap, the bound."""

import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
named = [e for e in events if e["name"] == "thread_name"]
tracks = {e["tid"]: e["args"]["name"] for e in named if e["pid"] == 0}
commands = ["execute", "host", "load", "store"]
tiles = ["execute tiles", "host waits", "load tiles", "store tiles"]
assert sorted(tracks.values()) == sorted(commands + tiles + ["layers"]), tracks
slices = {name: [] for name in tracks.values()}
for e in events:
    if e["ph"] == "X" and e["pid"] == 0:
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
# Tiles have all commands, also those that were dropped; the counter their bytes.
listed = sum(len(slices[name]) for name in commands)
in_tiles = sum(e["args"]["commands"] for name in tiles for e in slices[name])
assert in_tiles == listed + trace["otherData"]["dropped_commands"], (in_tiles, listed)
counted = [e for e in events if e["ph"] == "C" and e["name"] == "DRAM"]
bins = [e["ts"] for e in counted]
width = bins[1] - bins[0] if len(bins) > 1 else 64
bytes_counted = sum(e["args"]["bytes per cycle"] * width for e in counted)
bytes_in_tiles = sum(e["args"]["dram_bytes"] for name in tiles for e in slices[name])
assert abs(bytes_counted - bytes_in_tiles) < 1e-6 * max(1, bytes_in_tiles)
print("commands", listed)
# Each layer has a track of each unit, in whose slices all commands are.
processes = {
    e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"
}
assert processes == {
    0: "program", 1: "layers, load", 2: "layers, execute", 3: "layers, store"
}, processes
layer_names = {(e["pid"], e["tid"]): e["args"]["name"] for e in named if e["pid"] > 0}
of_units = {1: "load tiles", 2: "execute tiles", 3: "store tiles"}
for process, unit in of_units.items():
    own = [e for e in events if e["ph"] == "X" and e["pid"] == process]
    ends = {}
    for e in sorted(own, key=lambda e: e["ts"]):
        assert e["name"].startswith(layer_names[process, e["tid"]] + " t"), e
        assert e["ts"] >= ends.get(e["tid"], 0), e
        ends[e["tid"]] = e["ts"] + e["dur"]
    for key in ("commands", "busy_cycles", "dram_bytes"):
        wanted = sum(e["args"][key] for e in slices[unit])
        assert sum(e["args"][key] for e in own) == wanted, (process, key)
    if process == 2:
        assert set(ends) == {tid for pid, tid in layer_names if pid == 2}
planned = {e["name"] for e in events if e["ph"] == "C" and e["args"].get("bytes")}
assert planned == {"scratchpad, planned", "accumulator, planned"}, planned
print("layers", len(layer_names) // 3)
print("tiles", max(e["args"]["tile"] for e in slices["store"]) > 0)
