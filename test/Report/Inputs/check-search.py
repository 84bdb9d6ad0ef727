"""What is searched again is at least as good as the schedule that is kept."""

import json
import sys

points = 0
for knob in json.load(open(sys.argv[1]))["what_would_help"]:
    for point in knob["searched_again"]:
        assert point["found"], (knob["field"], point)
        points += 1
        ratio = point["objective_ratio"]
        if knob["is_capacity"]:
            # More room never hurts, less never helps. The array's side changes
            # more than room.
            if knob["field"] != "array.side":
                assert (ratio <= 1 + 1e-9) == (point["factor"] > 1 or ratio == 1), knob
        else:
            kept = knob["twice" if point["factor"] == 2 else "half"]
            assert ratio <= kept["objective_ratio"] * (1 + 1e-9), (knob, point)
print("searched again", points, "points")
