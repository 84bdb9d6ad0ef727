#!/usr/bin/env python3
"""Draws the figures of docs/Tutorial and of the reference in docs.

    scripts/draw_tutorial.py BUILD_DIR [--check]

Every number in them comes from a run: the JSON report of fadiff-run, its trace,
the summary or the cache of a search. What a figure works out by itself is held
against the run, and the script stops if the two differ. With --check nothing is
written, and the exit code is 1 if a figure is not what would be.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = DOCS / "Tutorial"
NET = PAGES / "net.mlir"
BLUE, GREEN, ORANGE, RED, GREY = "#9ecae1", "#a1d99b", "#fdae6b", "#fc9272", "#d9d9d9"
PURPLE = "#bcbddc"


class Tools:
    """The built tools, and a directory for what they hand to each other."""

    def __init__(self, build, scratch):
        self.bin, self.scratch = build.resolve() / "bin", scratch

    def call(self, tool, *args):
        return subprocess.run(
            [self.bin / tool, *map(str, args)],
            cwd=self.scratch, stdout=subprocess.PIPE, check=True, text=True,
            stderr=subprocess.DEVNULL).stdout  # fmt: skip

    def report(self, *args):
        path = self.scratch / "report.json"
        self.call("fadiff-run", "--latency=roofline", *args, f"--report={path}")
        return json.loads(path.read_text())

    def search(self, network, options):
        """The summary of a search, and the hulls that it kept of the layers."""
        summary, cache = self.scratch / "summary.json", self.scratch / "cache.json"
        cache.unlink(missing_ok=True)
        self.call("fadiff-opt", network, "-o", self.scratch / "scheduled.mlir",
                  f"--fadiff-schedule={options} latency=roofline summary={summary} cache={cache}")  # fmt: skip
        kept = [json.loads(line).get("value", {}) for line in cache.read_text().splitlines()]
        return json.loads(summary.read_text())[0], [k for k in kept if "points" in k]


class Drawing:
    """Lines of SVG on white, so that it reads on a dark page as well."""

    def __init__(self, width, height):
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="12">',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
            'markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0 0 L8 4 L0 8 z"/></marker></defs>',
            f'<rect width="{width}" height="{height}" fill="white"/>',
        ]

    def text(self, x, y, what, anchor="start", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        what = str(what).replace("&", "&amp;").replace("<", "&lt;")
        self.lines.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{weight}>{what}</text>')  # fmt: skip

    def box(self, x, y, width, height, fill, stroke="#555"):
        self.lines.append(
            f'<rect x="{x:.6g}" y="{y:.6g}" width="{width:.6g}" height="{height:.6g}" '
            f'fill="{fill}" stroke="{stroke}"/>')  # fmt: skip

    def arrow(self, x0, y0, x1, y1, width=1.5):
        self.lines.append(
            f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="black" '
            f'stroke-width="{width:g}" marker-end="url(#tip)"/>')  # fmt: skip

    def legend(self, x, y, items):
        for colour, what in items:
            self.box(x, y, 12, 12, colour)
            self.text(x + 17, y + 10, what)
            x += 36 + 7 * len(what)

    def done(self):
        return "\n".join(self.lines + ["</svg>", ""])


def expect(what, ours, found):
    if ours != found:
        sys.exit(f"{what}: worked out {ours}, the run has {found}")


def extents(layer):
    return {dim: layer["dims"].get(dim, 1) for dim in "NGKCPQRS"}


def network(tools):
    """1: the layers with the sizes of their tensors."""
    layers = tools.report(NET, "--target=tiny", "--fuse=off")["layers"]
    svg = Drawing(660, 190)
    x, cell = 20, 14

    def tensor(x, rows, columns, channels, what):
        for depth in reversed(range(channels)):
            for row in range(rows):
                for column in range(columns):
                    svg.box(x + column * cell + 5 * depth, 60 + row * cell - 5 * depth, cell, cell, BLUE)
        svg.text(x, 165, what)
        svg.text(x, 181, f"{rows} x {columns} x {channels} = {rows * columns * channels} bytes")

    first = extents(layers[0])
    tensor(x, first["P"], first["Q"], first["C"], "image")
    for layer in layers:
        d = extents(layer)
        svg.arrow(x + 85, 95, x + 225, 95)
        svg.text(x + 155, 72, layer["name"], "middle", True)
        svg.text(x + 155, 88, f"{layer['macs']} multiply-adds", "middle")
        svg.text(x + 155, 113, f"kernel {d['R']} x {d['S']}", "middle")
        svg.text(x + 155, 129, f"{d['R'] * d['S'] * d['C'] * d['K']} bytes of weights", "middle")
        x += 245
        tensor(x, d["P"], d["Q"], d["K"], f"output of {layer['name']}")
    return svg.done()


def mapping(tools):
    """2: the loops of a layer beside the memories, with the tiles they hold."""
    report = tools.report(NET, "--target=tiny", "--fuse=off")
    layer = report["layers"][0]
    colours = {"dram": RED, "scratchpad": ORANGE, "accumulator": GREEN, "registers": BLUE}
    names = {"I": "input", "W": "weights", "O": "sums"}
    svg = Drawing(660, 312)
    svg.text(20, 22, "memory", bold=True)
    svg.text(180, 22, f"loops of '{layer['name']}', outermost first", bold=True)
    svg.text(440, 22, "what it holds at once", bold=True)
    y, indent = 34, 0
    for level in ("dram", "scratchpad", "accumulator", "registers"):
        loops = [l for l in layer["loops"] if l["level"] == level]
        height = max(44, 20 + 18 * len(loops))
        svg.box(14, y, 632, height, colours[level])
        svg.text(22, y + 20, level)
        size = [m for m in report["machine"]["levels"] if m["name"] == level][0].get("bytes")
        if size:
            svg.text(22, y + 36, f"{size} bytes")
        if not loops:
            svg.text(180 + indent, y + 20, "(no loop)")
        for i, loop in enumerate(loops):
            svg.text(180 + indent, y + 20 + 18 * i, f"for {loop['dim']}: {loop['trips']} times")
            indent += 14
        tiles = [t for t in layer["tiles"] if t["level"] == level]
        if level == "dram":
            held = "everything"
        else:
            held = ", ".join(f"{t['bytes']} B of {names[t['tensor']]}" for t in tiles)
        svg.text(440, y + 20, held)
        y += height + 8
    svg.box(14, y, 632, 44, PURPLE)
    svg.text(22, y + 20, "array")
    svg.text(22, y + 36, f"{report['machine']['side']} x {report['machine']['side']}")
    svg.text(180 + indent, y + 20, f"all at once: C on {layer['rows_used']} rows, K on {layer['columns_used']} columns")
    svg.text(180 + indent, y + 36, f"{layer['rows_used'] * layer['columns_used']} multiply-adds per cycle")
    return svg.done()


def fusion(tools):
    """3: what crosses the edge of the chip, apart and as a group."""
    svg = Drawing(660, 300)
    for x, title, options in ((10, "each alone", ["--fuse=off"]), (345, "as a group", [])):
        report = tools.report(NET, "--target=tiny", *options)
        layers, total = report["layers"], report["totals"]
        svg.text(x, 20, f"{title}: {total['dram_bytes']} bytes", bold=True)
        svg.box(x, 30, 305, 34, RED)
        svg.text(x + 8, 52, "DRAM")
        svg.box(x, 130, 305, 150, "#f4f4f4")
        svg.text(x + 8, 272, "chip")
        grouped = len(report["groups"]) < len(layers)
        for i, layer in enumerate(layers):
            left = x + 15 + 150 * i
            svg.box(left, 190, 125, 40, GREEN)
            svg.text(left + 62, 215, layer["name"], "middle")
            dram = layer["levels"]["dram"]["energy_pj"]
            each = [m for m in report["machine"]["levels"] if m["name"] == "dram"][0]
            at = left + 18
            for tensor, name in (("I", "in"), ("W", "w"), ("O", "out")):
                if not dram.get(tensor):
                    continue
                bytes_ = round(dram[tensor] / each["energy_per_access_pj"])
                down = tensor != "O"
                svg.arrow(at, 66 if down else 188, at, 188 if down else 66, bytes_ / 32)
                svg.text(at + 5, 100 if tensor != "W" else 118, f"{name} {bytes_}")
                at += 42
        if grouped:
            svg.arrow(x + 141, 210, x + 163, 210, 3)
            svg.text(x + 152, 250, "handed over on the chip", "middle")
    return svg.done()


def reading(tools):
    """4: the time of each group, by what the array does."""
    report = tools.report(ROOT / "examples/tiny.mlir", "--target=gemmini-small")
    parts = (("array", GREEN), ("fill", BLUE), ("load_wait", RED), ("store_wait", ORANGE), ("issue", PURPLE))
    longest = max(g["simulated"]["cycles"] for g in report["groups"])
    svg = Drawing(660, 60 + 64 * len(report["groups"]))
    y = 16
    for group in report["groups"]:
        members = len(group["layers"])
        name = group["name"] if len(group["name"]) < 18 else f"group of {members} layers"
        svg.text(12, y + 20, name)
        x, scale = 150, 420 / longest
        svg.box(x, y, group["cycles"] * scale, 12, "none")
        svg.text(x + group["cycles"] * scale + 6, y + 11, f"{group['cycles']:.0f} predicted")
        for part, colour in parts:
            width = group["simulated"][part] * scale
            svg.box(x, y + 18, width, 20, colour)
            x += width
        svg.text(x + 6, y + 33, f"{group['simulated']['cycles']}")
        y += 64
    svg.legend(150, y + 4, [(c, p.replace("_", " ")) for p, c in parts])
    return svg.done()


def machine(tools):
    """5: the network on machines with scratchpads of other sizes."""
    text = (ROOT / "hardware/tiny.yaml").read_text()
    before, mark, rest = text.partition("scratchpad:\n  capacity: {value: ")
    assert mark, "hardware/tiny.yaml has another form"
    found = []
    for size in (128, 256, 512, 1024):
        path = tools.scratch / f"tiny-{size}.yaml"
        path.write_text(before + mark + str(size) + rest[rest.index(",") :])
        report = tools.report(NET, f"--target={path}")
        found.append((size, report["totals"], report["edges"][0]["fused"]))
    svg = Drawing(660, 60 + 46 * len(found))
    scale = 260 / max(t["edp_uj_cycles"] for _, t, _ in found)
    svg.text(12, 22, "scratchpad", bold=True)
    svg.text(110, 22, "predicted energy-delay product in uJ * cycles, DRAM bytes, simulated cycles", bold=True)
    y = 36
    for size, total, fused in found:
        width = total["edp_uj_cycles"] * scale
        svg.text(12, y + 20, f"{size} bytes")
        svg.box(110, y, width, 30, GREEN if fused else RED)
        svg.text(116 + width, y + 20, f"{total['edp_uj_cycles']:.2f}, {total['dram_bytes']} bytes, {total['simulated_cycles']} cycles")
        y += 46
    svg.legend(110, y, [(GREEN, "fused"), (RED, "each layer alone")])
    return svg.done()


def cost(tools):
    """6: the same network, searched for under two costs."""
    mapped = tools.call(
        "downstream-opt", NET, "--fadiff-form-layers",
        "--fadiff-attach-target=target=gemmini-small",
        "--downstream-attach-traffic", "--fadiff-search")  # fmt: skip
    again = tools.scratch / "again.mlir"
    again.write_text(without_costs(mapped))
    runs = (
        ("energy-delay product", GREEN, tools.report(NET, "--target=gemmini-small")),
        ("own cost: traffic only", ORANGE, tools.report(again, "--target=gemmini-small")),
    )
    rows = (
        ("DRAM bytes", lambda r: r["totals"]["dram_bytes"]),
        ("words of the scratchpad", lambda r: sum(l["words"]["scratchpad"] for l in r["layers"])),
        ("words of the accumulator", lambda r: sum(l["words"]["accumulator"] for l in r["layers"])),
        ("cycles, predicted", lambda r: r["totals"]["predicted_cycles"]),
        ("cycles, simulated", lambda r: r["totals"]["simulated_cycles"]),
    )
    svg = Drawing(660, 40 + 56 * len(rows))
    y = 12
    for title, number in rows:
        values = [number(r) for _, _, r in runs]
        svg.text(12, y + 26, title)
        for (_, colour, _), value in zip(runs, values):
            svg.box(190, y, 380 * value / max(values), 18, colour)
            svg.text(196 + 380 * value / max(values), y + 14, f"{value:g}")
            y += 20
        y += 16
    svg.legend(190, y, [(c, n) for n, c, _ in runs])
    return svg.done()


def without_costs(text):
    """Takes what another dialect has put on the layers from a module."""
    kept = []
    for piece in text.split(" cost_model(#downstream.traffic<7>)"):
        while " cost(<" in piece:
            before, _, rest = piece.partition(" cost(<")
            piece = before + rest[rest.index(">)") + 2 :]
        kept.append(piece)
    return "".join(kept)


def instructions(tools):
    """7: when which unit works on the program of the network."""
    report = tools.report(NET, "--target=tiny")
    timeline = report["timeline"]
    end = timeline["regions"][-1][2]
    fields = {name: i for i, name in enumerate(timeline["slice_fields"])}
    colours = (BLUE, GREEN, ORANGE, GREY)
    svg = Drawing(660, 70 + 44 * len(timeline["tracks"]))
    scale = 520 / end
    for track, name in enumerate(timeline["tracks"]):
        y = 14 + 44 * track
        svg.text(12, y + 20, name)
        for s in timeline["slices"]:
            if s[fields["track"]] != track:
                continue
            start, finish = s[fields["start"]], s[fields["finish"]]
            svg.box(110 + start * scale, y, (finish - start) * scale, 30, colours[track])
            if (finish - start) * scale > 18:
                svg.text(110 + (start + finish) / 2 * scale, y + 20, s[fields["commands"]], "middle")
    y = 14 + 44 * len(timeline["tracks"])
    svg.arrow(110, y, 640, y)
    for at in range(0, end + 1, 200):
        svg.text(110 + at * scale, y + 16, at, "middle")
    svg.text(640, y + 34, f"cycles; the end is at {end}", "end")
    svg.text(12, y + 34, "numbers: commands in a slice")
    return svg.done()


def steps(loops, tiles, dims):
    """The trips of nested loops, outermost first: of each the index of every loop,
    and the intervals that the dims have at each depth."""
    found = []

    def walk(depth, indices, intervals):
        if depth == len(loops):
            found.append((indices, intervals))
            return
        level, dim = loops[depth]
        begin, end = intervals[-1][dim]
        for i, at in enumerate(range(begin, end, tiles[level][dim])):
            inner = dict(intervals[-1])
            inner[dim] = (at, min(at + tiles[level][dim], end))
            walk(depth + 1, indices + (i,), intervals + [inner])

    walk(0, (), [{dim: (0, extent) for dim, extent in dims.items()}])
    return found


def nest(tools):
    """Lowering: when the tiles of a layer are loaded, stay and leave."""
    report = tools.report(ROOT / "examples/tiny.mlir", "--target=tiny", "--fuse=off", "--timing-only")
    layer = [l for l in report["layers"] if l["name"] == "pw1"][0]
    dims = extents(layer)
    loops = [(l["level"], l["dim"]) for l in layer["loops"] if l["level"] in ("dram", "scratchpad")]
    # What one trip of a level's loops covers: the factors further in.
    factors = re.findall(r"(dram|scratchpad|accumulator|registers) \[([^]]*)\]", layer["mapping"])
    rows, columns = map(int, re.search(r"array \[(\d+) x (\d+)\]", layer["mapping"]).groups())
    covered = dict.fromkeys(dims, 1) | {"C": rows, "K": columns}
    tiles = {}
    for level, text in reversed(factors):
        tiles[level] = dict(covered)
        for dim, factor in re.findall(r"([A-Z]):(\d+)", text):
            covered[dim] *= int(factor)

    walk = steps(loops, tiles, dims)
    size = lambda at, of: eval("*".join(str(at[d][1] - at[d][0]) for d in of))
    depth = lambda of, levels: max((i + 1 for i, (level, dim) in enumerate(loops) if dim in of and level in levels), default=0)
    tensors = (
        ("weights", "RSCK", ORANGE, depth("RSCKG", ("dram",))),
        ("input", "NGCPQ", BLUE, depth("NGCPQRS", ("dram",))),
        ("sums", "NGKPQ", GREEN, depth("NGKPQ", ("dram", "scratchpad"))),
    )
    left, cell = 250, 390 / len(walk)
    svg = Drawing(660, 60 + 22 * len(loops) + 52 * len(tensors))
    y = 14
    for i, (level, dim) in enumerate(loops):
        svg.text(14 + 12 * i, y + 14, f"for {dim} in steps of {tiles[level][dim]} at {level}")
        for at, (indices, _) in enumerate(walk):
            if at == 0 or walk[at - 1][0][: i + 1] != indices[: i + 1]:
                end = next((j for j in range(at, len(walk)) if walk[j][0][: i + 1] != indices[: i + 1]), len(walk))
                svg.box(left + at * cell, y, (end - at) * cell, 18, "#f4f4f4")
                svg.text(left + (at + end) / 2 * cell, y + 13, indices[i], "middle")
        y += 22
    y += 10
    each = [m for m in report["machine"]["levels"] if m["name"] == "dram"][0]["energy_per_access_pj"]
    written = [g for g in report["groups"] if g["name"] == "pw1"][0]["dram_write_bytes"]
    for name, of, colour, inside in tensors:
        moved, times = 0, 0
        for at, (indices, intervals) in enumerate(walk):
            if at and walk[at - 1][0][:inside] == indices[:inside]:
                continue
            end = next((j for j in range(at, len(walk)) if walk[j][0][:inside] != indices[:inside]), len(walk))
            moved += size(intervals[inside], of)
            times += 1
            svg.box(left + at * cell, y, (end - at) * cell, 30, colour)
        letter = {"weights": "W", "input": "I", "sums": "O"}[name]
        run = written if letter == "O" else round(layer["levels"]["dram"]["energy_pj"][letter] / each)
        expect(f"DRAM bytes of {letter}", moved, run)
        svg.text(14, y + 13, f"{name}, in the {'accumulator' if letter == 'O' else 'scratchpad'}")
        svg.text(14, y + 28, f"{times} {'tiles stored' if letter == 'O' else 'loads'}, {moved} bytes")
        y += 52
    svg.arrow(left, y - 8, 646, y - 8)
    svg.text(646, y + 10, "trips of the emitted loops, in their order", "end")
    return svg.done()


def overlap(tools):
    """Latency: when the commands of a layer hold reader, array and writer."""
    trace = tools.scratch / "trace.json"
    report = tools.report(
        ROOT / "examples/tiny.mlir", "--target=gemmini-small", "--fuse=off", "--latency=streams",
        "--timing-only", f"--trace={trace}")  # fmt: skip
    layer = [l for l in report["layers"] if l["name"] == "conv2"][0]
    group = [g for g in report["groups"] if g["name"] == "conv2"][0]
    events = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X" and e["pid"] == 0]
    whole = [e for e in events if e["name"] == "conv2"][0]
    expect("cycles of conv2", whole["dur"], group["simulated"]["cycles"])
    left, scale = 90, 550 / whole["dur"]
    svg = Drawing(660, 240)
    for track, name, colour in ((1, "load", BLUE), (2, "execute", GREEN), (3, "store", PURPLE)):
        y = 12 + 44 * (track - 1)
        svg.text(14, y + 20, name)
        for e in events:
            if e["name"].startswith("conv2 t") and e["tid"] == track:
                svg.box(left + (e["ts"] - whole["ts"]) * scale, y, e["dur"] * scale, 30, colour, colour)
    y = 148
    svg.arrow(left, y, 648, y)
    for at in range(0, whole["dur"], 1000):
        svg.text(left + at * scale, y + 16, at, "middle")
    svg.text(648, y + 16, "cycles", "end")
    y = 178
    roofline = max(level["cycles"] for level in layer["levels"].values())
    roofline = max(roofline, group["simulated"]["array"])
    for name, cycles in (("roofline", roofline), ("streams", layer["total_cycles"]), ("simulated", whole["dur"])):
        svg.text(14, y + 11, name)
        svg.box(left, y, cycles * scale, 13, GREY)
        svg.text(left + 6, y + 11, f"{cycles:.0f}")
        y += 19
    return svg.done()


def pipeline(tools):
    """Search: what each step had to do for a network."""
    found, _ = tools.search(ROOT / "examples/resnet18.mlir", "target=gemmini-large pack=off core=off")
    layers = sum(len(group) for group in found["groups"])
    fused = sum(edge["fused"] for edge in found["edges"])
    boxes = (
        ("1 Reduce", GREY, f"{layers} layers, of which {found['distinct_layers']} differ; {len(found['edges'])} edges"),
        ("2 Start", GREY, "the largest square tile that fits, of each layer"),
        ("5 Close", GREEN, f"{found['exact_layers']} layers enumerated; best without fusion {found['unfused_value']:.4e}, gap {100 * found['unfused_gap']:.2f} %"),
        ("3 Descend", None, f"{found['starts']} descents: for layers that step 5 leaves"),
        ("4 Decode", None, "from real factors to mappings"),
        ("6 Climb", None, f"{found['restarts']} restarts"),
        ("7 Fuse", GREEN, f"{fused} edges fused in {len(found['groups'])} groups; best {found['value']:.4e}, gap {100 * found['gap']:.2f} %"),
        ("8 Break ties", GREY, "neighbours of equal cost whose streams are predicted faster"),
    )
    svg = Drawing(660, 44 * len(boxes) + 34)
    y = 8
    for name, colour, what in boxes:
        left = 14 if colour else 44
        svg.box(left, y, 110, 28, colour or "white", "#555" if colour else "#aaa")
        svg.text(left + 8, y + 19, name)
        svg.text(174, y + 19, what)
        following = boxes[boxes.index((name, colour, what)) + 1 :]
        skipped = next((i for i, box in enumerate(following) if box[1]), None)
        if colour and skipped is not None:
            svg.arrow(30, y + 29, 30, y + 44 * (skipped + 1) - 1)
        y += 44
    svg.legend(14, y + 4, ((GREEN, "everything enumerated, with a proof"), ("white", "what is too large for that")))
    svg.text(646, y + 14, "values in uJ * cycles", "end")
    return svg.done()


def corners(points):
    """The lower left convex hull of pairs, by the first."""
    hull = []
    for x, y in sorted(set(points)):
        if hull and y >= hull[-1][1]:
            continue
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]) >= (y - hull[-2][1]) * (hull[-1][0] - hull[-2][0]):
            hull.pop()
        hull.append((x, y))
    return hull


def hulls(tools):
    """ExactBound: the hull of a layer, that of all totals, and its best corner."""
    found, kept = tools.search(ROOT / "examples/mobilenet_v1.mlir", "target=gemmini-large pack=off core=off fuse=off")
    hull_of = {}
    for layer in found["layers"]:
        at = (layer["cycles"], layer["energy_pj"])
        of = [k for k in kept if at in [(p["cycles"], p["energy"]) for p in k["points"]]]
        hull_of[layer["name"]] = of[0]
    # The totals' hull: every corner of a sum of hulls takes the steps in the order of their slopes.
    at, moves = [0.0, 0.0], []
    for one in hull_of.values():
        points = corners([(p["cycles"], p["energy"]) for p in one["points"]])
        at = [at[0] + points[0][0], at[1] + points[0][1]]
        moves += [(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:])]
    totals = [tuple(at)]
    for x, y in sorted(moves, key=lambda m: m[1] / m[0]):
        totals.append((totals[-1][0] + x, totals[-1][1] + y))
    best = min(totals, key=lambda p: p[0] * p[1])
    expect("the least EDP", f"{best[0] * best[1] * 1e-6:.6e}", f"{found['unfused_value']:.6e}")

    svg = Drawing(660, 330)

    def plot(left, title, points, marked, note, curve=None):
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        spread = lambda v: (min(v), max(v) - min(v) or 1)
        (x0, dx), (y0, dy) = spread(xs), spread(ys)
        place = lambda p: (left + 30 + 230 * (p[0] - x0) / dx, 236 - 170 * (p[1] - y0) / dy)
        svg.text(left, 20, title, bold=True)
        svg.text(left, 40, "uJ")
        svg.lines.append(f'<path d="M{left + 14} 48 V252 H{left + 285}" fill="none" stroke="black"/>')
        svg.text(left + 285, 270, "cycles", "end")
        line = " ".join(f"{x:.6g},{y:.6g}" for x, y in map(place, points))
        svg.lines.append(f'<polyline points="{line}" fill="none" stroke="#3182bd"/>')
        if curve:
            along = [(x0 + dx * i / 60, curve / (x0 + dx * i / 60)) for i in range(61)]
            inside = " ".join(f"{x:.6g},{y:.6g}" for x, y in map(place, [p for p in along if y0 <= p[1] <= y0 + dy]))
            svg.lines.append(f'<polyline points="{inside}" fill="none" stroke="#de2d26" stroke-dasharray="4 3"/>')
        for p in points:
            x, y = place(p)
            svg.lines.append(f'<circle cx="{x:.6g}" cy="{y:.6g}" r="3" fill="{"#de2d26" if p == marked else "#3182bd"}"/>')
        x, y = place(marked)
        svg.text(x + 8, y - 8, f"{marked[0]:.0f} cycles, {marked[1] * 1e-6:.1f} uJ")
        for i, text in enumerate(note):
            svg.text(left, 292 + 17 * i, text)

    one = hull_of["dw7"]
    points = corners([(p["cycles"], p["energy"]) for p in one["points"]])
    chosen = [l for l in found["layers"] if l["name"] == "dw7"][0]
    plot(10, "hull of layer dw7", points[:12], (chosen["cycles"], chosen["energy_pj"]),
         (f"{one['evaluated']} costs evaluated,", f"{one['pruned']} families ruled out by a bound"))  # fmt: skip
    near = [p for p in totals if p[0] < 1.02 * best[0]]
    plot(345, f"hull of the totals of {len(found['layers'])} layers", near, best,
         ("dashed: all totals of that EDP; no total lies", "below the hull, so none has less"), best[0] * best[1])  # fmt: skip
    return svg.done()


FIGURES = {
    "network": network, "mapping": mapping, "fusion": fusion, "reading": reading,
    "machine": machine, "cost": cost, "instructions": instructions,
}  # fmt: skip
# Of the reference: Lowering.md, Latency.md, Search.md, ExactBound.md.
REFERENCE = {"nest": nest, "overlap": overlap, "search": pipeline, "hull": hulls}


def main():
    args = pages.options(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(args.build, pathlib.Path(scratch))
        figures = [(PAGES / f"{name}.svg", draw(tools)) for name, draw in FIGURES.items()]
        figures += [(DOCS / f"{name}.svg", draw(tools)) for name, draw in REFERENCE.items()]
    pages.write(figures, args)


if __name__ == "__main__":
    main()
