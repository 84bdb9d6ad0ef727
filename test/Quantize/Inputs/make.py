"""Writes a small float network and data to calibrate it with.

usage: make.py OUT [--relu6]

OUT/net.mlir is a network of 8x8 images: convolution, max pooling, a residual
block of two convolutions, a matrix product and softmax, with seeded weights.
OUT/data has 8 images in one file, OUT/pairs two samples in subdirectories.
"""

import math
import pathlib
import random
import struct
import sys

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
rng = random.Random(5)


def dense(shape, scale):
    count = math.prod(shape)
    data = struct.pack(f"<{count}f", *(rng.gauss(0, scale) for _ in range(count)))
    kind = "x".join(map(str, shape)) + "xf32"
    return f'dense<"0x{data.hex().upper()}"> : tensor<{kind}>'


def npy(path, shape, numbers):
    path.parent.mkdir(parents=True, exist_ok=True)
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
                     + header.encode() + struct.pack(f"<{len(numbers)}f", *numbers))


def conv(result, image, weights, bias, extent, cin, cout):
    inner = f"tensor<1x{extent}x{extent}x{cin}xf32>"
    padded = f"tensor<1x{extent + 2}x{extent + 2}x{cin}xf32>"
    outer = f"tensor<1x{extent}x{extent}x{cout}xf32>"
    return f"""
  %{result}_p = tensor.pad {image} low[0, 1, 1, 0] high[0, 1, 1, 0] {{
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  }} : {inner} to {padded}
  %{result}_w = arith.constant {dense((3, 3, cin, cout), 1 / math.sqrt(9 * cin))}
  %{result}_b = arith.constant {dense((cout,), bias)}
  %{result}_e = tensor.empty() : {outer}
  %{result}_i = linalg.broadcast ins(%{result}_b : tensor<{cout}xf32>) outs(%{result}_e : {outer}) dimensions = [0, 1, 2]
  %{result} = linalg.conv_2d_nhwc_hwcf ins(%{result}_p, %{result}_w : {padded}, tensor<3x3x{cin}x{cout}xf32>) outs(%{result}_i : {outer}) -> {outer} loc("{result}")"""


def relu(result, value, extent, channels):
    kind = f"tensor<1x{extent}x{extent}x{channels}xf32>"
    clamp = "\n    %n = arith.minimumf %m, %six : f32" if "--relu6" in sys.argv else ""
    found = "%n" if clamp else "%m"
    return f"""
  %{result}_e = tensor.empty() : {kind}
  %{result} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%{value} : {kind}) outs(%{result}_e : {kind}) {{
  ^bb0(%i: f32, %o: f32):
    %m = arith.maximumf %i, %zero : f32{clamp}
    linalg.yield {found} : f32
  }} -> {kind}"""


text = f"""#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @main(%x: tensor<1x8x8x3xf32>) -> tensor<1x10xf32> {{
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %lowest = arith.constant 0xFF800000 : f32{conv("c1", "%x", "w1", 0.3, 8, 3, 8)}{relu("r1", "c1", 8, 8)}
  %pe = tensor.empty() : tensor<1x4x4x8xf32>
  %pi = linalg.fill ins(%lowest : f32) outs(%pe : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %taps = tensor.empty() : tensor<2x2xf32>
  %pool = linalg.pooling_nhwc_max {{strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}} ins(%r1, %taps : tensor<1x8x8x8xf32>, tensor<2x2xf32>) outs(%pi : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>{conv("c2", "%pool", "w2", 0.3, 4, 8, 8)}{relu("r2", "c2", 4, 8)}{conv("c3", "%r2", "w3", 0.3, 4, 8, 8)}
  %sum = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%c3, %pool : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) outs(%pe : tensor<1x4x4x8xf32>) {{
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.addf %i, %j : f32
    linalg.yield %m : f32
  }} -> tensor<1x4x4x8xf32> loc("sum"){relu("r3", "sum", 4, 8)}
  %flat = tensor.collapse_shape %r3 [[0], [1, 2, 3]] : tensor<1x4x4x8xf32> into tensor<1x128xf32>
  %fw = arith.constant {dense((128, 10), 0.1)}
  %fe = tensor.empty() : tensor<1x10xf32>
  %fi = linalg.fill ins(%zero : f32) outs(%fe : tensor<1x10xf32>) -> tensor<1x10xf32>
  %fc = linalg.matmul ins(%flat, %fw : tensor<1x128xf32>, tensor<128x10xf32>) outs(%fi : tensor<1x10xf32>) -> tensor<1x10xf32> loc("fc")
  %soft = linalg.softmax dimension(1) ins(%fc : tensor<1x10xf32>) outs(%fe : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %soft : tensor<1x10xf32>
}}
"""
(out / "net.mlir").write_text(text)


def image(count=1):
    return [rng.gauss(0, 1) for _ in range(count * 8 * 8 * 3)]


npy(out / "data/images.npy", "(8, 8, 8, 3)", image(8))
for name in ("a", "b"):
    npy(out / f"pairs/{name}/input_0.npy", "(1, 8, 8, 3)", image())
npy(out / "shape/a.npy", "(1, 8, 3, 8)", image())
npy(out / "nan/a.npy", "(1, 8, 8, 3)", [float("nan") if i == 7 else x for i, x in enumerate(image())])
npy(out / "missing/a/input_1.npy", "(1, 8, 8, 3)", image())
npy(out / "rows/a.npy", "(3, 2)", [1, 2, 3, 4, 5, 6])
npy(out / "none/a.npy", "(0, 8, 8, 3)", [])
for name in ("a", "b"):
    (out / "pictures").mkdir(exist_ok=True)
    (out / f"pictures/{name}.ppm").write_bytes(
        b"P6 8 8 255\n" + bytes(rng.randrange(256) for _ in range(192)))
(out / "wide").mkdir(exist_ok=True)
(out / "wide/a.ppm").write_bytes(b"P6 4 2 255\n" + bytes(24))
(out / "empty").mkdir(exist_ok=True)
