#!/usr/bin/python3
"""Runs random networks with random options through `fadiff-run --check`.

A case passes if the outputs equal the reference's and every predicted count is
the simulated one; a network that is refused with a diagnostic is counted apart.
A wrong output, a wrong count, a signal, an assertion or a run past the timeout
is a failure: Hypothesis then looks for the smallest network and the plainest
options that still fail, and both are saved with the command that shows them.

The cases come in chunks of 100, each with a seed of its own. The chunks that
are done are noted in the output folder, so a run that was cut short goes on
where it stopped, and a run with the same seed tries the same cases.

  scripts/fuzz_networks.py --count=10000 --seed=7 --jobs=2 --out=build/fuzz

Exits with 1 if any case failed, now or in a chunk that was noted as done.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

CHUNK = 100

# What upstream does to a module before somebody hands it over.
UPSTREAM_PASSES = [
    [],
    ["--canonicalize", "--cse"],
    ["--linalg-generalize-named-ops"],
    ["--linalg-fold-unit-extent-dims"],
    ["--linalg-fuse-elementwise-ops"],
    ["--linalg-generalize-named-ops", "--linalg-fuse-elementwise-ops",
     "--canonicalize"],
]


class Value:
    def __init__(self, name, shape, element):
        self.name, self.shape, self.element = name, tuple(shape), element

    @property
    def type(self):
        return "tensor<" + "".join(f"{e}x" for e in self.shape) + self.element + ">"


class Writer:
    """A network as MLIR text; what it is made of comes from `draw`."""

    def __init__(self, draw, real):
        self.draw, self.real = draw, real
        self.operand, self.sum = ("f32", "f32") if real else ("i8", "i32")
        self.zero = "0.0" if real else "0"
        self.arguments, self.lines, self.next = [], [], 0

    def pick(self, low, high):
        return self.draw(st.integers(low, high))

    def choose(self, *of):
        return self.draw(st.sampled_from(of))

    def maybe(self):
        return self.draw(st.booleans())

    def channels(self):
        return self.choose(1, 3, 4, 8, 16, 17, 32, 33, 40, 64, 100,
                           self.pick(1, 130))

    def fresh(self, shape, element):
        self.next += 1
        return Value(f"%v{self.next}", shape, element)

    def argument(self, shape, element=None):
        value = Value(f"%a{len(self.arguments)}", shape, element or self.operand)
        self.arguments.append(value)
        return value

    def constant(self, text, element):
        value = self.fresh((), element)
        self.lines.append(f"{value.name} = arith.constant {text} : {element}")
        return value.name

    def emit(self, shape, element, text):
        value = self.fresh(shape, element)
        self.lines.append(f"{value.name} = {text}".replace("RESULT", value.type))
        return value

    def empty(self, shape, element):
        return self.emit(shape, element, "tensor.empty() : RESULT")

    def filled(self, shape, element, text):
        start, init = self.constant(text, element), self.empty(shape, element)
        return self.emit(shape, element, f"linalg.fill ins({start} : {element}) "
                         f"outs({init.name} : {init.type}) -> RESULT")

    def pad(self, value, low, high, text):
        shape = [e + l + h for e, l, h in zip(value.shape, low, high)]
        if shape == list(value.shape):
            return value
        padding = self.constant(text, value.element)
        indices = ", ".join(f"%i{i}: index" for i in range(len(shape)))
        return self.emit(
            shape, value.element,
            f"tensor.pad {value.name} low{list(low)} high{list(high)} {{\n"
            f"  ^bb0({indices}):\n    tensor.yield {padding} : {value.element}\n"
            f"  }} : {value.type} to RESULT")

    def contract(self, op, attributes, value, weights, shape):
        init = self.filled(shape, self.sum, self.zero)
        return self.emit(shape, self.sum,
                         f"{op}{attributes} ins({value.name}, {weights.name} : "
                         f"{value.type}, {weights.type}) outs({init.name} : "
                         f"{init.type}) -> RESULT")

    def generic(self, loops, inputs, init, axes, code):
        """`inputs`: values with the loops that their axes run along; `init` runs
        along `axes`, and loops that it lacks are reduced. `code` is on %x0, %x1,
        ..., %o, and defines %r."""
        dims = ", ".join(f"d{i}" for i in range(loops))
        maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(f'd{i}' for i in of)})>"
                         for of in [*(of for _, of in inputs), axes])
        kinds = ", ".join('"parallel"' if i in axes else '"reduction"' for i in range(loops))
        reads = f" ins({', '.join(v.name for v, _ in inputs)} : " \
                f"{', '.join(v.type for v, _ in inputs)})" if inputs else ""
        scalars = "".join(f"%x{i}: {v.element}, " for i, (v, _) in enumerate(inputs))
        body = "".join(f"    {line}\n" for line in code)
        return self.emit(
            init.shape, init.element,
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}{reads} "
            f"outs({init.name} : {init.type}) {{\n  ^bb0({scalars}%o: {init.element}):\n"
            f"{body}    linalg.yield %r : {init.element}\n  }} -> RESULT")

    def elementwise(self, values, element, code):
        """`values`: the first gives the shape; one of rank 1 has a value per
        last dim. `code` is on %x0, %x1, ... and defines %r."""
        shape = values[0].shape
        axes = range(len(shape))
        inputs = [(v, axes if len(v.shape) == len(shape) else axes[-1:]) for v in values]
        return self.generic(len(shape), inputs, self.empty(shape, element), axes, code)

    def read_out(self, value, magnitude):
        """int32 to int8 by a scale that saturates some."""
        scale = self.constant(f"{self.choose(0.5, 1.0, 1.5) / magnitude:.8e}", "f32")
        low, high = self.constant("-128.0", "f32"), self.constant("127.0", "f32")
        value = self.elementwise([value], "i8", [
            "%f = arith.sitofp %x0 : i32 to f32",
            f"%m = arith.mulf %f, {scale} : f32",
            "%e = math.roundeven %m : f32",
            f"%l = arith.maximumf %e, {low} : f32",
            f"%h = arith.minimumf %l, {high} : f32",
            "%r = arith.fptosi %h : f32 to i8"])
        if self.maybe():
            zero = self.constant("0", "i8")
            value = self.elementwise([value], "i8",
                                     [f"%r = arith.maxsi %x0, {zero} : i8"])
        return value

    def tail(self, value, fan_in):
        """Bias, scale and ReLU, each perhaps."""
        if self.maybe():
            bias = self.argument(value.shape[-1:], self.sum)
            add = "arith.addf" if self.real else "arith.addi"
            value = self.elementwise([value, bias], self.sum,
                                     [f"%r = {add} %x0, %x1 : {self.sum}"])
        if not self.real:
            return self.read_out(value, 73.0 * fan_in ** 0.5)
        scale = self.constant(f"{fan_in ** -0.5:.8e}", "f32")
        value = self.elementwise([value], "f32",
                                 [f"%r = arith.mulf %x0, {scale} : f32"])
        if self.maybe():
            zero = self.constant("0.0", "f32")
            value = self.elementwise([value], "f32",
                                     [f"%r = arith.maximumf %x0, {zero} : f32"])
        return value

    # Layers and what stands between them. Each takes and gives a Value of
    # element type i8 (f32), or gives None if it cannot follow.

    def window(self, value, most_kernel):
        """Kernel, stride, dilation, the padded value and the output's lines."""
        kernel, stride, dilation, low, high, out = [], [], [], [0], [0], []
        for axis in (1, 2):
            kernel.append(self.pick(1, most_kernel))
            stride.append(self.choose(1, 1, 2, 3))
            dilation.append(self.choose(1, 1, 1, 2))
            reach = (kernel[-1] - 1) * dilation[-1] + 1
            low.append(self.choose(0, reach // 2, self.pick(0, reach)))
            high.append(self.choose(0, reach // 2, self.pick(0, reach)))
            high[-1] += max(0, reach - low[-1] - high[-1] - value.shape[axis])
            out.append((value.shape[axis] + low[-1] + high[-1] - reach)
                       // stride[-1] + 1)
        padded = self.pad(value, low + [0], high + [0], self.zero)
        attributes = (f" {{dilations = dense<{dilation}> : tensor<2xi64>, "
                      f"strides = dense<{stride}> : tensor<2xi64>}}")
        return kernel, attributes, padded, out

    def convolution(self, value):
        if len(value.shape) != 4:
            return None
        kernel, attributes, padded, out = self.window(value, self.choose(1, 3, 7))
        c, k = value.shape[3], self.channels()
        fhwc = self.maybe()
        weights = self.argument([k, *kernel, c] if fhwc else [*kernel, c, k])
        total = self.contract(
            "linalg.conv_2d_nhwc_fhwc" if fhwc else "linalg.conv_2d_nhwc_hwcf",
            attributes, padded, weights, [value.shape[0], *out, k])
        return self.tail(total, c * kernel[0] * kernel[1])

    def depthwise(self, value):
        if len(value.shape) != 4:
            return None
        kernel, attributes, padded, out = self.window(value, 5)
        c = value.shape[3]
        total = self.contract("linalg.depthwise_conv_2d_nhwc_hwc", attributes,
                              padded, self.argument([*kernel, c]),
                              [value.shape[0], *out, c])
        return self.tail(total, kernel[0] * kernel[1])

    def grouped(self, value):
        """An axis of groups, around the convolution alone."""
        if len(value.shape) != 4:
            return None
        kernel, attributes, padded, out = self.window(value, 3)
        c, batch = value.shape[3], value.shape[0]
        groups = self.choose(*(g for g in range(1, c + 1) if c % g == 0))
        each, filters = c // groups, self.pick(1, max(1, min(20, 130 // groups)))
        apart = "[[0], [1], [2], [3, 4]]"
        image = self.emit([*padded.shape[:3], groups, each], padded.element,
                          f"tensor.expand_shape {padded.name} {apart} output_shape "
                          f"{[*padded.shape[:3], groups, each]} : {padded.type} into RESULT")
        total = self.contract("linalg.conv_2d_nhwgc_gfhwc", attributes, image,
                              self.argument([groups, filters, *kernel, each]),
                              [batch, *out, groups, filters])
        total = self.emit([batch, *out, groups * filters], self.sum,
                          f"tensor.collapse_shape {total.name} {apart} : "
                          f"{total.type} into RESULT")
        return self.tail(total, each * kernel[0] * kernel[1])

    def transposed(self, value):
        """A transposed convolution: one of an image with zeros between."""
        if len(value.shape) != 4:
            return None
        batch, c, k = value.shape[0], value.shape[3], self.choose(8, 16, 20, 48)
        kernel = [self.pick(1, 5), self.pick(1, 5)]
        steps = [self.pick(1, 3), self.pick(1, 3)]
        apart = [batch, *((e - 1) * step + 1 for e, step in
                          zip(value.shape[1:3], steps)), c]
        low = [self.pick(0, extent - 1) for extent in kernel]
        high = [self.pick(0, extent - 1) + self.pick(0, step - 1)
                for extent, step in zip(kernel, steps)]
        out = []
        for axis in (0, 1):
            extent = apart[1 + axis] - kernel[axis] + 1
            high[axis] += max(0, 1 - extent - low[axis] - high[axis])
            out.append(extent + low[axis] + high[axis])
        zeros = self.filled(apart, self.operand, self.zero)
        image = self.emit(apart, self.operand,
                          f"tensor.insert_slice {value.name} into {zeros.name}"
                          f"[0, 0, 0, 0] {list(value.shape)} [1, {steps[0]}, "
                          f"{steps[1]}, 1] : {value.type} into RESULT")
        padded = self.pad(image, [0, *low, 0], [0, *high, 0], self.zero)
        numbers = random.Random(self.pick(0, 9999))
        one = (lambda: struct.pack("<f", numbers.uniform(-1, 1))) if self.real \
            else (lambda: numbers.randbytes(1))
        data = b"".join(one() for _ in range(kernel[0] * kernel[1] * c * k))
        shape = [*kernel, c, k]
        weights = self.emit(shape, self.operand,
                            f"arith.constant dense<\"0x{data.hex().upper()}\"> : RESULT")
        total = self.contract("linalg.conv_2d_nhwc_hwcf", "", padded, weights,
                              [batch, *out, k])
        return self.tail(total, c * kernel[0] * kernel[1])

    def product(self, value):
        if len(value.shape) == 4:
            rows = value.shape[0] * value.shape[1] * value.shape[2]
            value = self.emit([rows, value.shape[3]], value.element,
                              f"tensor.collapse_shape {value.name} "
                              f"[[0, 1, 2], [3]] : {value.type} into RESULT")
        rows, c = value.shape
        k = self.channels()
        total = self.contract("linalg.matmul", "", value, self.argument([c, k]),
                              [rows, k])
        return self.tail(total, c)

    def pool(self, value):
        if len(value.shape) != 4 or self.real:
            return None
        size, stride = self.choose(1, 2, 3, 3, 5, 6), self.pick(1, 3)
        low, high, out = [0, 0, 0, 0], [0, 0, 0, 0], list(value.shape)
        for axis in (1, 2):
            low[axis], high[axis] = self.pick(0, size - 1), self.pick(0, size - 1)
            high[axis] += max(0, size - low[axis] - high[axis] - value.shape[axis])
            out[axis] = (value.shape[axis] + low[axis] + high[axis] - size) // stride + 1
        padded = self.pad(value, low, high, "-128")
        taps, init = self.empty([size, size], "i8"), self.filled(out, "i8", "-128")
        return self.emit(out, "i8", "linalg.pooling_nhwc_max {dilations = dense<1> "
                         f": tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}} "
                         f"ins({padded.name}, {taps.name} : {padded.type}, "
                         f"{taps.type}) outs({init.name} : {init.type}) -> RESULT")

    def average(self, value):
        if len(value.shape) != 4 or self.real:
            return None
        kernel, attributes, padded, out = self.window(value, self.choose(3, 20))
        taps = self.empty(kernel, "i8")
        total = self.contract("linalg.pooling_nhwc_sum", attributes, padded, taps,
                              [value.shape[0], *out, value.shape[3]])
        return self.read_out(total, 73.0 * (kernel[0] * kernel[1]) ** 0.5)

    def concatenation(self, value):
        """Mostly along channels, of what was made so far or given."""
        rank = len(value.shape)
        axis = self.choose(*[rank - 1] * 3, *range(rank))
        rest = [v for v in self.made if len(v.shape) == rank and
                all(e == f for i, (e, f) in enumerate(zip(v.shape, value.shape))
                    if i != axis)]
        parts = [value]
        for _ in range(self.pick(1, 3)):
            if self.choose(True, True, True, False):
                parts.append(self.choose(*rest))
            else:
                shape = list(value.shape)
                shape[axis] = self.pick(1, 20)
                parts.append(self.argument(shape))
        if self.maybe():
            parts.append(parts.pop(0))
        shape = list(value.shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        return self.emit(shape, value.element,
                         f"tensor.concat dim({axis}) "
                         f"{', '.join(part.name for part in parts)} : "
                         f"({', '.join(part.type for part in parts)}) -> RESULT")

    def residual(self, value):
        others = [v for v in self.made if v.shape == value.shape and v is not value]
        other = self.choose(*others) if others and self.maybe() \
            else self.argument(value.shape)
        if self.real:
            return self.elementwise([value, other], "f32",
                                    ["%r = arith.addf %x0, %x1 : f32"])
        pair = [value, other] if self.maybe() else [other, value]
        total = self.elementwise(pair, "i32", [
            "%y = arith.extsi %x0 : i8 to i32", "%z = arith.extsi %x1 : i8 to i32",
            "%r = arith.addi %y, %z : i32"])
        return self.read_out(total, 1.0)

    def gathered(self, shape, element, code):
        """`code` is on %d0, %d1, ..., the indices, and defines %r."""
        axes = range(len(shape))
        indices = [f"%d{i} = linalg.index {i} : index" for i in axes]
        return self.generic(len(shape), [], self.empty(shape, element), axes, indices + code)

    def resized(self, value):
        """To nearest neighbours, or by two weights; perhaps with channels first."""
        if len(value.shape) != 4:
            return None
        first = self.maybe()
        if first:
            value = self.turned(value, (0, 3, 1, 2))
        axes = (2, 3) if first else (1, 2)
        shape, code = list(value.shape), []
        if self.maybe():
            at = ["%d0", "%d1", "%d2", "%d3"]
            for axis in axes:
                factor = self.pick(1, 3)
                shape[axis] *= factor
                by = self.constant(str(factor), "index")
                code.append(f"%h{axis} = arith.floordivsi %d{axis}, {by} : index")
                at[axis] = f"%h{axis}"
            code.append(f"%r = tensor.extract {value.name}[{', '.join(at)}] : {value.type}")
            result = self.gathered(shape, value.element, code)
        else:
            axis, to = self.choose(*axes), self.pick(1, 40)
            scale = shape[axis] / to
            shape[axis] = to
            places = [min(int(i * scale), value.shape[axis] - 1) for i in range(to)]
            table = self.fresh([to, 2], "index")
            rows = ", ".join(f"[{p}, {min(p + 1, value.shape[axis] - 1)}]" for p in places)
            self.lines.append(f"{table.name} = arith.constant dense<[{rows}]> : {table.type}")
            for tap in (0, 1):
                tap_index = self.constant(str(tap), "index")
                at = ["%d0", "%d1", "%d2", "%d3"]
                at[axis] = f"%p{tap}"
                code += [f"%p{tap} = tensor.extract {table.name}[%d{axis}, {tap_index}] : "
                         f"{table.type}",
                         f"%t{tap} = tensor.extract {value.name}[{', '.join(at)}] : {value.type}"]
            if self.real:
                half = self.constant("0.25", "f32")
                code += [f"%s = arith.mulf %t0, {half} : f32", "%r = arith.addf %s, %t1 : f32"]
                result = self.gathered(shape, "f32", code)
            else:
                code += ["%y = arith.extsi %t0 : i8 to i32", "%z = arith.extsi %t1 : i8 to i32",
                         "%r = arith.addi %y, %z : i32"]
                result = self.read_out(self.gathered(shape, "i32", code), 1.0)
        return self.turned(result, (0, 2, 3, 1)) if first else result

    def turned(self, value, order):
        shape = [value.shape[axis] for axis in order]
        init = self.empty(shape, value.element)
        return self.emit(shape, value.element,
                         f"linalg.transpose ins({value.name} : {value.type}) outs("
                         f"{init.name} : {init.type}) permutation = {list(order)}")

    def reduced(self, value, start, code):
        """Over the last axis."""
        axes = range(len(value.shape))
        init = self.filled(value.shape[:-1], "f32", start)
        return self.generic(len(axes), [(value, axes)], init, axes[:-1], code)

    def by_row(self, value, row, code):
        """On %x0, an element, and %x1, its row's number."""
        axes = range(len(value.shape))
        return self.generic(len(axes), [(value, axes), (row, axes[:-1])],
                            self.empty(value.shape, "f32"), axes, code)

    def softmax(self, value):
        """Along channels, perhaps under a mask that nobody knows before."""
        least = "-3.40282347e+38"
        if self.real:
            x = value
        else:
            scale = self.constant(f"{self.choose(0.02, 0.1, 0.5):.8e}", "f32")
            x = self.elementwise([value], "f32", [
                "%f = arith.sitofp %x0 : i8 to f32", f"%r = arith.mulf %f, {scale} : f32"])
        kind = self.choose("none", "bits", "bits", "choice", "added")
        columns = value.shape[-1:]
        if kind == "added":
            mask = self.argument(columns, "f32")
        elif kind != "none":
            one, bits = self.constant("1", "i64"), self.argument(columns, "i64")
            code = [f"%b = arith.andi %x0, {one} : i64"]
            if kind == "bits":
                whole, low = self.constant("1.0", "f32"), self.constant(least, "f32")
                code += ["%f = arith.sitofp %b : i64 to f32",
                         f"%s = arith.subf {whole}, %f : f32", f"%r = arith.mulf %s, {low} : f32"]
                mask = self.elementwise([bits], "f32", code)
            else:
                code += [f"%r = arith.cmpi eq, %b, {one} : i64"]
                mask = self.elementwise([bits], "i1", code)
        if kind == "choice":
            low = self.constant(least, "f32")
            x = self.elementwise([x, mask], "f32", [f"%r = arith.select %x1, %x0, {low} : f32"])
        elif kind != "none":
            x = self.elementwise([x, mask], "f32", ["%r = arith.addf %x0, %x1 : f32"])
        largest = self.reduced(x, "0xFF800000", ["%r = arith.maximumf %x0, %o : f32"])
        powers = self.by_row(x, largest, ["%d = arith.subf %x0, %x1 : f32",
                                          "%r = math.exp %d : f32"])
        total = self.reduced(powers, "0.0", ["%r = arith.addf %x0, %o : f32"])
        parts = self.by_row(powers, total, ["%r = arith.divf %x0, %x1 : f32"])
        if self.real:
            return parts
        most = self.constant("127.0", "f32")
        return self.elementwise([parts], "i8", [
            f"%m = arith.mulf %x0, {most} : f32", "%e = math.roundeven %m : f32",
            "%r = arith.fptosi %e : f32 to i8"])

    def on_host(self, value):
        """An operation that no layer takes in."""
        if self.real:
            return self.elementwise([value], "f32", ["%r = math.absf %x0 : f32"])
        mask = self.constant("85", "i8")
        return self.elementwise([value], "i8", [f"%r = arith.xori %x0, {mask} : i8"])

    def network(self):
        batch, most = self.choose(1, 1, 2, 3), self.choose(6, 12, 20)
        value = self.argument([batch, self.pick(1, most), self.pick(1, most),
                               self.channels()])
        if self.choose(True, False, False):
            value = self.argument([self.pick(1, 90), self.channels()])
        self.made = [value]
        layers = 0
        for _ in range(self.pick(1, 6)):
            kind = self.choose(self.convolution, self.depthwise, self.product,
                               self.convolution, self.grouped, self.transposed,
                               self.pool,
                               self.average, self.concatenation, self.residual,
                               self.resized, self.softmax, self.on_host)
            # Mostly the last result; now and then another one, for branches.
            source = self.made[-1] if self.choose(True, True, True, False) \
                else self.choose(*self.made)
            result = kind(source)
            if result is not None:
                self.made.append(result)
                layers += kind in (self.convolution, self.depthwise, self.grouped,
                                   self.transposed, self.product)
        if layers == 0:
            result = self.product(self.made[-1])
            self.made.append(result)
        # Results: the last one, and perhaps what nothing has read so far.
        results = [self.made[-1]]
        if self.maybe():
            results.insert(0, self.choose(*self.made[1:]))
        arguments = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        types = ", ".join(r.type for r in results)
        body = "".join(f"  {line}\n" for line in self.lines)
        return (f"func.func @main({arguments}) -> ({types}) {{\n{body}  return "
                f"{', '.join(r.name for r in results)} : {types}\n}}\n")


@st.composite
def cases(draw):
    """A network, the upstream passes that it goes through, and the options."""
    target = draw(st.sampled_from(
        ["gemmini", "gemmini-large", "gemmini-small", "gemmini-npu", "gemmini-fp32"]))
    real = target == "gemmini-fp32"
    text = Writer(draw, real).network()
    options = [f"--target={target}"]
    for name, values in {
            "objective": ["edp", "energy", "latency"],
            "optimizer": ["fadiff", "fadiff", "fadiff", "exact", "gradient", "dosa", "ga", "bo",
                          "hillclimb", "random", "heuristic"],
            "fuse": ["on", "on", "on", "chains", "off"],
            "pack": ["auto", "auto", "on", "columns", "off"],
            "loop-ws": ["auto", "auto", "on", "off"],
            "latency": ["roofline", "gemmini"],
            "uneven-tiles": ["on", "on", "off"],
            "block-diagonal": ["on", "on", "off"]}.items():
        options.append(f"--{name}={draw(st.sampled_from(values))}")
    # Each evaluation of Bayesian optimisation looks at all before it.
    most = ["50", "200"] if "--optimizer=bo" in options else ["500", "5000", "20000"]
    options.append(f"--max-evaluations={draw(st.sampled_from(most))}")
    if "--optimizer=exact" in options:  # it knows no other latency
        options = [o for o in options if o != "--latency=gemmini"]
    for name in ("seed", "search-seed"):
        options.append(f"--{name}={draw(st.integers(1, 1000))}")
    return text, draw(st.sampled_from(UPSTREAM_PASSES)), options


REFUSALS = ("nothing to schedule", "no mapping fits")


def attempt(case, runner, timeout):
    """Returns ("passed" or "refused", "") or ("failed", why)."""
    text, passes, options = case
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "net.mlir")
        path.write_text(text)
        if passes:
            made = subprocess.run(["mlir-opt-22", str(path), *passes],
                                  capture_output=True, text=True)
            if made.returncode != 0:
                return "failed", "the generator's own text: " + made.stderr
            path.write_text(made.stdout)
        command = [str(runner), str(path), "--check", "--summary=none", *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  timeout=timeout, errors="replace")
        except subprocess.TimeoutExpired:
            return "failed", f"no end within {timeout} s"
    if done.returncode == 0:
        return "passed", ""
    told = done.stderr.replace(str(path), "net.mlir")
    if done.returncode == 1 and any(word in told for word in REFUSALS):
        return "refused", ""
    lines = [line for line in (done.stdout + told).splitlines()
             if "error" in line or "differs" in line or "NOT" in line]
    return "failed", f"exit code {done.returncode}\n" + "\n".join(lines[-12:])


def save(case, why, chunk_seed, out, runner):
    text, passes, options = case
    name = hashlib.sha256(repr(case).encode()).hexdigest()[:12]
    command = " ".join([f"fadiff-run {name}.mlir --check", *options])
    if passes:
        command = (f"mlir-opt-22 {name}.mlir {' '.join(passes)} | "
                   + command.replace(f"{name}.mlir", "-"))
    note = "".join(f"// {line}\n" for line in
                   [command, f"chunk seed {chunk_seed}", *why.splitlines()])
    pathlib.Path(out, name + ".mlir").write_text(note + text)
    return name


def run_chunk(chunk_seed, size, runner, timeout, out):
    """Tries `size` cases; returns how they ended and the failing one, if any.

    Hypothesis stops at the first failure, so a chunk has one at most.
    """
    counts = {"passed": 0, "refused": 0, "failed": 0}
    shrinking = False
    last = None

    @seed(chunk_seed)
    @settings(max_examples=size, deadline=None, database=None,
              phases=[Phase.generate, Phase.shrink],
              suppress_health_check=list(HealthCheck), report_multiple_bugs=False)
    @given(cases())
    def check(case):
        nonlocal shrinking, last
        how, why = attempt(case, runner, timeout)
        if not shrinking:
            counts[how] += 1
        if how == "failed":
            # Each failure seen now is no larger than the one before.
            shrinking, last = True, (case, why)
            raise AssertionError(why)

    try:
        check()
    except (AssertionError, Flaky):
        pass
    return counts, save(*last, chunk_seed, out, runner) if last else None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    environment = os.environ
    parser.add_argument("--count", type=int, help="cases; default $FADIFF_FUZZ_COUNT",
                        default=int(environment.get("FADIFF_FUZZ_COUNT", "1000")))
    parser.add_argument("--seed", type=int, help="of all; default $FADIFF_FUZZ_SEED",
                        default=int(environment.get("FADIFF_FUZZ_SEED", "1")))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=60, help="seconds a case")
    parser.add_argument("--build-dir", default="build/release")
    parser.add_argument("--out", default="build/fuzz-networks",
                        help="folder for failing cases and the state")
    args = parser.parse_args()
    runner = pathlib.Path(args.build_dir, "bin", "fadiff-run").resolve()
    if not runner.exists():
        sys.exit(f"fuzz_networks.py: error: no {runner}; build it first, or name "
                 "another --build-dir")
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    state_path = out / "state.json"
    state = json.loads(state_path.read_text()) if state_path.exists() else {}
    if state.get("seed") != args.seed:
        state = {"seed": args.seed, "chunks": {}}

    todo = {}
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for begin in range(0, args.count, CHUNK):
            size = min(CHUNK, args.count - begin)
            known = state["chunks"].get(str(begin))
            if known and known["size"] == size:
                continue
            chunk_seed = args.seed * 1_000_003 + begin
            todo[pool.submit(run_chunk, chunk_seed, size, runner, args.timeout,
                             out)] = (begin, size)
        for future in concurrent.futures.as_completed(todo):
            begin, size = todo[future]
            counts, failure = future.result()
            state["chunks"][str(begin)] = {"size": size, "counts": counts,
                                           "failure": failure}
            temporary = state_path.with_suffix(".tmp")
            temporary.write_text(json.dumps(state, indent=1))
            temporary.replace(state_path)
            if failure:
                print(f"failed: {out / failure}.mlir", flush=True)

    totals = {"passed": 0, "refused": 0, "failed": 0}
    for chunk in state["chunks"].values():
        for how, n in chunk["counts"].items():
            totals[how] += n
    print(f"networks: seed {args.seed}, {sum(totals.values())} cases: "
          + ", ".join(f"{n} {how}" for how, n in totals.items()))
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
