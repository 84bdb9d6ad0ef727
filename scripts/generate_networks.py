#!/usr/bin/env python3
#===- generate_networks.py - Writes the example networks ------------------===//
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===//
"""Writes int8 networks in linalg on tensors, as a quantising front end would.

  generate_networks.py                  (re)write every file in examples/
  generate_networks.py --check          compare with the files, write nothing
  generate_networks.py --print NAME     one network on standard output
  generate_networks.py --layers         the layer tables as JSON
  generate_networks.py --print gpt3_block --seq 128 --width 1024
  generate_networks.py --print vgg16 --probe
                                        return every layer's output as well

Every tensor has a static shape. Activations are NHWC, filters HWCF, all int8
with int32 accumulators. After each contraction come a bias, a requantisation
(float scale, round half to even, clamp to int8) and, where the network has it,
a ReLU. The scales are chosen so that activations neither die out nor saturate
if weights and inputs are uniform in [-127, 127] and biases in [-4096, 4096].
"""

import argparse
import difflib
import json
import math
import os
import struct
import sys

# Root mean square of the uniform distributions that arguments are filled with.
WEIGHT_RMS = 127 / math.sqrt(3)
BIAS_RMS = 4096 / math.sqrt(3)
# Wanted standard deviation of a requantised activation. The int8 range is then
# three and a half deviations wide on either side.
ACTIVATION_RMS = 36.0
# Assumed growth of the root mean square in a max pooling of rectified
# activations. Neighbouring pixels are correlated, so this is less than for
# independent ones; chosen by hand, and checked with --probe to leave the layers
# behind a pooling alive (at most 3.3 % saturated, in resnet18).
POOL_GAIN = {2: 1.25, 3: 1.40}


class Moments:
    """Mean and second moment of a tensor's elements, as the scales see them."""

    def __init__(self, mean, second):
        self.mean = mean
        self.second = second

    @property
    def rms(self):
        return math.sqrt(self.second)

    def scaled(self, factor):
        return Moments(self.mean * factor, self.second * factor * factor)

    def rectified(self):
        """Moments of max(x, 0) for a normally distributed x."""
        variance = max(self.second - self.mean**2, 1e-9)
        sigma = math.sqrt(variance)
        z = self.mean / sigma
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        below = 0.5 * (1 + math.erf(z / math.sqrt(2)))
        return Moments(
            self.mean * below + sigma * density,
            self.second * below + self.mean * sigma * density,
        )


UNIFORM = Moments(0.0, WEIGHT_RMS**2)


class Value:
    def __init__(self, name, shape, element, moments=None):
        self.name = name
        self.shape = tuple(shape)
        self.element = element
        self.moments = moments

    @property
    def type(self):
        return tensor(self.shape, self.element)

    def __str__(self):
        return self.name


def tensor(shape, element):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def f32(value):
    """A literal that reads back as exactly the nearest f32."""
    nearest = struct.unpack("f", struct.pack("f", value))[0]
    return f"{nearest:.8e}"


def identity(rank):
    dims = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({dims}) -> ({dims})>"


def projection(rank, kept):
    dims = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({dims}) -> ({', '.join(f'd{i}' for i in kept)})>"


