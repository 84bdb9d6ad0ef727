"""The simulated programs of the library against its traffic in closed form."""

import json
import sys

simulated, moved = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
traffic = {(t["network"], t["target"]): t["library"] for t in moved["traffic"]}
for program in simulated["library"]:
    closed = traffic[program["network"], program["target"]]
    read = closed["read"] - closed["average_read"]
    written = closed["written"] - closed["average_written"]
    found = program["dram_read_bytes"], program["dram_write_bytes"]
    assert found == (read, written), (program["network"], program["target"], found, (read, written))
    cycles = sum(layer["cycles"] for layer in program["layers"]) + program["residual_cycles"]
    assert cycles == program["cycles"], (cycles, program["cycles"])
    assert all(layer["cycles"] > 0 for layer in program["layers"])
    print(program["network"], program["target"], len(program["layers"]), "layers")
