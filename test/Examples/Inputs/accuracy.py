"""Reads what examples/digits/accuracy.py printed, in f32 and perhaps in int8:
accuracy.py FILE IMAGES."""

import re
import sys

counts = [(int(a), int(b)) for a, b in
          re.findall(r"(\d+) of (\d+) right", open(sys.argv[1]).read())]
images = int(sys.argv[2])
assert counts and all(total == images for _, total in counts), counts
shares = [100 * right / total for right, total in counts]
if shares[0] < 97:
    sys.exit(f"wanted at least 97 % in f32, found {shares[0]:.2f}")
if shares[-1] < shares[0] - 0.5:
    sys.exit(f"wanted a loss of at most 0.5 points, found {shares[0]:.2f} and {shares[-1]:.2f}")
