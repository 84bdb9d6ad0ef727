"""Compares the reports of rounding to nearest, by descent, and with corrected biases."""

import json
import sys

nearest, descent, bias = (json.load(open(name))["layers"] for name in sys.argv[1:])
pairs = [(a, b) for a, b in zip(nearest, descent) if a["kind"] == "contraction"]
worse = sum(b["weights_db"] < a["weights_db"] for a, b in pairs)
better = sum(b["alone_db"] > a["alone_db"] for a, b in pairs)
print(f"descent: weights are worse in {worse} of {len(pairs)} contractions, "
      f"outputs better in at least 3: {better >= 3}")
gain = sum(b["alone_db"] - a["alone_db"] for a, b in zip(nearest, bias))
print("bias: outputs better on the whole:", gain > 0)
