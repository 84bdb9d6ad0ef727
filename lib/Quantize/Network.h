//===- Network.h - What of a float network becomes int8 ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a function in the form that fadiff-normalize leaves for a machine that
// works in f32, and decides which of its tensors are held in int8:
//
// - the results of contractions, with what follows them that a read-out can do;
// - what moves elements of such tensors, or takes the largest of them;
// - the sums of two of them;
// - what contractions read, sums of windows, and sums of two that contractions
//   read: an argument, or what the host computes in float.
//
// Tensors that need one scale are in one class: both sides of a move, and both
// summands of a sum.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_QUANTIZE_NETWORK_H
#define FADIFF_LIB_QUANTIZE_NETWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace fadiff::quantize {

/// A contraction, or a sum of two tensors, with its tail:
/// clamp(scale * (op + bias), 0 if relu, high).
struct FloatLayer {
  std::string name;
  mlir::linalg::LinalgOp op;
  bool isSum = false;
  mlir::DenseElementsAttr weights; ///< of operand 1; null if not constant
  mlir::DenseElementsAttr bias;    ///< one element per channel; null without
  mlir::Value biasValue;           ///< of `bias`
  /// Whether the sums start from the bias; else it is added behind them.
  bool startsFromBias = false;
  llvm::SmallVector<mlir::Operation *> ops; ///< all that the layer is made of
  double scale = 1;
  bool relu = false;
  double high = std::numeric_limits<double>::infinity();
  mlir::Value output; ///< of the tail
  /// Where the channels lie in the output, and in the weights.
  std::optional<unsigned> channelAxis, weightAxis;
  int64_t channels = 1;
  /// Whether weights belong to more than one output channel for each index
  /// along that axis, as those of a convolution in groups do: there is then no
  /// bias, and no scale, for each channel.
  bool hasGroups = false;
  int64_t terms = 1; ///< products in a sum

  mlir::Value input() { return op->getOperand(0); }
  mlir::Value other() { return op->getOperand(1); }
  mlir::Value sums() { return op->getResult(0); }
};

/// An operation that moves elements or takes the largest of each window.
struct Move {
  mlir::Operation *op;
  /// Tensors that have to be held in int8 for it to be done there.
  llvm::SmallVector<mlir::Value, 2> sources;
  bool isPool = false;

  mlir::Value result() const { return op->getResult(0); }
};

/// A step of the network in int8: a layer or a move.
struct Step {
  std::optional<unsigned> layer;
  std::optional<Move> move;
};

struct FloatNetwork {
  mlir::func::FuncOp function;
  std::vector<FloatLayer> layers;
  std::vector<Step> steps; ///< in their order
  /// Tensors of floats that are quantised where they are made.
  llvm::SmallVector<mlir::Value> entries;
  /// Uses of these in float by what the accelerator does with bytes: sums of
  /// windows, which are to read what is left of them.
  llvm::SmallVector<mlir::OpOperand *> readsBytes;
  /// Names of contractions that stay in float, and why.
  std::vector<std::pair<std::string, std::string>> left;
  /// Of all contractions and sums of two tensors, whatever becomes of them.
  std::vector<std::string> names;

  /// Of a tensor that is held in int8: which scale it has.
  unsigned classOf(mlir::Value value) const;
  bool isHeld(mlir::Value value) const { return indexOf.contains(value); }
  unsigned numValues() const { return unsigned(parent.size()); }

  unsigned hold(mlir::Value value);
  void unite(mlir::Value a, mlir::Value b);

private:
  llvm::DenseMap<mlir::Value, unsigned> indexOf;
  mutable std::vector<unsigned> parent;
};

/// The layers that are to stay in float.
struct KeptInFloat {
  llvm::StringSet<> names;
};

/// Reads `function`, of one block. Contractions that `kept` names, and those
/// for which int8 has no room, are left. Fails with a diagnostic if extents of
/// a contraction are open or weights are no finite numbers.
mlir::FailureOr<FloatNetwork> analyseNetwork(mlir::func::FuncOp function,
                                             const KeptInFloat &kept);

/// Brings a contraction that starts from a tensor that is no constant bias to
/// one that starts from zero, and adds the tensor behind it.
void splitInits(mlir::func::FuncOp function);

/// Makes products of an image with computed factors per channel, which a
/// contraction or a sum reads, depthwise convolutions of one tap: contractions
/// of which both operands are computed. `revertFactors` makes products again of
/// those that are left in float.
void contractFactors(mlir::func::FuncOp function);
void revertFactors(mlir::func::FuncOp function);

/// The numbers in `tensor`, of f32.
std::vector<float> numbersOf(mlir::DenseElementsAttr tensor);

} // namespace fadiff::quantize

#endif // FADIFF_LIB_QUANTIZE_NETWORK_H
