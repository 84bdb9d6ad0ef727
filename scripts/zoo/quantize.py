"""Static quantisation of an ONNX model, with python3-onnx alone: QDQ, int8.

As ONNX Runtime's quantize_static writes it with symmetric types: one scale per
tensor and no zero point. In front of each operator of `QUANTISED` its operands are
quantised and dequantised again (QuantizeLinear, DequantizeLinear), and so are its
results, behind the ReLU or Clip that follows. Weights are int8 and biases int32
initialisers that are dequantised. Softmax, normalisations and what else is left
between are in f32.
"""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import evaluate

# Contractions, and what is exact, or sums and averages, of bytes.
CONTRACTIONS = {"Conv", "ConvTranspose", "Gemm", "MatMul"}
MOVES = {"MaxPool", "Pad", "Flatten", "Reshape", "Transpose", "Squeeze", "Unsqueeze"}
QUANTISED = CONTRACTIONS | {"Add", "Mul", "Concat", "GlobalAveragePool", "AveragePool", "Sigmoid",
                            "HardSigmoid", "HardSwish"} | MOVES
ACTIVATIONS = {"Relu", "Clip"}


class Ranges:
    """The largest magnitude of each value, over all calibration inputs."""

    def __init__(self):
        self.largest = {}

    def visit(self, name, value):
        if value.is_floating_point() and value.numel():
            self.largest[name] = max(self.largest.get(name, 0.0), float(value.abs().max()))


def calibrate(model, batches):
    """Ranges of all values, from inputs as dictionaries of tensors by name."""
    ranges = Ranges()
    for inputs in batches:
        for name, value in inputs.items():
            ranges.visit(name, value)
        evaluate.evaluate(model, inputs, ranges.visit)
    return ranges.largest


