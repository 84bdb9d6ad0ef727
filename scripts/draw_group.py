#!/usr/bin/env python3
"""Draws the group of docs/walk.mlir, and says in docs/CostModel.md what it costs.

    scripts/draw_group.py BUILD_DIR [--check]

Takes the schedule from fadiff-translate, works out tile by tile which rows each
member reads and makes, by eq. (spans), and adds up what that costs. Stops if the
cost model predicts anything else. Writes docs/walk.svg and the part of the page
between its two marks; with --check nothing is written, and the exit code is 1 if
either is not what would be.
"""

import json
import pathlib
import subprocess
import sys

import pages

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- walk: scripts/draw_group.py -->\n", "<!-- end of walk -->\n"
LOADED, MADE, AGAIN, NONE = "#9ecae1", "#a1d99b", "#fdae6b", "#f0f0f0"


def spans(chain, tile):
    """Per tile, the rows of each tensor: the group's input, then each output."""
    found = []
    for begin in range(0, chain[-1]["dims"]["P"], tile):
        wanted = (begin, min(begin + tile, chain[-1]["dims"]["P"]))
        rows = [wanted]
        for layer in reversed(chain):
            stride, dilation = layer["stride"][0], layer["dilation"][0]
            window = (layer["dims"]["R"] - 1) * dilation + 1
            low = wanted[0] * stride - layer["pad"][0]
            high = (wanted[1] - 1) * stride - layer["pad"][0] + window
            wanted = (max(0, low), min(layer["input"][0], high))
            rows.insert(0, wanted)
        found.append(rows)
    return found


def total(tiles, tensor):
    return sum(rows[tensor][1] - rows[tensor][0] for rows in tiles)


def expect(what, ours, predicted):
    if ours != predicted:
        sys.exit(f"{what}: worked out {ours}, the cost model has {predicted}")


def draw(chain, tiles):
    cell, gap = 20, 12
    names = ["input"] + [layer["layer"] for layer in chain]
    height = max(chain[0]["input"][0], *(layer["dims"]["P"] for layer in chain))
    block = len(names) * (cell * 2 + gap) + 30
    width = 40 + len(tiles) * block
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height * cell + 110}" font-family="sans-serif" font-size="11">'
    ]

    def text(x, y, what, anchor="middle"):
        svg.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}">{what}</text>')

    before = [set() for _ in names]
    for row in range(height):
        text(30, 58 + row * cell + 14, row, "end")
    for t, rows in enumerate(tiles):
        left = 40 + t * block
        text(left + block / 2 - 15, 18, f"tile {t}")
        for tensor, (begin, end) in enumerate(rows):
            x = left + tensor * (cell * 2 + gap)
            text(x + cell, 48, names[tensor])
            extent = chain[0]["input"][0] if not tensor else chain[tensor - 1]["dims"]["P"]
            for row in range(extent):
                colour = NONE
                if begin <= row < end:
                    colour = LOADED if not tensor else MADE
                    if row in before[tensor]:
                        colour = AGAIN
                svg.append(
                    f'<rect x="{x}" y="{58 + row * cell}" width="{2 * cell}" '
                    f'height="{cell}" fill="{colour}" stroke="#555"/>'
                )
            before[tensor] |= set(range(begin, end))
    y = 58 + height * cell + 20
    x = 40
    for colour, what in ((LOADED, "loaded"), (MADE, "made"), (AGAIN, "loaded or made again"), (NONE, "not in this tile")):
        svg.append(f'<rect x="{x}" y="{y}" width="14" height="14" fill="{colour}" stroke="#555"/>')
        text(x + 20, y + 11, what, "start")
        x += 50 + 7 * len(what)
    return "\n".join(svg + ["</svg>", ""])


