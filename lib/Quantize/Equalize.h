//===- Equalize.h - Channels of one range -----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_QUANTIZE_EQUALIZE_H
#define FADIFF_LIB_QUANTIZE_EQUALIZE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fadiff::quantize {

/// Where one contraction alone reads another one's output, behind nothing but
/// ReLU, zero padding and max pooling, divides what the first computes for each
/// channel by a factor by which it multiplies the second's weights, so that
/// both have the same range in that channel (Nagel et al., Data-Free
/// Quantization Through Weight Equalization and Bias Correction, ICCV 2019).
/// In exact arithmetic the function stays the same. Returns how many pairs
/// there were.
unsigned equalizeChannels(mlir::func::FuncOp function);

} // namespace fadiff::quantize

#endif // FADIFF_LIB_QUANTIZE_EQUALIZE_H