class Builder:
    """Appends operations to one function and keeps its layer table."""

    def __init__(self, name):
        self.name = name
        self.arguments = []
        self.body = []
        self.constants = {}
        self.aliases = {}
        self.counter = 0
        self.layers = []
        self.probes = []

    # Plumbing ---------------------------------------------------------------

    def fresh(self):
        self.counter += 1
        return f"%{self.counter - 1}"

    def emit(self, text):
        self.body.append("    " + text)

    def argument(self, name, shape, element, moments=None, fill=None):
        value = Value("%" + name.replace(".", "_"), shape, element, moments)
        attribute = f' {{fadiff.fill = "{fill}"}}' if fill else ""
        self.arguments.append(f"{value}: {value.type}{attribute}")
        return value

    def constant(self, literal, element):
        key = (literal, element)
        if key not in self.constants:
            self.constants[key] = f"%c{len(self.constants)}"
        return self.constants[key]

    def alias(self, affine_map):
        if affine_map not in self.aliases:
            self.aliases[affine_map] = f"#map{len(self.aliases)}"
        return self.aliases[affine_map]

    def empty(self, shape, element):
        name = self.fresh()
        self.emit(f"{name} = tensor.empty() : {tensor(shape, element)}")
        return Value(name, shape, element)

    def filled(self, shape, element, literal):
        out = self.empty(shape, element)
        name = self.fresh()
        scalar = self.constant(literal, element)
        self.emit(
            f"{name} = linalg.fill ins({scalar} : {element}) "
            f"outs({out} : {out.type}) -> {out.type}"
        )
        return Value(name, shape, element)

    def generic(self, inputs, maps, out, body, reduces=0, moments=None):
        """`body` maps the names of the block arguments (inputs, then output)
        to lines; the last line is the name of the yielded value. The `reduces`
        innermost loops are reductions."""
        rank = len(out.shape) + reduces
        maps = list(maps) + [projection(rank, range(rank - reduces))]
        kinds = ['"parallel"'] * (rank - reduces) + ['"reduction"'] * reduces
        name = self.fresh()
        ins = ""
        if inputs:
            ins = (
                f" ins({', '.join(map(str, inputs))} : "
                f"{', '.join(v.type for v in inputs)})"
            )
        self.emit(
            f"{name} = linalg.generic {{indexing_maps = "
            f"[{', '.join(self.alias(m) for m in maps)}], "
            f"iterator_types = [{', '.join(kinds)}]}}{ins} "
            f"outs({out} : {out.type}) {{"
        )
        operands = list(inputs) + [out]
        names = ["%in" if len(inputs) == 1 else f"%in_{i}"
                 for i in range(len(inputs))] + ["%out"]
        self.emit(
            "^bb0("
            + ", ".join(f"{n}: {v.element}" for n, v in zip(names, operands))
            + "):"
        )
        lines = body(*names)
        for line in lines[:-1]:
            self.emit("  " + line)
        self.emit(f"  linalg.yield {lines[-1]} : {out.element}")
        self.emit(f"}} -> {out.type}")
        return Value(name, out.shape, out.element, moments)

    def elementwise(self, inputs, element, body, moments=None, maps=None):
        shape = inputs[0].shape
        rank = len(shape)
        out = self.empty(shape, element)
        maps = maps or [identity(rank)] * len(inputs)
        return self.generic(inputs, maps, out, body, moments=moments)

    # Quantised building blocks ----------------------------------------------

    def quantise_lines(self, source):
        """f32 to int8: round half to even, then clamp."""
        low = self.constant("-1.280000e+02", "f32")
        high = self.constant("1.270000e+02", "f32")
        return [
            f"%rounded = math.roundeven {source} : f32",
            f"%above = arith.maximumf %rounded, {low} : f32",
            f"%clamped = arith.minimumf %above, {high} : f32",
            "%narrow = arith.fptosi %clamped : f32 to i8",
            "%narrow",
        ]

    def requantise(self, value, scale):
        """int32 to int8 by a float factor."""
        factor = self.constant(f32(scale), "f32")

        def body(x, _):
            return [
                f"%wide = arith.sitofp {x} : i32 to f32",
                f"%scaled = arith.mulf %wide, {factor} : f32",
            ] + self.quantise_lines("%scaled")

        return self.elementwise(
            [value], "i8", body, moments=value.moments.scaled(scale)
        )

    def add_bias(self, value, bias):
        rank = len(value.shape)
        value.moments = Moments(
            value.moments.mean, value.moments.second + BIAS_RMS**2
        )
        return self.elementwise(
            [value, bias],
            "i32",
            lambda x, b, _: [f"%sum = arith.addi {x}, {b} : i32", "%sum"],
            moments=value.moments,
            maps=[identity(rank), projection(rank, [rank - 1])],
        )

    def relu(self, value):
        zero = self.constant("0", "i8")
        return self.elementwise(
            [value],
            "i8",
            lambda x, _: [f"%max = arith.maxsi {x}, {zero} : i8", "%max"],
            moments=value.moments.rectified(),
        )

    def epilogue(self, name, acc, channels, relu, bias=True):
        if bias:
            acc = self.add_bias(
                acc, self.argument(name + "_bias", [channels], "i32")
            )
        result = self.requantise(acc, ACTIVATION_RMS / acc.moments.rms)
        if relu:
            result = self.relu(result)
        self.probes.append((name, result))
        return result

    def pad(self, value, amount, literal):
        if not amount:
            return value
        n, h, w, c = value.shape
        shape = [n, h + 2 * amount, w + 2 * amount, c]
        name = self.fresh()
        scalar = self.constant(literal, "i8")
        edge = f"[0, {amount}, {amount}, 0]"
        self.emit(f"{name} = tensor.pad {value} low{edge} high{edge} {{")
        self.emit("^bb0(%n: index, %h: index, %w: index, %c: index):")
        self.emit(f"  tensor.yield {scalar} : i8")
        self.emit(f"}} : {value.type} to {tensor(shape, 'i8')}")
        return Value(name, shape, "i8", value.moments)

    def windowed(self, op, value, window, out_shape, element, init, stride,
                 location=None):
        out = self.filled(out_shape, element, init)
        name = self.fresh()
        where = f' loc("{location}")' if location else ""
        self.emit(
            f"{name} = linalg.{op} {{dilations = dense<1> : tensor<2xi64>, "
            f"strides = dense<{stride}> : tensor<2xi64>}} "
            f"ins({value}, {window} : {value.type}, {window.type}) "
            f"outs({out} : {out.type}) -> {out.type}{where}"
        )
        return Value(name, out_shape, element)

    def contract(self, op, lhs, rhs, shape, fan_in, location):
        out = self.filled(shape, "i32", "0")
        name = self.fresh()
        self.emit(
            f"{name} = linalg.{op} ins({lhs}, {rhs} : {lhs.type}, {rhs.type}) "
            f'outs({out} : {out.type}) -> {out.type} loc("{location}")'
        )
        second = fan_in * lhs.moments.second * rhs.moments.second
        return Value(name, shape, "i32", Moments(0.0, second))

    # Layers -----------------------------------------------------------------

    def conv(self, name, x, filters, kernel, stride=1, pad=0, relu=True):
        n, h, w, c = x.shape
        padded = self.pad(x, pad, "0")
        weight = self.argument(
            name + "_weight", [kernel, kernel, c, filters], "i8", UNIFORM
        )
        p = (h + 2 * pad - kernel) // stride + 1
        q = (w + 2 * pad - kernel) // stride + 1
        acc = self.windowed("conv_2d_nhwc_hwcf", padded, weight,
                            [n, p, q, filters], "i32", "0", stride, name)
        acc.moments = Moments(
            0.0, kernel * kernel * c * x.moments.second * WEIGHT_RMS**2
        )
        self.record(name, "conv2d", N=n, K=filters, C=c, P=p, Q=q, R=kernel,
                    S=kernel, stride=stride, pad=pad)
        return self.epilogue(name, acc, filters, relu)

    def depthwise(self, name, x, kernel, stride=1, pad=0, relu=True):
        n, h, w, c = x.shape
        padded = self.pad(x, pad, "0")
        weight = self.argument(
            name + "_weight", [kernel, kernel, c], "i8", UNIFORM
        )
        p = (h + 2 * pad - kernel) // stride + 1
        q = (w + 2 * pad - kernel) // stride + 1
        acc = self.windowed("depthwise_conv_2d_nhwc_hwc", padded, weight,
                            [n, p, q, c], "i32", "0", stride, name)
        acc.moments = Moments(
            0.0, kernel * kernel * x.moments.second * WEIGHT_RMS**2
        )
        self.record(name, "depthwise", N=n, K=1, C=1, P=p, Q=q, R=kernel,
                    S=kernel, stride=stride, pad=pad, groups=c)
        return self.epilogue(name, acc, c, relu)

    def linear(self, name, x, features, relu=False):
        rows, c = x.shape
        weight = self.argument(name + "_weight", [c, features], "i8", UNIFORM)
        acc = self.contract("matmul", x, weight, [rows, features], c, name)
        self.record(name, "gemm", N=rows, K=features, C=c)
        return self.epilogue(name, acc, features, relu)

    def batch_matmul(self, name, lhs, rhs):
        batch, m, k = lhs.shape
        n = rhs.shape[2]
        acc = self.contract("batch_matmul", lhs, rhs, [batch, m, n], k, name)
        self.record(name, "batched_gemm", N=m, K=n, C=k, repeat=batch)
        return acc

    def record(self, name, op, stride=1, pad=0, groups=1, repeat=1, P=1, Q=1,
               R=1, S=1, **dims):
        self.layers.append(
            dict(name=name, op=op, N=dims["N"], K=dims["K"], C=dims["C"], P=P,
                 Q=Q, R=R, S=S, stride_p=stride, stride_q=stride, pad=pad,
                 groups=groups, repeat=repeat)
        )

    def max_pool(self, x, kernel, stride, pad=0):
        n, h, w, c = x.shape
        padded = self.pad(x, pad, "-128")
        window = self.empty([kernel, kernel], "i8")
        p = (h + 2 * pad - kernel) // stride + 1
        q = (w + 2 * pad - kernel) // stride + 1
        pooled = self.windowed("pooling_nhwc_max", padded, window,
                               [n, p, q, c], "i8", "-128", stride)
        pooled.moments = x.moments.scaled(POOL_GAIN[kernel])
        return pooled

    def global_average_pool(self, x):
        n, h, w, c = x.shape
        window = self.empty([h, w], "i8")
        total = self.windowed("pooling_nhwc_sum", x, window, [n, 1, 1, c],
                              "i32", "0", 1)
        # A channel's pixels mostly share their sign, so the average keeps most
        # of the root mean square.
        total.moments = x.moments.scaled(h * w)
        return self.requantise(total, 1 / (h * w))

    def residual(self, x, y, relu=True):
        def body(a, b, _):
            return [
                f"%a = arith.extsi {a} : i8 to i32",
                f"%b = arith.extsi {b} : i8 to i32",
                "%sum = arith.addi %a, %b : i32",
                "%sum",
            ]

        mx, my = x.moments, y.moments
        moments = Moments(
            mx.mean + my.mean, mx.second + my.second + 2 * mx.mean * my.mean
        )
        total = self.elementwise([x, y], "i32", body, moments=moments)
        result = self.requantise(total, ACTIVATION_RMS / moments.rms)
        return self.relu(result) if relu else result

    def collapse(self, x, groups):
        shape = [math.prod(x.shape[i] for i in group) for group in groups]
        name = self.fresh()
        self.emit(
            f"{name} = tensor.collapse_shape {x} "
            f"{json.dumps(groups)} : {x.type} into {tensor(shape, x.element)}"
        )
        return Value(name, shape, x.element, x.moments)

    def expand(self, x, groups, shape):
        name = self.fresh()
        self.emit(
            f"{name} = tensor.expand_shape {x} {json.dumps(groups)} "
            f"output_shape {json.dumps(list(shape))} : {x.type} into "
            f"{tensor(shape, x.element)}"
        )
        return Value(name, shape, x.element, x.moments)

    def transpose(self, x, permutation):
        shape = [x.shape[i] for i in permutation]
        out = self.empty(shape, x.element)
        name = self.fresh()
        self.emit(
            f"{name} = linalg.transpose ins({x} : {x.type}) "
            f"outs({out} : {out.type}) permutation = {json.dumps(permutation)}"
        )
        return Value(name, shape, x.element, x.moments)

    # Float parts of a transformer block ---------------------------------------

    def dequantise(self, x, scale):
        factor = self.constant(f32(scale), "f32")
        return self.elementwise(
            [x],
            "f32",
            lambda v, _: [
                f"%wide = arith.sitofp {v} : i8 to f32",
                f"%scaled = arith.mulf %wide, {factor} : f32",
                "%scaled",
            ],
            moments=x.moments.scaled(scale),
        )

    def quantise(self, x, scale):
        factor = self.constant(f32(scale), "f32")
        return self.elementwise(
            [x],
            "i8",
            lambda v, _: [f"%scaled = arith.mulf {v}, {factor} : f32"]
            + self.quantise_lines("%scaled"),
            moments=x.moments.scaled(scale),
        )

    def add_dequantised(self, stream, branch, scale):
        """stream (f32) + scale * branch (int8)."""
        factor = self.constant(f32(scale), "f32")
        moments = Moments(
            0.0, stream.moments.second + branch.moments.second * scale**2
        )
        return self.elementwise(
            [stream, branch],
            "f32",
            lambda s, b, _: [
                f"%wide = arith.sitofp {b} : i8 to f32",
                f"%scaled = arith.mulf %wide, {factor} : f32",
                f"%sum = arith.addf {s}, %scaled : f32",
                "%sum",
            ],
            moments=moments,
        )

    def layer_norm(self, name, x):
        rows, width = x.shape
        gamma = self.argument(name + "_gamma", [width], "f32",
                              fill="uniform(0.5, 1.5)")
        beta = self.argument(name + "_beta", [width], "f32",
                             fill="uniform(-0.5, 0.5)")
        row, column = projection(2, [0]), projection(2, [1])
        inverse = self.constant(f32(1 / width), "f32")
        epsilon = self.constant(f32(1e-5), "f32")
        total = self.generic(
            [x], [identity(2)], self.filled([rows], "f32", f32(0)),
            lambda v, acc: [f"%sum = arith.addf {acc}, {v} : f32", "%sum"],
            reduces=1,
        )
        squares = self.generic(
            [x, total], [identity(2), row], self.filled([rows], "f32", f32(0)),
            lambda v, t, acc: [
                f"%mean = arith.mulf {t}, {inverse} : f32",
                f"%centred = arith.subf {v}, %mean : f32",
                "%square = arith.mulf %centred, %centred : f32",
                f"%sum = arith.addf {acc}, %square : f32",
                "%sum",
            ],
            reduces=1,
        )
        return self.elementwise(
            [x, total, squares, gamma, beta],
            "f32",
            lambda v, t, s, g, b, _: [
                f"%mean = arith.mulf {t}, {inverse} : f32",
                f"%centred = arith.subf {v}, %mean : f32",
                f"%variance = arith.mulf {s}, {inverse} : f32",
                f"%guarded = arith.addf %variance, {epsilon} : f32",
                "%rsqrt = math.rsqrt %guarded : f32",
                "%normal = arith.mulf %centred, %rsqrt : f32",
                f"%gained = arith.mulf %normal, {g} : f32",
                f"%shifted = arith.addf %gained, {b} : f32",
                "%shifted",
            ],
            moments=Moments(0.0, 1 + 1 / 12 + 1 / 12),
            maps=[identity(2), row, row, column, column],
        )

    def causal_softmax(self, scores, scale):
        """Softmax over the last dimension of int8 scores, positions after the
        query masked; f32."""
        batch, m, n = scores.shape
        factor = self.constant(f32(scale), "f32")
        masked_out = self.constant("0xFF800000", "f32")

        def mask(v, _):
            return [
                "%row = linalg.index 1 : index",
                "%column = linalg.index 2 : index",
                "%visible = arith.cmpi ule, %column, %row : index",
                f"%wide = arith.sitofp {v} : i8 to f32",
                f"%scaled = arith.mulf %wide, {factor} : f32",
                f"%logit = arith.select %visible, %scaled, {masked_out} : f32",
                "%logit",
            ]

        row = projection(3, [0, 1])
        logits = self.elementwise([scores], "f32", mask)
        top = self.generic(
            [logits], [identity(3)],
            self.filled([batch, m], "f32", "0xFF800000"),
            lambda v, acc: [f"%max = arith.maximumf {acc}, {v} : f32", "%max"],
            reduces=1,
        )
        powers = self.elementwise(
            [logits, top], "f32",
            lambda v, t, _: [
                f"%below = arith.subf {v}, {t} : f32",
                "%exp = math.exp %below : f32",
                "%exp",
            ],
            maps=[identity(3), row],
        )
        total = self.generic(
            [powers], [identity(3)], self.filled([batch, m], "f32", f32(0)),
            lambda v, acc: [f"%sum = arith.addf {acc}, {v} : f32", "%sum"],
            reduces=1,
        )
        # Second moment of a probability; only the order of magnitude matters.
        return self.elementwise(
            [powers, total], "f32",
            lambda v, t, _: [f"%p = arith.divf {v}, {t} : f32", "%p"],
            moments=Moments(1 / n, 1 / n),
            maps=[identity(3), row],
        )

    def gelu(self, x, scale):
        """GELU (tanh form) of an int8 tensor whose unit is `scale`."""
        factor = self.constant(f32(scale), "f32")
        inverse = self.constant(f32(1 / scale), "f32")
        cubic = self.constant(f32(0.044715), "f32")
        root = self.constant(f32(math.sqrt(2 / math.pi)), "f32")
        half = self.constant(f32(0.5), "f32")
        one = self.constant(f32(1), "f32")

        def body(v, _):
            return [
                f"%wide = arith.sitofp {v} : i8 to f32",
                f"%x = arith.mulf %wide, {factor} : f32",
                "%square = arith.mulf %x, %x : f32",
                "%cube = arith.mulf %square, %x : f32",
                f"%bent = arith.mulf %cube, {cubic} : f32",
                "%sum = arith.addf %x, %bent : f32",
                f"%inner = arith.mulf %sum, {root} : f32",
                "%tanh = math.tanh %inner : f32",
                f"%gate = arith.addf %tanh, {one} : f32",
                f"%half = arith.mulf %x, {half} : f32",
                "%gelu = arith.mulf %half, %gate : f32",
                f"%scaled = arith.mulf %gelu, {inverse} : f32",
            ] + self.quantise_lines("%scaled")

        return self.elementwise([x], "i8", body,
                                moments=x.moments.rectified())

    # Text -------------------------------------------------------------------

    def text(self, result, probe=False):
        results = [result]
        if probe:
            results += [value for _, value in self.probes]
        lines = [
            f"// {self.name}: written by scripts/generate_networks.py; do not "
            "edit."
        ]
        if probe:
            lines.append(
                "// Results: the output, then the outputs of "
                + ", ".join(name for name, _ in self.probes)
            )
        lines += [f"{alias} = {m}" for m, alias in self.aliases.items()]
        types = ", ".join(v.type for v in results)
        if probe:
            types = f"({types})"
        arguments = (",\n" + " " * 6).join(self.arguments)
        lines += [
            "module {",
            "  func.func @main(",
            f"      {arguments})",
            f"      -> {types} {{",
        ]
        lines += [
            f"    {name} = arith.constant {literal} : {element}"
            for (literal, element), name in self.constants.items()
        ]
        lines += self.body
        lines += [
            f"    return {', '.join(map(str, results))} : "
            f"{', '.join(v.type for v in results)}",
            "  }",
            "}",
        ]
        return "\n".join(lines) + "\n"


