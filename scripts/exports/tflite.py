"""A TFLite model, int8, by the TFLite to TOSA legaliser; one scale per tensor.

Channels last. Every tensor has a scale and a zero point. A convolution sums in
int32 and a rescale reads its sums out; ReLU and ReLU6 are the range of what it
reads out to. Sums rescale both operands to int32 first. Sigmoid and hard swish
are tables of 256 entries; a product multiplies what zero points are taken from.
"""

import math

import torch_tosa

# What a network's activations are thought to lie between, before and behind an
# activation function, in standard deviations of about one.
RANGES = {None: (-4.0, 4.0), "relu": (0.0, 4.0), "relu6": (0.0, 6.0),
          "hard_swish": (-0.375, 4.0), "silu": (-0.28, 4.0),
          "hard_sigmoid": (0.0, 1.0), "sigmoid": (0.0, 1.0)}
FUNCTIONS = {"hard_swish": lambda x: x * min(max(x + 3, 0), 6) / 6,
             "hard_sigmoid": lambda x: min(max(x + 3, 0), 6) / 6,
             "silu": lambda x: x / (1 + math.exp(-x)),
             "sigmoid": lambda x: 1 / (1 + math.exp(-x))}


def quantised(low, high):
    scale = (high - low) / 255
    return {"scale": scale, "zero": round(-128 - low / scale)}


