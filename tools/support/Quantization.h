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
#include "mlir/Pass/Pass.h"

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
  /// Fails if one of the options cannot be what was meant; for the beginning of
  /// a tool. Says on standard error what of --quantize-options is wrong.
  llvm::Error check(llvm::StringRef target) const;

  /// Quantises function `entry` of `module` for `target`, if that is asked for,
  /// and prints what it cost to `os`; `numbers` say what bytes and pixels of
  /// the calibration data are. Fails after a diagnostic.
  llvm::LogicalResult apply(mlir::ModuleOp module, llvm::StringRef entry,
                            llvm::StringRef target, llvm::raw_ostream &os,
                            const ImageNumbers &numbers = {}) const;

private:
  /// The pass with its options; null after a message about one.
  std::unique_ptr<mlir::Pass> makePass(llvm::StringRef entry,
                                       llvm::StringRef target,
                                       llvm::raw_ostream &os,
                                       const ImageNumbers &numbers) const;

  llvm::cl::opt<bool> quantize;
  llvm::cl::opt<std::string> calibration, options, report;
};

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_QUANTIZATION_H
