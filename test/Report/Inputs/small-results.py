"""Runs the long sections of scripts/results.py on small cases.

    small-results.py source-root object-root scratch

Fails if the heads of the tables that one makes are not those that its section of
docs/Results.md has: figures there that were measured long ago stand in the form
that the script writes today.
"""

import pathlib
import re
import sys

source, build, scratch = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(source / "scripts"))
import results  # noqa: E402

TINY = "examples/tiny.mlir"
SMALLER = (
    (r"growth$", "growth --lengths=10"),
    (r"gradient$", "gradient --cells=1"),
    (r"--cells=300", "--cells=1"),
    (r"--large --cells=20", "--large --cells=1 --time=1"),
    (r"constants --table", "constants --table --constant=climb.sweeps --network=resnet18 --target=gemmini-large --seeds=1"),
    (r"(examples/\w+\.mlir ?)+", TINY + " "),
    (r"bench latency (?!--target)", "bench latency --target=gemmini "),
    (r"bench programs", "bench programs --target=gemmini"),
)
# Those that run in seconds and want neither torch nor a cross compiler.
TRIED = ("growth", "programs", "library", "gradient", "constants", "matmul-loops", "thin", "latency", "issue", "issue-choice",
         "streams-choice", "limits")


class Small(results.Tools):
    known = {}  # by command: all networks are the same one

    def filled(self, command):
        for pattern, smaller in SMALLER:
            command = re.sub(pattern, smaller, command)
        return super().filled(command)

    def json(self, command):
        text = self.filled(command)
        if text not in self.known:
            self.known[text] = super().json(command)
        return self.known[text]


def heads(text):
    return re.findall(r"^(\|.*)\n\|---", text, re.M)


scratch.mkdir(parents=True, exist_ok=True)
tools = Small(build, None, scratch)
page = results.PAGE.read_text()
for section in results.SECTIONS:
    if section.name not in TRIED:
        continue
    begin, end = results.marks(section.name)
    wanted, made = heads(page.split(begin)[1].split(end)[0]), heads(section.make(tools))
    if made != wanted or not made:
        sys.exit(f"{section.name}: the page has {wanted}, the script makes {made}")
    print(f"{section.name}: as on the page", flush=True)
