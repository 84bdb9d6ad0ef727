"""MLIR as text: one function, its constants, and names for both; what styles share."""

import math
import random
import struct


class Value:
    """An SSA value: its name, the extents of its axes and its element type.

    `scale` and `zero` say what an integer stands for: scale * (q - zero).
    """

    def __init__(self, name, shape, element, scale=None, zero=0):
        self.name, self.shape, self.element = name, tuple(shape), element
        self.scale, self.zero = scale, zero

    @property
    def type(self):
        return tensor(self.shape, self.element)

    def __str__(self):
        return self.name


def tensor(shape, element):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def affine_map(rank, axes):
    """The map from `rank` loops to `axes`: numbers of loops, or "0"."""
    loops = ", ".join(f"d{i}" for i in range(rank))
    return (f"affine_map<({loops}) -> ("
            + ", ".join(a if isinstance(a, str) else f"d{a}" for a in axes)
            + ")>")


def single(value):
    """An f32 literal that reads back as the nearest f32."""
    return f"{struct.unpack('f', struct.pack('f', value))[0]:.9e}"


class Writer:
    """Appends operations to a function. Weights come from a seeded source, so
    a network is the same each time that it is written."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arguments, self.fills, self.lines, self.resources = [], [], [], []
        self.counter = 0
        self.splats = {}

    def argument(self, shape, element, fill=None, **quantised):
        """`fill` is what fadiff-run fills it with, else the default."""
        value = Value(f"%arg{len(self.arguments)}", shape, element, **quantised)
        self.arguments.append(value)
        self.fills.append(f' {{fadiff.fill = "{fill}"}}' if fill else "")
        return value

    def name(self):
        self.counter += 1
        return f"%{self.counter}"

    def op(self, text, shape, element, **quantised):
        """One operation with one result; returns the result."""
        value = Value(self.name(), shape, element, **quantised)
        self.lines.append(f"    {value} = {text}")
        return value

    def scalar(self, literal, element):
        key = (literal, element)
        if key not in self.splats:
            name = f"%cst{len(self.splats)}"
            self.splats[key] = Value(name, (), element)
            self.lines.insert(
                0, f"    {name} = arith.constant {literal} : {element}")
        return self.splats[key]

    def floats(self, count, deviation, mean=0.0, least=None):
        values = [self.random.gauss(mean, deviation) for _ in range(count)]
        if least is not None:
            values = [max(least, v) for v in values]
        return values

    def integers(self, count, low, high):
        return [self.random.randint(low, high) for _ in range(count)]

    def dense(self, values, element):
        """`dense<"0x...">` of the values."""
        code = {"f32": "f", "i8": "b", "i32": "i", "i64": "q"}[element]
        if len(values) == 1:
            literal = single(values[0]) if element == "f32" else str(values[0])
            return f"dense<{literal}>"
        return f'dense<"0x{struct.pack(f"<{len(values)}{code}", *values).hex().upper()}">'

    def resource(self, values, shape, element):
        """An `arith.constant` that keeps its data at the end of the file."""
        key = f"torch_tensor_{'_'.join(map(str, shape))}_{len(self.resources)}"
        code = {"f32": "f", "i8": "b"}[element]
        data = struct.pack(f"<{len(values)}{code}", *values).hex().upper()
        self.resources.append(f'      {key}: "0x04000000{data}"')
        return self.op(f"arith.constant dense_resource<{key}> : "
                       f"{tensor(shape, element)}", shape, element)

    def module(self, results, attributes=""):
        given = ", ".join(f"{a}: {a.type}{fill}" for a, fill in zip(self.arguments, self.fills))
        types = ", ".join(r.type for r in results)
        text = [f"module{attributes} {{",
                f"  func.func @main({given}) -> ({types}) {{",
                *self.lines,
                f"    return {', '.join(map(str, results))} : {types}",
                "  }", "}"]
        if self.resources:
            text += ["{-#", "  dialect_resources: {", "    builtin: {",
                     ",\n".join(self.resources), "    }", "  }", "#-}"]
        return "\n".join(text) + "\n"


class Style:
    """Of images NCHW and of sequences 1 x length x width, heads 1 x heads x
    length x width; in f32. `image_axes` are those of rows and columns."""

    element = "f32"
    suffix = ".mlir"
    target = "gemmini-fp32"
    image_axes = (2, 3)

    def __init__(self, seed=1):
        self.w = Writer(seed)

    def write(self, network):
        return self.w.module(network(self))

    def image(self, channels, extent):
        return self.w.argument((1, channels, extent, extent), "f32")

    def channels(self, x):
        return x.shape[1] if len(x.shape) == 4 and not getattr(x, "split", False) else x.shape[-1]

    def tokens(self, length, width):
        return self.w.argument((1, length, width), "f32")

    def cached(self, heads, length, width):
        value = self.w.argument((1, heads, length, width), "f32")
        value.split = True
        return value

    def scale(self, x, gate):
        return self.multiply(x, gate)

    def append(self, cache, value):
        y = self.concat([cache, value], 2)
        y.split = True
        return y

    def lstm_weights(self, step, width):
        inner = step.shape[1]
        return (self.weight((4 * width, inner), spread(inner)),
                self.weight((4 * width, width), spread(width)),
                self.weight((4 * width,), 0.1), self.weight((4 * width,), 0.1))


def windows(extent, kernel, stride, low, high):
    return (extent + low + high - kernel) // stride + 1


def spread(fan_in):
    """Deviation of weights that keeps that of the activations (He et al.)."""
    return math.sqrt(2.0 / fan_in)
