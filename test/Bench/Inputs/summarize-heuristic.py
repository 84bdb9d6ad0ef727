"""Prints what heuristic.test looks at: the tiles, and MB read and written."""

import json
import sys

result = json.load(open(sys.argv[1]))
tiles = result["tiles"]
print(tiles["rows"], tiles["rows_equal"], tiles["differing"])
for entry in result["traffic"]:
    library = entry["library"]
    print(
        entry["network"],
        entry["target"],
        "%.2f %.2f" % (library["read"] / 1e6, library["written"] / 1e6),
    )
