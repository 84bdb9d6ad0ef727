"""Checks the host's part of a summary as JSON: what the text leaves out."""

import json
import sys

functions = {f["function"]: f for f in json.load(open(sys.argv[1]))}
rest = functions["rest"]["host"]
operations = {o["kind"].split(" ")[0]: o for o in rest["operations"]}
layer = rest["layers"][0]

assert len(rest["operations"]) == 3 and rest["operations_on_constants"] == 1, rest
assert rest["macs"] == 2048 and rest["macs_on_array"] == layer["macs"] == 1536
assert operations["linalg.matmul"]["macs"] == 512
assert rest["elements"] == sum(o["elements"] for o in rest["operations"])
# Read and written: 8 * 8 * 3 and 8 * 8 * 4.
assert operations["tensor.pad"]["elements"] == 448
assert operations["tensor.pad"]["in_front_of"] == layer["name"]
assert operations["tensor.pad"]["remedy"] == "padding of rows and columns with one number"
assert operations["linalg.generic"]["behind"] == layer["name"]
assert "behind" not in operations["linalg.matmul"]
# Pad and read-out; nothing leads from the matmul to the layer.
assert layer["host_operations"] == 2 and layer["tail"] == "host"
assert layer["host_elements"] == 448 + 768
assert all(o["reason"] and o["place"] for o in rest["operations"])
assert functions["looked_up"]["host"]["layers"][0]["tail"] == "array"
assert "value" not in functions["host_only"]
