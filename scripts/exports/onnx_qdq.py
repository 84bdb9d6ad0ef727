"""ONNX Runtime's static quantisation of such an export: QDQ, opset 13, int8.

Each tensor is quantised and dequantised again (QuantizeLinear, DequantizeLinear)
with one scale and no zero point; weights are int8 and biases int32 initialisers
that are dequantised. Between these everything is in f32, Relu and Clip in front of
the next quantisation. Outputs are what is quantised last, so that differences count
its steps.
"""

import math

import onnx_f32
from onnx_f32 import FLOAT, INT8, INT32

# What the largest magnitude of a tensor is thought to be.
LARGEST = {None: 4.0, "relu": 4.0, "relu6": 6.0, "hard_swish": 4.0, "silu": 4.0,
           "hard_sigmoid": 1.0, "sigmoid": 1.0}


class Style(onnx_f32.Style):
    element = "i8"
    output = INT8
    target = "gemmini"

    def constants(self, scale, kind):
        return [self.constant((), FLOAT, [scale]), self.constant((), kind, [0])]

    def through(self, x, largest):
        """Quantised and dequantised."""
        scale = largest / 127
        q = self.node("QuantizeLinear", [x, *self.constants(scale, INT8)], x.shape)
        y = self.node("DequantizeLinear", [q, *self.constants(scale, INT8)], x.shape)
        y.scale, y.stored = scale, q
        return y

    def results(self, network):
        return [value.stored for value in network(self)]

    def integers(self, shape, kind, values, scale):
        stored = self.constant(shape, kind, values)
        return self.node("DequantizeLinear", [stored, *self.constants(scale, kind)], shape)

    def image(self, channels, extent):
        return self.through(super().image(channels, extent), 1.0)

    def factors(self, x, shape, fan, out):
        """Weights of about the deviation that keeps that of `x`, and a bias."""
        scale = math.sqrt(1.5 / fan) / (127 / math.sqrt(3))
        f = self.integers(shape, INT8, self.w.integers(math.prod(shape), -127, 127), scale)
        steps = [round(self.w.random.gauss(0, 0.1) / (x.scale * scale)) for _ in range(out)]
        return f, self.integers((out,), INT32, steps, x.scale * scale)

    def conv(self, x, out, kernel, stride=1, groups=1, norm=False, act=None):
        n, c, h, w = x.shape
        pad, inner = kernel // 2, c // groups
        shape = (n, out, *(onnx_f32.windows(e, kernel, stride, pad, pad) for e in (h, w)))
        f, bias = self.factors(x, (out, inner, kernel, kernel), inner * kernel * kernel, out)
        y = self.node("Conv", [x, f, bias], shape, dilations=[1, 1], group=groups,
                      kernel_shape=[kernel] * 2, pads=[pad] * 4, strides=[stride] * 2)
        return self.activated(y, act)

    def activated(self, y, act):
        if act in (None, "relu", "relu6"):
            return self.through(self.activate(y, act), LARGEST[act])
        y = self.through(y, LARGEST[None])
        if act == "hard_sigmoid":
            return self.through(self.activate(y, act), LARGEST[act])
        gate = "hard_sigmoid" if act == "hard_swish" else "sigmoid"
        gate = self.through(self.activate(y, gate), LARGEST[gate])
        return self.through(self.node("Mul", [y, gate], y.shape), LARGEST[act])

    def add(self, x, y, act=None):
        return self.activated(self.node("Add", [x, y], x.shape), act)

    def scale(self, x, gate):
        return self.through(self.multiply(x, gate), x.scale * 127)

    def kept(self, y, scale):
        """Of an operator that leaves the range as it is."""
        return self.through(y, scale * 127)

    def max_pool(self, x, kernel, stride, pad):
        return self.kept(super().max_pool(x, kernel, stride, pad), x.scale)

    def global_average(self, x, keep=False):
        y = self.kept(super().global_average(x, keep=True), x.scale)
        if keep:
            return y
        z = self.node("Flatten", [y], y.shape[:2], axis=1)
        z.scale = y.scale
        return z

    def upsample(self, x):
        return self.kept(super().upsample(x), x.scale)

    def concat(self, values, axis=1):
        return self.kept(super().concat(values, axis), max(v.scale for v in values))

    def linear(self, x, out, act=None, bias=True):
        f, b = self.factors(x, (out, x.shape[-1]), x.shape[-1], out)
        y = self.node("Gemm", [x, f, b], (x.shape[0], out), alpha=1.0, beta=1.0, transB=1)
        return self.activated(y, act)
