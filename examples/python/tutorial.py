"""From a model file to a schedule and its outputs, in Python.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/tutorial.py

docs/Python.md explains it; a test runs it.
"""

import pathlib
import tempfile

import fadiff
import numpy

DIGITS = pathlib.Path(__file__).resolve().parents[1] / "digits"

# A model of ONNX that leaves its batch open: eight images at a time.
net = fadiff.load(DIGITS / "digits.qdq.onnx", dims={"batch": 8})
print("reads", net.inputs, "gives", net.outputs)

# A schedule for stock Gemmini, with the options of --fadiff-schedule.
plan = fadiff.schedule(net, target="gemmini", requantize="hardware", objective="latency")
print(f"{plan.cycles:.0f} cycles are predicted, {plan.energy * 1e-6:.1f} uJ; "
      f"no legal schedule has less than {plan.bound:.0f} cycles")
host = plan.summary[0]["host"]
print(f"{host['macs_on_array']} of {host['macs']} multiply-accumulates are on the array")
assert host["macs_on_array"] == host["macs"]
assert plan.bound <= plan.cycles * (1 + 1e-9)

# Costs per loop nest are an array: which nests take the most time?
for i in numpy.argsort(-plan.costs["cycles"])[:3]:
    print(f"  {plan.nests[i]['name']}: {plan.costs['cycles'][i]:.0f} cycles, "
          f"{plan.costs['dram_read'][i]} bytes read")

# Images that the training has not seen, black 0 and white 1.
images = numpy.load(DIGITS / "digits.test.0.npy")[:8].astype(numpy.float32) / 16
labels = numpy.load(DIGITS / "digits.labels.0.npy")[:8]

# The program that the schedule stands for, on the simulated machine.
run = plan.simulate([images])
scores = run.outputs[0]
print("simulated:", run.cycles, "cycles,", run.dram_read, "bytes read")
print("found ", scores.argmax(axis=1))
print("wanted", labels)
assert (scores.argmax(axis=1) == labels).sum() >= 7

# The same on the host, without an accelerator; its outputs differ by roundings.
reference = net.run([images])[0]
step = numpy.diff(numpy.unique(reference)).min()
print(f"largest difference from the host: {abs(scores - reference).max() / step:.0f} steps")
assert abs(scores - reference).max() <= 4 * step

# All of it as a file, and the scheduled module as text.
with tempfile.TemporaryDirectory() as folder:
    plan.report(pathlib.Path(folder) / "report.json")
assert "fadiff.loop_nest" in plan.text

# What is refused says why.
try:
    plan.run([images[:4]])
except fadiff.Error as error:
    print("refused:", error)
