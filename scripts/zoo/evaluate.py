"""What each value of an ONNX model is, by torch: the operators that torch exports.

Only for calibration, so floats go their way and integers theirs, and nothing is
checked. `evaluate` gives every value by name.
"""

import numpy
import onnx
import torch
from onnx import numpy_helper
from torch.nn import functional


def numbers(x):
    return [int(v) for v in x.reshape(-1)]


def windows(x, attributes, value=0.0):
    """The image with its padding, and the other attributes of a window."""
    rank = x.dim() - 2
    pads = attributes.get("pads", [0] * 2 * rank)
    spread = [p for axis in reversed(range(rank)) for p in (pads[axis], pads[rank + axis])]
    return (functional.pad(x, spread, value=value), attributes.get("strides", [1] * rank),
            attributes.get("dilations", [1] * rank))


def conv(a, x, w, b=None):
    x, stride, dilation = windows(x, a)
    return functional.conv2d(x, w, b, stride, 0, dilation, a.get("group", 1))


def conv_transpose(a, x, w, b=None):
    assert not any(a.get("pads", [0])), "padding of ConvTranspose"
    return functional.conv_transpose2d(x, w, b, a.get("strides", [1, 1]), 0,
                                       a.get("output_padding", [0, 0]), a.get("group", 1),
                                       a.get("dilations", [1, 1]))


def max_pool(a, x):
    x, stride, dilation = windows(x, a, float("-inf"))
    return functional.max_pool2d(x, a["kernel_shape"], stride, 0, dilation, bool(a.get("ceil_mode", 0)))


def average_pool(a, x):
    kernel = a["kernel_shape"]

    def mean(x, value):
        x, stride, _ = windows(x, a, value)
        return functional.avg_pool2d(x, kernel, stride, 0, bool(a.get("ceil_mode", 0)))

    y = mean(x, 0.0)
    if any(a.get("pads", [0])) and not a.get("count_include_pad", 0):
        y = y / mean(torch.ones_like(x), 0.0)
    return y


def gemm(a, x, w, b=None):
    x, w = x.t() if a.get("transA") else x, w.t() if a.get("transB") else w
    y = a.get("alpha", 1.0) * (x @ w)
    return y if b is None else y + a.get("beta", 1.0) * b


def slices(a, x, starts, ends, axes=None, steps=None):
    axes = range(len(numbers(starts))) if axes is None else numbers(axes)
    steps = [1] * len(numbers(starts)) if steps is None else numbers(steps)
    where = [slice(None)] * x.dim()
    for axis, start, end, step in zip(axes, numbers(starts), numbers(ends), steps):
        where[axis] = slice(start, end, step)
    return x[tuple(where)]


def reshape(a, x, shape):
    wanted = [x.shape[i] if e == 0 else e for i, e in enumerate(numbers(shape))]
    return x.reshape(wanted)


def unsqueeze(a, x, axes):
    for axis in sorted(numbers(axes)):
        x = x.unsqueeze(axis)
    return x


def squeeze(a, x, axes):
    for axis in sorted((v % x.dim() for v in numbers(axes)), reverse=True):
        x = x.squeeze(axis)
    return x


def split(a, x, parts=None):
    return x.split(numbers(parts), a.get("axis", 0))


def gather(a, x, where):
    axis = a.get("axis", 0) % x.dim()
    where = where % x.shape[axis]
    y = x.index_select(axis, where.reshape(-1))
    return y.reshape((*x.shape[:axis], *where.shape, *x.shape[axis + 1:]))


def divide(a, x, y):
    if x.is_floating_point():
        return x / y
    return torch.div(x, y, rounding_mode="trunc")


def norm(a, x, w, b=None):
    return functional.layer_norm(x, x.shape[a.get("axis", -1):], w, b, a.get("epsilon", 1e-5))


def batch_norm(a, x, w, b, mean, variance):
    return functional.batch_norm(x, mean, variance, w, b, eps=a.get("epsilon", 1e-5))


def clip(a, x, low=None, high=None):
    return torch.clamp(x, low, high)


def trilu(a, x, k=None):
    k = 0 if k is None else int(k)
    return torch.triu(x, k) if a.get("upper", 1) else torch.tril(x, k)


def constant_of_shape(a, shape):
    value = a.get("value")
    value = torch.zeros(1) if value is None else tensor(value)
    return torch.full(numbers(shape), value.item(), dtype=value.dtype)


def reduce_mean(a, x):
    return x.mean(a["axes"], keepdim=bool(a.get("keepdims", 1)))


