"""Pictures of images.test, without a library: images.py OUT."""

import pathlib
import struct
import sys
import zlib

out = pathlib.Path(sys.argv[1])
PIXELS = bytes([*range(0, 170, 10), 255])  # 3 wide, 2 high, red, green, blue


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


def png(width, height, depth, kind, rows, extra=b""):
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra
            + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows)))
            + chunk(b"IEND", b""))


def npy(descr, shape, data):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def jpeg(grey):
    """A grey JPEG of 8x8 pixels, all the same: one block with a DC coefficient
    alone. Of value 8 * (grey - 128) / 8 with a quantiser of 8."""
    value = grey - 128
    size = abs(value).bit_length()
    bits = f"0{value if value >= 0 else value + (1 << size) - 1:0{size}b}" + "0"
    bits += "1" * (-len(bits) % 8)
    scan = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))

    def segment(mark, data):
        return bytes([0xFF, mark]) + struct.pack(">H", len(data) + 2) + data

    return (b"\xff\xd8" + segment(0xDB, b"\0" + bytes([8] * 64))
            + segment(0xC0, struct.pack(">BHHB", 8, 8, 8, 1) + b"\x01\x11\x00")
            + segment(0xC4, b"\x00" + bytes([1] + [0] * 15) + bytes([size]))
            + segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\x00")
            + segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + scan + b"\xff\xd9")


rows = [PIXELS[:9], PIXELS[9:]]
files = {
    "a.ppm": b"P6 3 2 255\n" + PIXELS,
    "wide.ppm": b"P6 4 2 255\n" + bytes(24),
    "short.ppm": b"P6 3 2 255\n" + PIXELS[:17],
    "deep.ppm": b"P6 3 2 65535\n" + bytes(36),
    "a.png": png(3, 2, 8, 2, rows),
    "palette.png": png(3, 2, 8, 3, [b"\0\1\2", b"\3\4\5"], chunk(b"PLTE", PIXELS)),
    "alpha.png": png(3, 2, 8, 6, [bytes(12)] * 2),
    "sixteen.png": png(3, 2, 16, 2, [bytes(18)] * 2),
    "grey.jpg": jpeg(200),
    "batch.npy": npy("|u1", "(2, 1, 1, 2)", bytes([0, 255, 1, 2])),
    "floats.npy": npy("<f4", "(2, 1, 1, 2)", struct.pack("<4f", 1, 2, 3, 4)),
    "scores.npy": npy("<f4", "(2, 3)", struct.pack("<6f", 1, -1, 5, 0.5, 4, 0.25)),
}
files["cut.png"] = files["a.png"][:50]
files["cut.jpg"] = files["grey.jpg"][:40]
for name, data in files.items():
    (out / name).write_bytes(data)