# The networks ---------------------------------------------------------------


def image(b, height=224, width=224, channels=3):
    return b.argument("input", [1, height, width, channels], "i8", UNIFORM)


def flatten(b, x):
    return b.collapse(x, [[0], [1, 2, 3]])


def resnet18(b, options):
    """He et al., Deep Residual Learning for Image Recognition, CVPR 2016;
    layer names as in torchvision."""
    x = b.conv("conv1", image(b), 64, 7, stride=2, pad=3)
    x = b.max_pool(x, 3, 2, pad=1)
    for stage, filters in enumerate([64, 128, 256, 512], start=1):
        for block in range(2):
            name = f"layer{stage}.{block}"
            stride = 2 if stage > 1 and block == 0 else 1
            y = b.conv(name + ".conv1", x, filters, 3, stride=stride, pad=1)
            y = b.conv(name + ".conv2", y, filters, 3, pad=1, relu=False)
            if stride != 1:
                x = b.conv(name + ".downsample", x, filters, 1, stride=stride,
                           relu=False)
            x = b.residual(y, x)
            b.probes.append((name, x))
    return b.linear("fc", flatten(b, b.global_average_pool(x)), 1000)


def mobilenet_v1(b, options):
    """Howard et al., MobileNets, arXiv:1704.04861."""
    x = b.conv("conv1", image(b), 32, 3, stride=2, pad=1)
    table = [(1, 64), (2, 128), (1, 128), (2, 256), (1, 256), (2, 512)]
    table += [(1, 512)] * 5 + [(2, 1024), (1, 1024)]
    for index, (stride, filters) in enumerate(table, start=1):
        x = b.depthwise(f"dw{index}", x, 3, stride=stride, pad=1)
        x = b.conv(f"pw{index}", x, filters, 1)
    return b.linear("fc", flatten(b, b.global_average_pool(x)), 1000)