class Quantiser:
    def __init__(self, model, largest):
        self.model, self.largest = model, largest
        graph = model.graph
        self.constants = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
            elif node.op_type == "Identity" and node.input[0] in self.constants:
                # torch's name for an initialiser that equals another
                self.constants[node.output[0]] = self.constants[node.input[0]]
        self.producers = {name: node for node in graph.node for name in node.output}
        self.readers = {}
        for node in graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        self.results = {o.name for o in graph.output}
        self.scales = self.choose_scales()
        self.added, self.initializers, self.through = [], {}, {}
        self.biases = {}  # by name and scale

    def is_value(self, name):
        """A float that depends on an input."""
        return bool(name) and name not in self.constants and name in self.largest

    def only_reader(self, name):
        readers = self.readers.get(name, [])
        return readers[0] if len(readers) == 1 and name not in self.results else None

    def joins(self, name):
        """What the read-out does with a contraction's or a sum's result before
        it is quantised: a bias that MatMul has behind it, ReLU, Clip."""
        node, reader = self.producers.get(name), self.only_reader(name)
        if not node or not reader or node.op_type not in CONTRACTIONS | {"Add"}:
            return False
        if reader.op_type in ACTIVATIONS:
            return True
        return (node.op_type == "MatMul" and reader.op_type == "Add"
                and any(i in self.constants for i in reader.input))

    def takes_bytes(self, node):
        """Whether it gets quantised operands and gives quantised results."""
        if node.op_type in ("Add", "Mul"):
            return all(self.is_value(i) for i in node.input)
        if node.op_type not in QUANTISED:
            return False
        if node.op_type == "MatMul" and not all(
                self.is_value(i) or self.constants.get(i, numpy.zeros(0)).ndim == 2
                for i in node.input):
            return False
        if node.op_type in MOVES:  # of what is quantised already
            source = node.input[0]
            return self.is_value(source) and self.is_quantised(source)
        return self.is_value(node.input[0])

    def is_quantised(self, name):
        """Whether the value is quantised where it is made."""
        node = self.producers.get(name)
        if not node or self.joins(name):
            return False
        if node.op_type in ACTIVATIONS and node.input[0] in self.producers:
            return self.joins(node.input[0])
        if node.op_type == "Add" and any(i in self.constants for i in node.input):
            return any(self.joins(i) for i in node.input if i not in self.constants)
        return self.takes_bytes(node)

    def choose_scales(self):
        """Per value; operators that move bytes leave the scale as it is, and what
        is concatenated has one."""
        group = {}

        def find(name):
            while group.get(name, name) != name:
                name = group[name]
            return name

        for node in self.model.graph.node:
            if node.op_type in MOVES or node.op_type == "Concat":
                values = [n for n in [*node.input, *node.output] if self.is_value(n)]
                for other in values[1:]:
                    group[find(other)] = find(values[0])
        largest = {}
        for name, value in self.largest.items():
            largest[find(name)] = max(largest.get(find(name), 0.0), value)
        return {name: numpy.float32(max(largest[find(name)], 1e-6) / 127) for name in self.largest}

    # Building -----------------------------------------------------------------

    def constant(self, name, value):
        if name not in self.initializers:
            self.initializers[name] = numpy_helper.from_array(numpy.asarray(value), name)
        return name

    def dequantised(self, name, scale, kind):
        """The DequantizeLinear of the initialiser or value `name`."""
        out = name + "_dequantized"
        self.added.append(helper.make_node(
            "DequantizeLinear", [name, self.constant(f"{name}_scale", numpy.float32(scale)),
                                 self.constant(f"{name}_zero_point", kind(0))],
            [out], name=name + "_DequantizeLinear"))
        return out

    def passed(self, name):
        """The value, quantised and dequantised again."""
        if name not in self.through:
            scale = self.constant(f"{name}_scale", self.scales[name])
            zero = self.constant(f"{name}_zero_point", numpy.int8(0))
            for kind, source, out in (("QuantizeLinear", name, f"{name}_quantized"),
                                      ("DequantizeLinear", f"{name}_quantized",
                                       f"{name}_dequantized")):
                self.added.append(helper.make_node(kind, [source, scale, zero], [out],
                                                   name=f"{name}_{kind}"))
            self.through[name] = f"{name}_dequantized"
        return self.through[name]

    def weights(self, name):
        if name not in self.through:
            value = self.constants[name]
            scale = numpy.float32(max(float(numpy.abs(value).max()), 1e-8) / 127)
            steps = numpy.clip(numpy.rint(value / scale), -127, 127).astype(numpy.int8)
            self.scales[name] = scale
            stored = self.constant(name + "_quantized", steps)
            self.through[name] = self.dequantised(stored, scale, numpy.int8)
        return self.through[name]

    def bias(self, name, scale):
        steps = numpy.rint(self.constants[name].astype(numpy.float64) / float(scale))
        limit = 2 ** 31 - 1
        steps = numpy.clip(steps, -limit, limit).astype(numpy.int32)
        # Of layers that share weights each has the scale of its own input.
        uses = self.biases.setdefault(name, {})
        if float(scale) not in uses:
            stored = f"{name}_quantized" + (f"_{len(uses)}" if uses else "")
            uses[float(scale)] = self.dequantised(self.constant(stored, steps), scale, numpy.int32)
        return uses[float(scale)]

    def node(self, node):
        if not self.takes_bytes(node):
            reads = [self.through.get(i, i) for i in node.input]
        elif node.op_type in CONTRACTIONS:
            reads = [self.weights(i) if i in self.constants else self.passed(i)
                     for i in node.input[:2]]
            for name in node.input[2:]:
                reads.append(self.bias(name, self.scales[node.input[0]] * self.scales[node.input[1]]))
        else:
            reads = [self.passed(i) if self.is_value(i) else i for i in node.input]
        # The bias of a MatMul, an Add behind it, is of its sums' scale.
        if node.op_type == "Add" and not self.takes_bytes(node):
            for i, name in enumerate(node.input):
                made = self.producers.get(name)
                if made is not None and self.joins(name) and made.op_type == "MatMul":
                    scale = self.scales[made.input[0]] * self.scales[made.input[1]]
                    reads[1 - i] = self.bias(node.input[1 - i], scale)
        new = onnx.NodeProto()
        new.CopyFrom(node)
        del new.input[:]
        new.input.extend(reads)
        self.added.append(new)
        for name in node.output:
            if self.is_value(name) and self.is_quantised(name):
                self.passed(name)

    def run(self):
        for node in self.model.graph.node:
            self.node(node)
        graph = onnx.GraphProto()
        graph.CopyFrom(self.model.graph)
        del graph.node[:], graph.value_info[:]
        # A result of the model is what is dequantised last.
        for result in graph.output:
            if result.name in self.through and result.name in self.producers:
                for node in self.added:
                    node.output[:] = [o + "_exact" if o == result.name else
                                      result.name if o == self.through[result.name] else o
                                      for o in node.output]
                    node.input[:] = [i + "_exact" if i == result.name else
                                     result.name if i == self.through[result.name] else i
                                     for i in node.input]
        results = {o.name for o in graph.output}
        while True:
            read = {i for node in self.added for i in node.input} | results
            kept = [n for n in self.added if any(o in read for o in n.output)]
            if len(kept) == len(self.added):
                break
            self.added = kept
        graph.node.extend(self.added)
        read = {i for node in self.added for i in node.input}
        kept = [i for i in graph.initializer if i.name in read]
        del graph.initializer[:]
        graph.initializer.extend(kept)
        graph.initializer.extend(v for k, v in self.initializers.items() if k in read)
        model = helper.make_model(graph, producer_name="fadiff zoo",
                                  opset_imports=self.model.opset_import)
        model.ir_version = self.model.ir_version
        return model


def quantise(model, batches):
    """`model` in QDQ form, with ranges from `batches`."""
    return Quantiser(model, calibrate(model, batches)).run()


def unsigned(model):
    """The same model with activations of uint8, which are 128 more, as ONNX Runtime
    writes them unless it is told otherwise. Of what `quantise` returned."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    quantised = {node.output[0] for node in graph.node if node.op_type == "QuantizeLinear"}
    for node in graph.node:
        if node.op_type != "QuantizeLinear" and not (
                node.op_type == "DequantizeLinear" and node.input[0] in quantised):
            continue
        zero = values[node.input[2]]
        name = node.input[2] + "_unsigned"
        if name not in values:
            values[name] = (zero.astype(numpy.int16) + 128).astype(numpy.uint8)
            graph.initializer.append(numpy_helper.from_array(values[name], name))
        node.input[2] = name
    del graph.value_info[:]
    return result
