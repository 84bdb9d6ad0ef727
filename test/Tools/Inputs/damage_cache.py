#!/usr/bin/env python3
"""Damages a cache in many ways and checks what a command makes of it.

    damage_cache.py cache expected command...

`{}` in the command is the damaged cache's name; the command prints a schedule.
It must print the bytes of `expected` and warn, write the cache anew, and then
not warn again.
"""

import json
import random
import subprocess
import sys

source, expected, command = sys.argv[1], sys.argv[2], sys.argv[3:]
data = open(source, "rb").read()
wanted = open(expected, "rb").read()
rng = random.Random(2)


def values(text):
    """What the lines say; None where one says nothing."""
    try:
        return [json.loads(line) for line in text.split(b"\n") if line]
    except ValueError:
        return None


copies = [data[: len(data) * i // 5] for i in range(1, 5)]
while len(copies) < 16:
    position = rng.randrange(len(data))
    flipped = bytearray(data)
    flipped[position] ^= 1 << rng.randrange(8)
    # The last digit of a number may be beyond what a double holds: no damage.
    if values(bytes(flipped)) != values(data):
        copies.append(bytes(flipped))
copies.append(data.replace(b'"fadiff_cache":1', b'"fadiff_cache":2'))
copies.append(data.replace(b'"model":"', b'"model":"0'))
copies.append(data[data.index(b"\n") + 1 :])
copies.append(b"")
copies.append(b"\x00\xff\n" * 100)
path = f"{expected}.cache"
for number, copy in enumerate(copies):
    open(path, "wb").write(copy)
    for damaged in (True, False):
        run = subprocess.run(
            [word.replace("{}", path) for word in command], capture_output=True
        )
        error = run.stderr.decode(errors="replace")
        warned = f"warning: fadiff-search: the cache '{path}' " in error
        if run.returncode != 0 or run.stdout != wanted or warned != damaged:
            sys.exit(f"copy {number}: exit code {run.returncode}\n{error}")
print(f"{len(copies)} damaged caches, same bytes")
