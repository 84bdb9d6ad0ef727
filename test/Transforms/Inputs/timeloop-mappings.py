"""Turns points of Timeloop's reference into networks and Timeloop's mappings.

    timeloop-mappings.py points.json config directory
    timeloop-mappings.py --check points.json schedule.json

The first writes net.mlir, a function for each standard point of the machine
`config`, and a mapping for each in YAML, by turns as v0.3 and v0.4 spell it, and
prints passes that import them. The second holds what was predicted of the imported
mappings against what Timeloop reported.
"""

import json
import pathlib
import sys

DIMS = "NGKCPQRS"


def chosen(path, config):
    points = json.load(open(path))["points"]
    return [
        p
        for p in points
        if p["config"] == config and p["layer_type"] == "standard" and p["dims"]["G"] == 1
    ]


def function(number, point):
    d, (sh, sw) = point["dims"], point["stride"]
    h = (d["P"] - 1) * sh + d["R"]
    w = (d["Q"] - 1) * sw + d["S"]
    x = f"tensor<{d['N']}x{h}x{w}x{d['C']}xi8>"
    k = f"tensor<{d['R']}x{d['S']}x{d['C']}x{d['K']}xi8>"
    y = f"tensor<{d['N']}x{d['P']}x{d['Q']}x{d['K']}xi32>"
    return f"""func.func @f{number}(%x: {x}, %w: {k}) -> {y} {{
  %z = arith.constant 0 : i32
  %e = tensor.empty() : {y}
  %i = linalg.fill ins(%z : i32) outs(%e : {y}) -> {y}
  %s = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : tensor<2xi64>, strides = dense<[{sh}, {sw}]> : tensor<2xi64>}}
      ins(%x, %w : {x}, {k}) outs(%i : {y}) -> {y} loc("layer{number}")
  return %s : {y}
}}
"""


def spelt(dim):
    return "M" if dim == "K" else dim


def mapping(number, point):
    isNew = number % 2 == 1
    levels = {"L3": "DRAM", "L2": "Scratchpad", "L1": "Accumulator", "L0": "Registers"}
    own = point["mapping"]

    def directive(target, kind, factors, order=None):
        words = [f"{spelt(d)}={n}" for d, n in factors.items()]
        text = f"[{', '.join(words)}]" if isNew else " ".join(words)
        lines = [f"- target: {target}", f"  type: {kind}", f"  factors: {text}"]
        if order:
            names = [spelt(d) for d in order]
            lines.append(
                "  permutation: "
                + (f"[{', '.join(names)}]" if isNew else "".join(names))
            )
        return "\n".join("  " + line for line in lines) + "\n"

    text = "# A mapping of Timeloop's.\nmapping:\n"
    for level, target in levels.items():
        factors = dict(own["temporal"][level])
        if level == "L3":  # 0 is all that is left
            factors["K"] = 0
        text += directive(target, "temporal", factors, own["permutation"][level])
        if level == "L2":
            text += directive(target, "spatial", {"K": own["spatial"]["L2_cols"]["K"]})
        if level == "L1":
            text += directive(target, "spatial", {"C": own["spatial"]["L1_rows"]["C"]})
    text += "  - target: Scratchpad\n    type: bypass\n    keep: [Weights, Inputs]\n"
    text += "    bypass: [Outputs]\n"
    return text


if sys.argv[1] != "--check":
    points = chosen(sys.argv[1], sys.argv[2])
    place = pathlib.Path(sys.argv[3])
    place.mkdir(parents=True, exist_ok=True)
    (place / "net.mlir").write_text("".join(map(function, range(len(points)), points)))
    for number, point in enumerate(points):
        (place / f"{number}.yaml").write_text(mapping(number, point))
        print(f"--fadiff-import-mappings=file={place}/{number}.yaml layer=layer{number} output=-")
    sys.exit()

found = json.load(open(sys.argv[3]))["points"]
points = chosen(sys.argv[2], found[0]["config"].replace("gemmini-", ""))
assert len(found) == len(points) > 1, (len(found), len(points))
counts = 0
for number, point in enumerate(points):
    own = next(p for p in found if p["layer"] == f"layer{number}")["predicted"]
    for level, at in point["timeloop"]["levels"].items():
        for tensor, accesses in at["tensors"].items():
            for kind, wanted in accesses.items():
                value = own["levels"][level]["tensors"][tensor][kind]
                assert value == wanted, (point["id"], level, tensor, kind, value, wanted)
                counts += 1
    energy = point["timeloop"]["energy_total_pj"]
    assert abs(own["energy_total_pj"] / energy - 1) < 1e-6, (point["id"], energy)
print(len(points), "mappings,", counts, "counts as Timeloop reported them")
