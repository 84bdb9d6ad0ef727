#!/usr/bin/env python3
"""Small modules of torch.nn and what people write around them, as torch.onnx.export
spells them, against what torch computes.

  check_exports.py BUILD_DIR                   opsets 17 and 11, fixed and open batch
  check_exports.py BUILD_DIR --opset 13 --module lstm --keep DIR

Each is exported, run by `fadiff-run --reference-only` and compared; integers exactly,
floats within 1e-4 of the largest. What torch itself cannot export in an opset is
counted apart. Exit code 1 if one is refused or differs. Needs Debian's python3-torch
and python3-onnx.
"""

import argparse
import io
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy
import torch
from torch import nn
from torch.nn import functional as fn

TOLERANCE = 1e-4


class Call(nn.Module):
    """`function(modules, *inputs)`."""

    def __init__(self, function, *modules):
        super().__init__()
        self.function, self.inner = function, nn.ModuleList(modules)

    def forward(self, *inputs):
        return self.function(self.inner, *inputs)


def image(channels, extent=10):
    return torch.randn(1, channels, extent, extent)


def sequence(length=6, width=16):
    return torch.randn(1, length, width)


def resize(**options):
    return lambda: (Call(lambda m, x: fn.interpolate(m[0](x), **options), nn.Conv2d(3, 4, 3)),
                    image(3))


# Per name what makes the module and its inputs.
MODULES = {
    "lstm": lambda: (Call(lambda m, x: m[0](x)[0],
                          nn.LSTM(16, 8, 2, batch_first=True, bidirectional=True)), sequence()),
    "gru": lambda: (Call(lambda m, x: m[0](x)[0], nn.GRU(16, 8, 2, batch_first=True)), sequence()),
    "rnn": lambda: (Call(lambda m, x: m[0](x)[1], nn.RNN(16, 8)), sequence()),
    "attention": lambda: (Call(lambda m, x: m[0](x, x, x)[0],
                               nn.MultiheadAttention(16, 4, batch_first=True)), sequence()),
    "encoder": lambda: (nn.TransformerEncoder(nn.TransformerEncoderLayer(
        16, 4, 32, batch_first=True, norm_first=True), 2), sequence()),
    "decoder": lambda: (nn.TransformerDecoderLayer(16, 4, 32, batch_first=True),
                        sequence(), sequence(5)),
    "bilinear": resize(scale_factor=2, mode="bilinear", align_corners=False),
    "corners": resize(size=(17, 19), mode="bilinear", align_corners=True),
    "bicubic": resize(size=(17, 19), mode="bicubic"),
    "nearest": lambda: (Call(lambda m, x: fn.interpolate(
        m[0](x), size=(x.shape[2] * 2, x.shape[3] * 3)), nn.Conv2d(3, 4, 3)), image(3)),
    "norms": lambda: (nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(4, 8), nn.SiLU(),
                                    nn.InstanceNorm2d(8, affine=True), nn.Mish()), image(3)),
    "shuffle": lambda: (nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1, padding_mode="reflect"), nn.PixelShuffle(2),
        nn.PixelUnshuffle(2), nn.PReLU(8), nn.Hardtanh(-1, 2), nn.ELU(), nn.Softplus()), image(3)),
    "padding": lambda: (nn.Sequential(
        nn.ReplicationPad2d(2), nn.Conv2d(3, 8, 3, padding=1, padding_mode="circular"), nn.GELU(),
        nn.LogSoftmax(1), nn.Softmin(1)), image(3)),
    "transposed": lambda: (nn.Sequential(
        nn.ConvTranspose2d(3, 6, 3, stride=2, padding=1, output_padding=1, groups=3),
        nn.ConvTranspose2d(6, 4, 4, stride=3, dilation=2), nn.ConvTranspose2d(4, 2, 2, 2)),
        image(3, 7)),
    "conv1d": lambda: (nn.Sequential(
        nn.Conv1d(3, 6, 5, stride=2, padding=2, dilation=2), nn.BatchNorm1d(6), nn.ReLU6(),
        nn.ConvTranspose1d(6, 3, 4, 2, 1), nn.MaxPool1d(2), nn.AvgPool1d(3, 1, 1),
        nn.AdaptiveAvgPool1d(1), nn.Flatten()), torch.randn(1, 3, 40)),
    "conv3d": lambda: (nn.Sequential(
        nn.Conv3d(2, 4, 3, padding=1), nn.BatchNorm3d(4), nn.ReLU(), nn.MaxPool3d(2),
        nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(4, 3)), torch.randn(1, 2, 6, 6, 6)),
    "pools": lambda: (nn.Sequential(
        nn.MaxPool2d(3, 2, 1, ceil_mode=True),
        nn.AvgPool2d(3, 2, 1, count_include_pad=False, ceil_mode=True), nn.AvgPool2d(3, 1, 1)),
        image(3, 32)),
    "embedding": lambda: (Call(lambda m, x: (m[0](x) * m[1](x).sigmoid()).sum(1),
                               nn.Embedding(50, 8), nn.Embedding(50, 8)),
                          torch.randint(0, 50, (1, 7))),
    "slices": lambda: (Call(lambda m, x: torch.stack(
        [x[:, 1::2], x[:, :-1:2]], -1).flatten(1).cumsum(1)[:, -3:].clamp(min=-1)),
        sequence(8, 3)),
    "parts": lambda: (Call(lambda m, x: sum(
        a * b.tanh() for a, b in zip(x.chunk(3, 1), x.split([2, 2, 2], 1)))), sequence(6, 3)),
    "reductions": lambda: (Call(lambda m, x: fn.normalize(x, dim=1) + x.norm(dim=1, keepdim=True)
                                + x.std(1, keepdim=True) + x.var((1, 2), keepdim=True)
                                + x.amax((1,), keepdim=True)), sequence(6, 3)),
    "masks": lambda: (Call(lambda m, x: torch.where(x > 0, x, x.exp() - 1).masked_fill(
        x.tril() == 0, -3.0) + (x @ x.transpose(1, 2)).softmax(-1).triu()), sequence(4, 4)),
    "sorted": lambda: (Call(lambda m, x: torch.cat(
        [x.topk(3, 1)[0], x.argmax(1, keepdim=True).float(), x.sort(1, descending=True)[0]], 1)),
        sequence(7, 2)),
    "gather": lambda: (Call(lambda m, x, i: x.gather(1, i) + torch.index_select(
        x, 1, torch.tensor([2, 0])) + x[:, [1, 1]]), sequence(3, 4),
        torch.randint(0, 3, (1, 2, 4))),
    "scatter": lambda: (Call(lambda m, x, i: torch.zeros(1, 5, 4).scatter(1, i, x)),
                        sequence(3, 4), torch.tensor([[[0] * 4, [2] * 4, [4] * 4]])),
    "one_hot": lambda: (Call(lambda m, x: fn.one_hot(x, 6) * 2), torch.randint(0, 6, (1, 3))),
    "repeats": lambda: (Call(lambda m, x: torch.roll(x, (1, -2), (1, 2)).flip(1).repeat(1, 2, 1)
                             + x.unsqueeze(1).expand(-1, 2, -1, -1).reshape(1, 8, -1)),
                       sequence(4, 5)),
    "unfold": lambda: (Call(lambda m, x: fn.unfold(x, 3, padding=1)), image(2, 5)),
    "products": lambda: (Call(lambda m, x: torch.einsum("bij,bkj->bik", x, x) + torch.bmm(
        x, x.permute(0, 2, 1)) + torch.baddbmm(torch.eye(4), x, x.transpose(1, 2))),
        sequence(4, 5)),
    "arithmetic": lambda: (Call(lambda m, x: x.floor() + x.round() + x.sign() + x.abs().log1p()
                                + x.abs().rsqrt() + x.square() + torch.atan(x) + torch.erf(x)
                                + torch.fmod(x, 0.7) + torch.remainder(x, 0.7)
                                + torch.minimum(x, x * 2) + torch.logsumexp(x, 1, keepdim=True)
                                + fn.hardsigmoid(x) + fn.hardswish(x) + fn.softsign(x)
                                + fn.glu(torch.cat([x, x], 1), 1)), sequence(4, 5)),
}


