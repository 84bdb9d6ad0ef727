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

#include <functional>
#include <optional>
#include <vector>

namespace fadiff::quantize {

struct FloatNetwork;

/// Of the layers of a network, by index: the largest magnitude that each
/// channel of the output is seen to have; empty for those that nobody asks for.
using ChannelMaxima = std::vector<std::vector<float>>;
/// Finds them for the layers whose indices are given; none if that fails.
using MaximaSource = std::function<std::optional<ChannelMaxima>(
    FloatNetwork &, llvm::ArrayRef<unsigned>)>;

/// Where one contraction alone reads another one's output, behind nothing but
/// ReLU, zero padding and max pooling, divides what the first computes for each
/// channel by a factor by which it multiplies the second's weights, so that
/// both have the same range in that channel (Nagel et al., Data-Free
/// Quantization Through Weight Equalization and Bias Correction, ICCV 2019).
/// In exact arithmetic the function stays the same.
///
/// An upper bound between the two, as ReLU6's, is one number for all channels.
/// So a channel that `maxima` says reaches it keeps its factor of 1, and others
/// are divided by no less than leaves room below the bound: the function is the
/// same wherever values stay in the range that was seen. Returns how many pairs
/// there were; nothing, if `maxima` failed.
std::optional<unsigned> equalizeChannels(mlir::func::FuncOp function,
                                         const MaximaSource &maxima);

} // namespace fadiff::quantize

#endif // FADIFF_LIB_QUANTIZE_EQUALIZE_H
