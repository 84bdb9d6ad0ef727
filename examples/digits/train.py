#!/usr/bin/env python3
"""Trains two small networks and writes what the tests need of them.

  train.py OUT                   digits and shapes
  train.py OUT --network digits

`digits` reads scikit-learn's handwritten digits, 8x8 and grey, and tells ten
classes; `shapes` reads 32x32 images that this file draws, and tells eight. Each has
six convolutions or more, a residual block and a depthwise layer. OUT gets of each

  <name>.onnx        f32, as torch.onnx.export writes it, the batch left open
  <name>.qdq.onnx    int8 with ranges from training images (scripts/zoo/quantize.py)
  <name>.test.<i>.npy, <name>.labels.<i>.npy
                     images that the training has not seen, as uint8 (the networks
                     read them times 1/16 or 1/255), and their classes

All of it follows from the seed, up to the order in which a machine adds. Needs
Debian's python3-torch, python3-sklearn and python3-onnx.
"""

import argparse
import io
import math
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "zoo"))

import numpy  # noqa: E402
import onnx  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402

import quantize  # noqa: E402

SHAPES = ["disc", "ring", "square", "frame", "triangle", "cross", "bars", "star"]


def conv(inner, out, kernel=3, stride=1, groups=1, act=True):
    layers = [nn.Conv2d(inner, out, kernel, stride, kernel // 2, groups=groups, bias=False),
              nn.BatchNorm2d(out)]
    return nn.Sequential(*layers, nn.ReLU()) if act else nn.Sequential(*layers)


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = conv(width, width), conv(width, width, act=False)

    def forward(self, x):
        return torch.relu(x + self.second(self.first(x)))


def digits_network():
    """8x8, one channel."""
    return nn.Sequential(
        conv(1, 16), Residual(16),
        conv(16, 16, groups=16), conv(16, 32, kernel=1),  # depthwise, pointwise
        conv(32, 32, stride=2), nn.Conv2d(32, 10, 4), nn.Flatten())


def shapes_network():
    """32x32, one channel."""
    return nn.Sequential(
        conv(1, 16, kernel=5, stride=2),
        conv(16, 16, groups=16), conv(16, 32, kernel=1),
        conv(32, 32, stride=2), Residual(32),
        conv(32, 48, stride=2), nn.Conv2d(48, len(SHAPES), 4), nn.Flatten())


# Data -------------------------------------------------------------------------


def digits_data(generator):
    """Images as uint8 from 0 to 16, classes."""
    from sklearn import datasets
    images, classes = datasets.load_digits(return_X_y=True)
    order = generator.permutation(len(images))
    return images[order].astype(numpy.uint8).reshape(-1, 1, 8, 8), classes[order]


def inside(kind, x, y):
    """Where the shape is, in coordinates in which it fills a disc of radius 1."""
    r, angle = numpy.hypot(x, y), numpy.arctan2(y, x)
    square = numpy.maximum(abs(x), abs(y)) < 0.8
    if kind == "disc":
        return r < 0.9
    if kind == "ring":
        return (r < 0.95) & (r > 0.55)
    if kind == "square":
        return square
    if kind == "frame":
        return square & (numpy.maximum(abs(x), abs(y)) > 0.45)
    if kind == "triangle":
        return (y > -0.5) & (y < 1 - math.sqrt(3) * abs(x))
    if kind == "cross":
        return (numpy.minimum(abs(x), abs(y)) < 0.25) & (r < 1)
    if kind == "bars":
        return square & (abs(y) > 0.3)
    return r < 0.55 + 0.4 * numpy.cos(5 * angle)  # star


def draw(kind, generator):
    """One image of 32x32: place, size, turn, brightness and noise are random."""
    size, turn = generator.uniform(7, 12), generator.uniform(0, 2 * math.pi)
    cx, cy = generator.uniform(size + 1, 31 - size, 2)
    # Four samples of each pixel make soft edges.
    total = numpy.zeros((32, 32))
    for dx in (-0.25, 0.25):
        for dy in (-0.25, 0.25):
            y, x = numpy.mgrid[0:32, 0:32]
            u, v = (x + dx - cx) / size, (y + dy - cy) / size
            total += inside(kind, u * math.cos(turn) + v * math.sin(turn),
                            v * math.cos(turn) - u * math.sin(turn)) / 4
    back, contrast = generator.uniform(0, 0.5), generator.uniform(0.2, 0.5)
    image = back + contrast * total + generator.normal(0, 0.12, (32, 32))
    return numpy.rint(numpy.clip(image, 0, 1) * 255).astype(numpy.uint8)


def shapes_data(generator, count=5000):
    classes = generator.integers(0, len(SHAPES), count)
    return numpy.stack([draw(SHAPES[c], generator) for c in classes])[:, None], classes


# name: network, data, what white is, test images, files that they are in, epochs
TASKS = {
    "digits": (digits_network, digits_data, 16, 600, 1, 60),
    "shapes": (shapes_network, shapes_data, 255, 500, 2, 12),
}


# Training ---------------------------------------------------------------------


def moved(x, generator):
    """The images, each shifted by up to a pixel."""
    padded = nn.functional.pad(x, (1, 1, 1, 1))
    extent, out = x.shape[-1], torch.empty_like(x)
    for i, (dy, dx) in enumerate(torch.randint(0, 3, (len(x), 2), generator=generator).tolist()):
        out[i] = padded[i, :, dy:dy + extent, dx:dx + extent]
    return out


def train(network, x, labels, epochs):
    generator = torch.Generator().manual_seed(2)
    optimiser = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=1e-3)
    batch = 64
    steps = epochs * math.ceil(len(x) / batch)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, total_steps=steps)
    network.train()
    for epoch in range(epochs):
        for part in torch.randperm(len(x), generator=generator).split(batch):
            optimiser.zero_grad()
            loss = nn.functional.cross_entropy(network(moved(x[part], generator)), labels[part],
                                               label_smoothing=0.05)
            loss.backward()
            optimiser.step()
            rate.step()
    return network.eval()


def accuracy(network, x, labels):
    with torch.no_grad():
        return float((network(x).argmax(1) == labels).float().mean())


def make(out, name):
    build, data, white, tests, files, epochs = TASKS[name]
    torch.manual_seed(1)
    images, classes = data(numpy.random.default_rng(1))
    x = torch.from_numpy(images.astype(numpy.float32) / numpy.float32(white))
    labels = torch.from_numpy(classes.astype(numpy.int64))
    network = train(build(), x[tests:], labels[tests:], epochs)
    print(f"{name}: {tests} test images, {100 * accuracy(network, x[:tests], labels[:tests]):.1f} % "
          f"right in f32, {len(x) - tests} images trained on", flush=True)

    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, x[:1], buffer, opset_version=13, input_names=["image"],
                          output_names=["scores"],
                          dynamic_axes={"image": {0: "batch"}, "scores": {0: "batch"}})
    model = onnx.load_from_string(buffer.getvalue())
    onnx.save(model, out / f"{name}.onnx")
    calibration = [{"image": x[tests:tests + 256]}]
    onnx.save(quantize.quantise(model, calibration), out / f"{name}.qdq.onnx")
    each = tests // files
    for i in range(files):
        part = slice(i * each, (i + 1) * each)
        numpy.save(out / f"{name}.test.{i}.npy", images[part])
        numpy.save(out / f"{name}.labels.{i}.npy", classes[part].astype(numpy.uint8))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path, help="folder to write to")
    parser.add_argument("--network", choices=TASKS, action="append")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for name in options.network or TASKS:
        make(options.out, name)


if __name__ == "__main__":
    main()
