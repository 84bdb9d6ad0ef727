#!/usr/bin/env python3
"""Runs a command and sends it a signal while it searches.

    interrupt.py [--signal NAME] [--twice] [--at PHASE] command...

Standard error of the command is a terminal. The first signal, SIGINT by
default, is sent when a line of progress names PHASE (any, by default). With
--twice nobody reads the command's standard output, so that it cannot end, and it
gets a second one. NAME may be several, joined by commas, which are sent at once.
Prints the exit code (negative: the signal) and the first line of progress.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

LIMIT = 60  # seconds until something must be wrong
F_SETPIPE_SZ = 1031

parser = argparse.ArgumentParser()
parser.add_argument("--twice", action="store_true")
parser.add_argument("--signal", default="SIGINT")
parser.add_argument("--at", default="")
parser.add_argument("command", nargs=argparse.REMAINDER)
args = parser.parse_args()
signals = [signal.Signals[name] for name in args.signal.split(",")]


def as_usual():
    """A test runner may ignore them, which is inherited."""
    for each in signals:
        signal.signal(each, signal.SIG_DFL)


terminal, errors = pty.openpty()
# So wide that no line is cut.
fcntl.ioctl(errors, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
reader, writer = os.pipe()
fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
process = subprocess.Popen(
    args.command,
    stdout=writer if args.twice else None,
    stderr=errors,
    preexec_fn=as_usual,
)
os.close(errors)
os.close(writer)
deadline = time.monotonic() + LIMIT
text = ""


def fail(why):
    process.kill()
    sys.exit(f"{why}; standard error so far: {text!r}")


def read_errors():
    """More of standard error; false at its end."""
    global text
    try:
        data = os.read(terminal, 4096)
    except OSError:  # Linux: nobody has the other end any more
        data = b""
    text += data.decode(errors="replace")
    return bool(data)


def await_errors(seconds):
    return select.select([terminal], [], [], max(0, seconds))[0]


while f"search: {args.at}" not in text:
    if not await_errors(deadline - time.monotonic()):
        fail("no progress")
    if not read_errors():
        fail("ended before it was interrupted")
for each in signals:
    process.send_signal(each)
if args.twice:
    if not select.select([reader], [], [], LIMIT)[0]:
        fail("the first signal did not end the search")
    for each in signals:
        process.send_signal(each)
while time.monotonic() < deadline:
    if not await_errors(deadline - time.monotonic()) or not read_errors():
        break
try:
    code = process.wait(max(1, deadline - time.monotonic()))
except subprocess.TimeoutExpired:
    fail("still running")
lines = [line for line in text.replace("\r", "\n").split("\n") if "search:" in line]
print("exit code", code)
print(lines[0].replace("\x1b[K", ""))
rest = text.rsplit("\x1b[K", 1)[-1].strip()
if rest:
    print(rest)
