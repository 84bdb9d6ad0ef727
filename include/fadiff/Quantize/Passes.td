//===- Passes.td - Quantisation ----------------------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_QUANTIZE_PASSES
#define FADIFF_QUANTIZE_PASSES

include "mlir/Pass/PassBase.td"

def QuantizePass : Pass<"fadiff-quantize", "::mlir::ModuleOp"> {
  let summary = "Make a network of f32 one of int8";
  let description = [{
    Runs the network on calibration data, chooses the range of each tensor from
    what it sees, and rewrites one function so that contractions multiply int8
    and their sums are read out to int8 by one scale: what the machine can do,
    and nothing else. Arguments and results stay as they are. Softmax, norms and
    whatever else is no contraction, residual sum, pooling or move stays in
    float, between a dequantisation and a quantisation.

    `calibration` is a directory. Where the function has one argument each
    `.npy` or `.pb` file in it is a sample, or several along the first axis, and
    each picture is one; so is each subdirectory, of files `input_0.npy`,
    `input_1.pb`, ....
    `random-samples` takes pseudo-random arguments instead.

    The function is left alone in the module, with what it calls inlined. What
    it all cost is printed, or written as JSON, by `summary`.
    docs/Quantization.md says how everything is computed.
  }];
  // It needs to know how to read files.
  let constructor = "::fadiff::createQuantizePass({})";
  let options = [
    Option<"calibration", "calibration", "std::string", /*default=*/"\"\"",
           "Directory of samples: .npy or .pb files, or subdirectories of "
           "input_<n> files.">,
    Option<"randomSamples", "random-samples", "unsigned", /*default=*/"0",
           "Pseudo-random samples to take instead of a directory "
           "(default: 0, none).">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Seed of the first pseudo-random sample (default: 0).">,
    Option<"entry", "entry", "std::string", /*default=*/"\"\"",
           "The function to quantise (default: main, else the only public "
           "one).">,
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Name of a machine (docs/Hardware.md) or path of a YAML "
           "description: whether there is a scale per channel (default: the "
           "module's own target, else gemmini-large).">,
    Option<"ranges", "ranges", "::fadiff::RangeMethod",
              /*default=*/"::fadiff::RangeMethod::MinMax",
           "How ranges of activations are chosen: minmax, percentile, kl or "
           "mse (default: minmax).">,
    Option<"percentile", "percentile", "double", /*default=*/"99.99",
           "Percent of an activation's numbers that ranges=percentile keeps "
           "from saturating (default: 99.99).">,
    Option<"weightRanges", "weights", "::fadiff::RangeMethod",
              /*default=*/"::fadiff::RangeMethod::MinMax",
           "How ranges of weights are chosen: minmax or mse (default: "
           "minmax).">,
    Option<"equalize", "equalize", "bool", /*default=*/"false",
           "Give the channels between two layers one range by scaling both "
           "layers' weights (default: false).">,
    Option<"biasCorrection", "bias-correction", "bool", /*default=*/"false",
           "Add to biases what the sums are off on average (default: false).">,
    Option<"rounding", "rounding", "::fadiff::Rounding",
              /*default=*/"::fadiff::Rounding::Nearest",
           "How weights are rounded: nearest, or descent on the error of their "
           "layer's sums (default: nearest).">,
    ListOption<"keepFloat", "keep-float", "std::string",
           "Names of layers that stay in float, as the report has them.">,
    Option<"keepFloatBelow", "keep-float-below", "double",
              /*default=*/"-std::numeric_limits<double>::infinity()",
           "Layers whose own signal-to-noise ratio in dB is below this stay in "
           "float (default: -inf, none).">,
    Option<"holdOut", "hold-out", "bool", /*default=*/"true",
           "Choose ranges by every other sample only, and judge by the others, "
           "too (default: true).">,
    Option<"summary", "summary", "std::string", /*default=*/"\"\"",
           "File for the report, as JSON if it ends in .json; - is standard "
           "output (default: none).">
  ];
}

#endif // FADIFF_QUANTIZE_PASSES
