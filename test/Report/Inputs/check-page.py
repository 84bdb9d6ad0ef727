"""Opens a report's page in a browser and holds what it shows against the JSON.

usage: check-page.py page.html report.json [query]

The page marks each number that it shows with where the number stands in the
JSON. Prints a line for each section: how many numbers it shows.
"""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

page, document = map(pathlib.Path, sys.argv[1:3])
query = sys.argv[3] if len(sys.argv) > 3 else ""
report = json.loads(document.read_text())
source = page.read_text()

# Nothing is fetched: no address but the name of SVG's elements.
addresses = set(re.findall(r"https?://[^\"'\s)]+", source))
assert addresses <= {"http://www.w3.org/2000/svg"}, addresses
assert not re.search(r"<link|<img|<script[^>]* src=|@import|url\(", source)

with tempfile.TemporaryDirectory() as profile:
    ran = subprocess.run(
        [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--user-data-dir=" + profile,
            "--enable-logging=stderr",
            "--virtual-time-budget=10000",
            "--dump-dom",
            page.resolve().as_uri() + query,
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
dom = ran.stdout
console = [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
assert not console, console
assert 'data-drawn="all"' in dom, ran.stderr


def value_at(pointer):
    value = report
    for key in pointer.split("/")[1:]:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


class Page(html.parser.HTMLParser):
    """Numbers by section, and their widths where they are parts of bars."""

    def __init__(self):
        super().__init__()
        self.section, self.numbers, self.bars = None, {}, {}
        self.texts, self.slices, self.edges, self.errors = {}, 0, 0, None
        self.members = 0
        self.inside = []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "section":
            self.section = a["id"]
            self.numbers[self.section] = []
            self.texts[self.section] = ""
        self.slices += a.get("class") == "slice"
        self.members += a.get("class") == "member"
        self.edges += a.get("class") == "edge"
        if tag == "div" and a.get("id") == "errors":
            self.inside.append("errors")
            self.errors = ""
        if "data-json" in a:
            self.numbers[self.section].append((a["data-json"], a["data-value"]))
            if tag == "rect" and self.section in ("energy", "time"):
                self.bars.setdefault(self.section, []).append(
                    (a["data-json"], float(a["width"]))
                )

    def handle_endtag(self, tag):
        if tag == "div" and self.inside:
            self.inside.pop()
        if tag == "section":
            self.section = None

    def handle_data(self, data):
        if self.inside:
            self.errors += data
        if self.section:
            self.texts[self.section] += data


drawn = Page()
drawn.feed(dom)
assert drawn.errors == "", drawn.errors

for section, numbers in drawn.numbers.items():
    for pointer, shown in numbers:
        assert float(shown) == float(value_at(pointer)), (pointer, shown)
    print(section, "numbers" if numbers else "empty", len(numbers))

# Bars are as long as their numbers say.
for section, bars in drawn.bars.items():
    scale = None
    for pointer, width in bars:
        value = value_at(pointer)
        if pointer.startswith("/layers/") and section == "energy":
            value *= report["layers"][int(pointer.split("/")[2])]["runs"]
        if value > 0:
            scale = scale or width / value
            assert abs(width / value / scale - 1) < 1e-6, (pointer, width, value)

# Every layer has its energy, every group its time, in all parts.
shown = {pointer for numbers in drawn.numbers.values() for pointer, _ in numbers}
for i, layer in enumerate(report["layers"]):
    assert f"/layers/{i}/array/energy_pj" in shown
    for level, at in layer["levels"].items():
        for tensor in at["energy_pj"]:
            assert f"/layers/{i}/levels/{level}/energy_pj/{tensor}" in shown
    if "leakage_pj" in layer:
        assert f"/layers/{i}/leakage_pj" in shown
for i, group in enumerate(report["groups"]):
    for key in ("array", "fill", "load_wait", "store_wait", "issue"):
        assert f"/groups/{i}/simulated/{key}" in shown

# The parts add up, in the JSON.
for group in report["groups"]:
    s = group["simulated"]
    parts = sum(s[k] for k in ("array", "fill", "load_wait", "store_wait", "issue"))
    assert parts == s["cycles"], group["name"]
    if "energy_pj" in group and group["layers"]:
        members = sum(report["layers"][i]["total_energy_pj"] for i in group["layers"])
        assert abs(members / group["energy_pj"] - 1) < 1e-9, group["name"]
for layer in report["layers"]:
    energy = layer["array"]["energy_pj"] + sum(
        sum(at["energy_pj"].values()) for at in layer["levels"].values()
    ) + layer.get("leakage_pj", 0)
    assert abs(energy / layer["energy_pj"] - 1) < 1e-9, layer["name"]
total = report["totals"]
groups = [g["simulated"] for g in report["groups"]]
assert total["dram_bytes"] == sum(
    g["dram_read_bytes"] + g["dram_write_bytes"] for g in groups
)
if report["timeline"]:
    line = report["timeline"]
    assert sum(line["dram_bytes"]) == total["dram_bytes"]
    assert sum(s[8] for s in line["slices"]) == total["dram_bytes"]
    assert drawn.slices == len(line["slices"])
    # Members have rows; what they do adds up to what their unit does.
    members = line["member_slices"]
    assert drawn.members == len(members)
    for track in range(3):
        for field in (4, 7, 8):  # busy, commands, bytes
            of_units = sum(s[field] for s in line["slices"] if s[0] == track)
            of_layers = sum(s[field] for s in members if s[0] == track)
            assert of_units == of_layers, (track, field, of_units, of_layers)
    active = {s[1] for s in members if s[0] == 1}
    assert active == set(range(len(report["layers"]))), active
    for slice in members:
        group = report["layers"][slice[1]]["group"]
        assert any(
            r[0] == group and r[1] <= slice[2] and slice[3] <= r[2]
            for r in line["regions"]
        ), slice
assert drawn.edges == len(report["edges"])
print("all equal", len(shown) > 0)