class Style(torch_tosa.Style):
    element = "i8"
    target = "gemmini"
    per_channel = False

    def image(self, channels, extent):
        return self.w.argument((1, extent, extent, channels), "i8", **quantised(-1.0, 1.0))

    def channels(self, x):
        return x.shape[-1]

    def rescale(self, x, scales, zero_in, zero_out, element, shape=None):
        """Multiplies by `scales`, one or one per channel."""
        multipliers, shifts = [], []
        for scale in scales:
            fraction, exponent = math.frexp(scale)
            multiplier = round(fraction * (1 << 31))
            if multiplier == 1 << 31:
                multiplier, exponent = 1 << 30, exponent + 1
            multipliers.append(multiplier)
            shifts.append(31 - exponent)
        count = (len(scales),)
        inputs = [x, self.const(multipliers, count, "i32"), self.const(shifts, count, "i8"),
                  self.const([zero_in], (1,), x.element), self.const([zero_out], (1,), element)]
        return self.op("rescale", inputs, shape or x.shape,
                       "{input_unsigned = false, output_unsigned = false, per_channel = "
                       f"{'true' if len(scales) > 1 else 'false'}, rounding_mode = DOUBLE_ROUND, "
                       "scale32 = true} ", element)

    def to(self, value, quantisation):
        value.scale, value.zero = quantisation["scale"], quantisation["zero"]
        return value

    def table(self, x, act):
        q = quantised(*RANGES[act])
        entries = []
        for code in range(-128, 128):
            y = FUNCTIONS[act](x.scale * (code - x.zero))
            entries.append(max(-128, min(127, round(y / q["scale"]) + q["zero"])))
        return self.to(self.op("table", [x, self.const(entries, (256,), "i8")], x.shape), q)

    def conv(self, x, out, kernel, stride=1, groups=1, norm=False, act=None):
        n, h, w, c = x.shape
        pad = kernel // 2
        x, sides, high = self.whole(x, kernel, stride, pad)
        if groups > 1:
            shape, name, fan = (kernel, kernel, c, out // c), "depthwise_conv2d", kernel * kernel
        else:
            shape, name, fan = (out, kernel, kernel, c), "conv2d", c * kernel * kernel
        f = self.const(self.w.integers(math.prod(shape), -127, 127), shape, "i8")
        # Uniform weights of deviation sqrt(1.5 / fan_in), as floats.
        weights = math.sqrt(1.5 / fan) / (127 / math.sqrt(3))
        scales = [weights * (self.w.random.uniform(0.7, 1.3) if self.per_channel else 1)
                  for _ in range(out if self.per_channel else 1)]
        bias = [round(self.w.random.gauss(0, 0.1) / (x.scale * scales[i % len(scales)]))
                for i in range(out)]
        y = self.op(name, [x, f, self.const(bias, (out,), "i32"), self.const([x.zero], (1,), "i8"),
                           self.const([0], (1,), "i8")], (n, *sides, out),
                    f"{{acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: {pad}, "
                    f"{high[0]}, {pad}, {high[1]}>, stride = array<i64: {stride}, {stride}>}} ",
                    "i32")
        direct = act if act in (None, "relu", "relu6") else None
        q = quantised(*RANGES[direct])
        y = self.rescale(y, [x.scale * s / q["scale"] for s in scales], 0, q["zero"], "i8")
        return self.activate(self.to(y, q), None if direct == act else act)

    def activate(self, x, act):
        if act is None:
            return x
        if act in FUNCTIONS and act != "silu":
            return self.table(x, act)
        if act == "silu":
            return self.multiply(x, self.table(x, "sigmoid"), RANGES["silu"])
        raise ValueError(act)

    def add(self, x, y, act=None):
        most = 2 * max(x.scale, y.scale)
        q = quantised(*RANGES[act])
        x, y = (self.rescale(v, [v.scale / most * (1 << 20)], v.zero, 0, "i32") for v in (x, y))
        total = self.op("add", [x, y], x.shape)
        return self.to(self.rescale(total, [most / (1 << 20) / q["scale"]], 0, q["zero"], "i8"), q)

    def multiply(self, x, y, range=(-4.0, 4.0)):
        q = quantised(*range)
        scale = x.scale * y.scale / q["scale"]
        x, y = (self.rescale(v, [1.0], v.zero, 0, "i32") for v in (x, y))
        product = self.op("mul", [x, y, self.const([0], (1,), "i8")],
                          [max(a, b) for a, b in zip(x.shape, y.shape)])
        return self.to(self.rescale(product, [scale], 0, q["zero"], "i8"), q)

    def scale(self, x, gate):
        return self.multiply(x, gate, (x.scale * (-128 - x.zero), x.scale * (127 - x.zero)))

    def max_pool(self, x, kernel, stride, pad):
        n, h, w, c = x.shape
        x, sides, high = self.whole(x, kernel, stride, pad)
        return self.op("max_pool2d", [x], (n, *sides, c),
                       f"{{kernel = array<i64: {kernel}, {kernel}>, pad = array<i64: {pad}, "
                       f"{high[0]}, {pad}, {high[1]}>, stride = array<i64: {stride}, {stride}>}} ",
                       scale=x.scale, zero=x.zero)

    def global_average(self, x, keep=False):
        n, h, w, c = x.shape
        y = self.rescale(x, [1.0], x.zero, 0, "i32")
        y = self.op("reduce_sum", [y], (n, 1, w, c), "{axis = 1 : i32} ")
        y = self.op("reduce_sum", [y], (n, 1, 1, c), "{axis = 2 : i32} ")
        y = self.rescale(y, [1 / (h * w)], 0, x.zero, "i8")
        y.scale, y.zero = x.scale, x.zero
        return y if keep else self.reshaped(y, (n, c))

    def upsample(self, x):
        n, h, w, c = x.shape
        scale, offset, border = (self.shape(v) for v in ([2, 1, 2, 1], [0, 0], [1, 1]))
        return self.w.op(f"tosa.resize {x}, {scale}, {offset}, {border} {{mode = NEAREST_NEIGHBOR}} "
                         f": ({x.type}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> "
                         f"tensor<{n}x{2 * h}x{2 * w}x{c}xi8>", (n, 2 * h, 2 * w, c), "i8",
                         scale=x.scale, zero=x.zero)

    def concat(self, values, axis=3):
        first = values[0]
        same = [v if (v.scale, v.zero) == (first.scale, first.zero) else
                self.rescale(v, [v.scale / first.scale], v.zero, first.zero, "i8") for v in values]
        shape = list(first.shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        return self.op("concat", same, shape, f"{{axis = {axis} : i32}} ", scale=first.scale,
                       zero=first.zero)

    def linear(self, x, out, act=None, bias=True):
        """A fully connected layer is a convolution of one pixel."""
        y = self.conv(self.reshaped(x, (x.shape[0], 1, 1, x.shape[-1])), out, 1, act=act)
        return self.reshaped(y, (x.shape[0], out))
