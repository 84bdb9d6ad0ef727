"""Every shell block of every page is run by a test, or says why not.

    all-blocks.py source-root

Fails for a page with shell blocks that no test of test/Report runs. Prints the
blocks that are not run, with their reasons: all of them, in one list.
"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
tests = "".join(path.read_text() for path in (source / "test" / "Report").glob("*.test"))
run = set(re.findall(r"run-blocks\.py %fadiff_src_root/(\S+\.md)", tests))
pages = [
    *source.glob("*.md"),
    *(source / "docs").rglob("*.md"),
    *(source / "examples").rglob("*.md"),
    *(source / "tools").rglob("*.md"),
]
shell = re.compile(
    r"^## (?P<title>[^\n]*)$|^(?:<!-- not run: (?P<why>[^\n]*) -->\n)?```(?:sh|bash|shell|console)\n",
    re.M,
)
blocks = left_out = 0
for page in sorted(pages):
    name, title, found = str(page.relative_to(source)), "at the top", 0
    for match in shell.finditer(page.read_text()):
        if match["title"] is not None:
            title = match["title"]
            continue
        found += 1
        if match["why"]:
            left_out += 1
            print(f"{name}, {title}: {match['why']}")
    # The path of the tutorial's README is all that it sets.
    if found and name not in run and name != "docs/Tutorial/README.md":
        sys.exit(f"{name}: no test of test/Report runs its {found} shell blocks")
    blocks += found
print(f"{left_out} of {blocks} blocks are not run")
