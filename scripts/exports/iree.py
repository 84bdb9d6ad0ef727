"""A TFLite model where IREE starts to form dispatches, int8.

The network of `tflite` after upstream's lowering to linalg: convolutions with
zero points as operands, unit dims dropped, elementwise operations fused, so
that a rescale with its multiplier is part of a body. Needs mlir-opt.
"""

import shutil
import subprocess

import tflite

LOWERING = ("builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{"
            "include-apply-rescale=true},tosa-to-tensor,canonicalize,cse),"
            "linalg-fold-unit-extent-dims,linalg-fuse-elementwise-ops,canonicalize,cse)")


class Style(tflite.Style):

    def write(self, network):
        tool = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
        if not tool:
            raise SystemExit("the style 'iree' needs mlir-opt; install the package mlir-22-tools")
        done = subprocess.run([tool, f"--pass-pipeline={LOWERING}"], input=super().write(network),
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{tool}: {done.stderr}")
        return done.stdout
