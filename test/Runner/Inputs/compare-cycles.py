"""Two reports of fadiff-run: is q_proj faster in the second one, and as fast as
predicted there? Do both move the same bytes?"""

import sys


def rows(path):
    found = {}
    for line in open(path):
        words = line.split()
        if words and words[0] in ("q_proj", "total"):
            # ..., cycles predicted, simulated, DRAM bytes, elements on the host
            found[words[0]] = [int(word) for word in words[-4:-1]]
    return found


first, second = rows(sys.argv[1]), rows(sys.argv[2])
predicted, simulated = second["q_proj"][:2]
print(
    "q_proj faster:",
    simulated < first["q_proj"][1],
    "as predicted:",
    abs(predicted / simulated - 1) < 0.05,
)
print("same bytes:", first["total"][2:] == second["total"][2:])
