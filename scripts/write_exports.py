#!/usr/bin/env python3
"""Writes whole networks as exporters spell them.

  write_exports.py OUT                     every network in every style
  write_exports.py OUT --style torch_linalg --network resnet18

Each file is OUT/<style>/<network>.mlir, or .onnx. The styles are the modules of
scripts/exports, whose heads say what is typical of each. Weights are random.
"""

import argparse
import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "exports"))
import networks  # noqa: E402

STYLES = {
    "own": {**networks.VISION, **networks.SEQUENCES},
    "own_int8": {name: networks.VISION[name] for name in
                 ("resnet18", "resnet50", "mobilenet_v2", "efficientnet_lite")},
    "torch_linalg": {**networks.VISION, **networks.SEQUENCES},
    "torch_tosa": {**networks.VISION, **networks.SEQUENCES},
    "tflite": networks.VISION,
    "tflite_per_channel": networks.VISION,
    "iree": networks.VISION,
    "stablehlo": {**networks.VISION, **networks.SEQUENCES},
    "onnx_f32": {**networks.VISION, **networks.SEQUENCES},
    "onnx_qdq": networks.VISION,
}


def write(out, style, name):
    """Writes one network; returns its path."""
    kind = importlib.import_module(style).Style
    path = out / style / f"{name}{kind.suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = kind().write({**STYLES[style], **networks.FULL_SIZE}[name])
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path, help="folder to write to")
    parser.add_argument("--style", choices=STYLES, action="append")
    parser.add_argument("--network", action="append",
                        choices=[*networks.VISION, *networks.SEQUENCES, *networks.FULL_SIZE])
    options = parser.parse_args()
    for style in options.style or STYLES:
        for name in [*STYLES[style], *networks.FULL_SIZE]:
            if name in (options.network or STYLES[style]):
                write(options.out, style, name)


if __name__ == "__main__":
    main()
