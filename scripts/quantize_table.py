#!/usr/bin/env python3
"""Quantises float networks in several ways and says what each costs.

  quantize_table.py BUILD NETWORK.onnx...                      pseudo-random data
  quantize_table.py BUILD resnet18.onnx --calibration images   a directory of samples
  quantize_table.py BUILD A.onnx B.onnx --calibration 'data/{}' --way WAY --layers
                                                               each layer, side by side
  quantize_table.py --images images --count 8 --size 224       writes such a directory

Prints a line of markdown per network and way: the signal-to-noise ratio of the
outputs against the float network on the data that ranges were chosen by and on
the other half, the lowest one of a layer, and how often the largest element is
the same one. With --layers: of each layer, by its name, the ratio alone and in the
whole network.

--images writes pseudo-random images (1 x 3 x size x size each, from a seed):
blurred noise of two grains, as bright and as coloured on average as ImageNet's
after its usual normalisation.
"""

import argparse
import array
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time

WAYS = [
    "",
    "ranges=percentile",
    "ranges=kl",
    "ranges=mse",
    "ranges=mse weights=mse",
    "ranges=mse weights=mse equalize",
    "ranges=mse weights=mse bias-correction",
    "ranges=mse weights=mse rounding=descent",
    "ranges=mse weights=mse rounding=descent equalize bias-correction",
]
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def blurred(rng, size, grain):
    """A plane of noise on a coarse grid, interpolated linearly."""
    grid = [[rng.random() for _ in range(grain + 1)] for _ in range(grain + 1)]
    for y in range(size):
        top, fraction = divmod(y * grain / size, 1)
        a, b = grid[int(top)], grid[int(top) + 1]
        row = [(1 - fraction) * p + fraction * q for p, q in zip(a, b)]
        for x in range(size):
            left, part = divmod(x * grain / size, 1)
            yield (1 - part) * row[int(left)] + part * row[int(left) + 1]


def write_images(out, count, size, seed):
    out.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        rng = random.Random(f"{seed} {index}")
        numbers = array.array("f")
        for mean, deviation in zip(MEAN, DEVIATION):
            planes = zip(blurred(rng, size, 8), blurred(rng, size, 32))
            numbers.extend((0.7 * a + 0.3 * b - mean) / deviation for a, b in planes)
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, {size}, {size}), }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        (out / f"image_{index:03}.npy").write_bytes(
            b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            + numbers.tobytes())


def quantise(build, network, way, data, target):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        start = time.time()
        done = subprocess.run(
            [build / "bin/fadiff-opt", network, "-o", "/dev/null",
             f"--fadiff-quantize={data} target={target} summary={report} {way}"],
            capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{network}: {way}:\n{done.stderr}")
        return json.loads(report.read_text()), time.time() - start


def print_layers(options, data_of):
    """The layers of all networks, quantised in one way, side by side."""
    found = {}
    for position, network in enumerate(options.networks):
        report, _ = quantise(options.build, network, (options.way or [""])[0],
                             data_of(network), options.target)
        for layer in report["layers"]:
            cells = found.setdefault(layer["name"], [" | "] * len(options.networks))
            cells[position] = (f"{layer['alone_db']:.1f} dB | {layer['whole_db']:.1f} dB")
    heads = [f"{network.stem}, alone | in the net" for network in options.networks]
    print(f"| layer | {' | '.join(heads)} |\n|---{'|---|---' * len(heads)}|")
    for name, cells in found.items():
        print(f"| `{name}` | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("networks", type=pathlib.Path, nargs="*")
    parser.add_argument("--calibration", help="directory of samples; {} in it is the name of the network")
    parser.add_argument("--samples", type=int, default=8, help="of pseudo-random data (8)")
    parser.add_argument("--target", default="gemmini")
    parser.add_argument("--way", action="append", help="options of the pass; all below if none")
    parser.add_argument("--layers", action="store_true", help="print layers, not networks")
    parser.add_argument("--images", type=pathlib.Path, help="write images there instead")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.images:
        return write_images(options.images, options.count, options.size, options.seed)
    if not options.networks:
        parser.error("wanted a build directory and networks, or --images")

    def data_of(network):
        if not options.calibration:
            return f"random-samples={options.samples}"
        return f"calibration='{options.calibration.replace('{}', network.stem)}'"

    if options.layers:
        return print_layers(options, data_of)
    print("| network | options | outputs | of the other half | lowest alone | lowest in the net "
          "| same largest | s |\n|---|---|---|---|---|---|---|---|")
    for network in options.networks:
        for way in options.way or WAYS:
            report, seconds = quantise(options.build, network, way, data_of(network), options.target)
            output = report["outputs"][0]
            top1 = [output.get(name, {"same": 0, "rows": 0}) for name in ("top1", "top1_held_out")]
            lowest = [min(layer[key] for layer in report["layers"] if layer[key] is not None)
                      for key in ("alone_db", "whole_db")]
            held_out = output.get("held_out_db")
            print(f"| {network.stem} | `{way or 'none'}` | {output['calibration_db']:.1f} dB "
                  f"| {'-' if held_out is None else f'{held_out:.1f} dB'} "
                  f"| {lowest[0]:.1f} dB | {lowest[1]:.1f} dB "
                  f"| {sum(t['same'] for t in top1)} of {sum(t['rows'] for t in top1)} "
                  f"| {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
