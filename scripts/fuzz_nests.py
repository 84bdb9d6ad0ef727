#!/usr/bin/env python3
#===- fuzz_nests.py - Wrong loop nests, which must not be accepted --------===#
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Changes the loop nests of random networks and looks for one that
fadiff-verify-schedule accepts although its outputs are wrong.

  fuzz_nests.py --count 5000 --seed 7 --out build/nests

Each round draws a small network (convolutions, depthwise ones, matrix products,
residuals, pooling, int8 or f32), schedules it with fadiff-opt for a random
machine with a random search, changes the nests in the text, one change a time,
and has fadiff-opt verify every variant. What is accepted is run by fadiff-run
and compared with the network. A wrong output, an illegal program, a signal or a
hang is a failure, as is a network whose unchanged nests are refused or wrong.
A variant that is accepted and right is none.

Failures go to --out: the network, the nest as it was and as it was changed, and
a script with the command that shows it. The changed one is reduced: loops and
attributes that it fails without are taken out. state.json keeps how far the run
is: with the same seed and count it goes on from there. Seed and count come from
FADIFF_FUZZ_SEED and FADIFF_FUZZ_COUNT if they are not given. The exit code is 1
if anything failed.

What says which layers a nest computes is not changed: operands, strides,
padding, layouts, scales. A nest with another of these is one of another network.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

TARGETS = ["gemmini", "gemmini-small", "gemmini-large", "gemmini-fp32"]
TIMEOUT = 120  # seconds of one process
MUTATIONS = 25  # tried per network
RULE = re.compile(r"\[(N\d+)\]")  # that refused a nest


#===-- Networks -----------------------------------------------------------===#

