#!/usr/bin/env python3
"""Runs a command and says whether it used too much of a processor.

    cpu_seconds.py SECONDS [--beside=OPTION] command...

Prints "in time", or how long it took. Time of the processor depends little on
what else the machine has to do. With --beside the command may take four times as
long, in addition, as the first two words of it with OPTION in place of the
others: so a processor that is shared, or slow, has the time that it needs.
"""

import resource
import subprocess
import sys

TIMES = 4


def seconds(command):
    """Exit code and seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    code = subprocess.call(command)
    return code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


most, command = float(sys.argv[1]), sys.argv[2:]
if command[0].startswith("--beside="):
    beside = command.pop(0).removeprefix("--beside=")
    code, used = seconds([*command[:2], beside, "-o", "/dev/null"])
    if code:
        sys.exit(code)
    most += TIMES * used
code, used = seconds(command)
print("in time" if used <= most else f"took {used} s, wanted at most {most}")
sys.exit(code)
