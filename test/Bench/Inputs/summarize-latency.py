"""Whether the predictions of `fadiff-bench latency` are close to the simulator's
cycles, and closer than the roofline's: of all nests, or of one kind. Prints what
is, for FileCheck."""
import json
import sys

found = json.load(open(sys.argv[1]))
rows = found["by_kind"][sys.argv[2]] if len(sys.argv) > 2 else found["all"]
stream, roofline = rows["streams"], rows["roofline"]
print("rows", rows["rows"])
print("geometric mean within 10 %:", 0.9 <= stream["geometric_mean"] <= 1.1)
print("mean error at most 4 %:", stream["mean_abs_rel_error"] <= 0.04)
print("no nest beyond 15 %:", stream["max_abs_rel_error"] < 0.15)
print("better than the roofline:", stream["tau"] > roofline["tau"])
