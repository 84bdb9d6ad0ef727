"""torch.onnx.export of a network in evaluation mode, opset 13, f32.

Channels first. Batch normalisation is part of the convolutions' weights, ReLU6
is a Clip, SiLU a product with a Sigmoid, GELU and layer normalisation are what
they are made of, linear layers of images are a Gemm, those of sequences a MatMul
and an Add, upsampling is a Resize. Weights are initialisers.

A model is a message of protocol buffers, of which this writes what it needs.
"""

import struct

import writer
from writer import spread, windows

FLOAT, INT8, INT32, INT64 = 1, 3, 6, 7
CODES = {FLOAT: "f", INT8: "b", INT32: "i", INT64: "q"}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, value):
    """A field that is a number, bytes, text or a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def attribute(name, value):
    """An AttributeProto."""
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, 1)
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    return field(1, name) + b"".join(field(8, v) for v in value) + field(20, 7)


def tensor(name, shape, kind, values):
    """A TensorProto."""
    data = struct.pack(f"<{len(values)}{CODES[kind]}", *values)
    return (b"".join(field(1, e) for e in shape) + field(2, kind) + field(8, name)
            + field(9, data))


def value_info(name, shape, kind):
    dims = b"".join(field(1, field(1, e)) for e in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


class Style(writer.Style):
    suffix = ".onnx"
    output = FLOAT

    def __init__(self, seed=1):
        super().__init__(seed)
        self.nodes, self.initializers, self.inputs = [], [], []
        self.names = {}

    def results(self, network):
        return network(self)

    def write(self, network):
        results = self.results(network)
        graph = b"".join(field(1, n) for n in self.nodes) + field(2, "main_graph")
        graph += b"".join(field(5, i) for i in self.initializers)
        graph += b"".join(field(11, i) for i in self.inputs)
        graph += b"".join(field(12, value_info(r.name, r.shape, self.output)) for r in results)
        return field(1, 7) + field(2, "pytorch") + field(7, graph) + field(8, field(2, 13))

    # Plumbing -----------------------------------------------------------------

    def node(self, kind, inputs, shape, outputs=1, **attributes):
        self.names[kind] = self.names.get(kind, 0) + 1
        name = f"{kind}_{self.names[kind]}"
        results = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(
            b"".join(field(1, i.name if isinstance(i, writer.Value) else i) for i in inputs)
            + b"".join(field(2, r) for r in results) + field(3, name) + field(4, kind)
            + b"".join(field(5, attribute(k, v)) for k, v in attributes.items()))
        values = [writer.Value(r, shape, "f32") for r in results]
        return values[0] if outputs == 1 else values

    def constant(self, shape, kind, values):
        name = f"onnx::{len(self.initializers)}"
        self.initializers.append(tensor(name, shape, kind, values))
        return writer.Value(name, shape, {FLOAT: "f32", INT8: "i8"}.get(kind, "i64"))

    def weight(self, shape, deviation, mean=0.0, least=None):
        count = 1
        for extent in shape:
            count *= extent
        return self.constant(shape, FLOAT, self.w.floats(count, deviation, mean, least))

    def number(self, value):
        return self.constant((), FLOAT, [value])

    def argument(self, shape):
        value = writer.Value(f"input_{len(self.inputs)}", shape, "f32")
        self.inputs.append(value_info(value.name, shape, FLOAT))
        return value

    def image(self, channels, extent):
        return self.argument((1, channels, extent, extent))

    def tokens(self, length, width):
        return self.argument((1, length, width))

    def cached(self, heads, length, width):
        value = self.argument((1, heads, length, width))
        value.split = True
        return value

    # Everywhere ---------------------------------------------------------------

    def activate(self, x, act):
        if act is None:
            return x
        if act == "relu":
            return self.node("Relu", [x], x.shape)
        if act == "relu6":
            return self.node("Clip", [x, self.number(0.0), self.number(6.0)], x.shape)
        if act == "silu":
            return self.multiply(x, self.activate(x, "sigmoid"))
        if act == "hard_swish":
            return self.multiply(x, self.activate(x, "hard_sigmoid"))
        if act == "hard_sigmoid":
            return self.node("HardSigmoid", [x], x.shape, alpha=1 / 6)
        if act == "gelu":
            y = self.node("Erf", [self.node("Div", [x, self.number(2 ** 0.5)], x.shape)], x.shape)
            y = self.multiply(x, self.node("Add", [y, self.number(1.0)], x.shape))
            return self.multiply(y, self.number(0.5))
        return self.node({"sigmoid": "Sigmoid", "tanh": "Tanh"}[act], [x], x.shape)

    def add(self, x, y, act=None):
        return self.activate(self.node("Add", [x, y], x.shape), act)

    def multiply(self, x, y):
        return self.node("Mul", [x, y], x.shape)

    def concat(self, values, axis=1):
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        return self.node("Concat", values, shape, axis=axis)

    # Images -------------------------------------------------------------------

    def conv(self, x, out, kernel, stride=1, groups=1, norm=False, act=None):
        n, c, h, w = x.shape
        pad = kernel // 2
        shape = (n, out, windows(h, kernel, stride, pad, pad), windows(w, kernel, stride, pad, pad))
        f = self.weight((out, c // groups, kernel, kernel), spread(c // groups * kernel * kernel))
        y = self.node("Conv", [x, f, self.weight((out,), 0.1)], shape, dilations=[1, 1],
                      group=groups, kernel_shape=[kernel] * 2, pads=[pad] * 4,
                      strides=[stride] * 2)
        return self.activate(y, act)

    def max_pool(self, x, kernel, stride, pad):
        n, c, h, w = x.shape
        shape = (n, c, windows(h, kernel, stride, pad, pad), windows(w, kernel, stride, pad, pad))
        return self.node("MaxPool", [x], shape, ceil_mode=0, kernel_shape=[kernel] * 2,
                         pads=[pad] * 4, strides=[stride] * 2)

    def global_average(self, x, keep=False):
        y = self.node("GlobalAveragePool", [x], (*x.shape[:2], 1, 1))
        return y if keep else self.node("Flatten", [y], x.shape[:2], axis=1)

    def upsample(self, x):
        n, c, h, w = x.shape
        scales = self.constant((4,), FLOAT, [1.0, 1.0, 2.0, 2.0])
        return self.node("Resize", [x, "", scales], (n, c, 2 * h, 2 * w),
                         coordinate_transformation_mode="asymmetric", mode="nearest",
                         nearest_mode="floor")

    # Sequences ----------------------------------------------------------------

    def linear(self, x, out, act=None, bias=True):
        width = x.shape[-1]
        shape = (*x.shape[:-1], out)
        if len(x.shape) == 2:
            f = self.weight((out, width), spread(width))
            y = self.node("Gemm", [x, f] + ([self.weight((out,), 0.1)] if bias else []), shape,
                          alpha=1.0, beta=1.0, transB=1)
        else:
            y = self.node("MatMul", [x, self.weight((width, out), spread(width))], shape)
            if bias:
                y = self.node("Add", [self.weight((out,), 0.1), y], shape)
        return self.activate(y, act)

    def reshaped(self, x, shape):
        # Exporters leave one extent to be found.
        given = [*shape[:-1], -1]
        return self.node("Reshape", [x, self.constant((len(shape),), INT64, given)], shape)

    def transposed(self, x, order):
        return self.node("Transpose", [x], [x.shape[a] for a in order], perm=list(order))

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
        y = self.node("MatMul", [a, b], (*a.shape[:3], b.shape[3]))
        if scale:
            y = self.node("Mul", [y, self.number(scale)], y.shape)
        y.split = True
        return y

    def softmax(self, x):
        return self.node("Softmax", [x], x.shape, axis=-1)

    def mean(self, x):
        return self.node("ReduceMean", [x], (*x.shape[:-1], 1), axes=[-1], keepdims=1)

    def root(self, x):
        return self.node("Sqrt", [self.node("Add", [x, self.number(1e-6)], x.shape)], x.shape)

    def square(self, x):
        return self.node("Pow", [x, self.number(2.0)], x.shape)

    def layer_norm(self, x):
        x = self.node("Sub", [x, self.mean(x)], x.shape)
        x = self.node("Div", [x, self.root(self.mean(self.square(x)))], x.shape)
        x = self.multiply(x, self.weight((x.shape[-1],), 0.1, 1.0))
        return self.add(x, self.weight((x.shape[-1],), 0.1))

    def rms_norm(self, x):
        one = self.node("Div", [self.number(1.0), self.root(self.mean(self.square(x)))],
                        (*x.shape[:-1], 1))
        return self.multiply(self.multiply(x, one), self.weight((x.shape[-1],), 0.1, 1.0))

    # A keyword spotter's LSTM -------------------------------------------------

    def columns(self, x):
        n, c, h, w = x.shape
        steps = []
        for i in range(w):
            y = self.node("Gather", [x, self.constant((), INT64, [i])], (n, c, h), axis=3)
            steps.append(self.node("Flatten", [y], (n, c * h), axis=1))
        return steps

    def zeros(self, width):
        return self.constant((1, width), FLOAT, [0.0] * width)

    def lstm_step(self, weights, x, hidden, cell, width):
        def product(a, f, b):
            return self.node("Gemm", [a, f, b], (1, 4 * width), alpha=1.0, beta=1.0, transB=1)

        sums = self.add(product(x, weights[0], weights[2]), product(hidden, weights[1], weights[3]))
        gates = self.node("Split", [sums], (1, width), outputs=4, axis=1)
        i, f, g, o = (self.activate(v, a)
                      for v, a in zip(gates, ("sigmoid", "sigmoid", "tanh", "sigmoid")))
        cell = self.add(self.multiply(f, cell), self.multiply(i, g))
        return self.multiply(o, self.activate(cell, "tanh")), cell
