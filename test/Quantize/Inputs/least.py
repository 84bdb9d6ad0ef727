"""Says whether the outputs and layers of a report have so many dB."""

import json
import sys

report, least = json.load(open(sys.argv[1])), float(sys.argv[2])
outputs = [output[key] for output in report["outputs"] for key in ("calibration_db", "held_out_db")]
layers = [layer["alone_db"] for layer in report["layers"]]
print(f"outputs: at least {least:g} dB:", min(outputs) >= least)
print(f"layers alone: at least {least:g} dB:", min(layers) >= least)
