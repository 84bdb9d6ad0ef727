#!/usr/bin/env python3
#===- fuzz_data.py - Damaged input and calibration data ------------------===#
#
# Part of the FADiff project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Reads damaged data: .npy and .pb tensors, PPM, PGM, PNG and JPEG pictures,
as inputs of a network and to calibrate a quantisation. Each is taken or refused
with an error that names the file; none crashes a tool, hangs it or takes all
memory, and no calibration takes what is not finite.

usage: fuzz_data.py [--seed N] [--count N] [--jobs N] [--build-dir DIR]
                    [--out DIR]

Files are made here and damaged: bytes flipped, cut off, repeated; numbers in
headers replaced; the fields of TensorProtos changed, with lengths that fit again;
the fields of PNG's chunks changed, with checksums that fit again; other types and
shapes; NaN and infinities. Prints each failure and a line with the counts, exits
with 1 if there was a failure, and leaves the files that failed in --out.
"""

import math
import re
import struct
import sys
import zlib
from pathlib import Path

import damaged

SHAPE = (1, 3, 4, 4)
NETWORK = """func.func @main(%x: tensor<1x3x4x4xf32>) -> tensor<1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.25> : tensor<48x2xf32>
  %flat = tensor.collapse_shape %x [[0], [1, 2, 3]] : tensor<1x3x4x4xf32> into tensor<1x48xf32>
  %empty = tensor.empty() : tensor<1x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2xf32>) -> tensor<1x2xf32>
  %y = linalg.matmul ins(%flat, %w : tensor<1x48xf32>, tensor<48x2xf32>)
    outs(%init : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
"""
EXTENTS = [0, 1, 2, 3, 4, 5, 48, 65535, 65536, (1 << 28) + 1, (1 << 31) - 1, 1 << 31,
           1 << 32, 1 << 61, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64, -1]
# A JPEG of 4x4 grey pixels: an 8x8 block with a DC coefficient alone.
JPEG = (b"\xff\xd8\xff\xdb\x00\x43\x00" + bytes([8] * 64)
        + b"\xff\xc0\x00\x0b\x08\x00\x04\x00\x04\x01\x01\x11\x00"
        + b"\xff\xc4\x00\x14\x00\x01" + bytes(15) + b"\x07"
        + b"\xff\xc4\x00\x14\x10\x01" + bytes(15) + b"\x00"
        + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x24\x3f\xff\xd9")


def numbers(draw, count=48):
    """Floats; now and then one of them is none."""
    found = [draw.uniform(-1, 1) for _ in range(count)]
    if draw.random() < 0.2:
        found[draw.randrange(count)] = draw.choice([math.nan, math.inf, -math.inf, 3e38, 1e-45])
    return struct.pack(f"<{count}f", *found)


def npy(draw):
    descr, shape, data = "<f4", SHAPE, numbers(draw)
    if draw.random() < 0.2:
        descr = draw.choice(["<f8", ">f4", "|u1", "<i4", "<f2", "|b1", "|O", "<U4", "<c8"])
        data = (data * 4)[:48 * int(re.sub(r"\D", "", descr) or 8)]
    if draw.random() < 0.2:
        shape = draw.choice([(), (48,), (3, 4, 4), (2, 3, 4, 4), (1, 4, 4, 3), (0, 3, 4, 4)])
    version = draw.choice([1, 1, 2, 3])
    size = 2 if version == 1 else 4
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    found = list(re.finditer(r"\d+", head))
    if found and draw.random() < 0.3:
        number = draw.choice(found)
        head = head[:number.start()] + str(draw.choice(EXTENTS)) + head[number.end():]
    head += " " * (-(len(head) + 9 + size) % 64) + "\n"
    return (b"\x93NUMPY" + bytes([version, 0]) + len(head).to_bytes(size, "little")
            + head.encode() + data)


def tensor(draw):
    """A TensorProto, its numbers as bytes or one by one."""
    dims = [[1, 0, extent] for extent in SHAPE]
    data = numbers(draw)
    values = ([[9, 2, data]] if draw.random() < 0.5 else
              [[4, 5, data[i:i + 4]] for i in range(0, len(data), 4)])
    plain = damaged.encode([*dims, [2, 0, 1], [8, 2, b"x"], *values])
    return damaged.change_fields(draw, plain) if draw.random() < 0.5 else plain


def netpbm(draw):
    kind = draw.choice("36")
    head = [4, 4, 255]
    if draw.random() < 0.4:
        head[draw.randrange(3)] = draw.choice(EXTENTS)
    pixels = bytes(draw.randrange(256) for _ in range(48))
    body = pixels if kind == "6" else " ".join(map(str, pixels)).encode()
    return f"P{kind} {head[0]} # width\n{head[1]} {head[2]}\n".encode() + body


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


def png(draw):
    head = [4, 4, 8, 2, 0, 0, 0]
    rows = b"".join(b"\0" + bytes(draw.randrange(256) for _ in range(12)) for _ in range(4))
    data = zlib.compress(rows)
    if draw.random() < 0.3:
        at = draw.randrange(7)
        most = (1 << 32) - 1 if at < 2 else 255
        head[at] = draw.choice([e for e in EXTENTS if 0 <= e <= most])
    if draw.random() < 0.3:
        data = damaged.change_bytes(draw, data)
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", *head)), chunk(b"IDAT", data)]
    if draw.random() < 0.2:
        parts.insert(1, chunk(draw.choice([b"PLTE", b"tRNS", b"gAMA", b"iCCP", b"zTXt"]),
                              bytes(draw.randrange(256) for _ in range(draw.randrange(40)))))
    if draw.random() < 0.1:
        draw.shuffle(parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


def jpeg(draw):
    return JPEG


MAKERS = {"npy": npy, "pb": tensor, "ppm": netpbm, "pgm": netpbm, "png": png, "jpg": jpeg}


def is_finite(path):
    """Whether a file of 48 floats that is well formed has no other numbers."""
    data = path.read_bytes()[-192:]
    if path.suffix != ".npy" or len(data) < 192:
        return True
    values = struct.unpack("<48f", data)
    return all(map(math.isfinite, values))


def main():
    options = damaged.parser("data").parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    network = options.out / "network.mlir"
    network.write_text(NETWORK, encoding="utf-8")

    def case(draw, name):
        calibrates = draw.random() < 0.3
        ending = draw.choice(["npy", "pb"] if calibrates else list(MAKERS))
        data = MAKERS[ending](draw)
        if draw.random() < 0.5:
            data = damaged.change_bytes(draw, data)
        folder = options.out / name
        folder.mkdir(exist_ok=True)
        path = folder / f"data.{ending}"
        path.write_bytes(data)
        command = ([options.build_dir / "bin/fadiff-opt", network, "-o", "/dev/null",
                    f"--fadiff-quantize=calibration={folder} target=gemmini"] if calibrates else
                   [options.build_dir / "bin/fadiff-run", network, "--reference-only",
                    "--image-layout=nchw", f"--inputs={path}"])
        found = damaged.try_one(command,
                                lambda text: "error: " in text and path.name in text)
        if calibrates and found is True and not is_finite(path):
            found = "calibrates with numbers that are not finite"
        if not isinstance(found, str):
            path.unlink()
            folder.rmdir()
        return path, found

    return damaged.run_cases("data", options, case)


if __name__ == "__main__":
    sys.exit(main())
