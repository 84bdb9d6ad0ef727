"""quantised.py DIR: writes operands as .npy, and prints what com.microsoft's
operators make of them, in whole numbers and fractions."""

import pathlib
import random
import struct
import sys
from fractions import Fraction

out = pathlib.Path(sys.argv[1])
draw = random.Random(4)


def save(name, code, shape, values):
    kind = {"b": "|i1", "B": "|u1", "f": "<f4"}[code]
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (117 - len(head)) + "\n"
    data = struct.pack(f"<{len(values)}{code}", *values)
    (out / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def quantised(value, zero, low, high):
    return max(low, min(high, round(value) + zero)) # halves to even, as ONNX has it


def show(name, values):
    # Unsigned bytes are printed as the signed ones of their bits.
    print(f"{name}:", *[v - 256 if v > 127 else v for v in values])


# QGemm, uint8: A [2, 4] scale 1/2, zero 3; B [4, 3] scale 1/4, zero 130, C in
# steps of 1/8; result scale 2, zero 100.
a = [draw.randrange(256) for _ in range(8)]
b = [int(v) for v in (1, 255, 130, 0, 7, 99, 200, 131, 129, 64, 12, 250)]
c = [40, -7, 1000]
save("a.npy", "B", (2, 4), a)
sums = [sum((a[i * 4 + k] - 3) * (b[k * 3 + j] - 130) for k in range(4)) + c[j]
        for i in range(2) for j in range(3)]
show("gemm", [quantised(Fraction(s, 8) / 2, 100, 0, 255) for s in sums])
# QLinearAdd, int8: scales 1/2 and 1/4, zeros 1 and -5; result 3/4, zero 2. The
# scale of the result is a float: quotients are not halves.
x = [draw.randrange(-128, 128) for _ in range(12)]
y = [draw.randrange(-128, 128) for _ in range(3)]
save("x.npy", "b", (4, 3), x)
save("y.npy", "b", (3,), y)
total = [Fraction(v - 1, 2) + Fraction(y[i % 3] + 5, 4) for i, v in enumerate(x)]
show("add", [quantised(t / Fraction(3, 4), 2, -128, 127) for t in total])
# QLinearGlobalAveragePool, uint8: scale 1/2, zero 10; result scale 1, zero 4.
p = [draw.randrange(256) for _ in range(2 * 4)]
save("p.npy", "B", (1, 2, 2, 2), p)
show("pool", [quantised(Fraction(sum(p[i * 4:i * 4 + 4]) - 40, 4) / 2, 4, 0, 255)
              for i in range(2)])
# ConvTranspose between dequantisation and quantisation, uint8: image [1, 2, 3, 3]
# scale 1/2, zero 7; weights [2, 3, 3, 3] scale 1/4, zero -2, as the test counts them;
# stride 2, padding 1, 0, 0, 1; result scale 3, zero 100.
t = [draw.randrange(256) for _ in range(18)]
save("t.npy", "B", (1, 2, 3, 3), t)
w = [(i * 37) % 255 - 127 for i in range(54)]
sums = {}
for c in range(2):
    for i in range(3):
        for j in range(3):
            for f in range(3):
                for u in range(3):
                    for v in range(3):
                        at = (f, 2 * i + u - 1, 2 * j + v)
                        sums[at] = (sums.get(at, 0) + (t[c * 9 + i * 3 + j] - 7)
                                    * (w[((c * 3 + f) * 3 + u) * 3 + v] + 2))
show("transposed", [quantised(Fraction(sums[f, i, j], 8) / 3, 100, 0, 255)
                    for f in range(3) for i in range(6) for j in range(6)])
# DynamicQuantizeLinear, whose range of -100 to 155 is the scale 1 and the zero point
# 100, and MatMulInteger with int8 of zero point 1.
x = [-100, 155, 3, -7, 20, 0, 99, 1]
w = [1, -5, 2, 0, 7, 9, -8, 3, -1, 64, -12, -20]
save("dynamic.npy", "f", (2, 4), x)
print("dynamic:", *[sum(x[i * 4 + k] * (w[k * 3 + j] - 1) for k in range(4))
                    for i in range(2) for j in range(3)])
