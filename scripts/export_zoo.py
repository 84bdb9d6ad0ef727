#!/usr/bin/env python3
"""Exports networks of torchvision, and three in plain torch, as ONNX models.

  export_zoo.py OUT                            every network, f32, QDQ and uint8
  export_zoo.py OUT --network resnet18 --opset 13 --open-batch

Each is OUT/f32/<network>.onnx, written by torch.onnx.export, and
OUT/qdq/<network>.onnx, int8 with the ranges that its values have on a few inputs
(scripts/zoo/quantize.py). OUT/uint8/<network>.onnx is that with unsigned activations. OUT/data has an input of each and what torch gives for
it: <network>.<i>.npy and <network>.out.<i>.npy. OUT/calibration/<network> has more
inputs of the same kind, a directory each, as fadiff-run --calibration takes them.
Weights are random, from a seed, and batch normalisation has the statistics of noise.

Needs Debian's python3-torch, python3-torchvision and python3-onnx.
"""

import argparse
import io
import pathlib
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent / "zoo"))

import numpy  # noqa: E402
import onnx  # noqa: E402
import torch  # noqa: E402

import models  # noqa: E402
import quantize  # noqa: E402

CALIBRATION_INPUTS = 4
SAMPLES, SAMPLE_SEED = 8, 1000


def export(network, inputs, opset, open_batch):
    """torch's export of the network, as a model."""
    names = [f"input_{i}" for i in range(len(inputs))]
    outputs = network(*inputs)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    results = [f"output_{i}" for i in range(len(outputs))]
    axes = {name: {0: "batch"} for name in [*names, *results]} if open_batch else None
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, inputs, out, opset_version=opset, input_names=names,
                          output_names=results, dynamic_axes=axes)
    return onnx.load_from_string(out.getvalue()), names, outputs


def write_samples(out, name):
    """Inputs to calibrate with. They depend on the seed alone."""
    for index in range(SAMPLES):
        torch.manual_seed(SAMPLE_SEED + index)
        folder = out / "calibration" / name / f"sample_{index}"
        folder.mkdir(parents=True, exist_ok=True)
        for i, value in enumerate(models.NETWORKS[name][1]()):
            numpy.save(folder / f"input_{i}.npy", value.numpy())


def write(out, name, opset, open_batch, styles, trained):
    network, make_input = models.make(name, folder=trained)
    inputs = make_input()
    # Gradients are left on: without them attention takes a way of its own that
    # torch does not export.
    model, names, outputs = export(network, inputs, opset, open_batch)
    for folder in ("f32", "qdq", "uint8", "data"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for kind, values in (("", inputs), (".out", outputs)):
        for i, value in enumerate(values):
            numpy.save(out / "data" / f"{name}{kind}.{i}.npy", value.detach().numpy())
    if "f32" in styles:
        onnx.save(model, out / "f32" / f"{name}.onnx")
    if "qdq" in styles:
        batches = [dict(zip(names, inputs))]
        batches += [dict(zip(names, make_input())) for _ in range(CALIBRATION_INPUTS - 1)]
        quantised = quantize.quantise(model, batches)
        onnx.save(quantised, out / "qdq" / f"{name}.onnx")
        onnx.save(quantize.unsigned(quantised), out / "uint8" / f"{name}.onnx")
    write_samples(out, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path, help="folder to write to")
    parser.add_argument("--network", choices=models.NETWORKS, action="append")
    parser.add_argument("--style", choices=("f32", "qdq"), action="append")
    parser.add_argument("--opset", type=int, default=17, help="13 to 17 (default 17)")
    parser.add_argument("--open-batch", action="store_true",
                        help="leave the batch open, as the symbolic extent `batch`")
    parser.add_argument("--trained", type=pathlib.Path, metavar="DIR",
                        help="keep trained weights there, and read what is kept")
    options = parser.parse_args()
    count, begun = 0, time.time()
    for name in options.network or models.NETWORKS:
        start = time.time()
        write(options.out, name, options.opset, options.open_batch,
              options.style or ("f32", "qdq"), options.trained)
        print(f"{name}: {time.time() - start:.1f} s", flush=True)
        count += 1
    print(f"exported: {count} networks, opset {options.opset}"
          f"{', open batch' if options.open_batch else ''}, {time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
