"""The spelling of generate_networks.py, f32: what the other rows are held against.

Channels last, weights as arguments, a bias where others have batch
normalisation, ReLU as a maximum with a number.
"""

import stablehlo
import torch_linalg


class Style(stablehlo.Style):
    def each(self, inputs, body, out=None):
        return torch_linalg.Style.each(self, inputs, body, out)

    def weight(self, shape, deviation, mean=0.0, least=None):
        reach = 3 ** 0.5 * deviation
        return self.w.argument(shape, "f32", fill=f"uniform({mean - reach:.6f},{mean + reach:.6f})")

    def norm(self, x):
        return self.add(x, self.weight((x.shape[-1],), 0.1))

    def activate(self, x, act):
        if act == "relu":
            zero = self.w.scalar("0.000000e+00", "f32")
            return self.each([x], [f"%a = arith.maximumf %in0, {zero} : f32", "%a"])
        return torch_linalg.Style.activate(self, x, act)
