"""JAX through StableHLO to linalg, f32.

Channels last, dense constants. Broadcasts are operations of their own, so that
elementwise operations have operands of one shape; ReLU is a maximum with a
constant tensor, batch normalisation is written out, a product of a sequence
with a matrix is a generic contraction, concatenations are inserts.
"""

import math

import torch_linalg
from writer import single, spread, tensor, windows


class Style(torch_linalg.Style):
    image_axes = (1, 2)

    def weight(self, shape, deviation, mean=0.0, least=None):
        values = self.w.floats(math.prod(shape), deviation, mean, least)
        type = tensor(shape, "f32")
        return self.w.op(f"arith.constant {self.w.dense(values, 'f32')} : {type}", shape, "f32")

    def splat(self, value, shape):
        type = tensor(shape, "f32")
        return self.w.op(f"arith.constant dense<{single(value)}> : {type}", shape, "f32")

    def broadcast(self, x, shape):
        """Along leading axes and along axes of one element."""
        first = len(shape) - len(x.shape)
        new = [a for a in range(len(shape)) if a < first or x.shape[a - first] != shape[a]]
        kept = [a for a in range(len(shape)) if a not in new]
        if not new:
            return x
        if len(kept) != len(x.shape):
            # Axes that are repeated go, with a neighbour that stays.
            flat, groups, loose = [shape[a] for a in kept], [], []
            for axis in range(len(x.shape)):
                if axis + first in kept:
                    groups.append(loose + [axis])
                    loose = []
                elif groups:
                    groups[-1].append(axis)
                else:
                    loose.append(axis)
            x = self.w.op(f"tensor.collapse_shape {x} {groups if flat else '[]'} : {x.type} into "
                          f"{tensor(flat, 'f32')}", flat, "f32")
        e = self.empty(shape)
        return self.w.op(f"linalg.broadcast ins({x} : {x.type}) outs({e} : {e.type}) dimensions = "
                         f"{new}", shape, "f32")

    def each(self, inputs, body, out=None):
        shape = max((i.shape for i in inputs), key=lambda s: (len(s), s))
        whole = [self.broadcast(i, shape) for i in inputs]
        axes = list(range(len(shape)))
        return self.generic(whole, [axes] * (len(whole) + 1), shape, body)

    def activate(self, x, act):
        if act == "relu":
            return self.each([x, self.splat(0.0, x.shape)],
                             ["%a = arith.maximumf %in0, %in1 : f32", "%a"])
        if act == "relu6":
            y = self.activate(x, "relu")
            return self.each([y, self.splat(6.0, x.shape)],
                             ["%a = arith.minimumf %in0, %in1 : f32", "%a"])
        return super().activate(x, act)

    def image(self, channels, extent):
        return self.w.argument((1, extent, extent, channels), "f32")

    def channels(self, x):
        return x.shape[-1]

    def conv(self, x, out, kernel, stride=1, groups=1, norm=False, act=None):
        n, h, w, c = x.shape
        pad = kernel // 2
        sides = [windows(e, kernel, stride, pad, pad) for e in (h, w)]
        deviation = spread(c // groups * kernel * kernel)
        x = self.padded(x, pad)
        if groups > 1:
            f, name = self.weight((kernel, kernel, c), deviation), "depthwise_conv_2d_nhwc_hwc"
        else:
            f, name = self.weight((kernel, kernel, c, out), deviation), "conv_2d_nhwc_hwcf"
        init = self.filled((n, *sides, out))
        y = self.w.op(f"linalg.{name} {{dilations = dense<1> : tensor<2xi64>, strides = "
                      f"dense<{stride}> : tensor<2xi64>}} ins({x}, {f} : {x.type}, {f.type}) "
                      f"outs({init} : {init.type}) -> {init.type}", init.shape, "f32")
        y = self.norm(y) if norm else self.add(y, self.weight((out,), 0.1))
        return self.activate(y, act)

    def norm(self, x):
        c = (x.shape[-1],)
        mean, variance = self.weight(c, 0.1), self.weight(c, 0.1, 1.0, 0.1)
        gamma, beta = self.weight(c, 0.1, 1.0), self.weight(c, 0.1)
        x = self.each([x, mean], ["%a = arith.subf %in0, %in1 : f32", "%a"])
        root = self.add(variance, self.splat(1e-5, c))
        root = self.each([root], ["%a = math.rsqrt %in0 : f32", "%a"])
        return self.add(self.multiply(x, self.multiply(root, gamma)), beta)

    def max_pool(self, x, kernel, stride, pad):
        n, h, w, c = x.shape
        sides = [windows(e, kernel, stride, pad, pad) for e in (h, w)]
        x = self.padded(x, pad, "0xFF800000")
        init, window = self.filled((n, *sides, c), "0xFF800000"), self.empty((kernel, kernel))
        return self.w.op(f"linalg.pooling_nhwc_max {{dilations = dense<1> : vector<2xi64>, strides "
                         f"= dense<{stride}> : vector<2xi64>}} ins({x}, {window} : {x.type}, "
                         f"{window.type}) outs({init} : {init.type}) -> {init.type}", init.shape,
                         "f32")

    def reduce(self, x, axes, body, start, keep=True):
        """A reduction drops its axes; a reshape brings them back."""
        shape = [e for a, e in enumerate(x.shape) if a not in axes]
        kinds = ["reduction" if a in axes else "parallel" for a in range(len(x.shape))]
        y = self.generic([x], [list(range(len(x.shape))),
                               [a for a in range(len(x.shape)) if a not in axes]], shape, body,
                         self.filled(shape, start), kinds)
        groups, kept = [], 0
        for axis in range(len(x.shape)):
            if axis in axes:
                groups[-1].append(axis)
            else:
                groups.append([axis])
                kept += 1
        full = [1 if a in axes else e for a, e in enumerate(x.shape)]
        return self.reshaped(y, full, groups, False)

    def global_average(self, x, keep=False):
        n, h, w, c = x.shape
        total = self.generic([x], [[0, 1, 2, 3], [0, 3]], (n, c),
                             ["%a = arith.addf %out, %in0 : f32", "%a"], self.filled((n, c)),
                             ["parallel", "reduction", "reduction", "parallel"])
        y = self.each([total, self.splat(h * w, (n, c))],
                      ["%a = arith.divf %in0, %in1 : f32", "%a"])
        return self.reshaped(y, (n, 1, 1, c), [[0, 1, 2], [3]], False) if keep else y

    def upsample(self, x):
        """Repeated along two new axes, which a reshape joins with their images'."""
        n, h, w, c = x.shape
        e = self.empty((n, h, 2, w, 2, c))
        y = self.w.op(f"linalg.broadcast ins({x} : {x.type}) outs({e} : {e.type}) dimensions = "
                      "[2, 4]", e.shape, "f32")
        return self.reshaped(y, (n, 2 * h, 2 * w, c), [[0], [1, 2], [3, 4], [5]], True)

    def concat(self, values, axis=3):
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        into, at = self.empty(shape), 0
        ones = [1] * len(shape)
        for value in values:
            offsets = [at if a == axis else 0 for a in range(len(shape))]
            into = self.w.op(f"tensor.insert_slice {value} into {into}{offsets} "
                             f"{list(value.shape)} {ones} : {value.type} into {into.type}", shape,
                             "f32")
            at += value.shape[axis]
        return into

    def linear(self, x, out, act=None, bias=True):
        width = x.shape[-1]
        f = self.weight((width, out), spread(width))
        shape = (*x.shape[:-1], out)
        init = self.filled(shape)
        if len(x.shape) == 2:
            y = self.w.op(f"linalg.matmul ins({x}, {f} : {x.type}, {f.type}) outs({init} : "
                          f"{init.type}) -> {init.type}", shape, "f32")
        else:
            y = self.generic([x, f], [[0, 1, 3], [3, 2], [0, 1, 2]], shape,
                             ["%a = arith.mulf %in0, %in1 : f32",
                              "%b = arith.addf %out, %a : f32", "%b"], init,
                             ["parallel", "parallel", "parallel", "reduction"])
        if bias:
            y = self.add(y, self.weight((out,), 0.1))
        return self.activate(y, act)

    def matmul(self, a, b, transposed=False, scale=None):
        """One contraction over batch and heads."""
        n, heads, rows, inner = a.shape
        columns = b.shape[2] if transposed else b.shape[3]
        shape = (n, heads, rows, columns)
        y = self.generic([a, b], [[0, 1, 2, 4], [0, 1, 3, 4] if transposed else [0, 1, 4, 3],
                                  [0, 1, 2, 3]], shape,
                         ["%a = arith.mulf %in0, %in1 : f32", "%b = arith.addf %out, %a : f32",
                          "%b"], self.filled(shape), ["parallel"] * 4 + ["reduction"])
        y.split = True
        return self.multiply(y, self.splat(scale, shape)) if scale else y

    def columns(self, x):
        n, h, w, c = x.shape
        steps = []
        for i in range(w):
            y = self.w.op(f"tensor.extract_slice {x}[0, 0, {i}, 0] [1, {h}, 1, {c}] [1, 1, 1, 1] : "
                          f"{x.type} to {tensor((n, h, 1, c), 'f32')}", (n, h, 1, c), "f32")
            steps.append(self.reshaped(y, (n, h * c), [[0], [1, 2, 3]], True))
        return steps
