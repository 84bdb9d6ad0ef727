//===- Quantize.h - A float network as one of int8 --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Post-training quantisation for machines that multiply int8: what becomes
// int8, and by which formulas, is in docs/Quantization.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_QUANTIZE_QUANTIZE_H
#define FADIFF_QUANTIZE_QUANTIZE_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Quantize/Options.h"
#include "fadiff/Quantize/Samples.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace fadiff {

struct QuantizeOptions {
  /// What the machine's read-out can do.
  ReadOutFeatures readOut;
  RangeMethod ranges = RangeMethod::MinMax;
  /// Of RangeMethod::Percentile, in percent.
  double percentile = 99.99;
  /// Of weights: MinMax or Mse.
  RangeMethod weightRanges = RangeMethod::MinMax;
  bool equalize = false;
  bool biasCorrection = false;
  Rounding rounding = Rounding::Nearest;
  /// Names of layers that stay in float.
  std::vector<std::string> keepFloat;
  /// Layers whose own signal-to-noise ratio is below this stay in float (dB).
  double keepFloatBelow = -std::numeric_limits<double>::infinity();
  /// Whether every second sample is only used to judge the result.
  bool holdOut = true;
  /// Most bytes of tensors of the float network that are kept between passes
  /// over the samples; what does not fit is computed again.
  uint64_t keptBytes = uint64_t(1) << 30;
};

/// A layer in int8, against the same one in float.
struct QuantizedLayer {
  std::string name;
  bool isSum = false;
  double inputScale = 1, outputScale = 1;
  std::vector<double> weightScales; ///< one, one per channel, or none
  SignalToNoise weights;
  /// Of its output, when it alone is in int8 and its inputs are those of the
  /// float network; overall and for each output channel.
  SignalToNoise own;
  std::vector<SignalToNoise> channels;
  /// Of its output in the network as a whole.
  SignalToNoise whole;
  /// Bytes of the output in the whole network that are -128 or 127.
  uint64_t saturated = 0, elements = 0;
};

/// How often the largest element of a row of an output is the same one.
struct Agreement {
  uint64_t same = 0, rows = 0;
};

struct QuantizedOutput {
  SignalToNoise calibration, heldOut;
  Agreement top1, top1HeldOut;
};

/// An output of one sample.
struct SampleOutput {
  std::string sample;
  unsigned output = 0;
  bool isHeldOut = false;
  SignalToNoise ratio;
};

struct QuantizationReport {
  unsigned samples = 0, heldOut = 0;
  std::vector<QuantizedLayer> layers;
  /// Contractions that stay in float, and why.
  std::vector<std::pair<std::string, std::string>> left;
  std::vector<QuantizedOutput> outputs;
  std::vector<SampleOutput> worst; ///< worst first

  void print(llvm::raw_ostream &os) const;
  llvm::json::Object toJson() const;
};

/// Where the inputs come from that ranges are observed with.
using SampleSource =
    std::function<llvm::Expected<std::vector<Sample>>(const EntryPoint &)>;

/// Makes the function `entry` of `module` (`main`, or the only public one, if
/// empty) one that computes in int8 what the machine can, with the same
/// arguments and results; it is left alone in the module, with what it calls
/// inlined. Fails with a diagnostic, the module then being of no use.
mlir::FailureOr<QuantizationReport>
quantizeNetwork(mlir::ModuleOp module, llvm::StringRef entry,
                const QuantizeOptions &options, const SampleSource &samples);

} // namespace fadiff

#endif // FADIFF_QUANTIZE_QUANTIZE_H
