"""torch.export through torch-mlir to linalg on tensors, f32.

Channels first. Weights are resources, batch normalisation is one generic over
five tensors, whose result has the sum as its init, ReLU is a comparison and a
selection, the linear layer's weights are transposed before their product.
"""

import writer
from writer import affine_map, single, spread, tensor, windows


class Style(writer.Style):
    # Plumbing -----------------------------------------------------------------

    def weight(self, shape, deviation, mean=0.0, least=None):
        count = 1
        for extent in shape:
            count *= extent
        return self.w.resource(self.w.floats(count, deviation, mean, least),
                               shape, "f32")

    def empty(self, shape, element="f32"):
        return self.w.op(f"tensor.empty() : {tensor(shape, element)}", shape, element)

    def filled(self, shape, literal="0.000000e+00", element="f32"):
        e = self.empty(shape, element)
        c = self.w.scalar(literal, element)
        return self.w.op(f"linalg.fill ins({c} : {element}) outs({e} : {e.type}) -> {e.type}",
                         shape, element)

    def generic(self, inputs, maps, shape, body, out=None, iterators=None, element="f32"):
        """`body` is lines on %in0, %in1, ..., of which the last names the yield."""
        out = out or self.empty(shape, element)
        rank = len(shape) if iterators is None else len(iterators)
        kinds = iterators or ["parallel"] * rank
        attributes = ", ".join(affine_map(rank, m) for m in maps)
        types = ", ".join(f'"{k}"' for k in kinds)
        ins = (f"ins({', '.join(map(str, inputs))} : "
               f"{', '.join(i.type for i in inputs)}) ") if inputs else ""
        arguments = ", ".join([f"%in{n}: {i.element}" for n, i in enumerate(inputs)]
                              + [f"%out: {element}"])
        lines = "\n      ".join(body[:-1])
        return self.w.op(
            f"linalg.generic {{indexing_maps = [{attributes}], iterator_types = "
            f"[{types}]}} {ins}outs({out} : {out.type}) {{\n    ^bb0({arguments}):\n"
            f"      {lines}\n      linalg.yield {body[-1]} : {element}\n    }} -> "
            f"{tensor(shape, element)}", shape, element)

    def each(self, inputs, body, out=None):
        """Elementwise; inputs of fewer or unit axes are broadcast."""
        shape = max((i.shape for i in inputs), key=lambda s: (len(s), s))
        maps = []
        for i in inputs:
            first = len(shape) - len(i.shape)
            maps.append(["0" if e == 1 and shape[first + a] != 1 else first + a
                         for a, e in enumerate(i.shape)])
        return self.generic(inputs, maps + [list(range(len(shape)))], shape, body, out)

    def reduce(self, x, axes, body, start, keep=True):
        shape = [1 if a in axes else e for a, e in enumerate(x.shape)]
        kinds = ["reduction" if a in axes else "parallel" for a in range(len(x.shape))]
        to = ["0" if a in axes else a for a in range(len(x.shape))]
        return self.generic([x], [list(range(len(x.shape))), to], shape, body,
                            self.filled(shape, start), kinds)

    # Activations --------------------------------------------------------------

    def activate(self, x, act):
        zero = self.w.scalar("0.000000e+00", "f32")
        if act is None:
            return x
        if act == "relu":
            return self.each([x], [f"%a = arith.cmpf ugt, %in0, {zero} : f32",
                                   f"%b = arith.select %a, %in0, {zero} : f32", "%b"])
        if act == "relu6":
            six = self.w.scalar("6.000000e+00", "f32")
            return self.each([x], [f"%a = arith.cmpf ult, %in0, {zero} : f32",
                                   f"%b = arith.select %a, {zero}, %in0 : f32",
                                   f"%c = arith.cmpf ugt, %b, {six} : f32",
                                   f"%d = arith.select %c, {six}, %b : f32", "%d"])
        if act == "silu":
            return self.multiply(self.activate(x, "sigmoid"), x)
        if act == "hard_swish":
            return self.multiply(self.activate(x, "hard_sigmoid"), x)
        if act == "hard_sigmoid":
            three, six = self.w.scalar("3.000000e+00", "f32"), self.w.scalar("6.000000e+00", "f32")
            y = self.each([x], [f"%a = arith.addf %in0, {three} : f32", "%a"])
            y = self.activate(y, "relu6")
            return self.each([y], [f"%a = arith.divf %in0, {six} : f32", "%a"])
        one = self.w.scalar("1.000000e+00", "f32")
        if act == "sigmoid":
            return self.each([x], ["%a = arith.negf %in0 : f32", "%b = math.exp %a : f32",
                                   f"%c = arith.addf %b, {one} : f32",
                                   f"%d = arith.divf {one}, %c : f32", "%d"])
        if act == "tanh":
            return self.each([x], ["%a = math.tanh %in0 : f32", "%a"])
        if act == "gelu":
            root = self.w.scalar(single(2 ** 0.5), "f32")
            half = self.w.scalar("5.000000e-01", "f32")
            return self.each([x], [f"%a = arith.divf %in0, {root} : f32",
                                   "%b = math.erf %a : f32", f"%c = arith.addf %b, {one} : f32",
                                   f"%d = arith.mulf %c, {half} : f32",
                                   "%e = arith.mulf %in0, %d : f32", "%e"])
        raise ValueError(act)

    # Images -------------------------------------------------------------------

    def padded(self, x, pad, literal=None):
        if not pad:
            return x
        literal = literal or {"f32": "0.000000e+00", "i8": "0"}[x.element]
        c = self.w.scalar(literal, x.element)
        border = [pad if axis in self.image_axes else 0 for axis in range(4)]
        shape = [extent + 2 * b for extent, b in zip(x.shape, border)]
        return self.w.op(
            f"tensor.pad {x} low{border} high{border} {{\n"
            "    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):\n"
            f"      tensor.yield {c} : {x.element}\n    }} : {x.type} to "
            f"{tensor(shape, x.element)}", shape, x.element)

    def conv(self, x, out, kernel, stride=1, groups=1, norm=False, act=None):
        n, c, h, w = x.shape
        pad = kernel // 2
        side = windows(h, kernel, stride, pad, pad)
        shape = (n, out, side, windows(w, kernel, stride, pad, pad))
        x = self.padded(x, pad)
        deviation = spread(c // groups * kernel * kernel)
        attributes = (f"{{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> "
                      ": vector<2xi64>}")
        if norm:
            init = self.filled(shape)
        else:
            bias = self.weight((out,), 0.1)
            e = self.empty(shape)
            init = self.w.op(f"linalg.broadcast ins({bias} : {bias.type}) outs({e} : {e.type}) "
                             "dimensions = [0, 2, 3]", shape, "f32")
        f = self.weight((out, c // groups, kernel, kernel), deviation)
        name = "conv_2d_nchw_fchw"
        if groups > 1:
            name = "depthwise_conv_2d_nchw_chw"
            flat = (out, kernel, kernel)
            f = self.w.op(f"tensor.collapse_shape {f} [[0, 1], [2], [3]] : {f.type} into "
                          f"{tensor(flat, 'f32')}", flat, "f32")
        y = self.w.op(f"linalg.{name} {attributes} ins({x}, {f} : {x.type}, {f.type}) "
                      f"outs({init} : {init.type}) -> {init.type}", shape, "f32")
        return self.activate(self.norm(y) if norm else y, act)

    def norm(self, x):
        c = (x.shape[1],)
        gamma, beta = self.weight(c, 0.1, 1.0), self.weight(c, 0.1)
        mean, variance = self.weight(c, 0.1), self.weight(c, 0.1, 1.0, 0.1)
        epsilon = self.w.scalar("1.000000e-05", "f64")
        return self.generic(
            [x, gamma, beta, mean, variance], [[0, 1, 2, 3], [1], [1], [1], [1], [0, 1, 2, 3]],
            x.shape, [f"%a = arith.truncf {epsilon} : f64 to f32", "%b = arith.addf %in4, %a : f32",
                      "%c = math.rsqrt %b : f32", "%d = arith.subf %in0, %in3 : f32",
                      "%e = arith.mulf %d, %c : f32", "%f = arith.mulf %e, %in1 : f32",
                      "%g = arith.addf %f, %in2 : f32", "%g"], out=x)

    def max_pool(self, x, kernel, stride, pad):
        n, c, h, w = x.shape
        shape = (n, c, windows(h, kernel, stride, pad, pad), windows(w, kernel, stride, pad, pad))
        x = self.padded(x, pad, "0xFF800000")
        init, window = self.filled(shape, "0xFF800000"), self.empty((kernel, kernel))
        return self.w.op(f"linalg.pooling_nchw_max {{dilations = dense<1> : vector<2xi64>, "
                         f"strides = dense<{stride}> : vector<2xi64>}} ins({x}, {window} : {x.type}, "
                         f"{window.type}) outs({init} : {init.type}) -> {init.type}", shape, "f32")

    def global_average(self, x, keep=False):
        y = self.reduce(x, (2, 3), ["%a = arith.addf %in0, %out : f32", "%a"], "0.000000e+00")
        count = self.w.scalar(single(x.shape[2] * x.shape[3]), "f32")
        y = self.each([y], [f"%a = arith.divf %in0, {count} : f32", "%a"])
        if keep:
            return y
        shape = (x.shape[0], x.shape[1])
        return self.w.op(f"tensor.collapse_shape {y} [[0], [1, 2, 3]] : {y.type} into "
                         f"{tensor(shape, 'f32')}", shape, "f32")

    def upsample(self, x):
        n, c, h, w = x.shape
        two = self.w.scalar("2", "index")
        return self.generic([], [[0, 1, 2, 3]], (n, c, 2 * h, 2 * w), [
            "%n = linalg.index 0 : index", "%c = linalg.index 1 : index",
            "%i = linalg.index 2 : index", "%j = linalg.index 3 : index",
            f"%h = arith.floordivsi %i, {two} : index", f"%w = arith.floordivsi %j, {two} : index",
            f"%v = tensor.extract {x}[%n, %c, %h, %w] : {x.type}", "%v"])

    def concat(self, values, axis=1):
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        return self.w.op(f"tensor.concat dim({axis}) {', '.join(map(str, values))} : "
                         f"({', '.join(v.type for v in values)}) -> {tensor(shape, 'f32')}",
                         shape, "f32")

    # Everywhere ---------------------------------------------------------------

    def add(self, x, y, act=None):
        return self.activate(self.each([x, y], ["%a = arith.addf %in0, %in1 : f32", "%a"]), act)

    def multiply(self, x, y):
        return self.each([x, y], ["%a = arith.mulf %in0, %in1 : f32", "%a"])

    # Sequences: 1 x length x width, heads as 1 x heads x length x width -------

    def transposed(self, x, order):
        shape = [x.shape[a] for a in order]
        e = self.empty(shape)
        return self.w.op(f"linalg.transpose ins({x} : {x.type}) outs({e} : {e.type}) "
                         f"permutation = {list(order)}", shape, "f32")

    def reshaped(self, x, shape, groups, collapse):
        if collapse:
            return self.w.op(f"tensor.collapse_shape {x} {groups} : {x.type} into "
                             f"{tensor(shape, 'f32')}", shape, "f32")
        return self.w.op(f"tensor.expand_shape {x} {groups} output_shape {list(shape)} : "
                         f"{x.type} into {tensor(shape, 'f32')}", shape, "f32")

    def linear(self, x, out, act=None, bias=True):
        """Of a sequence, a batched product with the weights broadcast."""
        width = x.shape[-1]
        f = self.transposed(self.weight((out, width), spread(width)), (1, 0))
        shape = (*x.shape[:-1], out)
        if len(x.shape) == 2:
            name = "matmul"
        else:
            name = "batch_matmul"
            f = self.generic([f], [[1, 2], [0, 1, 2]], (x.shape[0], width, out), ["%in0"])
        init = self.filled(shape)
        y = self.w.op(f"linalg.{name} ins({x}, {f} : {x.type}, {f.type}) outs({init} : "
                      f"{init.type}) -> {init.type}", shape, "f32")
        if bias:
            y = self.add(y, self.weight((out,), 0.1))
        return self.activate(y, act)

    def heads(self, x, heads):
        n, length, width = x.shape
        y = self.reshaped(x, (n, length, heads, width // heads), [[0], [1], [2, 3]], False)
        y = self.transposed(y, (0, 2, 1, 3))
        y.split = True
        return y

    def join_heads(self, x):
        n, heads, length, width = x.shape
        y = self.transposed(x, (0, 2, 1, 3))
        return self.reshaped(y, (n, length, heads * width), [[0], [1], [2, 3]], True)

    def matmul(self, a, b, transposed=False, scale=None):
        if transposed:
            b = self.transposed(b, (0, 1, 3, 2))
        n, heads, rows, inner = a.shape
        groups = [[0, 1], [2], [3]]
        a = self.reshaped(a, (n * heads, rows, inner), groups, True)
        b = self.reshaped(b, (n * heads, inner, b.shape[3]), groups, True)
        shape = (n * heads, rows, b.shape[2])
        init = self.filled(shape)
        y = self.w.op(f"linalg.batch_matmul ins({a}, {b} : {a.type}, {b.type}) outs({init} : "
                      f"{init.type}) -> {init.type}", shape, "f32")
        y = self.reshaped(y, (n, heads, rows, shape[2]), groups, False)
        y.split = True
        if scale:
            c = self.w.scalar(single(scale), "f32")
            y = self.each([y], [f"%a = arith.mulf %in0, {c} : f32", "%a"])
        return y

    def softmax(self, x):
        last = len(x.shape) - 1
        most = self.reduce(x, (last,), ["%a = arith.maximumf %in0, %out : f32", "%a"], "0xFF800000")
        x = self.each([x, most], ["%a = arith.subf %in0, %in1 : f32", "%a"])
        x = self.each([x], ["%a = math.exp %in0 : f32", "%a"])
        total = self.reduce(x, (last,), ["%a = arith.addf %in0, %out : f32", "%a"], "0.000000e+00")
        return self.each([x, total], ["%a = arith.divf %in0, %in1 : f32", "%a"])

    def mean(self, x):
        last = len(x.shape) - 1
        total = self.reduce(x, (last,), ["%a = arith.addf %in0, %out : f32", "%a"], "0.000000e+00")
        count = self.w.scalar(single(x.shape[last]), "f32")
        return self.each([total], [f"%a = arith.divf %in0, {count} : f32", "%a"])

    def root(self, x):
        epsilon = self.w.scalar("9.99999997E-7", "f32")
        return self.each([x], [f"%a = arith.addf %in0, {epsilon} : f32",
                               "%b = math.rsqrt %a : f32", "%b"])

    def layer_norm(self, x):
        x = self.each([x, self.mean(x)], ["%a = arith.subf %in0, %in1 : f32", "%a"])
        x = self.multiply(x, self.root(self.mean(self.multiply(x, x))))
        x = self.multiply(x, self.weight((x.shape[-1],), 0.1, 1.0))
        return self.add(x, self.weight((x.shape[-1],), 0.1))

    def rms_norm(self, x):
        x = self.multiply(x, self.root(self.mean(self.multiply(x, x))))
        return self.multiply(x, self.weight((x.shape[-1],), 0.1, 1.0))

    # A keyword spotter's LSTM -------------------------------------------------

    def columns(self, x):
        n, c, h, w = x.shape
        steps = []
        for i in range(w):
            y = self.w.op(f"tensor.extract_slice {x}[0, 0, 0, {i}] [1, {c}, {h}, 1] [1, 1, 1, 1] : "
                          f"{x.type} to {tensor((n, c, h, 1), 'f32')}", (n, c, h, 1), "f32")
            steps.append(self.reshaped(y, (n, c * h), [[0], [1, 2, 3]], True))
        return steps

    def zeros(self, width):
        return self.filled((1, width))

    def lstm_step(self, weights, x, hidden, cell, width):
        def product(a, f, b):
            init = self.filled((1, 4 * width))
            f = self.transposed(f, (1, 0))
            y = self.w.op(f"linalg.matmul ins({a}, {f} : {a.type}, {f.type}) outs({init} : "
                          f"{init.type}) -> {init.type}", (1, 4 * width), "f32")
            return self.add(y, b)

        sums = self.add(product(x, weights[0], weights[2]), product(hidden, weights[1], weights[3]))
        gates = [self.w.op(f"tensor.extract_slice {sums}[0, {i * width}] [1, {width}] [1, 1] : "
                           f"{sums.type} to {tensor((1, width), 'f32')}", (1, width), "f32")
                 for i in range(4)]
        i, f, g, o = (self.activate(v, a)
                      for v, a in zip(gates, ("sigmoid", "sigmoid", "tanh", "sigmoid")))
        cell = self.add(self.multiply(f, cell), self.multiply(i, g))
        return self.multiply(o, self.activate(cell, "tanh")), cell
