//===- Passes.h - Quantisation as a pass ------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_QUANTIZE_PASSES_H
#define FADIFF_QUANTIZE_PASSES_H

#include "fadiff/Quantize/Options.h"
#include "fadiff/Quantize/Quantize.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <memory>

namespace fadiff {

#define GEN_PASS_DECL
#include "fadiff/Quantize/Passes.h.inc"

/// As TensorReader, but kept.
using OwnedTensorReader = std::function<llvm::Expected<HostTensor>(
    llvm::StringRef path, const TensorSpec &wanted)>;

/// Gets the report of a quantisation.
using ReportReader = std::function<void(const QuantizationReport &)>;

/// The pass `fadiff-quantize`, which reads calibration data by `read`. The
/// report is printed to `os` and given to `report`, if there are such, beside
/// what the option `summary` asks for.
std::unique_ptr<mlir::Pass> createQuantizePass(OwnedTensorReader read,
                                               llvm::raw_ostream *os = nullptr,
                                               ReportReader report = {});

/// Makes it known by its name.
void registerQuantizePass(OwnedTensorReader read);

} // namespace fadiff

#endif // FADIFF_QUANTIZE_PASSES_H
