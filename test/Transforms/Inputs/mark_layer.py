#!/usr/bin/env python3
# Prints a module with an attribute more on one of its layers.
#   mark_layer.py layer attribute module.mlir

import sys

layer, mark, path = sys.argv[1:]
text = open(path).read()
start = text.index('fadiff.layer "%s"' % layer)
line = text[start : text.index("\n", start)]
if "attributes {" in line:
    marked = line.replace("attributes {", "attributes {%s, " % mark)
else:
    marked = line[: line.rindex("{")] + "attributes {%s} {" % mark
print(text.replace(line, marked, 1), end="")