def walk(schedule):
    chain = schedule["points"]
    last = chain[-1]
    outputs = last["dims"]["P"]
    tile = -(-outputs // last["mapping"]["temporal"]["L3"]["P"])
    tiles = spans(chain, tile)
    side = schedule["target"]["side"]

    def row_words(layer, channels):
        return layer["input"][1] * layer["dims"][channels]

    loaded = total(tiles, 0) * row_words(chain[0], "C")
    weights = [l["dims"]["K"] * l["dims"]["C"] * l["dims"]["R"] * l["dims"]["S"] for l in chain]
    levels = [l["predicted"]["levels"] for l in chain]
    expect("input bytes", loaded, levels[0]["L3"]["tensors"]["I"]["reads"])
    expect("bytes read", loaded + sum(weights), schedule["totals"]["dram_read_bytes"])
    stored = outputs * last["dims"]["Q"] * last["dims"]["K"]
    expect("bytes written", stored, schedule["totals"]["dram_write_bytes"])
    for l, layer in enumerate(chain):
        made = total(tiles, l + 1)
        d = layer["dims"]
        macs = made * d["Q"] * d["K"] * d["C"] * d["R"] * d["S"]
        expect(f"multiply-accumulates of {layer['layer']}", macs, layer["predicted"]["macs"])
    handed = total(tiles, 1) * chain[0]["dims"]["Q"] * chain[0]["dims"]["K"]
    expect("words handed over", handed, levels[0]["L2"]["tensors"]["O"]["updates"])
    expect("cycles", sum(l["predicted"]["cycles"] for l in chain), schedule["totals"]["cycles"])

    def nominal(tensor):
        return max(rows[tensor][1] - rows[tensor][0] for rows in tiles)

    weight_rows = [l["dims"]["R"] * l["dims"]["S"] * l["dims"]["C"] * -(-l["dims"]["K"] // side) for l in chain]
    input_rows = nominal(0) * chain[0]["input"][1]
    between_rows = nominal(1) * chain[1]["input"][1]
    need = sum(weight_rows) + input_rows + between_rows
    have = schedule["target"]["scratchpad_bytes"] // side
    if need > have:
        sys.exit(f"the group needs {need} scratchpad rows of {have}")

    def listed(tensor):
        return ", ".join(f"[{b}, {e})" for b, e in (rows[tensor] for rows in tiles))

    first, second = chain[0]["layer"], last["layer"]
    text = f"""![Rows that each tile loads and makes](walk.svg)

[walk.mlir](walk.mlir) is such a group, on the machine `tiny`: `{second}` after `{first}`, each with a kernel of {last["dims"]["R"]} rows and one column and {last["dims"]["K"]} channels in and out, on images of {outputs} rows of {last["dims"]["Q"]} pixels. The group's tile is {tile} rows of `{second}`'s output,
so there are {len(tiles)} tiles.

- By (spans), `{second}` makes the rows {listed(2)}, for which `{first}` makes {listed(1)}, for which the input's rows {listed(0)} are loaded.
- `{first}` makes {total(tiles, 1)} rows where alone it would make {chain[0]["dims"]["P"]}: {chain[0]["predicted"]["macs"]} multiply-accumulates, and `{second}` {last["predicted"]["macs"]}, one row of pixels being {last["dims"]["Q"] * last["dims"]["K"] * last["dims"]["C"] * last["dims"]["R"]}.
- {total(tiles, 0)} rows of {row_words(chain[0], "C")} bytes are loaded, {loaded} bytes, and once the weights, {" and ".join(map(str, weights))}: {schedule["totals"]["dram_read_bytes"]} bytes are read, (fills). {stored} are written, (output-words). What is between the two never leaves the chip, (fused-ends): {handed} words go
  from the accumulator to the scratchpad.
- On chip there must be room at once, by (group-rows), for weights of {" and ".join(map(str, weight_rows))} rows, an input window of {input_rows} and a tile between the members of {between_rows}: {need} of the machine's {have} rows of the scratchpad.
- `{first}` takes {chain[0]["predicted"]["cycles"]} cycles and `{second}` {last["predicted"]["cycles"]} by (roofline), together {schedule["totals"]["cycles"]} by (group-cost).

`fadiff-run docs/walk.mlir --check --timing-only` simulates {schedule["totals"]["dram_read_bytes"]} bytes read and {schedule["totals"]["dram_write_bytes"]} written.
"""
    return draw(chain, tiles), text


def main():
    args = pages.options(__doc__)
    output = subprocess.run(
        [args.build / "bin/fadiff-translate", "--fadiff-schedule-to-json", DOCS / "walk.mlir"],
        stdout=subprocess.PIPE, check=True).stdout
    svg, text = walk(json.loads(output))
    page = DOCS / "CostModel.md"
    before, _, rest = page.read_text().partition(BEGIN)
    old, mark, after = rest.partition(END)
    if not mark:
        sys.exit(f"{page} lacks the marks {BEGIN.strip()} and {END.strip()}")
    pages.write([(DOCS / "walk.svg", svg), (page, before + BEGIN + text + END + after)], args)


if __name__ == "__main__":
    main()
