"""The spelling of generate_networks.py, int8, with zero points of zero.

Biases in int32, one float scale per tensor, rounding half to even, ReLU on
int8. ReLU6 is ReLU: with the right scale saturation is its upper end.
"""

import math

import own
from writer import single, tensor, windows


class Style(own.Style):
    element = "i8"
    target = "gemmini"

    def image(self, channels, extent):
        return self.w.argument((1, extent, extent, channels), "i8")

    def filled(self, shape, literal="0", element="i32"):
        return super().filled(shape, literal, element)

    def mapped(self, inputs, body, element):
        shape = inputs[0].shape
        maps = [list(range(len(shape)))[len(shape) - len(i.shape):] for i in inputs]
        return self.generic(inputs, maps + [list(range(len(shape)))], shape, body,
                            element=element)

    def requantise(self, x, scale):
        factor = self.w.scalar(single(scale), "f32")
        low, high = (self.w.scalar(v, "f32") for v in ("-1.280000e+02", "1.270000e+02"))
        return self.mapped([x], ["%a = arith.sitofp %in0 : i32 to f32",
                                 f"%b = arith.mulf %a, {factor} : f32",
                                 "%c = math.roundeven %b : f32",
                                 f"%d = arith.maximumf %c, {low} : f32",
                                 f"%e = arith.minimumf %d, {high} : f32",
                                 "%f = arith.fptosi %e : f32 to i8", "%f"], "i8")

    def activate(self, x, act):
        if act is None:
            return x
        if act in ("relu", "relu6"):
            zero = self.w.scalar("0", "i8")
            return self.mapped([x], [f"%a = arith.maxsi %in0, {zero} : i8", "%a"], "i8")
        raise ValueError(act)

    def tail(self, y, out, fan, act):
        bias = self.w.argument((out,), "i32")
        y = self.mapped([y, bias], ["%a = arith.addi %in0, %in1 : i32", "%a"], "i32")
        # Uniform operands of [-127, 127], a deviation of 36 behind the scale.
        return self.activate(self.requantise(y, 36 / (math.sqrt(fan) * 127 * 127 / 3)), act)

    def conv(self, x, out, kernel, stride=1, groups=1, norm=False, act=None):
        n, h, w, c = x.shape
        pad = kernel // 2
        sides = [windows(e, kernel, stride, pad, pad) for e in (h, w)]
        x = self.padded(x, pad)
        shape = (kernel, kernel, c) if groups > 1 else (kernel, kernel, c, out)
        name = "depthwise_conv_2d_nhwc_hwc" if groups > 1 else "conv_2d_nhwc_hwcf"
        f, init = self.w.argument(shape, "i8"), self.filled((n, *sides, out))
        y = self.w.op(f"linalg.{name} {{dilations = dense<1> : tensor<2xi64>, strides = "
                      f"dense<{stride}> : tensor<2xi64>}} ins({x}, {f} : {x.type}, {f.type}) "
                      f"outs({init} : {init.type}) -> {init.type}", init.shape, "i32")
        return self.tail(y, out, c // groups * kernel * kernel, act)

    def linear(self, x, out, act=None, bias=True):
        f, init = self.w.argument((x.shape[1], out), "i8"), self.filled((x.shape[0], out))
        y = self.w.op(f"linalg.matmul ins({x}, {f} : {x.type}, {f.type}) outs({init} : "
                      f"{init.type}) -> {init.type}", init.shape, "i32")
        return self.tail(y, out, x.shape[1], act)

    def add(self, x, y, act=None):
        total = self.mapped([x, y], ["%a = arith.extsi %in0 : i8 to i32",
                                     "%b = arith.extsi %in1 : i8 to i32",
                                     "%c = arith.addi %a, %b : i32", "%c"], "i32")
        return self.activate(self.requantise(total, 0.7), act)

    def max_pool(self, x, kernel, stride, pad):
        n, h, w, c = x.shape
        sides = [windows(e, kernel, stride, pad, pad) for e in (h, w)]
        x = self.padded(x, pad, "-128")
        init = self.filled((n, *sides, c), "-128", "i8")
        window = self.empty((kernel, kernel), "i8")
        return self.w.op(f"linalg.pooling_nhwc_max {{dilations = dense<1> : vector<2xi64>, strides "
                         f"= dense<{stride}> : vector<2xi64>}} ins({x}, {window} : {x.type}, "
                         f"{window.type}) outs({init} : {init.type}) -> {init.type}", init.shape,
                         "i8")

    def global_average(self, x, keep=False):
        n, h, w, c = x.shape
        init, window = self.filled((n, 1, 1, c)), self.empty((h, w), "i8")
        y = self.w.op(f"linalg.pooling_nhwc_sum {{dilations = dense<1> : vector<2xi64>, strides = "
                      f"dense<1> : vector<2xi64>}} ins({x}, {window} : {x.type}, {window.type}) "
                      f"outs({init} : {init.type}) -> {init.type}", init.shape, "i32")
        y = self.requantise(y, 1 / (h * w))
        return self.w.op(f"tensor.collapse_shape {y} [[0], [1, 2, 3]] : {y.type} into "
                         f"{tensor((n, c), 'i8')}", (n, c), "i8")
