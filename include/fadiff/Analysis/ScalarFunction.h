//===- ScalarFunction.h - Elementwise ops as a function of one --*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_SCALARFUNCTION_H
#define FADIFF_ANALYSIS_SCALARFUNCTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>
#include <vector>

namespace fadiff {

/// What a chain of elementwise linalg ops makes of one integer per element and
/// of constants that may differ per channel: a straight-line program.
class ScalarFunction {
public:
  /// The identity.
  ScalarFunction();

  /// `tensor` holds the argument, beside the chains that are appended.
  void bindArgument(mlir::Value tensor);
  /// `tensor` holds int8 that do not depend on the argument: a function of two
  /// bytes is one of the first in which each value of the second, less the
  /// least, is a channel.
  void bindBytes(mlir::Value tensor);

  /// Appends the body of `op`, elementwise on `chain`, whose channels lie along
  /// `channelAxis` (past the rank if there is one channel only). Results of
  /// operations appended before and bound tensors may be read, too. On failure
  /// `reason` says what is not understood and the function is as before.
  llvm::LogicalResult append(mlir::linalg::LinalgOp op, mlir::Value chain,
                             unsigned channelAxis, std::string &reason);

  /// Width in bits if the function ends in an integer, else 0.
  unsigned resultWidth() const;
  /// Whether any channel has constants of its own.
  bool differsPerChannel() const { return perChannel; }

  /// The value at `argument`.
  int64_t evaluate(int64_t argument, unsigned channel) const;
  /// Null, with the `reason`, where an integer wraps or nothing is defined.
  std::optional<int64_t> tryEvaluate(int64_t argument, unsigned channel,
                                     std::string &reason) const;

  /// Whether over [low, high] no integer wraps and the result never decreases.
  /// On failure `reason` names the operation.
  bool isMonotone(int64_t low, int64_t high, unsigned channel,
                  std::string &reason) const;

private:
  struct Number {
    int64_t integer = 0;
    double real = 0; ///< rounded to the node's type
  };
  struct Node {
    mlir::Operation *op = nullptr; ///< null: the argument or a constant
    unsigned operands[3] = {0, 0, 0};
    mlir::Type type;
    std::vector<Number> constants; ///< one, or one per channel
    bool isArgument = false;
  };
  enum class Direction { Flat, Up, Down, Unknown };

  std::optional<unsigned> addConstant(mlir::Attribute value);
  bool addOperand(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                  unsigned channelAxis, unsigned &node);
  /// Values of all nodes; false if one has no defined or no exact value.
  bool run(int64_t argument, unsigned channel, std::vector<Number> &values,
           mlir::Operation *&culprit) const;
  Direction direction(const Node &node, llvm::ArrayRef<Direction> directions,
                      int64_t low, int64_t high, unsigned channel,
                      llvm::ArrayRef<Number> atLow) const;
  Direction selectDirection(const Node &node,
                            llvm::ArrayRef<Direction> directions, int64_t low,
                            int64_t high, unsigned channel) const;

  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Value, unsigned> tensors; ///< nodes of them
  unsigned result = 0;
  bool perChannel = false;
};

} // namespace fadiff

#endif // FADIFF_ANALYSIS_SCALARFUNCTION_H
