#!/usr/bin/env python3
"""Runs every optimizer that fadiff-opt knows on the same problems.

    every_optimizer.py problems.mlir directory target [search option ...]

For each: the schedule is legal; as a file it comes back as it was and costs the
same, to the last bit; and where the exact one's bound holds for every schedule,
none is below it. Prints a line per optimizer and problem.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

problems, directory, target, *options = sys.argv[1:]
directory = Path(directory)
directory.mkdir(parents=True, exist_ok=True)


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def search(name):
    """The summaries of one optimizer, by problem."""
    mapped, summary = directory / f"{name}.mlir", directory / f"{name}.json"
    chosen = " ".join([f"optimizer={name}", f"summary={summary}", *options])
    run("fadiff-opt", layers, "-o", mapped, f"--fadiff-search={chosen}")
    run("fadiff-opt", mapped, "--fadiff-verify-schedule", "-o", "/dev/null")
    file = directory / f"{name}.schedule.json"
    run("fadiff-translate", "--fadiff-schedule-to-json", mapped, "-o", file)
    again = run("fadiff-opt", layers, f"--fadiff-apply-schedule=file={file}")
    assert again == mapped.read_text(), f"{name}: another schedule came back"
    scored = json.loads(run("fadiff-bench", "rescore", file))
    assert scored["numbers_exact"] == scored["numbers_in_file"] > 0, (name, scored)
    found = {entry["function"]: entry for entry in json.loads(summary.read_text())}
    total = sum(entry["energy_pj"] for entry in found.values())
    written = json.loads(file.read_text())["totals"]["energy_pj"]
    assert abs(total - written) <= 1e-12 * total, (name, total, written)
    return found


# The tool's own list of names: who adds one is in this test.
refused = subprocess.run(
    ["fadiff-opt", "--fadiff-search=optimizer=?", "/dev/null"], capture_output=True, text=True
).stderr
names = re.split(", | or ", re.search("wanted (.*), found", refused).group(1))
layers = directory / "layers.mlir"
target_option = f"--fadiff-attach-target=target={target}"
run("fadiff-opt", problems, target_option, "--fadiff-attach-cost=latency=roofline", "-o", layers)

exact = search("exact")
for name in names:
    found = search(name)
    assert found.keys() == exact.keys(), (name, found.keys())
    for problem, entry in found.items():
        assert entry["optimizer"] == name, entry
        bounds = exact[problem]
        for value, bound in ("value", "lower_bound"), ("unfused_value", "unfused_lower_bound"):
            # Absent where fused schedules may lie outside of what was enumerated.
            assert bounds[bound] is not None or bound == "lower_bound", problem
            if bounds[bound] is not None:
                assert entry[value] >= bounds[bound] * (1 - 1e-12), (name, problem)
        groups = " ".join("+".join(group) for group in entry["groups"])
        print(f"{name} {problem}: {entry['value'] / bounds['value']:.3f} of exact, {groups}")
