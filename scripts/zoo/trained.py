"""MobileNetV2 with trained weights, for export_zoo.py.

torchvision's MobileNetV2 with all of its 52 convolutions, a third as wide and for
32x32 images in grey, trained on the shapes that examples/digits/train.py draws:
random weights say little about a network this deep (docs/Results.md).
"""

import pathlib
import sys

import numpy
import torch
from torch import nn
from torchvision.models import MobileNetV2

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "digits"))

import train  # noqa: E402

# Expansion, channels, repetitions, stride: torchvision's, but for fewer strides.
BLOCKS = [[1, 16, 1, 1], [6, 24, 2, 1], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1],
          [6, 160, 3, 2], [6, 320, 1, 1]]
WIDTH, EPOCHS, TESTS, SEED = 0.35, 8, 500, 1


def data():
    """Images from 0 to 1 and their classes; the first TESTS are not trained on."""
    images, classes = train.shapes_data(numpy.random.default_rng(SEED))
    return (torch.from_numpy(images.astype(numpy.float32) / 255),
            torch.from_numpy(classes.astype(numpy.int64)))


def build(folder=None):
    """The network, trained, or with the weights that an earlier call left in the
    folder."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    network = MobileNetV2(num_classes=len(train.SHAPES), width_mult=WIDTH,
                          inverted_residual_setting=BLOCKS, dropout=0.0)
    first = network.features[0][0]
    network.features[0][0] = nn.Conv2d(1, first.out_channels, 3, 2, 1, bias=False)
    x, labels = data()
    kept = folder / "mobilenet_v2_shapes.pt" if folder else None
    if kept and kept.exists():
        network.load_state_dict(torch.load(kept))
        network.eval()
    else:
        train.train(network, x[TESTS:], labels[TESTS:], EPOCHS)
        if kept:
            folder.mkdir(parents=True, exist_ok=True)
            torch.save(network.state_dict(), kept)
    print(f"mobilenet_v2_shapes: {100 * train.accuracy(network, x[:TESTS], labels[:TESTS]):.1f} % "
          f"of {TESTS} test images right", flush=True)
    return network


def image():
    """A shape, of torch's seed."""
    seed = int(torch.randint(0, 1 << 30, (1,)))
    images, _ = train.shapes_data(numpy.random.default_rng(seed), count=1)
    return (torch.from_numpy(images.astype(numpy.float32) / 255),)
