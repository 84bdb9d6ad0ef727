#!/usr/bin/env python3
"""Draws the figures of docs/Tutorial.

    scripts/draw_tutorial.py BUILD_DIR [--check]

Every number in them comes from the JSON report of a run of fadiff-run. With
--check nothing is written, and the exit code is 1 if a figure is not what would
be.
"""

import json
import pathlib
import subprocess
import tempfile

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "Tutorial"
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
        self.call("fadiff-run", *args, f"--report={path}")
        return json.loads(path.read_text())


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


FIGURES = {
    "network": network, "mapping": mapping, "fusion": fusion, "reading": reading,
    "machine": machine, "cost": cost, "instructions": instructions,
}  # fmt: skip


def main():
    args = pages.options(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(args.build, pathlib.Path(scratch))
        figures = [(PAGES / f"{name}.svg", draw(tools)) for name, draw in FIGURES.items()]
    pages.write(figures, args)


if __name__ == "__main__":
    main()