def vgg(b, stages):
    """Simonyan and Zisserman, Very Deep Convolutional Networks, ICLR 2015."""
    x = image(b)
    index = 1
    for filters, count in stages:
        for _ in range(count):
            x = b.conv(f"conv{index}", x, filters, 3, pad=1)
            index += 1
        x = b.max_pool(x, 2, 2)
    x = flatten(b, x)
    x = b.linear("fc1", x, 4096, relu=True)
    x = b.linear("fc2", x, 4096, relu=True)
    return b.linear("fc3", x, 1000)


def vgg16(b, options):
    return vgg(b, [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)])


def vgg19(b, options):
    return vgg(b, [(64, 2), (128, 2), (256, 4), (512, 4), (512, 4)])


def gpt3_block(b, options):
    """One pre-norm decoder block of GPT-3 6.7B (Brown et al., NeurIPS 2020):
    heads of 128 features, a feed-forward part four times as wide."""
    head = 128
    seq, width = options.seq, options.width
    heads = width // head
    x = b.argument("input", [seq, width], "i8", UNIFORM)
    stream = b.dequantise(x, 1 / WEIGHT_RMS)

    def split(value, permutation):
        value = b.expand(value, [[0], [1, 2]], [seq, heads, head])
        return b.transpose(value, permutation)

    normal = b.quantise(b.layer_norm("norm1", stream), ACTIVATION_RMS)
    q = split(b.linear("q_proj", normal, width), [1, 0, 2])
    k = split(b.linear("k_proj", normal, width), [1, 2, 0])
    v = split(b.linear("v_proj", normal, width), [1, 0, 2])
    scores = b.epilogue("qk_t", b.batch_matmul("qk_t", q, k), seq, relu=False,
                        bias=False)
    # Two units of logit per standard deviation: neither flat nor one-hot.
    weights = b.quantise(b.causal_softmax(scores, 2 / ACTIVATION_RMS), 127.0)
    mixed = b.batch_matmul("attn_v", weights, v)
    # An average over positions is smaller than its terms; the factor 2 makes
    # up for part of that without saturating the first rows, which average
    # over few positions.
    mixed.moments = Moments(0.0, (127 / 2 * ACTIVATION_RMS) ** 2)
    mixed = b.requantise(mixed, 2 / 127)
    b.probes.append(("attn_v", mixed))
    mixed = b.collapse(b.transpose(mixed, [1, 0, 2]), [[0], [1, 2]])
    out = b.linear("out_proj", mixed, width)
    stream = b.add_dequantised(stream, out, 0.5 / ACTIVATION_RMS)

    normal = b.quantise(b.layer_norm("norm2", stream), ACTIVATION_RMS)
    hidden = b.gelu(b.linear("ffn1", normal, 4 * width), 2 / ACTIVATION_RMS)
    b.probes.append(("gelu", hidden))
    out = b.linear("ffn2", hidden, width)
    stream = b.add_dequantised(stream, out, 0.5 / ACTIVATION_RMS)
    return b.quantise(stream, ACTIVATION_RMS / stream.moments.rms)


