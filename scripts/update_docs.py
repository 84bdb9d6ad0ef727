#!/usr/bin/env python3
"""Copies the reference pages that TableGen generates into docs/.

    scripts/update_docs.py BUILD_DIR [--check]

With --check nothing is written; the exit code is 1 if a committed page differs
from what the build generated.
"""

import pathlib
import sys

import pages


def main():
    args = pages.options(__doc__)
    docs = pathlib.Path(__file__).resolve().parent.parent / "docs"
    generated = args.build / "docs"
    found = sorted(generated.rglob("*.md"))
    if not found:
        sys.exit(f"no generated pages under {generated}; build first")
    pages.write(
        [(docs / page.relative_to(generated), page.read_text()) for page in found], args
    )


if __name__ == "__main__":
    main()