class Network:
    """Writes a function in linalg on tensors. Values are (name, shape, element)."""

    def __init__(self, rng, real):
        self.rng, self.real = rng, real
        self.element = "f32" if real else "i8"
        self.sums = "f32" if real else "i32"
        self.arguments, self.lines, self.names = [], [], 0

    def pick(self, low, high):
        return self.rng.randint(low, high)

    def chance(self, percent):
        return self.pick(1, 100) > 100 - percent

    def channels(self):
        return self.pick(1, 100) if self.chance(25) else self.pick(1, 40)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    @staticmethod
    def type(shape, element):
        return f"tensor<{'x'.join(map(str, shape))}x{element}>"

    def argument(self, shape, element):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {self.type(shape, element)}")
        return name, list(shape), element

    def emit(self, code, shape, element):
        name = self.name()
        self.lines.append(f"  {name} = {code}")
        return name, list(shape), element

    def constant(self, value, element):
        return self.emit(f"arith.constant {value} : {element}", [], element)[0]

    def empty(self, shape, element):
        return self.emit(f"tensor.empty() : {self.type(shape, element)}", shape,
                         element)

    def filled(self, shape, element, value):
        start, (init, _, _) = self.constant(value, element), self.empty(shape, element)
        kind = self.type(shape, element)
        return self.emit(f"linalg.fill ins({start} : {element}) outs({init} : {kind}) "
                         f"-> {kind}", shape, element)

    def typed(self, value):
        return self.type(value[1], value[2])

    def pad(self, value, low, high, fill=None):
        if not any(low + high):
            return value
        zero = self.constant(fill or ("0.0" if self.real else "0"), value[2])
        shape = [e + l + h for e, l, h in zip(value[1], low, high)]
        indices = ", ".join(f"%i{i}: index" for i in range(len(shape)))
        return self.emit(
            f"tensor.pad {value[0]} low{low} high{high} {{\n  ^bb0({indices}):\n"
            f"    tensor.yield {zero} : {value[2]}\n  }} : {self.typed(value)} to "
            f"{self.type(shape, value[2])}", shape, value[2])

    def contract(self, op, value, weights, shape):
        init = self.filled(shape, self.sums, "0.0" if self.real else "0")
        return self.emit(
            f"{op} ins({value[0]}, {weights[0]} : {self.typed(value)}, "
            f"{self.typed(weights)}) outs({init[0]} : {self.typed(init)}) -> "
            f"{self.typed(init)}", shape, self.sums)

    def elementwise(self, value, element, code, other=None):
        """`code` on %in, and %b of `other`: per element, or per channel."""
        rank = len(value[1])
        dims = ", ".join(f"d{i}" for i in range(rank))
        identity = f"affine_map<({dims}) -> ({dims})>"
        maps, ins, kinds, args = [identity], [value[0]], [self.typed(value)], ""
        if other:
            same = len(other[1]) == rank
            maps.append(identity if same else f"affine_map<({dims}) -> (d{rank - 1})>")
            ins.append(other[0])
            kinds.append(self.typed(other))
            args = f"%b: {other[2]}, "
        maps.append(identity)
        init = self.empty(value[1], element)
        loops = ", ".join(['"parallel"'] * rank)
        return self.emit(
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = "
            f"[{loops}]}} ins({', '.join(ins)} : {', '.join(kinds)}) outs({init[0]} : "
            f"{self.typed(init)}) {{\n  ^bb0(%in: {value[2]}, {args}%out: {element}):\n"
            f"{code}    linalg.yield %r : {element}\n  }} -> {self.typed(init)}",
            value[1], element)

    def read_out(self, value, magnitude):
        scale = (0.3 + 0.1 * self.pick(0, 12)) / magnitude
        s, low, high = (self.constant(c, "f32")
                        for c in (f"{scale:.8e}", "-128.0", "127.0"))
        value = self.elementwise(
            value, "i8",
            "    %f = arith.sitofp %in : i32 to f32\n"
            f"    %m = arith.mulf %f, {s} : f32\n    %e = math.roundeven %m : f32\n"
            f"    %l = arith.maximumf %e, {low} : f32\n"
            f"    %h = arith.minimumf %l, {high} : f32\n"
            "    %r = arith.fptosi %h : f32 to i8\n")
        return self.relu(value) if self.chance(50) else value

    def relu(self, value):
        op = "maximumf" if self.real else "maxsi"
        zero = self.constant("0.0" if self.real else "0", value[2])
        return self.elementwise(value, value[2],
                                f"    %r = arith.{op} %in, {zero} : {value[2]}\n")

    def tail(self, value, fan_in, must_requantise, may_bias=True):
        if may_bias and self.chance(60):
            bias = self.argument([value[1][-1]], self.sums)
            op = "addf" if self.real else "addi"
            value = self.elementwise(value, self.sums,
                                     f"    %r = arith.{op} %in, %b : {self.sums}\n", bias)
        if self.real:
            scale = self.constant(f"{fan_in ** -0.5:.8e}", "f32")
            value = self.elementwise(value, "f32",
                                     f"    %r = arith.mulf %in, {scale} : f32\n")
            return self.relu(value) if self.chance(50) else value
        if not must_requantise and self.chance(20):
            return value
        return self.read_out(value, 73.0 * fan_in ** 0.5)

    @staticmethod
    def window(stride, dilation):
        return (f" {{dilations = dense<{dilation}> : tensor<2xi64>, "
                f"strides = dense<{stride}> : tensor<2xi64>}}")

    def link(self, value, must_requantise, keeps_shape=False):
        """A convolution: plain, pointwise or depthwise."""
        kind = self.pick(0, 9)
        depthwise, pointwise = kind < 3, 3 <= kind < 6
        r, s = (1, 1) if pointwise else (self.pick(1, 5), self.pick(1, 5))
        stride = [1 if keeps_shape or self.chance(70) else 2 for _ in range(2)]
        dilation = 1 if pointwise or self.chance(85) else 2
        low, high = [0] * 4, [0] * 4
        for axis, taps in ((1, r), (2, s)):
            reach = (taps - 1) * dilation + 1
            low[axis] = self.pick(0, reach // 2)
            high[axis] = (reach - 1 - low[axis] if keeps_shape
                          else self.pick(0, reach // 2))
            high[axis] += max(0, reach - low[axis] - high[axis] - value[1][axis])
        padded = self.pad(value, low, high)
        c = value[1][3]
        k = c if depthwise or keeps_shape else self.channels()
        out = [value[1][0]] + [
            (padded[1][axis] - (taps - 1) * dilation - 1) // stride[axis - 1] + 1
            for axis, taps in ((1, r), (2, s))] + [k]
        weights = self.argument([r, s, c] if depthwise else [r, s, c, k], self.element)
        op = ("linalg.depthwise_conv_2d_nhwc_hwc" if depthwise
              else "linalg.conv_2d_nhwc_hwcf")
        value = self.contract(op + self.window(stride, dilation), padded, weights, out)
        return self.tail(value, (1 if depthwise else c) * r * s, must_requantise)

    def residual(self, value, other):
        value = self.elementwise(
            value, "i32", "    %x = arith.extsi %in : i8 to i32\n"
            "    %y = arith.extsi %b : i8 to i32\n    %r = arith.addi %x, %y : i32\n",
            other)
        return self.read_out(value, 1.0)

    def max_pool(self, value):
        size, stride = self.pick(2, 3), self.pick(1, 3)
        low, high, out = [0] * 4, [0] * 4, list(value[1])
        for axis in (1, 2):
            extent = value[1][axis]
            low[axis] = self.pick(0, size - 1)
            high[axis] = max(0, size - low[axis] - extent)
            out[axis] = (extent + low[axis] + high[axis] - size) // stride + 1
        padded = self.pad(value, low, high, "-128")
        taps, init = self.empty([size, size], "i8"), self.filled(out, "i8", "-128")
        return self.emit(
            f"linalg.pooling_nhwc_max{self.window([stride] * 2, 1)} ins({padded[0]}, "
            f"{taps[0]} : {self.typed(padded)}, {self.typed(taps)}) outs({init[0]} : "
            f"{self.typed(init)}) -> {self.typed(init)}", out, "i8")

    def products(self):
        """Matrix products, one after the other."""
        if self.chance(35):
            batch, m, c, k = (self.pick(2, 5), self.pick(1, 40), self.channels(),
                              self.channels())
            value = self.contract(
                "linalg.batch_matmul", self.argument([batch, m, c], self.element),
                self.argument([batch, c, k], self.element), [batch, m, k])
            return self.tail(value, c, False, may_bias=False)
        # Whole blocks of all machines, as loop_ws wants them, or not.
        whole = self.chance(50)
        channels = lambda: 32 * self.pick(1, 5) if whole else self.channels()
        value = self.argument([self.pick(1, 60), channels()], self.element)
        for left in range(self.pick(1, 3), 0, -1):
            c, k = value[1][1], channels()
            sums = self.contract("linalg.matmul", value,
                                 self.argument([c, k], self.element), [value[1][0], k])
            value = self.tail(sums, c, must_requantise=left > 1)
        return value

    def chain(self):
        value = self.argument([self.pick(1, 3), self.pick(1, 16), self.pick(1, 16),
                               self.channels()], self.element)
        for left in range(self.pick(1, 4), 0, -1):
            kind = self.pick(0, 19)
            if not self.real and kind < 5:  # a residual block
                inner = self.link(value, True, keeps_shape=True)
                if self.chance(50):
                    inner = self.link(inner, True, keeps_shape=True)
                value = self.residual(inner, value)
                continue
            value = self.link(value, must_requantise=left > 1 or kind < 10)
            if value[2] == "i8" and kind < 8:
                value = self.max_pool(value)
            elif value[2] == "i8" and kind < 10:
                value = self.residual(value, self.argument(value[1], "i8"))
        return value

    def windows(self):
        """Tall images under convolutions with windows: rows that are kept."""
        value = self.argument([1, self.pick(16, 40), self.pick(4, 16), self.pick(1, 16)],
                              self.element)
        for left in range(self.pick(2, 3), 0, -1):
            c, k, r, s = value[1][3], self.pick(1, 24), self.pick(1, 5), self.pick(1, 3)
            padded = self.pad(value, [0, r // 2, s // 2, 0], [0, r // 2, s // 2, 0])
            out = [1, padded[1][1] - r + 1, padded[1][2] - s + 1, k]
            sums = self.contract("linalg.conv_2d_nhwc_hwcf" + self.window([1, 1], 1), padded,
                                 self.argument([r, s, c, k], self.element), out)
            value = self.tail(sums, c * r * s, must_requantise=True)
            if not self.real and left > 1 and self.chance(20):
                value = self.max_pool(value)
        return value

    def bottleneck(self):
        """Many channels between few: slices of channels."""
        value = self.argument([1, self.pick(4, 24), self.pick(4, 24), self.pick(8, 32)],
                              self.element)
        wide, few = self.pick(40, 160), self.pick(4, 32)
        kinds = ["expand"] + ["depthwise"] * self.chance(50) + ["reduce"]
        for kind in kinds:
            n, h, w, c = value[1]
            if kind == "depthwise":
                padded = self.pad(value, [0, 1, 1, 0], [0, 1, 1, 0])
                value = self.tail(self.contract(
                    "linalg.depthwise_conv_2d_nhwc_hwc" + self.window([1, 1], 1), padded,
                    self.argument([3, 3, c], self.element), [n, h, w, c]), 9, True)
                continue
            k = wide if kind == "expand" else few
            value = self.tail(self.contract(
                "linalg.conv_2d_nhwc_hwcf" + self.window([1, 1], 1), value,
                self.argument([1, 1, c, k], self.element), [n, h, w, k]), c, True)
        return value

    def wide_product(self):
        """More than fits on chip: partial sums that spill."""
        rows, c, k = self.pick(1, 60), self.pick(60, 400), self.pick(60, 400)
        value = self.contract("linalg.matmul", self.argument([rows, c], self.element),
                              self.argument([c, k], self.element), [rows, k])
        return self.tail(value, c, False)

    def write(self, family):
        result = getattr(self, family)()
        return "\n".join([f"func.func @main({', '.join(self.arguments)}) -> "
                          f"{self.typed(result)} {{"] + self.lines +
                         [f"  return {result[0]} : {self.typed(result)}", "}", ""])


# What networks there are, how often, and how each is searched for: the nests
# that it is there for come of some searches only.
FAMILIES = {"chain": 8, "products": 3, "windows": 3, "bottleneck": 3, "wide_product": 3}


def draw_options(rng, real, family):
    """What --fadiff-schedule is told."""
    options = {"target": "gemmini-fp32" if real else rng.choice(TARGETS[:3])}
    options["optimizer"] = rng.choice(["random"] * 4 + ["fadiff", "bo", "ga", "dosa"])
    options["objective"] = rng.choice(["edp", "energy", "latency"])
    options["seed"] = rng.randint(0, 999)
    options["max-evaluations"] = rng.choice([1, 1, 3, 10, 50, 200])
    options["fuse"] = rng.choice(["on"] * 5 + ["off"])
    options["uneven-tiles"] = rng.choice(["on", "on", "off"])
    options["block-diagonal"] = rng.choice(["on", "on", "off"])
    options["pack"] = rng.choice(["auto", "on", "columns", "off"])
    options["loop-ws"] = rng.choice(["auto", "on", "off"])
    if family in ("windows", "bottleneck") and rng.random() < 0.7:
        options.update({"optimizer": "fadiff", "fuse": "on", "max-evaluations": 3000})
        if not real and family == "windows":
            options["target"] = rng.choice(["gemmini-small", "gemmini-large"])
    if family == "wide_product" and not real:
        options["target"] = "gemmini-small"
    if family == "products" and rng.random() < 0.5:
        options.update({"loop-ws": "on", "fuse": "off"})
    return options


MAPPING = re.compile(r"mapping\(<dram \[(.*?)\], scratchpad \[(.*?)\], accumulator "
                     r"\[(.*?)\], registers \[(.*?)\], array \[(\d+) x (\d+)\]>\)")


def remap(rng, mapped):
    """Mapped layers with loops in another order and at other levels: most nests
    that are legal no search would choose. It may be illegal."""
    def change(match):
        levels = [[tuple(loop.split(":")) for loop in level.split()]
                  for level in match.groups()[:4]]
        for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
            level = rng.randrange(3)
            if rng.random() < 0.5:
                rng.shuffle(levels[level])
                continue
            if not levels[level]:
                continue
            # Whole to another level, or in part.
            dim, factor = loop = rng.choice(levels[level])
            other, factor = rng.randrange(3), int(factor)
            levels[level].remove(loop)
            part = rng.choice([factor, factor, 2, max(1, factor // 2)])
            for where, count in ((other, part), (level, -(-factor // part))):
                if count > 1 and dim not in (d for d, _ in levels[where]):
                    levels[where].insert(rng.randint(0, len(levels[where])), (dim, count))
        text = [" ".join(f"{dim}:{factor}" for dim, factor in level) for level in levels]
        return (f"mapping(<dram [{text[0]}], scratchpad [{text[1]}], accumulator "
                f"[{text[2]}], registers [{text[3]}], array [{match[5]} x {match[6]}]>)")

    # Few other mappings are for the loop unit.
    if rng.random() < 0.7:
        mapped = mapped.replace(" loop_ws {", " {")
    # What was predicted is true no longer.
    return re.sub(r" cost\(<energy.*?>\)", "", MAPPING.sub(change, mapped))


#===-- Mutations ----------------------------------------------------------===#

class Nest:
    """The lines of a module, of which those inside of loop nests are changed."""

    FOR = re.compile(r"^(\s*)fadiff\.for (\w) step (\d+) at (\w+) \{")
    TILE = re.compile(r"^\s*fadiff\.(load|init|compute|store) ")
    STAGE = re.compile(r'^\s*fadiff\.stage "')
    ALLOC = re.compile(r"^\s*(%\w+) = fadiff\.alloc (\d+) : (?:!fadiff\.buffer)?"
                       r"<(\w+), (\d+)>")

    def __init__(self, text):
        self.lines = text.split("\n")
        self.inside, self.nests, start = [], [], None
        for number, line in enumerate(self.lines):
            if "fadiff.loop_nest " in line:
                start = number
            elif start is not None and re.match(r"^    \}( ->|$)", line):
                self.nests.append((start, number))
                start = None
            elif start is not None:
                self.inside.append(number)

    def find(self, pattern, nest=None):
        low, high = nest or (0, len(self.lines))
        return [n for n in self.inside if low < n < high
                and pattern.search(self.lines[n])]

    def end(self, number):
        """The line that closes the region which `number` opens."""
        depth = 0
        for n in range(number, len(self.lines)):
            # Braces of a line cancel each other, but for the last.
            depth += self.lines[n].count("{") - self.lines[n].count("}")
            if depth == 0:
                return n
        raise ValueError("unbalanced")

    def text(self, lines=None):
        return "\n".join(self.lines if lines is None else lines)


def types_of(lines, nest):
    """Of the values of a nest, as it prints them: what follows them in ops."""
    types = {}
    for line in lines[nest[0]:nest[1] + 1]:
        for name, kind in re.findall(r"(%\w+): !fadiff\.dram(<[^>]*>)", line):
            types[name] = ("dram", kind)
        alloc = Nest.ALLOC.match(line)
        if alloc:
            types[alloc[1]] = (alloc[3], f"<{alloc[3]}, {alloc[4]}>")
    return types


def retyped(line, types):
    """A tile op with the types that its operands have, printed out in full."""
    head = line.split(" : ")[0]
    names = re.findall(r"%\w+", head)

    def full(name):
        level, kind = types[name]
        return ("!fadiff.dram" if level == "dram" else "!fadiff.buffer") + kind

    def word(keyword):
        found = re.search(keyword + r" (%\w+)", head)
        return f" {keyword} {full(found[1])}" if found else ""

    op = re.search(r"fadiff\.(\w+)", head)[1]
    if op == "init":
        return (f"{head} : {full(names[0])}" + word("bias") + word("spill") + word("skip"))
    if op == "store":
        return f"{head} : {full(names[0])}, {full(names[1])}" + word("spill")
    return f"{head} : " + ", ".join(map(full, names))


def spread(nest):
    """The module with twice the rows for every buffer, and all of them apart.
    It may be illegal. What is wrong with a change is then not that rows are too
    few."""
    lines = list(nest.lines)
    for own in nest.nests:
        next_row = collections.Counter()
        for n in nest.find(Nest.ALLOC, own):
            _, base, level, rows = Nest.ALLOC.match(lines[n]).groups()
            lines[n] = lines[n].replace(f"alloc {base} ", f"alloc {next_row[level]} ")
            lines[n] = lines[n].replace(f", {rows}>", f", {2 * int(rows)}>")
            next_row[level] += 2 * int(rows)
        types = types_of(lines, own)
        for n in nest.find(Nest.TILE, own):
            lines[n] = retyped(lines[n], types)
    return nest.text(lines)


class Mutator:
    def __init__(self, rng, nest):
        self.rng, self.nest = rng, nest
        self.kinds = [
            (self.change_step, 5), (self.delete_loop, 3), (self.swap_loops, 3),
            (self.move_op, 5), (self.move_tile, 3), (self.duplicate_op, 2), (self.delete_op, 2),
            (self.replace_operand, 6), (self.change_array, 3), (self.change_alloc, 4),
            (self.change_dim, 2), (self.change_loop_dim, 2), (self.drop_clause, 2),
            (self.change_level, 1), (self.wrap_loop, 3), (self.move_stage, 2),
            (self.swap_stages, 1), (self.change_flag, 1), (self.swap_operands, 2),
            (self.merge_buffers, 2), (self.change_mapping, 1)]

    def mutate(self):
        """(what was changed, the text), or None."""
        for _ in range(20):
            kind = self.rng.choices([k for k, _ in self.kinds],
                                    [w for _, w in self.kinds])[0]
            lines = list(self.nest.lines)
            done = kind(lines)
            if not done or lines == self.nest.lines:
                continue
            what, text = f"{kind.__name__}: {done}", self.nest.text(lines)
            if self.rng.random() < 0.2:
                try:
                    again = Mutator(self.rng, Nest(text)).mutate()
                except (KeyError, ValueError, StopIteration):
                    again = None  # what is left cannot be read as a nest
                if again:
                    return f"{what}; {again[0]}", again[1]
            return what, text
        return None

    def choose(self, pattern):
        found = self.nest.find(pattern)
        return self.rng.choice(found) if found else None

    def nest_of(self, number):
        return next(n for n in self.nest.nests if n[0] < number < n[1])

    def near(self, value, least=1):
        """Another number, small or large, or related."""
        options = [value - 1, value + 1, value * 2, value // 2, value + 4, value - 4,
                   value * 3, 1, 2, 3, 8, 16, self.rng.randint(1, 64)]
        options = [o for o in options if o >= least and o != value]
        return self.rng.choice(options)

    def change_step(self, lines):
        n = self.choose(Nest.FOR)
        if n is None:
            return None
        step = int(Nest.FOR.match(lines[n])[3])
        new = self.near(step)
        lines[n] = lines[n].replace(f"step {step} ", f"step {new} ")
        return f"line {n + 1}, step {step} -> {new}"

    def delete_loop(self, lines):
        n = self.choose(Nest.FOR)
        if n is None:
            return None
        end = self.nest.end(n)
        del lines[end], lines[n]
        return f"line {n + 1}"

    def wrap_loop(self, lines):
        """A loop around one more op, or a run of ops, of a region."""
        n = self.choose(re.compile(r"fadiff\.(for|load|init|compute|store|stage) "))
        if n is None:
            return None
        end = self.nest.end(n) if lines[n].rstrip().endswith("{") else n
        while end + 1 < len(lines) and self.rng.random() < 0.3 and \
                Nest.TILE.search(lines[end + 1]):
            end += 1
        dim, step = self.rng.choice("NGKCPQRS"), self.near(0)
        level = self.rng.choice(["dram", "scratchpad", "accumulator"])
        lines.insert(end + 1, "}")
        lines.insert(n, f"fadiff.for {dim} step {step} at {level} {{")
        return f"line {n + 1}, {dim} step {step}"

    def swap_loops(self, lines):
        n = self.choose(Nest.FOR)
        if n is None:
            return None
        own, end = self.nest_of(n), self.nest.end(n)
        inner = [m for m in self.nest.find(Nest.FOR, own) if n < m < end]
        if not inner:
            return None
        m = self.rng.choice(inner[:2])
        lines[n], lines[m] = lines[m], lines[n]
        return f"lines {n + 1} and {m + 1}"

    def change_loop_dim(self, lines):
        n = self.choose(Nest.FOR)
        if n is None:
            return None
        new = self.rng.choice("NGKCPQRS")
        lines[n] = re.sub(r"fadiff\.for \w ", f"fadiff.for {new} ", lines[n])
        return f"line {n + 1}, to {new}"

    def change_level(self, lines):
        n = self.choose(Nest.FOR)
        if n is None:
            return None
        new = self.rng.choice(["dram", "scratchpad", "accumulator"])
        lines[n] = re.sub(r" at \w+ ", f" at {new} ", lines[n])
        return f"line {n + 1}, to {new}"

    def place(self, n):
        """Another line of the same nest, near or far."""
        own = self.nest_of(n)
        if self.rng.random() < 0.7:
            target = n + self.rng.choice([-3, -2, -1, 2, 3, 4])
        else:
            target = self.rng.randint(own[0] + 2, own[1])
        return target if own[0] + 1 < target <= own[1] else None

    def move_op(self, lines):
        n = self.choose(Nest.TILE)
        target = self.place(n) if n is not None else None
        if target is None:
            return None
        line = lines.pop(n)
        lines.insert(target - (target > n), line)
        return f"line {n + 1} to before {target + 1}"

    def move_tile(self, lines):
        """An output tile is begun and closed further in, or further out."""
        n = self.choose(re.compile(r"fadiff\.init "))
        if n is None:
            return None
        stage = max(m for m in self.nest.find(Nest.STAGE) if m < n)
        end = self.nest.end(stage)
        stores = [m for m in self.nest.find(re.compile(r"fadiff\.store ")) if n < m < end]
        around = [stage] + [m for m in self.nest.find(Nest.FOR) if stage < m < end]
        if not stores:
            return None
        target = self.rng.choice(around)
        init, store, close = lines[n], lines[stores[-1]], self.nest.end(target)
        kept = {m: line for m, line in enumerate(lines) if m not in (n, stores[-1])}
        lines[:] = [part for m, line in sorted(kept.items())
                    for part in ([line, init] if m == target else
                                 [store, line] if m == close else [line])]
        return f"lines {n + 1} and {stores[-1] + 1} to the region of {target + 1}"

    def duplicate_op(self, lines):
        n = self.choose(Nest.TILE)
        target = self.place(n) if n is not None else None
        if target is None:
            return None
        lines.insert(target, lines[n])
        return f"line {n + 1} again before {target + 1}"

    def delete_op(self, lines):
        n = self.choose(Nest.TILE)
        if n is None:
            return None
        del lines[n]
        return f"line {n + 1}"

    def replace_operand(self, lines):
        n = self.choose(Nest.TILE)
        if n is None:
            return None
        types = types_of(lines, self.nest_of(n))
        head = lines[n].split(" : ")[0]
        old = self.rng.choice(re.findall(r"%\w+", head))
        # Mostly of the same kind, sometimes anything.
        others = [t for t in types if t != old and (
            types[t][0] == types[old][0] or self.rng.random() < 0.1)]
        if types[old][0] == "dram":
            alike = [t for t in others if types[t] == types[old]]
            others = alike or others
        if not others:
            return None
        new = self.rng.choice(others)
        position = self.rng.choice([m.start() for m in re.finditer(re.escape(old) + r"\b",
                                                                   head)])
        head = head[:position] + new + head[position + len(old):]
        lines[n] = retyped(head + " : ", types)
        return f"line {n + 1}, {old} -> {new}"

    def swap_operands(self, lines):
        """Two ops of one kind exchange what they name, or one its two."""
        n = self.choose(Nest.TILE)
        if n is None:
            return None
        own, op = self.nest_of(n), re.search(r"fadiff\.\w+", lines[n])[0]
        types = types_of(lines, own)
        alike = [m for m in self.nest.find(re.compile(re.escape(op) + " "), own) if m != n]
        if alike and self.rng.random() < 0.7:
            m = self.rng.choice(alike)
            lines[n], lines[m] = lines[m], lines[n]
            return f"lines {n + 1} and {m + 1}"
        names = re.findall(r"%\w+", lines[n].split(" : ")[0])
        if len(set(names)) < 2:
            return None
        a, b = self.rng.sample(sorted(set(names)), 2)
        head = lines[n].split(" : ")[0].replace(a + " ", "%_ ").replace(a + ",", "%_,")
        head = re.sub(re.escape(a) + "$", "%_", head)
        head = re.sub(re.escape(b) + r"\b", a, head).replace("%_", b)
        lines[n] = retyped(head + " : ", types)
        return f"line {n + 1}, {a} and {b}"

    def change_array(self, lines):
        n = self.choose(Nest.STAGE)
        if n is None:
            return None
        rows, cols = map(int, re.search(r"array ?\[(\d+), (\d+)\]", lines[n]).groups())
        which = self.rng.randint(0, 2)
        new = [self.near(rows) if which != 1 else rows,
               self.near(cols) if which != 0 else cols]
        edit = lambda line: re.sub(r"array ?\[\d+, \d+\]", f"array[{new[0]}, {new[1]}]",
                                   line)
        name = re.search(r'stage "[^"]*"', lines[n])[0]
        everywhere = self.rng.random() < 0.5  # the stage that loads its weights, too
        for m in self.nest.find(Nest.STAGE, self.nest_of(n)) if everywhere else [n]:
            if name in lines[m]:
                lines[m] = edit(lines[m])
        return f"line {n + 1}, [{rows}, {cols}] -> {new}"

    def change_alloc(self, lines):
        n = self.choose(Nest.ALLOC)
        if n is None:
            return None
        name, base, level, rows = Nest.ALLOC.match(lines[n]).groups()
        if self.rng.random() < 0.6:
            other = self.choose(Nest.ALLOC)
            new = (int(Nest.ALLOC.match(lines[other])[2]) if self.rng.random() < 0.5
                   else self.near(int(base), least=0))
            lines[n] = lines[n].replace(f"alloc {base} ", f"alloc {new} ")
            return f"line {n + 1}, row {base} -> {new}"
        new = self.near(int(rows))
        # Everywhere in its nest, as the types of its uses say it, too.
        lines[n] = lines[n].replace(f", {rows}>", f", {new}>")
        own = self.nest_of(n)
        types = types_of(lines, own)
        for m in self.nest.find(Nest.TILE, own):
            if re.search(re.escape(name) + r"\b", lines[m]):
                lines[m] = retyped(lines[m], types)
        return f"line {n + 1}, {rows} rows -> {new}"

    def merge_buffers(self, lines):
        """All uses of one buffer become those of another."""
        n = self.choose(Nest.ALLOC)
        if n is None:
            return None
        own = self.nest_of(n)
        name, _, level, _ = Nest.ALLOC.match(lines[n]).groups()
        others = [m for m in self.nest.find(Nest.ALLOC, own)
                  if m != n and Nest.ALLOC.match(lines[m])[3] == level]
        if not others:
            return None
        new = Nest.ALLOC.match(lines[self.rng.choice(others)])[1]
        types = types_of(lines, own)
        for m in self.nest.find(Nest.TILE, own):
            head = lines[m].split(" : ")[0]
            if re.search(re.escape(name) + r"\b", head):
                lines[m] = retyped(re.sub(re.escape(name) + r"\b", new, head) + " : ", types)
        return f"{name} -> {new}"

    def change_dim(self, lines):
        """An extent of a workload; in all stages of the layer, or in one."""
        n = self.choose(Nest.STAGE)
        if n is None:
            return None
        name = re.search(r'stage "[^"]*"', lines[n])[0]
        dims = re.search(r"workload\(<\[([^\]]*)\]", lines[n])
        pairs = re.findall(r"(\w) = (\d+)", dims[1])
        if not pairs:
            return None
        dim, extent = self.rng.choice(pairs)
        new = self.near(int(extent))
        for m in self.nest.find(Nest.STAGE, self.nest_of(n)):
            if m == n or (name in lines[m] and self.rng.random() < 0.5):
                lines[m] = re.sub(rf"(workload\(<\[[^\]]*\b{dim} = )\d+", rf"\g<1>{new}",
                                  lines[m])
        return f"line {n + 1}, {dim} = {extent} -> {new}"

    def change_mapping(self, lines):
        n = self.choose(re.compile(r'fadiff\.stage ".* mapping\('))
        if n is None:
            return None
        factors = list(re.finditer(r"([NGKCPQRS]):(\d+)", lines[n]))
        if not factors:
            return None
        factor = self.rng.choice(factors)
        new = self.near(int(factor[2]))
        lines[n] = (lines[n][:factor.start()] + f"{factor[1]}:{new}" +
                    lines[n][factor.end():])
        return f"line {n + 1}, {factor[0]} -> {new}"

    def drop_clause(self, lines):
        n = self.choose(re.compile(r"fadiff\.(init|store) .* (bias|spill|skip) %"))
        if n is None:
            return None
        head = lines[n].split(" : ")[0]
        word = self.rng.choice(re.findall(r" (bias|spill|skip) %", head))
        head = re.sub(rf" {word} %\w+", "", head)
        lines[n] = retyped(head + " : ", types_of(lines, self.nest_of(n)))
        return f"line {n + 1}, {word}"

    def change_flag(self, lines):
        if self.rng.random() < 0.5:
            n = self.choose(Nest.STAGE)
            if n is None:
                return None
            if " loop_ws " in lines[n]:
                lines[n] = lines[n].replace(" loop_ws ", " ")
            elif "mapping(" in lines[n]:
                lines[n] = re.sub(r" \{$", " loop_ws {", lines[n])
            return f"line {n + 1}, loop_ws"
        start = self.rng.choice(self.nest.nests)[0]
        if " keep_rows " in lines[start]:
            lines[start] = lines[start].replace(" keep_rows ", " ")
        elif " tile [" in lines[start]:
            lines[start] = re.sub(r"( tile \[[^\]]*\])", r"\1 keep_rows", lines[start])
        return f"line {start + 1}, keep_rows"

    def move_stage(self, lines):
        n = self.choose(Nest.STAGE)
        if n is None:
            return None
        end, own = self.nest.end(n), self.nest_of(n)
        target = self.rng.randint(own[0] + 2, own[1])
        if n <= target <= end:
            return None
        part = lines[n:end + 1]
        del lines[n:end + 1]
        target -= len(part) if target > n else 0
        lines[target:target] = part
        return f"line {n + 1} to before {target + 1}"

    def swap_stages(self, lines):
        n = self.choose(Nest.STAGE)
        if n is None:
            return None
        end = self.nest.end(n)
        if end + 1 >= len(lines) or not Nest.STAGE.search(lines[end + 1]):
            return None
        last = self.nest.end(end + 1)
        lines[n:last + 1] = lines[end + 1:last + 1] + lines[n:end + 1]
        return f"lines {n + 1} and {end + 2}"


#===-- Tools --------------------------------------------------------------===#

class Tools:
    def __init__(self, build, scratch):
        self.opt, self.runner = build / "bin/fadiff-opt", build / "bin/fadiff-run"
        self.scratch = scratch
        for tool in (self.opt, self.runner):
            if not tool.exists():
                sys.exit(f"error: wanted {tool}; build it, or name the build directory "
                         "with --build-dir")

    def call(self, command, **kwargs):
        try:
            return subprocess.run(command, capture_output=True, text=True,
                                  timeout=TIMEOUT, errors="replace", **kwargs)
        except subprocess.TimeoutExpired as error:
            def text(stream):
                return stream.decode(errors="replace") if stream else ""
            return subprocess.CompletedProcess(
                command, "timeout", text(error.stdout),
                text(error.stderr) + f"ran for more than {TIMEOUT} s")

    def schedule_command(self, net, mapped, options):
        def told(*names):
            return " ".join(f"{name}={options[name]}" for name in names)
        return [self.opt, net, "--fadiff-import", "--fadiff-normalize",
                f"--fadiff-attach-target={told('target')}", "--fadiff-form-layers=allow-empty",
                "--fadiff-attach-cost", f"--fadiff-pack-taps={told('pack')}",
                "--fadiff-search=allow-empty " +
                told("optimizer", "objective", "seed", "max-evaluations", "fuse",
                     "uneven-tiles", "block-diagonal", "loop-ws", "pack"), "-o", mapped]

    def materialize_command(self, mapped, nests):
        return [self.opt, mapped, "--fadiff-verify-schedule",
                "--fadiff-materialize", "--fadiff-verify-schedule", "-o", nests]

    def schedule(self, rng, net, options):
        """The process that made nests.mlir, or did not; of a third of the
        networks as they were found, else with other legal mappings."""
        mapped, nests = self.scratch / "mapped.mlir", self.scratch / "nests.mlir"
        done = self.call(self.schedule_command(net, mapped, options))
        if done.returncode != 0:
            return done
        found = mapped.read_text()
        if rng.random() < 0.67:
            for _ in range(6):
                mapped.write_text(remap(rng, found))
                done = self.call(self.materialize_command(mapped, nests))
                if done.returncode != 1 or RULE.search(done.stderr):
                    return done
        mapped.write_text(found)
        return self.call(self.materialize_command(mapped, nests))

    def verify_command(self, file):
        return [self.opt, "--fadiff-verify-schedule", file, "-o", os.devnull]

    def run_command(self, nests, net, seed):
        return [self.runner, nests, f"--reference={net}", f"--seed={seed}",
                "--summary=none"]

    def verify(self, variants):
        """Per text: None if it is accepted, else why not. All in one process,
        unless that ends by a signal."""
        file = self.scratch / "variants.mlir"
        mark = "\n// -----\n"
        file.write_text(mark.join(variants) + "\n")
        done = self.call(self.verify_command(file) + ["--split-input-file"])
        if done.returncode not in (0, 1):
            return [self.verify_one(text) for text in variants]
        first, line = [], 1
        for text in variants:
            first.append(line)
            line += text.count("\n") + 2
        reasons = [None] * len(variants)
        for at, offset, reason in re.findall(
                r"^(?:within split at [^\n]*?:(\d+) offset )?[^\n]*?:(\d+):\d+: "
                r"error: ([^\n]*)", done.stderr, re.M):
            line = int(at or 1) + int(offset) - 1
            which = max(i for i, start in enumerate(first) if start <= line)
            reasons[which] = reasons[which] or reason
        if done.returncode == 1 and not any(reasons):
            return [self.verify_one(text) for text in variants]
        return reasons

    def verify_one(self, text):
        file = self.scratch / "variant.mlir"
        file.write_text(text)
        done = self.call(self.verify_command(file))
        if done.returncode == 0:
            return None
        found = re.search(r"error: (.*)", done.stderr)
        if done.returncode == 1 and found:
            return found[1]
        return Failure(f"verification ended with {done.returncode}", done)

    def run(self, nests, net, seed):
        """None if the nests compute the network, else a Failure. Bytes that are
        not as predicted are no concern of a nest that was changed."""
        done = self.call(self.run_command(nests, net, seed))
        if done.returncode == 1 and "NOT as predicted" in done.stdout:
            # The comparison was not reached: without what was predicted it is.
            stripped = self.scratch / "stripped.mlir"
            stripped.write_text(without_costs(pathlib.Path(nests).read_text()))
            done = self.call(self.run_command(stripped, net, seed))
        if done.returncode == 0:
            return None
        what = ("accepted, but refused when lowered" if RULE.search(done.stderr) else
                "illegal program" if "illegal on target" in done.stderr else
                f"ended with {done.returncode}" if done.returncode != 1 else
                "wrong output")
        return Failure(what, done)


class Failure:
    def __init__(self, what, done):
        self.what = what
        self.output = (done.stdout + done.stderr)[-4000:]


def without_costs(text):
    """Costs predicted for nests; those of stages stay."""
    return re.sub(r"^(\s*%.*fadiff\.loop_nest .*?) cost\(<.*?>\)( \{)$", r"\1\2", text,
                  flags=re.M)


#===-- One round ----------------------------------------------------------===#

def draw(seed, number):
    rng = random.Random(f"{seed}/{number}")
    real = rng.random() < 0.15
    family = rng.choices(list(FAMILIES), list(FAMILIES.values()))[0]
    text = Network(rng, real).write(family)
    return rng, text, draw_options(rng, real, family)


# What a nest may have, by what its text shows of it.
FEATURES = {
    "groups": r"(?s)fadiff\.compute.*fadiff\.compute", "skips": r" skip %",
    "kept rows": r"\bkeep_rows\b", "slices": r"(?s)fadiff\.for [CG] [^\n]*\n\s*fadiff\.stage",
    "in place": r"fadiff\.store (%\w+) to \1 ", "pools": r"pool = <", "spills": r" spill %",
    "loop_ws": r" loop_ws ", "depthwise": r"workload\(<\[[^]]*G = \d+(?!\d*, K)",
    "several of G": r"G = \d+, K", "f32": r"dram<[^>]*f32>"}


def features(nest):
    found = collections.Counter(nests=len(nest.nests))
    for start, end in nest.nests:
        text = "\n".join(nest.lines[start:end])
        found.update(name for name, pattern in FEATURES.items() if re.search(pattern, text))
    return found


class Fuzzer:
    def __init__(self, tools, out, seed):
        self.tools, self.out, self.seed = tools, out, seed
        self.counts, self.refused = collections.Counter(), collections.Counter()
        self.features = collections.Counter()

    def round(self, number, wanted):
        """Up to `wanted` variants of one network's nests."""
        rng, text, options = draw(self.seed, number)
        net = self.tools.scratch / "net.mlir"
        nests = self.tools.scratch / "nests.mlir"
        net.write_text(text)
        self.counts["networks"] += 1
        done = self.tools.schedule(rng, net, options)
        if done.returncode != 0:
            # Networks are other tests' business, but for nests that are refused.
            if RULE.search(done.stderr):
                mapped = (self.tools.scratch / "mapped.mlir").read_text()
                self.fail(number, Failure("made by fadiff-materialize, refused", done),
                          text, mapped, "", "", options)
            self.counts["not scheduled"] += 1
            return
        scheduled = nests.read_text()
        nest = Nest(scheduled)
        if not nest.nests:
            self.counts["not scheduled"] += 1
            return
        self.features.update(features(nest))
        data_seed = rng.randint(0, 999)
        broken = self.tools.run(nests, net, data_seed)
        if broken:
            self.fail(number, broken, text, scheduled, scheduled, "unchanged", options,
                      data_seed)
            return
        if rng.random() < 0.4:
            apart = spread(nest)
            if self.tools.verify_one(apart) is None:
                nests.write_text(apart)
                broken = self.tools.run(nests, net, data_seed)
                if broken:
                    self.fail(number, broken, text, scheduled, apart, "spread", options,
                              data_seed)
                    return
                scheduled, nest = apart, Nest(apart)
                self.counts["spread"] += 1
        variants = {}
        mutator = Mutator(rng, nest)
        for _ in range(wanted):
            changed = mutator.mutate()
            if changed:
                variants.setdefault(changed[1], changed[0])
        texts = list(variants)
        if not texts:
            return
        for text_of, reason in zip(texts, self.tools.verify(texts)):
            self.counts["mutations"] += 1
            what = variants[text_of]
            if isinstance(reason, Failure):
                self.fail(number, reason, text, scheduled, text_of, what, options,
                          data_seed)
            elif reason:
                rule = RULE.search(reason)
                self.counts["refused"] += 1
                self.refused[rule[1] if rule else "by op verifiers and parser"] += 1
            else:
                self.counts["accepted"] += 1
                variant = self.tools.scratch / "accepted.mlir"
                variant.write_text(text_of)
                wrong = self.tools.run(variant, net, data_seed)
                if wrong:
                    self.fail(number, wrong, text, scheduled, text_of, what, options,
                              data_seed)

    def fail(self, number, failure, net, nests, variant, what, options, data_seed=0):
        self.counts["failures"] += 1
        folder = self.out / f"{self.seed}.{number}.{self.counts['failures']}"
        folder.mkdir(parents=True, exist_ok=True)
        if variant:
            net, variant = self.reduce(failure, net, variant, data_seed)
        (folder / "net.mlir").write_text(net)
        (folder / "nests.mlir").write_text(nests)
        (folder / "changed.mlir").write_text(variant)
        (folder / "output.txt").write_text(f"{failure.what}\n{failure.output}\n")
        lines = ["#!/bin/sh", f"# {failure.what}; {what}", 'cd "$(dirname "$0")"']
        if variant:
            lines += [shlex.join(map(str, self.tools.verify_command("changed.mlir"))),
                      shlex.join(map(str, self.tools.run_command(
                          "changed.mlir", "net.mlir", data_seed)))]
        else:
            lines.append(shlex.join(map(str, self.tools.materialize_command(
                "nests.mlir", os.devnull, options))))
        script = folder / "show.sh"
        script.write_text("\n".join(lines) + "\n")
        script.chmod(0o755)
        print(f"FAILED: {failure.what}: {what}: {script}", flush=True)

    def still_fails(self, failure, net, variant, data_seed):
        file, reference = self.tools.scratch / "r.mlir", self.tools.scratch / "r.net.mlir"
        file.write_text(variant)
        reference.write_text(net)
        if isinstance(self.tools.verify_one(variant), (Failure, str)):
            return False
        found = self.tools.run(file, reference, data_seed)
        return bool(found) and found.what == failure.what

    def reduce(self, failure, net, variant, data_seed):
        """Without what was predicted and what no change is needed in: attributes
        that only inform, lines that only wrap others."""
        if not self.still_fails(failure, net, variant, data_seed):
            return net, variant
        for pattern in (r" cost\(<[^>]*>\)", r" mapping\(<.*?\]>\)", r" tile \[[^\]]*\]"):
            smaller = re.sub(pattern, "", variant)
            if smaller != variant and self.still_fails(failure, net, smaller, data_seed):
                variant = smaller
        progress = True
        while progress:  # loops that the failure does not need
            progress = False
            nest = Nest(variant)
            for n in nest.find(Nest.FOR):
                lines = list(nest.lines)
                del lines[nest.end(n)], lines[n]
                if self.still_fails(failure, net, nest.text(lines), data_seed):
                    variant, progress = nest.text(lines), True
                    break
        return net, variant


#===-- The whole run ------------------------------------------------------===#

def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int,
                        default=int(os.environ.get("FADIFF_FUZZ_SEED", 1)))
    parser.add_argument("--count", type=int, help="mutations (default 1000)",
                        default=int(os.environ.get("FADIFF_FUZZ_COUNT", 1000)))
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent /
                        "build/release")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("fuzz-nests"),
                        help="where failures and state.json go (default fuzz-nests)")
    parser.add_argument("--round", type=int, help="only this network of the seed")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    state_file = arguments.out / "state.json"
    run = {"seed": arguments.seed, "count": arguments.count}
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(arguments.build_dir.resolve(), pathlib.Path(scratch))
        fuzzer = Fuzzer(tools, arguments.out, arguments.seed)
        number = 0
        if arguments.round is not None:
            fuzzer.round(arguments.round, MUTATIONS)
            return report(fuzzer)
        if state_file.exists():
            state = json.loads(state_file.read_text())
            if state["run"] == run:
                number = state["next"]
                fuzzer.counts.update(state["counts"])
                fuzzer.refused.update(state["refused"])
                fuzzer.features.update(state["features"])
        while fuzzer.counts["mutations"] < arguments.count:
            fuzzer.round(number, min(MUTATIONS,
                                     arguments.count - fuzzer.counts["mutations"]))
            number += 1
            replacement = state_file.with_suffix(".new")
            replacement.write_text(json.dumps(
                {"run": run, "next": number, "counts": fuzzer.counts,
                 "refused": fuzzer.refused, "features": fuzzer.features}))
            replacement.replace(state_file)
            if number % 10 == 0:
                print(f"{fuzzer.counts['mutations']} of {arguments.count} mutations, "
                      f"{fuzzer.counts['failures']} failures", flush=True)
        return report(fuzzer)


def report(fuzzer):
    counts = fuzzer.counts
    print("nests: " + ", ".join(f"{name} {count}" for name, count
                                in fuzzer.features.most_common()))
    print("refused by: " + ", ".join(f"{rule} {count}" for rule, count
                                     in fuzzer.refused.most_common()))
    print(f"seed {fuzzer.seed}: {counts['mutations']} mutations of the nests of "
          f"{counts['networks'] - counts['not scheduled']} networks: "
          f"{counts['refused']} refused, {counts['accepted']} accepted, "
          f"{counts['failures']} failures")
    return 1 if counts["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