def tiny(b, options):
    """Every kind of layer once, with sizes that divide nothing evenly."""
    x = b.conv("conv1", image(b, 15, 13), 10, 3, pad=1)
    x = b.max_pool(x, 3, 2, pad=1)
    x = b.depthwise("dw1", x, 3, pad=1)
    x = b.conv("pw1", x, 21, 1)
    y = b.conv("conv2", x, 21, 3, pad=1, relu=False)
    x = b.residual(y, x)
    x = b.conv("conv3", x, 18, 3, stride=2, pad=1)
    return b.linear("fc", flatten(b, b.global_average_pool(x)), 11)


# File name -> (definition, sequence length, width).
NETWORKS = {
    "tiny": (tiny, None, None),
    "resnet18": (resnet18, None, None),
    "mobilenet_v1": (mobilenet_v1, None, None),
    "vgg16": (vgg16, None, None),
    "vgg19": (vgg19, None, None),
    "gpt3_block": (gpt3_block, 512, 4096),
    "gpt3_block_small": (gpt3_block, 64, 256),
}


def build(name, seq=None, width=None):
    definition, default_seq, default_width = NETWORKS[name]
    options = argparse.Namespace(seq=seq or default_seq,
                                 width=width or default_width)
    builder = Builder(name)
    return builder, definition(builder, options)


