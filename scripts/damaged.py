#===- damaged.py - What the fuzzers of files share -------------------------===#
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What fuzz_onnx.py and fuzz_data.py share: damage to bytes and to the fields of
protobuf messages, a tool run within limits of time and memory, and the cases of a
seed with the counts of what became of them."""

import argparse
import random
import resource
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SECONDS = 20
BYTES = 4 << 30
NUMBERS = [0, 1, 2, 3, 7, 16, 127, 255, 1 << 20, 1 << 31, 1 << 40, (1 << 63) - 1,
           (1 << 64) - 1, (1 << 64) - 2]


def read_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def parse(data, depth=0):
    """The fields of a message as [number, wire type, value]; the value of a
    nested message is such a list. Raises ValueError if it is none."""
    fields, at = [], 0
    while at < len(data):
        tag, at = read_varint(data, at)
        number, kind = tag >> 3, tag & 7
        if number == 0 or number > 1000:
            raise ValueError
        if kind == 0:
            value, at = read_varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        elif kind == 2:
            size, at = read_varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError
            if size and depth < 12:
                try:
                    value = parse(value, depth + 1)
                except ValueError:
                    pass
        else:
            raise ValueError
        if at > len(data):
            raise ValueError
        fields.append([number, kind, value])
    return fields


def encode(fields):
    out = bytearray()
    for number, kind, value in fields:
        out += varint(number << 3 | kind)
        if kind == 0:
            out += varint(value)
        elif kind == 2:
            data = encode(value) if isinstance(value, list) else value
            out += varint(len(data)) + data
        else:
            out += value
    return bytes(out)


def lists(fields):
    yield fields
    for _, _, value in fields:
        if isinstance(value, list):
            yield from lists(value)


def names(fields):
    for each in lists(fields):
        for _, kind, value in each:
            if kind == 2 and isinstance(value, bytes) and 0 < len(value) < 40:
                yield value


def change_fields(draw, data):
    root = parse(data)
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        fields = draw.choice([each for each in lists(root) if each] or [root])
        if not fields:
            continue
        i = draw.randrange(len(fields))
        what = draw.randrange(6)
        if what == 0:
            del fields[i]
        elif what == 1:
            fields.insert(i, fields[i])
        elif what == 2:
            j = draw.randrange(len(fields))
            fields[i], fields[j] = fields[j], fields[i]
        elif fields[i][1] == 0:
            number = draw.choice(NUMBERS + [fields[i][2] + 1, max(0, fields[i][2] - 1)])
            fields[i] = [fields[i][0], 0, number & (1 << 64) - 1]
        elif fields[i][1] == 2 and isinstance(fields[i][2], bytes):
            other = draw.choice(list(names(root)) or [b"x"])
            fields[i] = [fields[i][0], 2, draw.choice([other, b"", fields[i][2][:-1]])]
        else:
            fields[i] = [draw.randrange(1, 25), fields[i][1], fields[i][2]]
    return encode(root)


def change_bytes(draw, data):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 8])):
        at = draw.randrange(len(data)) if data else 0
        what = draw.randrange(4)
        if what == 0:
            del data[at:]
        elif what == 1 and data:
            data[at] ^= 1 << draw.randrange(8)
        elif what == 2 and data:
            data[at] = draw.randrange(256)
        else:
            data[at:at] = data[at:at + draw.randrange(1, 16)]
    return bytes(data)


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def try_one(command, names_file):
    """What is wrong with how the tool takes the file; else whether it did. An error's
    text has to satisfy `names_file`."""
    try:
        run = subprocess.run(command, timeout=SECONDS, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, preexec_fn=limits)
    except subprocess.TimeoutExpired:
        return f"takes more than {SECONDS} seconds"
    text = run.stderr.decode(errors="replace")
    if run.returncode == 0:
        return True
    if run.returncode != 1:
        return f"ends with {run.returncode}: {text.strip()[-200:]}"
    if "the tool crashed" in text:
        return "crashes"
    if not names_file(text):
        return f"fails without naming the file: {text.strip()[:200]}"
    return False


def parser(kind):
    """The options that all have; what is found is kept under build/`kind`."""
    found = argparse.ArgumentParser()
    found.add_argument("--seed", type=int, default=1)
    found.add_argument("--count", type=int, default=1000)
    found.add_argument("--jobs", type=int, default=2)
    found.add_argument("--build-dir", type=Path, default=Path("build/release"))
    found.add_argument("--out", type=Path, default=Path("build") / kind)
    return found


def run_cases(what, options, case):
    """Calls `case(draw, name)` for each number of the seed, with a generator and a
    name of its own; it returns the path of its file and what try_one found. Prints
    each failure and a line with the counts. Returns the exit code."""
    options.out.mkdir(parents=True, exist_ok=True)

    def numbered(number):
        return case(random.Random(f"{options.seed} {number}"), f"{options.seed}-{number}")

    taken = refused = failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for path, found in pool.map(numbered, range(options.count)):
            if isinstance(found, str):
                failed += 1
                print(f"failed: {path}: {found}", flush=True)
            else:
                taken, refused = taken + found, refused + (not found)
    print(f"{what}: seed {options.seed}, {options.count} cases: {taken} taken, "
          f"{refused} refused, {failed} failed")
    return 1 if failed else 0
