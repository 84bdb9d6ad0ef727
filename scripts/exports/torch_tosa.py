"""torch.export through torch-mlir's TOSA backend, f32.

A convolution stands between a transpose to channels last and one back, batch
normalisation is a subtraction, two products and a sum with constants of shape
1xCx1x1, a linear layer is a matmul with a leading unit axis.
"""

import writer
from writer import spread, windows


class Style(writer.Style):
    # Plumbing -----------------------------------------------------------------

    def const(self, values, shape, element="f32"):
        type = "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"
        return self.w.op(f'"tosa.const"() <{{values = {self.w.dense(values, element)} : {type}}}>'
                         f" : () -> {type}", shape, element)

    def weight(self, shape, deviation, mean=0.0, least=None):
        count = 1
        for extent in shape:
            count *= extent
        return self.const(self.w.floats(count, deviation, mean, least), shape)

    def number(self, value, rank, element="f32"):
        return self.const([value], (1,) * rank, element)

    def op(self, name, inputs, shape, attributes="", element=None, **quantised):
        element = element or inputs[0].element
        types = ", ".join(i.type for i in inputs)
        type = "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"
        return self.w.op(f"tosa.{name} {', '.join(map(str, inputs))} {attributes}: ({types}) -> "
                         f"{type}", shape, element, **quantised)

    def shape(self, extents):
        name = self.w.name()
        self.w.lines.append(f"    {name} = tosa.const_shape {{values = dense<{list(extents)}> : "
                            f"tensor<{len(extents)}xindex>}} : () -> !tosa.shape<{len(extents)}>")
        return name

    def reshaped(self, x, shape):
        s = self.shape(shape)
        type = "tensor<" + "".join(f"{d}x" for d in shape) + x.element + ">"
        return self.w.op(f"tosa.reshape {x}, {s} : ({x.type}, !tosa.shape<{len(shape)}>) -> {type}",
                         shape, x.element, scale=x.scale, zero=x.zero)

    def transposed(self, x, order):
        return self.op("transpose", [x], [x.shape[a] for a in order],
                       f"{{perms = array<i32: {', '.join(map(str, order))}>}} ",
                       scale=x.scale, zero=x.zero)

    def pair(self, name, x, y, attributes=""):
        shape = [max(a, b) for a, b in zip(x.shape, y.shape)]
        return self.op(name, [x, y], shape, attributes)

    def multiply(self, x, y):
        shape = [max(a, b) for a, b in zip(x.shape, y.shape)]
        return self.op("mul", [x, y, self.const([0], (1,), "i8")], shape)

    # Activations --------------------------------------------------------------

    def clamp(self, x, low, high):
        return self.op("clamp", [x], x.shape,
                       f"{{max_val = {high} : f32, min_val = {low} : f32}} ")

    def activate(self, x, act):
        rank = len(x.shape)
        if act is None:
            return x
        if act == "relu":
            return self.clamp(x, "0.000000e+00", "3.40282347E+38")
        if act == "relu6":
            return self.clamp(x, "0.000000e+00", "6.000000e+00")
        if act == "silu":
            return self.multiply(x, self.activate(x, "sigmoid"))
        if act == "hard_swish":
            return self.multiply(x, self.activate(x, "hard_sigmoid"))
        if act == "hard_sigmoid":
            y = self.clamp(self.pair("add", x, self.number(3.0, rank)),
                           "0.000000e+00", "6.000000e+00")
            return self.multiply(y, self.number(1 / 6, rank))
        if act in ("sigmoid", "tanh"):
            return self.op(act, [x], x.shape)
        if act == "gelu":
            y = self.op("erf", [self.multiply(x, self.number(0.5 ** 0.5, rank))], x.shape)
            y = self.multiply(self.pair("add", y, self.number(1.0, rank)), self.number(0.5, rank))
            return self.multiply(x, y)
        raise ValueError(act)

    # Images -------------------------------------------------------------------

    def whole(self, x, kernel, stride, pad):
        """TOSA wants windows that end where the image does: what none reads is
        not padded, or sliced off. Returns the image, the windows' numbers and the
        padding at the ends."""
        n, *extents, c = x.shape
        sides = [windows(e, kernel, stride, pad, pad) for e in extents]
        rest = [(s - 1) * stride + kernel - e - pad for s, e in zip(sides, extents)]
        if min(rest) < 0:
            kept = [e + min(r, 0) for e, r in zip(extents, rest)]
            x = self.sliced(x, (0, 0, 0, 0), (n, *kept, c))
        return x, sides, [max(r, 0) for r in rest]

    def conv(self, x, out, kernel, stride=1, groups=1, norm=False, act=None):
        n, c, h, w = x.shape
        pad = kernel // 2
        deviation = spread(c // groups * kernel * kernel)
        y, sides, high = self.whole(self.transposed(x, (0, 2, 3, 1)), kernel, stride, pad)
        if groups > 1:
            f, name = self.weight((kernel, kernel, c, out // c), deviation), "depthwise_conv2d"
        else:
            f, name = self.weight((out, kernel, kernel, c), deviation), "conv2d"
        bias = self.const([0.0], (1,)) if norm else self.weight((out,), 0.1)
        if norm:
            bias = self.const([0.0] * out, (out,))
        y = self.op(name, [y, f, bias, self.const([0.0], (1,)), self.const([0.0], (1,))],
                    (n, *sides, out), f"{{acc_type = f32, dilation = array<i64: 1, 1>, pad = "
                    f"array<i64: {pad}, {high[0]}, {pad}, {high[1]}>, stride = array<i64: {stride}, "
                    f"{stride}>}} ")
        y = self.transposed(y, (0, 3, 1, 2))
        return self.activate(self.norm(y) if norm else y, act)

    def norm(self, x):
        c = x.shape[1]
        mean, variance = self.weight((c,), 0.1), self.weight((c,), 0.1, 1.0, 0.1)
        gamma, beta = self.weight((c,), 0.1, 1.0), self.weight((c,), 0.1)
        mean, variance, gamma, beta = (self.reshaped(v, (1, c, 1, 1))
                                       for v in (mean, variance, gamma, beta))
        y = self.pair("sub", x, mean)
        root = self.pair("add", variance, self.number(1e-5, 4))
        root = self.op("rsqrt", [root], root.shape)
        y = self.multiply(self.multiply(y, root), gamma)
        return self.pair("add", y, beta)

    def max_pool(self, x, kernel, stride, pad):
        n, c, h, w = x.shape
        y, sides, high = self.whole(self.transposed(x, (0, 2, 3, 1)), kernel, stride, pad)
        y = self.op("max_pool2d", [y], (n, *sides, c),
                    f"{{kernel = array<i64: {kernel}, {kernel}>, pad = array<i64: {pad}, "
                    f"{high[0]}, {pad}, {high[1]}>, stride = array<i64: {stride}, {stride}>}} ")
        return self.transposed(y, (0, 3, 1, 2))

    def global_average(self, x, keep=False):
        n, c, h, w = x.shape
        y = self.op("reduce_sum", [x], (n, c, 1, w), "{axis = 2 : i32} ")
        y = self.op("reduce_sum", [y], (n, c, 1, 1), "{axis = 3 : i32} ")
        y = self.multiply(y, self.number(1 / (h * w), 4))
        return y if keep else self.reshaped(y, (n, c))

    def upsample(self, x):
        n, c, h, w = x.shape
        y = self.transposed(x, (0, 2, 3, 1))
        scale, offset, border = (self.shape(v) for v in ([2, 1, 2, 1], [0, 0], [1, 1]))
        y = self.w.op(f"tosa.resize {y}, {scale}, {offset}, {border} {{mode = NEAREST_NEIGHBOR}} : "
                      f"({y.type}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> "
                      f"tensor<{n}x{2 * h}x{2 * w}x{c}xf32>", (n, 2 * h, 2 * w, c), "f32")
        return self.transposed(y, (0, 3, 1, 2))

    def concat(self, values, axis=1):
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        return self.op("concat", values, shape, f"{{axis = {axis} : i32}} ")

    # Everywhere ---------------------------------------------------------------

    def add(self, x, y, act=None):
        if len(y.shape) < len(x.shape):
            y = self.reshaped(y, (1,) * (len(x.shape) - len(y.shape)) + y.shape)
        return self.activate(self.pair("add", x, y), act)

    # Sequences ----------------------------------------------------------------

    def product(self, a, b):
        zero = self.const([0.0], (1,))
        return self.op("matmul", [a, b, zero, zero], (a.shape[0], a.shape[1], b.shape[2]))

    def linear(self, x, out, act=None, bias=True):
        width = x.shape[-1]
        rows = x.shape[-2]
        f = self.transposed(self.weight((out, width), spread(width)), (1, 0))
        y = self.product(self.reshaped(x, (1, rows, width)), self.reshaped(f, (1, width, out)))
        y = self.reshaped(y, (*x.shape[:-1], out))
        if bias:
            y = self.add(y, self.weight((out,), 0.1))
        return self.activate(y, act)

    def heads(self, x, heads):
        n, length, width = x.shape
        y = self.transposed(self.reshaped(x, (n, length, heads, width // heads)), (0, 2, 1, 3))
        y.split = True
        return y

    def join_heads(self, x):
        n, heads, length, width = x.shape
        return self.reshaped(self.transposed(x, (0, 2, 1, 3)), (n, length, heads * width))

    def matmul(self, a, b, transposed=False, scale=None):
        if transposed:
            b = self.transposed(b, (0, 1, 3, 2))
        n, heads, rows, inner = a.shape
        y = self.product(self.reshaped(a, (n * heads, rows, inner)),
                         self.reshaped(b, (n * heads, inner, b.shape[3])))
        y = self.reshaped(y, (n, heads, rows, b.shape[3]))
        y.split = True
        return self.multiply(y, self.number(scale, 4)) if scale else y

    def softmax(self, x):
        last = len(x.shape) - 1
        axis = f"{{axis = {last} : i32}} "
        shape = (*x.shape[:-1], 1)
        x = self.pair("sub", x, self.op("reduce_max", [x], shape, axis))
        x = self.op("exp", [x], x.shape)
        total = self.op("reduce_sum", [x], shape, axis)
        return self.multiply(x, self.op("reciprocal", [total], shape))

    def mean(self, x):
        last = len(x.shape) - 1
        y = self.op("reduce_sum", [x], (*x.shape[:-1], 1), f"{{axis = {last} : i32}} ")
        return self.multiply(y, self.number(1 / x.shape[-1], len(x.shape)))

    def root(self, x):
        y = self.pair("add", x, self.number(1e-6, len(x.shape)))
        return self.op("rsqrt", [y], y.shape)

    def gain(self, x):
        return self.multiply(x, self.weight((1,) * (len(x.shape) - 1) + (x.shape[-1],), 0.1, 1.0))

    def layer_norm(self, x):
        x = self.pair("sub", x, self.mean(x))
        x = self.gain(self.multiply(x, self.root(self.mean(self.multiply(x, x)))))
        return self.add(x, self.weight((x.shape[-1],), 0.1))

    def rms_norm(self, x):
        return self.gain(self.multiply(x, self.root(self.mean(self.multiply(x, x)))))

    # A keyword spotter's LSTM -------------------------------------------------

    def sliced(self, x, start, shape):
        s, e = self.shape(start), self.shape(shape)
        rank = len(shape)
        type = "tensor<" + "".join(f"{d}x" for d in shape) + x.element + ">"
        return self.w.op(f"tosa.slice {x}, {s}, {e} : ({x.type}, !tosa.shape<{rank}>, "
                         f"!tosa.shape<{rank}>) -> {type}", shape, x.element,
                         scale=x.scale, zero=x.zero)

    def columns(self, x):
        n, c, h, w = x.shape
        return [self.reshaped(self.sliced(x, (0, 0, 0, i), (n, c, h, 1)), (n, c * h))
                for i in range(w)]

    def zeros(self, width):
        return self.const([0.0] * width, (1, width))

    def lstm_step(self, weights, x, hidden, cell, width):
        def product(a, f, b):
            f = self.reshaped(self.transposed(f, (1, 0)), (1, f.shape[1], 4 * width))
            y = self.product(self.reshaped(a, (1, *a.shape)), f)
            return self.add(self.reshaped(y, (1, 4 * width)), b)

        sums = self.pair("add", product(x, weights[0], weights[2]),
                         product(hidden, weights[1], weights[3]))
        i, f, g, o = (self.activate(self.sliced(sums, (0, k * width), (1, width)), a)
                      for k, a in enumerate(("sigmoid", "sigmoid", "tanh", "sigmoid")))
        cell = self.pair("add", self.multiply(f, cell), self.multiply(i, g))
        return self.multiply(o, self.activate(cell, "tanh")), cell
