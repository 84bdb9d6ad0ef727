#!/usr/bin/env python3
"""Counts how often a network of this folder is right on its test images.

  accuracy.py FADIFF_RUN digits            f32, on the host
  accuracy.py FADIFF_RUN digits --int8     int8, on a simulated Gemmini

All images of a file are one batch. Prints how many of how many are right, and
with --int8 how much of the network is on the array. Needs nothing but Python.
"""

import argparse
import array
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WHITE = {"digits": 16, "shapes": 255}


def read(path):
    """Shape and bytes of a .npy file."""
    data = path.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    shape = re.search(rb"'shape': \(([^)]*)\)", data).group(1)
    return [int(e) for e in shape.split(b",") if e.strip()], data[start:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=pathlib.Path, help="fadiff-run")
    parser.add_argument("network", choices=WHITE)
    parser.add_argument("--int8", action="store_true", help="the QDQ model, on a simulated Gemmini")
    parser.add_argument("--models", type=pathlib.Path, default=HERE,
                        help="folder that train.py wrote (default: this one)")
    options = parser.parse_args()
    name, right, total = options.network, 0, 0
    for images in sorted(options.models.glob(f"{name}.test.*.npy")):
        _, labels = read(options.models / images.name.replace("test", "labels"))
        count = len(labels)
        with tempfile.TemporaryDirectory() as folder:
            scores = pathlib.Path(folder) / "scores.npy"
            command = [options.run, options.models / f"{name}{'.qdq' if options.int8 else ''}.onnx",
                       f"--dim=batch={count}", f"--inputs={images}",
                       f"--image-scale={1 / WHITE[name]!r}", f"--outputs={scores}"]
            if options.int8:
                # What a float score may be off by is not what is asked here.
                command += ["--target=gemmini", "--requantize=hardware", "--float-tolerance=1"]
            else:
                command += ["--reference-only"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stdout + done.stderr)
            shape, data = read(scores)
        values = array.array("f", data)
        classes = shape[1]
        for i in range(count):
            row = values[i * classes:(i + 1) * classes]
            right += row.index(max(row)) == labels[i]
        total += count
        for line in re.findall(r"on the array: .*", done.stdout):
            print(line.split(";")[0])
    print(f"{name}, {'int8 on the simulator' if options.int8 else 'f32'}: "
          f"{right} of {total} right, {100 * right / total:.2f} %")


if __name__ == "__main__":
    main()