def check(fadiff_run, folder, name, opset, open_batch):
    """"" if the module's outputs are torch's, "-" if torch does not export it,
    else what is wrong."""
    torch.manual_seed(3)
    module, *inputs = MODULES[name]()
    module.eval()
    for inner in module.modules():
        if isinstance(inner, nn.modules.batchnorm._BatchNorm):
            nn.init.uniform_(inner.running_mean, -0.2, 0.2)
            nn.init.uniform_(inner.running_var, 0.5, 1.5)
    wanted = module(*inputs)
    names, out = [f"input_{i}" for i in range(len(inputs))], io.BytesIO()
    try:
        torch.onnx.export(module, tuple(inputs), out, opset_version=opset, input_names=names,
                          output_names=["output"],
                          dynamic_axes={n: {0: "batch"} for n in names} if open_batch else None)
    except (torch.onnx.errors.UnsupportedOperatorError, torch.onnx.errors.SymbolicValueError):
        return "-"
    stem = f"{name}.{opset}{'.open' if open_batch else ''}"
    model, found = folder / f"{stem}.onnx", folder / f"{stem}.output.npy"
    model.write_bytes(out.getvalue())
    files = []
    for i, value in enumerate(inputs):
        files.append(folder / f"{stem}.{i}.npy")
        numpy.save(files[-1], value.numpy())
    done = subprocess.run(
        [fadiff_run, model, "--reference-only", "--inputs=" + ",".join(map(str, files)),
         f"--outputs={found}", *(["--dim=batch=1"] if open_batch else [])],
        capture_output=True, text=True, timeout=300)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        return errors[0] if errors else f"ends with {done.returncode}"
    got, wanted = numpy.load(found), wanted.detach().numpy()
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"wanted {wanted.dtype} of {wanted.shape}, found {got.dtype} of {got.shape}"
    if not numpy.issubdtype(got.dtype, numpy.floating):
        return "" if (got == wanted).all() else "integers differ"
    share = abs(got - wanted).max() / abs(wanted).max()
    return "" if share <= TOLERANCE else f"differs by {share:.1e} of the largest"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, help="build directory")
    parser.add_argument("--opset", type=int, action="append", help="default 17 and 11")
    parser.add_argument("--module", choices=MODULES, action="append")
    parser.add_argument("--keep", type=pathlib.Path, help="folder to leave the models in")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    passed = failed = unexported = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for opset in options.opset or (17, 11):
            for name in options.module or MODULES:
                for open_batch in (False, True):
                    wrong = check(options.build / "bin" / "fadiff-run", folder, name, opset,
                                  open_batch)
                    passed += not wrong
                    unexported += wrong == "-"
                    if wrong and wrong != "-":
                        failed += 1
                        print(f"failed: {name}, opset {opset}"
                              f"{', open batch' if open_batch else ''}: {wrong}", flush=True)
    print(f"modules: {passed} passed, {failed} failed, {unexported} that torch does not export")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
