"""FADiff: schedules networks for tensor accelerators and runs them.

    import fadiff
    net = fadiff.load("model.onnx", dims={"batch": 1})
    plan = fadiff.schedule(net, target="gemmini", objective="latency")
    outputs = plan.run([image])

docs/Python.md goes through it. Whatever is refused raises fadiff.Error with the text
that the tools print: what was wanted, what was found, where.
"""

import json
import os
import pathlib
import tempfile

import numpy

from . import _fadiff
from ._fadiff import Error

__version__ = _fadiff.version
__all__ = ["Error", "Network", "Plan", "Run", "load", "quantize", "schedule"]


class Run:
    """What a run gave: `outputs`, NumPy arrays, and for one on the simulated
    machine `cycles`, `dram_read` and `dram_written` (bytes)."""

    def __init__(self, run):
        self.outputs = run.outputs
        self.cycles = run.cycles
        self.dram_read = run.dram_read
        self.dram_written = run.dram_written


class Network:
    """A network that was read. `inputs` and `outputs` are types with `name`,
    `dtype` and `shape`, `text` is the module in MLIR, `quantization` what
    quantize() measured, a dictionary, or None."""

    def __init__(self, handle):
        self._handle = handle
        self.inputs = handle.inputs
        self.outputs = handle.outputs
        self.quantization = json.loads(handle.quantization or "null")

    @property
    def text(self):
        return self._handle.text

    def run(self, inputs):
        """The outputs as arrays, computed on the host, with nothing on an
        accelerator. `inputs` are arrays of the arguments' types and shapes."""
        return self._handle.run(list(inputs)).outputs


class Plan:
    """A network that is scheduled.

    value, bound   the objective (uJ * cycles, pJ or cycles), and what no legal
                   schedule can get below, or NaN
    energy, cycles predicted, pJ and cycles
    nests          per loop nest a dictionary: name, mapping, trips, energy_pj,
                   cycles, dram_read, dram_write
    costs          the same numbers as a structured array, a row per nest
    summary        what the search found and what stays on the host, a
                   dictionary per function (docs/Search.md, docs/Frontends.md)
    text           the scheduled module in MLIR
    """

    def __init__(self, handle):
        self._handle = handle
        self.value, self.bound = handle.value, handle.bound
        self.energy, self.cycles = handle.energy, handle.cycles
        self.summary = json.loads(handle.summary)
        self.nests = json.loads(handle.nests)
        self.costs = numpy.array(
            [(n["energy_pj"], n["cycles"], n["dram_read"], n["dram_write"]) for n in self.nests],
            dtype=[("energy_pj", float), ("cycles", float), ("dram_read", numpy.int64),
                   ("dram_write", numpy.int64)])

    @property
    def text(self):
        return self._handle.text

    def simulate(self, inputs):
        """Runs the program on the simulated machine; gives a Run."""
        return Run(self._handle.run(list(inputs)))

    def run(self, inputs):
        """The outputs of the program on the simulated machine, as arrays."""
        return self.simulate(inputs).outputs

    def report(self, path):
        """Writes the numbers of this plan to a file, as JSON."""
        with open(path, "w", encoding="utf-8") as file:
            bound = None if numpy.isnan(self.bound) else self.bound
            json.dump({"value": self.value, "bound": bound, "energy_pj": self.energy,
                       "cycles": self.cycles, "nests": self.nests, "functions": self.summary},
                      file, indent=2)
            file.write("\n")


def load(path, dims=None, entry="", bind=None):
    """Reads a model of ONNX (a name that ends in .onnx) or a module of MLIR. `dims`
    are extents that a model leaves open, by their names; `entry` is the function to
    take, if that is not @main or the only public one. `bind` makes inputs of a
    model constants: names, with a file (.npy, .pb) or an array for each."""
    texts = [f"{name}={extent}" for name, extent in (dims or {}).items()]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for index, (name, value) in enumerate((bind or {}).items()):
            if isinstance(value, numpy.ndarray):
                path_of_value = pathlib.Path(folder) / f"{index}.npy"
                numpy.save(path_of_value, value)
                value = path_of_value
            files.append(f"{name}={os.fspath(value)}")
        return Network(_fadiff.load(os.fspath(path), texts, files, entry))


def _words(options):
    """Options of a pass, as it takes them."""
    def text(value):
        return str(value).lower() if isinstance(value, bool) else str(value)

    words = []
    for name, value in options.items():
        word = text(value)
        if "}" in word or "{" in word:
            raise Error(f"option {name}: wanted no braces, found '{word}'")
        words.append(f"{name.replace('_', '-')}={{{word}}}" if " " in word else
                     f"{name.replace('_', '-')}={word}")
    return " ".join(words)


def quantize(net, calibration=None, **options):
    """A network of f32 as one that computes in int8, with the same inputs and
    outputs. `calibration` is a directory (docs/Quantization.md), or a list of
    samples: an array, or a list of one for each argument. Options are those of
    --fadiff-quantize with _ for -: target, ranges, weights, equalize,
    bias_correction, rounding, keep_float, ..."""
    if calibration is None or isinstance(calibration, (str, os.PathLike)):
        if calibration is not None:
            options["calibration"] = os.fspath(calibration)
        return Network(_fadiff.quantize(net._handle, _words(options)))
    with tempfile.TemporaryDirectory() as folder:
        for index, sample in enumerate(calibration):
            place = pathlib.Path(folder) / f"sample_{index:06}"
            place.mkdir()
            arrays = [sample] if isinstance(sample, numpy.ndarray) else sample
            for i, array in enumerate(arrays):
                numpy.save(place / f"input_{i}.npy", numpy.ascontiguousarray(array))
        options["calibration"] = folder
        return Network(_fadiff.quantize(net._handle, _words(options)))


def schedule(net, **options):
    """Schedules a network. Options are those of --fadiff-schedule
    (docs/Passes/Schedule.md) with _ for -: target, objective, requantize,
    time_limit, seed, constraint, fuse, optimizer, ..."""
    return Plan(_fadiff.schedule(net._handle, _words(options)))
