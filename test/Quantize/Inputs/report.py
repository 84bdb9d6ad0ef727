"""Prints what the test asks of a report on quantisation."""

import json
import sys

report = json.load(open(sys.argv[1]))
for layer in report["layers"]:
    print(f"{layer['kind']} {layer['name']}: at least 25 dB alone: {layer['alone_db'] >= 25}, "
          f"in the net 20: {layer['whole_db'] >= 20}, channels {len(layer['alone_db_of_channels'])}")
output = report["outputs"][0]
print("outputs at least 20 dB:", output["calibration_db"] >= 20, output["held_out_db"] >= 20)
worst = [each["db"] for each in report["worst"]]
print("samples", report["samples"], str(report["held_out"]) + ", worst first:",
      worst == sorted(worst) and len(worst) == 5)
