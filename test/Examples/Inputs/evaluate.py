#!/usr/bin/env python3
#===- evaluate.py - The example networks, computed in Python --------------===//
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===//
"""An oracle for convolutional networks that shares neither compiler nor runner.

  evaluate.py NAME [--seed N] [--filecheck]

Walks the definition of a network in scripts/generate_networks.py, computing
numbers where the generator writes operations, and prints the elements of the
output in row-major order. Arguments are filled as include/fadiff/Runner/
HostTensor.h documents it. Plain Python, so only small networks are practical.
"""

import argparse
import importlib.util
import itertools
import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, os.pardir, os.pardir, os.pardir, "scripts",
                      "generate_networks.py")
spec = importlib.util.spec_from_file_location("generate_networks", SCRIPT)
networks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(networks)

MASK = (1 << 64) - 1


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def uniform(seed, index, count, low, high):
    """Integers in [low, high] for argument number `index`."""
    gamma = 0x9E3779B97F4A7C15
    state = mix((seed + gamma * (index + 1)) & MASK)
    for _ in range(count):
        state = (state + gamma) & MASK
        yield low + (mix(state) * (high - low + 1) >> 64)


def to_f32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def indices(shape):
    return itertools.product(*(range(extent) for extent in shape))


class Evaluator(networks.Builder):
    """A builder whose values also carry `data`: index tuple -> number."""

    def __init__(self, name, seed):
        super().__init__(name)
        self.seed = seed

    def argument(self, name, shape, element, moments=None, fill=None):
        if fill or element not in ("i8", "i32"):
            sys.exit(f"evaluate.py: cannot fill argument {name}")
        index = len(self.arguments)
        value = super().argument(name, shape, element, moments, fill)
        bound = {"i8": 127, "i32": 4096}[element]
        value.data = dict(zip(
            indices(shape),
            uniform(self.seed, index, math.prod(shape), -bound, bound)))
        return value

    def generic(self, *arguments, **options):
        value = super().generic(*arguments, **options)
        value.data = None  # Set by the callers below, which know the meaning.
        return value

    def requantise(self, value, scale):
        result = super().requantise(value, scale)
        factor = to_f32(scale)
        # The product of two f32 is exact in Python's f64, and round() takes
        # ties to even.
        result.data = {
            at: max(-128, min(127, round(to_f32(to_f32(x) * factor))))
            for at, x in value.data.items()
        }
        return result

    def add_bias(self, value, bias):
        result = super().add_bias(value, bias)
        result.data = {at: x + bias.data[at[-1:]]
                       for at, x in value.data.items()}
        return result

    def relu(self, value):
        result = super().relu(value)
        result.data = {at: max(x, 0) for at, x in value.data.items()}
        return result

    def elementwise(self, inputs, element, body, moments=None, maps=None):
        result = super().elementwise(inputs, element, body, moments, maps)
        # The one caller that is not overridden itself is the residual sum.
        if len(inputs) == 2 and maps is None:
            x, y = (v.data for v in inputs)
            result.data = {at: x[at] + y[at] for at in x}
        return result

    def pad(self, value, amount, literal):
        result = super().pad(value, amount, literal)
        if amount:
            result.data = {
                (n, h, w, c): value.data.get((n, h - amount, w - amount, c),
                                             int(literal))
                for n, h, w, c in indices(result.shape)
            }
        return result

    def windowed(self, op, value, window, out_shape, element, init, stride,
                 location=None):
        result = super().windowed(op, value, window, out_shape, element, init,
                                  stride, location)
        x = value.data
        taps = list(indices(window.shape[:2]))

        def at(n, p, q, k):
            patch = [(r, s, (n, p * stride + r, q * stride + s))
                     for r, s in taps]
            if op == "conv_2d_nhwc_hwcf":
                return sum(x[pixel + (c,)] * window.data[r, s, c, k]
                           for r, s, pixel in patch
                           for c in range(value.shape[3]))
            if op == "depthwise_conv_2d_nhwc_hwc":
                return sum(x[pixel + (k,)] * window.data[r, s, k]
                           for r, s, pixel in patch)
            if op == "pooling_nhwc_max":
                return max(x[pixel + (k,)] for _, _, pixel in patch)
            if op == "pooling_nhwc_sum":
                return sum(x[pixel + (k,)] for _, _, pixel in patch)
            sys.exit(f"evaluate.py: unknown operation {op}")

        result.data = {index: at(*index) for index in indices(out_shape)}
        return result

    def contract(self, op, lhs, rhs, shape, fan_in, location):
        if op != "matmul":
            sys.exit(f"evaluate.py: unknown operation {op}")
        result = super().contract(op, lhs, rhs, shape, fan_in, location)
        result.data = {
            (m, n): sum(lhs.data[m, k] * rhs.data[k, n] for k in range(fan_in))
            for m, n in indices(shape)
        }
        return result

    def collapse(self, x, groups):
        result = super().collapse(x, groups)
        result.data = dict(zip(indices(result.shape),
                               (x.data[at] for at in indices(x.shape))))
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=networks.NETWORKS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--filecheck", action="store_true",
                        help="print the line as a FileCheck directive")
    options = parser.parse_args()
    builder = Evaluator(options.name, options.seed)
    result = networks.NETWORKS[options.name][0](builder, options)
    values = " ".join(str(result.data[at]) for at in indices(result.shape))
    line = f"values 0: {values}"
    print(f"CHECK: {line}{{{{$}}}}" if options.filecheck else line)


if __name__ == "__main__":
    main()
