#!/usr/bin/env python3
"""Runs a command and says whether it used too much of a processor.

    cpu_seconds.py SECONDS command...

Prints "in time", or how long it took. Time of the processor does not depend on
what else the machine has to do.
"""

import resource
import subprocess
import sys

code = subprocess.call(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
print("in time" if used <= float(sys.argv[1]) else f"took {used} s")
sys.exit(code)
