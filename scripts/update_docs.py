#!/usr/bin/env python3
"""Copies the reference pages that TableGen generates into docs/.

    scripts/update_docs.py BUILD_DIR [--check]

With --check nothing is written; the exit code is 1 if a committed page differs
from what the build generated.
"""

import argparse
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    docs = pathlib.Path(__file__).resolve().parent.parent / "docs"
    pages = sorted((args.build / "docs").rglob("*.md"))
    if not pages:
        sys.exit(f"no generated pages under {args.build / 'docs'}; build first")
    stale = []
    for page in pages:
        committed = docs / page.relative_to(args.build / "docs")
        text = page.read_text()
        if committed.exists() and committed.read_text() == text:
            continue
        stale.append(committed.relative_to(docs.parent))
        if not args.check:
            committed.parent.mkdir(parents=True, exist_ok=True)
            committed.write_text(text)
    if stale and args.check:
        names = ", ".join(map(str, stale))
        sys.exit(f"stale: {names}; run scripts/update_docs.py {args.build}")


if __name__ == "__main__":
    main()
