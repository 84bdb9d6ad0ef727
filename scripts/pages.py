"""What the scripts share that write pages and figures, or check them."""

import argparse
import pathlib
import sys


def options(description):
    """The options of such a script: a build's directory, and --check."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def write(pages, args):
    """Writes what differs of `pages`, which are pairs of path and text. With
    --check nothing is written, and the script ends with 1 if anything would be."""
    stale = []
    for path, text in pages:
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.name)
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if stale and args.check:
        sys.exit(f"stale: {', '.join(stale)}; run {sys.argv[0]} {args.build}")
