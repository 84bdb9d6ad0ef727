#!/usr/bin/env python3
"""Checks that every equation that is cited exists.

usage: check_equations.py [source directory]

docs/CostModel.md gives its equations names, in bold and parentheses where they
are defined: **(tile)**. Code, tests and pages cite them as `eq. (tile)` or
`eqs. (halo) to (used), (edp)`, and so does that page, as (tile). The equations
of docs/Latency.md are L1, S1, W1, ... and those of docs/Search.md numbers, cited
together with the page. Prints one line per citation of what there is not, and
exits 1 if there is one.
"""

import re
import sys
from pathlib import Path

TOPS = ("include", "lib", "unittests", "tools", "docs")
SUFFIXES = {".h", ".cpp", ".md", ".td"}
NAME = r"\([a-z][a-z-]*\)"
LABEL = rf"(?:{NAME}|[LSW]\d+|\d+)"
CITED = re.compile(rf"\b[Ee]qs?\. ({LABEL}(?:(?:, and |, | and | to |, to ){LABEL})*|\S+)")
DEFINED = re.compile(rf"^\*\*({NAME})\*\*", re.MULTILINE)
# In CostModel.md: a name in parentheses that is no argument of a function.
REFERENCE = re.compile(rf"(?<![\w}}`*])({NAME})")
PROSE = {"(dilated)"}


def joined(text: str):
    """The text on one line, and where each of its lines begins."""
    line_of = []
    parts = []
    for number, line in enumerate(text.splitlines(), start=1):
        part = re.sub(r"^\s*(//[/<!]*|\*)?\s*", "", line) + " "
        parts.append(part)
        line_of += [number] * len(part)
    return "".join(parts), line_of


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    pages = {
        name: (root / "docs" / f"{name}.md").read_text()
        for name in ("CostModel", "Latency", "Search")
    }
    names = DEFINED.findall(pages["CostModel"])
    known = set(names)
    known |= set(re.findall(r"^\| ([LSW]\d+) \|", pages["Latency"], re.MULTILINE))
    of_search = set(re.findall(r"^\((\d+)\)", pages["Search"], re.MULTILINE))
    offences = [f"docs/CostModel.md: {name} is defined twice"
                for name in sorted(known) if names.count(name) > 1]
    cited = 0

    def check(label: str, place: str, context: str):
        nonlocal cited
        cited += 1
        if label.isdigit():
            if "paper" in context or " its eq" in context.lower() or (
                "Search.md" in place
            ) or (
                "Search.md" in context and label in of_search
            ):
                return
            offences.append(f"{place}: eq. {label} has no name; equations of "
                            "docs/CostModel.md are cited by theirs")
        elif label not in known:
            offences.append(f"{place}: no equation {label}")

    for top in TOPS:
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SUFFIXES or "Results" in path.parts:
                continue
            text, line_of = joined(path.read_text())
            for match in CITED.finditer(text):
                place = f"{path.relative_to(root)}:{line_of[match.start()]}"
                context = text[max(0, match.start() - 160) : match.end() + 80]
                labels = re.findall(LABEL, match.group(1))
                for label in labels or [match.group(1)]:
                    check(label, place, context)
    for number, line in enumerate(pages["CostModel"].splitlines(), start=1):
        for label in REFERENCE.findall(line):
            if label not in PROSE:
                check(label, f"docs/CostModel.md:{number}", line)
    for offence in offences:
        print(offence)
    print(f"equations: {len(names)} named, {cited} citations, {len(offences)} offences")
    return 1 if offences or not cited else 0


if __name__ == "__main__":
    sys.exit(main())
