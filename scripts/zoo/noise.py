#!/usr/bin/env python3
"""How much a network makes of noise in its input, in f32 and without quantisation.

  noise.py [NETWORK ...]      of models.py; all that read images if none is named

Noise of 60, 50 and 40 dB below an input is added to it, and what it changes in the
output is given in dB below the output: of four inputs together. "Another input" is
the same ratio for another input in place of noise: where noise gives no more than
that, the output tells nothing of the input.
"""

import math
import sys

import torch

import models

IMAGES = ["resnet18", "resnet50", "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large",
          "efficientnet_b0", "inception_v3", "unet", "mobilenet_v2_shapes"]
LEVELS = (60, 50, 40)


def decibels(signal, noise):
    return 10 * math.log10(float(signal.square().sum() / noise.square().sum()))


def main():
    print(f"| network | {' | '.join(f'{level} dB' for level in LEVELS)} | another input |\n"
          f"|---{'|---' * len(LEVELS)}|---|")
    for name in sys.argv[1:] or IMAGES:
        network, make_input = models.make(name)
        network.eval()
        torch.manual_seed(1000)
        with torch.no_grad():
            x = torch.cat([make_input()[0] for _ in range(4)])
            wanted = network(x)
            found = []
            for level in LEVELS:
                noise = torch.randn_like(x) * x.square().mean().sqrt() * 10 ** (-level / 20)
                found.append(decibels(wanted, network(x + noise) - wanted))
            found.append(decibels(wanted, wanted.roll(1, 0) - wanted))
        print(f"| {name} | {' | '.join(f'{each:.1f} dB' for each in found)} |", flush=True)


if __name__ == "__main__":
    main()
