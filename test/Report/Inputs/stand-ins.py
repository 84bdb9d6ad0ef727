"""Writes small files in the place of a reader's own, which pages name.

    stand-ins.py name...

What a file is follows from its name; each is made anew. `cat.onnx`, `net.onnx`:
digits, of a batch of one; `cat.npy`: one of its images; `images`: a directory of
samples; `model.onnx`: a product of two inputs, with `input_0.pb` and
`input_1.npy`; `photo.onnx`, `cat.jpg`, `imagenet.txt`: a classifier of pictures.
"""

import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

digits = pathlib.Path("examples/digits")
random = numpy.random.default_rng(1)


def images():
    return (numpy.load(digits / "digits.test.0.npy") * 0.0625).astype(numpy.float32)


def digits_of_one():
    model = onnx.load(digits / "digits.onnx")
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.shape.dim[0].dim_value = 1
    return model


def product():
    tensor = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["a", "b"], ["c"], name="product")],
        "product",
        [tensor("a", TensorProto.FLOAT, [8, 16]), tensor("b", TensorProto.FLOAT, [16, 8])],
        [tensor("c", TensorProto.FLOAT, [8, 8])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])


def classifier():
    tensor = helper.make_tensor_value_info
    weights = random.normal(size=(8, 3, 4, 4)).astype(numpy.float32)
    classes = random.normal(size=(8, 10)).astype(numpy.float32)
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["picture", "w"], ["x"], name="conv", strides=[4, 4]),
            helper.make_node("Relu", ["x"], ["y"]),
            helper.make_node("GlobalAveragePool", ["y"], ["z"]),
            helper.make_node("Flatten", ["z"], ["f"]),
            helper.make_node("MatMul", ["f", "k"], ["scores"], name="head"),
        ],
        "classifier",
        [tensor("picture", TensorProto.FLOAT, [1, 3, 32, 32])],
        [tensor("scores", TensorProto.FLOAT, [1, 10])],
        [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(classes, "k")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])


def tensor(rows, columns, seed):
    values = numpy.random.default_rng(seed).normal(size=(rows, columns))
    return values.astype(numpy.float32)


def picture(path):
    from PIL import Image

    pixels = random.integers(0, 256, size=(32, 32, 3), dtype=numpy.uint8)
    Image.fromarray(pixels).save(path)


def samples(path):
    path.mkdir(exist_ok=True)
    numpy.save(path / "digits.npy", images()[:64])


makers = {
    "cat.onnx": lambda path: onnx.save(digits_of_one(), path),
    "net.onnx": lambda path: onnx.save(digits_of_one(), path),
    "cat.npy": lambda path: numpy.save(path, images()[:1]),
    "images": samples,
    "model.onnx": lambda path: onnx.save(product(), path),
    "input_0.pb": lambda path: path.write_bytes(
        numpy_helper.from_array(tensor(8, 16, 2)).SerializeToString()
    ),
    "input_1.npy": lambda path: numpy.save(path, tensor(16, 8, 3)),
    "photo.onnx": lambda path: onnx.save(classifier(), path),
    "cat.jpg": picture,
    "imagenet.txt": lambda path: path.write_text(
        "".join(f"class {i}\n" for i in range(10))
    ),
}
for name in sys.argv[1:]:
    makers[name](pathlib.Path(name))
