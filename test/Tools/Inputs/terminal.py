#!/usr/bin/env python3
"""Runs a command in a terminal and says what a person sees.

    terminal.py columns command...

Both outputs of the command are one terminal of so many columns. Prints the exit
code, the columns of the widest line, also of one that was rewritten, the phases
that the line of progress went through, in their order, whether it said how long
they would take, and what is on the screen in the end.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

columns = int(sys.argv[1])
terminal, other = pty.openpty()
fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
process = subprocess.Popen(sys.argv[2:], stdout=other, stderr=other)
os.close(other)
text = b""
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:  # Linux: nobody has the other end any more
        break
    if not data:
        break
    text += data
code = process.wait(60)
text = re.sub(r"\x1b\[[0-9;]*m", "", text.decode())  # colours

screen, widest, phases, said_left = [""], 0, [], False
for part in re.findall(r"\r\n|\r|\n|\x1b\[K|[^\r\n\x1b]+", text):
    if part in ("\r\n", "\n"):
        screen.append("")
    elif part == "\r":
        rewritten = screen[-1]
    elif part == "\x1b[K":
        screen[-1] = ""
    else:
        # What is written over a line that was not removed is litter.
        screen[-1] += part
        widest = max(widest, len(screen[-1]))
        said_left |= "s left" in part
        phase = re.match(r"\[\d+/\d+\] (?:about \d+ s left, )?([a-z ]+)", part)
        if phase and (not phases or phases[-1] != phase[1]):
            phases.append(phase[1])
print("exit code", code)
print("widest", widest)
print("fits", widest <= columns)
print("phases", ", ".join(phases))
print("says what is left", said_left)
print("screen:")
print("\n".join(screen).rstrip("\n"))
print("end of screen" if screen[-1] == "" else "litter: " + screen[-1])