def pad(a, x, pads, value=None):
    pads, rank = numbers(pads), x.dim()
    spread = [p for axis in reversed(range(rank)) for p in (pads[axis], pads[rank + axis])]
    return functional.pad(x, spread, value=0.0 if value is None else float(value))


def resize(a, x, region=None, scales=None, sizes=None):
    assert a["mode"] == b"nearest" or a["mode"] == "nearest", "Resize other than nearest"
    if sizes is None or sizes.numel() == 0:
        return functional.interpolate(x, scale_factor=numbers(scales)[2:], mode="nearest")
    return functional.interpolate(x, size=numbers(sizes)[2:], mode="nearest")


def cast(a, x):
    return x.to(torch.from_numpy(numpy.zeros(1, onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[a["to"]])).dtype)


def tensor(proto):
    return torch.from_numpy(numpy_helper.to_array(proto).copy())


OPERATORS = {
    "Add": lambda a, x, y: x + y,
    "And": lambda a, x, y: x & y,
    "AveragePool": average_pool,
    "BatchNormalization": batch_norm,
    "Cast": cast,
    "Clip": clip,
    "Concat": lambda a, *x: torch.cat(x, a["axis"]),
    "ConstantOfShape": constant_of_shape,
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "Cos": lambda a, x: x.cos(),
    "Div": divide,
    "Einsum": lambda a, *x: torch.einsum(a["equation"].decode(), *x),
    "Equal": lambda a, x, y: x == y,
    "Erf": lambda a, x: x.erf(),
    "Expand": lambda a, x, shape: x * torch.ones(numbers(shape), dtype=x.dtype),
    "Flatten": lambda a, x: x.flatten(a.get("axis", 1)),
    "Gather": gather,
    "Gemm": gemm,
    "GlobalAveragePool": lambda a, x: x.mean((2, 3), keepdim=True),
    "HardSigmoid": lambda a, x: (x * a.get("alpha", 0.2) + a.get("beta", 0.5)).clamp(0, 1),
    "HardSwish": lambda a, x: functional.hardswish(x),
    "Identity": lambda a, x: x,
    "LayerNormalization": norm,
    "MatMul": lambda a, x, y: x @ y,
    "MaxPool": max_pool,
    "Resize": resize,
    "Mul": lambda a, x, y: x * y,
    "Neg": lambda a, x: -x,
    "Pad": pad,
    "Pow": lambda a, x, y: x ** y,
    "Range": lambda a, first, last, step: torch.arange(first.item(), last.item(), step.item()),
    "ReduceMean": reduce_mean,
    "Relu": lambda a, x: x.relu(),
    "Reshape": reshape,
    "Reciprocal": lambda a, x: 1 / x,
    "Shape": lambda a, x: torch.tensor(x.shape, dtype=torch.int64),
    "Sigmoid": lambda a, x: x.sigmoid(),
    "Sin": lambda a, x: x.sin(),
    "Slice": slices,
    "Softmax": lambda a, x: x.softmax(a.get("axis", -1)),
    "Split": split,
    "Sqrt": lambda a, x: x.sqrt(),
    "Squeeze": squeeze,
    "Sub": lambda a, x, y: x - y,
    "Tanh": lambda a, x: x.tanh(),
    "Transpose": lambda a, x: x.permute(a["perm"]),
    "Trilu": trilu,
    "Unsqueeze": unsqueeze,
    "Where": lambda a, c, x, y: torch.where(c, x, y),
}


def evaluate(model, inputs, visit):
    """Runs `model` on `inputs` (tensors by name); calls `visit(name, value)` on
    each value of a node. Values are freed behind their last reader."""
    values = {i.name: tensor(i) for i in model.graph.initializer}
    values.update(inputs)
    last = {name: i for i, node in enumerate(model.graph.node) for name in node.input}
    with torch.no_grad():
        for i, node in enumerate(model.graph.node):
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            if node.op_type == "Constant":
                results = tensor(attributes["value"])
            elif node.op_type in OPERATORS:
                operands = [values[name] if name else None for name in node.input]
                results = OPERATORS[node.op_type](attributes, *operands)
            else:
                raise SystemExit(f"{node.name}: evaluate.py does not know {node.op_type}")
            for name, value in zip(node.output, results if isinstance(results, tuple) else (results,)):
                values[name] = value
                visit(name, value)
            for name in node.input:
                if last.get(name) == i:
                    values.pop(name, None)
