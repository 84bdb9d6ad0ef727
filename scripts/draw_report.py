#!/usr/bin/env python3
"""Makes the pictures of docs/Report.md: sections of a report, in a browser.

    scripts/draw_report.py BUILD_DIR [--network=examples/resnet18.mlir]

Runs fadiff-run on the network and writes docs/report-<section>.png, each below
200 KB. Needs chromium (scripts/packages.txt).
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Section, height in pixels, theme.
PICTURES = [("energy", 830, "light"), ("time", 790, "light"),
            ("timeline", 1010, "dark")]
MOST_BYTES = 200_000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--network", type=pathlib.Path,
                        default=ROOT / "examples" / "resnet18.mlir")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        page = pathlib.Path(scratch, "report.html")
        subprocess.run(
            [options.build.resolve() / "bin" / "fadiff-run", options.network,
             "--timing-only", f"--report={page}"],
            check=True, stdout=subprocess.DEVNULL)
        for section, height, theme in PICTURES:
            picture = options.out.resolve() / f"report-{section}.png"
            subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                 "--hide-scrollbars", f"--user-data-dir={scratch}/profile",
                 f"--window-size=1100,{height}", f"--screenshot={picture}",
                 f"{page.as_uri()}?theme={theme}&only={section}"],
                check=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, timeout=120)
            size = picture.stat().st_size
            if size > MOST_BYTES:
                sys.exit(f"{picture}: wanted at most {MOST_BYTES} bytes, "
                         f"found {size}")
            print(f"{picture.relative_to(options.out.resolve().parent)}: "
                  f"{size} bytes")


if __name__ == "__main__":
    main()
