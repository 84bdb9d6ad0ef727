//===- Quantization.h - Tools that quantise what they read ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_SUPPORT_QUANTIZATION_H
#define FADIFF_TOOLS_SUPPORT_QUANTIZATION_H

#include "Images.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace fadiff {

/// The options --quantize, --calibration, --quantize-options and
/// --quantize-report: a static object in the tool's file.
class QuantizationOptions {
public:
  explicit QuantizationOptions(llvm::cl::OptionCategory &category);

  /// Whether the network is to be quantised.
  bool isOn() const { return quantize; }
  /// Where what it cost is to be written; empty for nowhere.
  llvm::StringRef reportFile() const { return report; }

  /// Quantises function `entry` of `module` for `target`, if that is asked for,
  /// and prints what it cost to `os`; `numbers` say what bytes and pixels of
  /// the calibration data are. Fails after a diagnostic, also where the other
  /// options are given without --quantize.
  llvm::LogicalResult apply(mlir::ModuleOp module, llvm::StringRef entry,
                            llvm::StringRef target, llvm::raw_ostream &os,
                            const ImageNumbers &numbers = {}) const;

private:
  llvm::cl::opt<bool> quantize;
  llvm::cl::opt<std::string> calibration, options, report;
};

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_QUANTIZATION_H
