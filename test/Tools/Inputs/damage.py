#!/usr/bin/env python3
"""Damages a file in many ways and checks what a command makes of it.

    damage.py file expected command...

`{}` in the command is the damaged file's name; the command prints a schedule.
A damaged file must be refused with an error that names it or its layer, exit
code 1, or give the costs of `expected`, an undamaged schedule: never a crash and
never another cost.
"""

import random
import re
import subprocess
import sys

source, expected, command = sys.argv[1], sys.argv[2], sys.argv[3:]
data = open(source, "rb").read()
wanted = re.findall(r"cost\(<[^)]*\)", open(expected).read())
assert wanted
rng = random.Random(1)
copies = [data[: len(data) * i // 7] for i in range(7)]
for _ in range(40):
    position = rng.randrange(len(data))
    flipped = bytearray(data)
    flipped[position] ^= 1 << rng.randrange(8)
    copies.append(bytes(flipped))
copies.append(data.replace(b'"fadiff_schedule": 1', b'"fadiff_schedule": 2'))
copies.append(b"\x00\xff" * 100)
refused = 0
for number, copy in enumerate(copies):
    path = f"{expected}.damaged"
    open(path, "wb").write(copy)
    run = subprocess.run(
        [word.replace("{}", path) for word in command], capture_output=True
    )
    error = run.stderr.decode(errors="replace")
    if run.returncode == 1 and "error:" in error:
        refused += 1
        continue
    found = re.findall(r"cost\(<[^)]*\)", run.stdout.decode())
    if run.returncode != 0 or found != wanted:
        sys.exit(f"copy {number}: exit code {run.returncode}\n{error}")
print(f"{refused} of {len(copies)} refused")
