//===- Evaluate.h - What a value is, if it can be known ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters compute shapes from shapes: by Shape, Gather, Concat and any other
// operator. So the operations that stand for these are interpreted, an element
// at a time by the folders of arith and math.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_EVALUATE_H
#define FADIFF_LIB_ONNX_EVALUATE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace fadiff::frontend {

class Evaluator {
public:
  /// The elements of a tensor in row-major order. A null attribute is an
  /// element that nobody has written.
  using Elements = llvm::SmallVector<mlir::Attribute, 0>;

  /// Tensors with more elements, and loops with more trips, are not looked at.
  static constexpr int64_t kMost = 1 << 16;

  /// The elements of `tensor` if they depend on nothing but constants and there
  /// are not too many; else null. Valid until forget().
  const Elements *evaluate(mlir::Value tensor);

  /// To be called before operations are erased.
  void forget() { known.clear(); }

private:
  std::optional<Elements> compute(mlir::Value tensor);
  std::optional<Elements> computeLoops(mlir::linalg::LinalgOp op,
                                       unsigned result);
  /// `op` of a loop's body, with `values` known; adds its results to them.
  bool interpret(mlir::Operation &op,
                 llvm::DenseMap<mlir::Value, mlir::Attribute> &values,
                 llvm::ArrayRef<int64_t> loops);

  llvm::DenseMap<mlir::Value, std::unique_ptr<Elements>> known;
};

} // namespace fadiff::frontend

#endif // FADIFF_LIB_ONNX_EVALUATE_H
