//===- Emit.h - The network in int8 -----------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_QUANTIZE_EMIT_H
#define FADIFF_LIB_QUANTIZE_EMIT_H

#include "Network.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

namespace fadiff::quantize {

/// The constants of a layer in int8.
struct LayerNumbers {
  std::vector<int8_t> weights; ///< empty if they are not constant
  std::vector<double> scales;  ///< of the weights: one, or one per channel
  std::vector<int32_t> bias;   ///< one per channel, or empty
};

struct Numbers {
  std::vector<double> scales; ///< by FloatNetwork::classOf
  std::vector<LayerNumbers> layers;
};

/// What the sums of `layer` are multiplied by to be numbers of the float
/// network before its scale: one factor, or one per channel.
std::vector<double> unitsOfSums(FloatNetwork &network, unsigned layer,
                                const Numbers &numbers);

/// A copy of a network's module in which more is returned than the network's
/// results.
struct Instrumented {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  unsigned results = 0; ///< of the network itself; the rest is behind them
};

/// The float network; also returns `values`, tensors of `network`.
Instrumented returnReals(FloatNetwork &network,
                         llvm::ArrayRef<mlir::Value> values);

/// Each layer alone in int8, on the tensors of the float network quantised;
/// also returns each layer's output in int8 and, of contractions with constant
/// weights, then their sums.
Instrumented emitApart(FloatNetwork &network, const Numbers &numbers);

/// The network in int8. With `returnsOutputs` it also returns each layer's
/// output in int8.
Instrumented emitWhole(FloatNetwork &network, const Numbers &numbers,
                       bool returnsOutputs);

} // namespace fadiff::quantize

#endif // FADIFF_LIB_QUANTIZE_EMIT_H