def check(directory):
    """Whether the committed files are what the definitions give."""
    stale = 0
    for name in NETWORKS:
        builder, result = build(name)
        path = os.path.join(directory, name + ".mlir")
        try:
            with open(path, encoding="utf-8") as stream:
                found = stream.read()
        except OSError as error:
            print(f"{path}: {error.strerror}", file=sys.stderr)
            stale += 1
            continue
        wanted = builder.text(result)
        if found == wanted:
            continue
        stale += 1
        diff = difflib.unified_diff(
            found.splitlines(), wanted.splitlines(), path, "generated",
            lineterm="", n=1,
        )
        for line, _ in zip(diff, range(12)):
            print(line, file=sys.stderr)
    if stale:
        print(f"{stale} of {len(NETWORKS)} files differ; run "
              "scripts/generate_networks.py", file=sys.stderr)
        return 1
    print(f"{len(NETWORKS)} files are up to date")
    return 0


def main():
    default = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                           os.pardir, "examples")
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true",
                        help="compare with the files; fail if one differs")
    action.add_argument("--print", metavar="NAME", choices=NETWORKS,
                        help="write one network to standard output")
    action.add_argument("--layers", action="store_true",
                        help="print the layer tables as JSON")
    parser.add_argument("--directory", default=os.path.normpath(default),
                        help="where the files are (default: examples/)")
    parser.add_argument("--seq", type=int,
                        help="gpt3_block: tokens (default 512)")
    parser.add_argument("--width", type=int,
                        help="gpt3_block: model width, a multiple of 128 "
                        "(default 4096)")
    parser.add_argument("--probe", action="store_true",
                        help="with --print: return every layer's output too")
    options = parser.parse_args()

    if options.seq is not None or options.width is not None:
        if not options.print or NETWORKS[options.print][0] is not gpt3_block:
            parser.error("--seq and --width need --print of a GPT-3 block")
        if options.seq is not None and options.seq < 1:
            parser.error(f"--seq must be at least 1, found {options.seq}")
        if options.width is not None and (options.width < 128
                                          or options.width % 128):
            parser.error("--width must be a positive multiple of 128, found "
                         f"{options.width}")
    if options.probe and not options.print:
        parser.error("--probe needs --print")

    if options.check:
        return check(options.directory)
    if options.layers:
        tables = {name: build(name)[0].layers for name in NETWORKS}
        json.dump(tables, sys.stdout, indent=1)
        print()
        return 0
    if options.print:
        builder, result = build(options.print, options.seq, options.width)
        sys.stdout.write(builder.text(result, options.probe))
        return 0
    for name in NETWORKS:
        builder, result = build(name)
        path = os.path.join(options.directory, name + ".mlir")
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(builder.text(result))
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
