//===- Operators.h - The operators that are known ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_OPERATORS_H
#define FADIFF_LIB_ONNX_OPERATORS_H

#include "Importer.h"

namespace fadiff::frontend {

/// An operator, from the version of its meaning on in which it is known here.
struct Operator {
  llvm::StringRef domain; ///< empty for ONNX's own
  llvm::StringRef name;
  int firstVersion;
  LogicalResult (*import)(Node &node);
  /// Its results are elements of operand 0 (of all operands, of Concat) in
  /// other places, whatever their type; or the largest of some.
  bool movesElements = false;
};

/// Each file of operators lists its own.
llvm::ArrayRef<Operator> elementwiseOperators();
llvm::ArrayRef<Operator> contractionOperators();
llvm::ArrayRef<Operator> einsumOperators();
llvm::ArrayRef<Operator> windowOperators();
llvm::ArrayRef<Operator> movementOperators();
llvm::ArrayRef<Operator> indexedOperators();
llvm::ArrayRef<Operator> reductionOperators();
llvm::ArrayRef<Operator> resizeOperators();
llvm::ArrayRef<Operator> normalizationOperators();
llvm::ArrayRef<Operator> recurrentOperators();
llvm::ArrayRef<Operator> quantizedOperators();
llvm::ArrayRef<Operator> controlOperators();

/// Null if there is none of the name.
const Operator *findOperator(llvm::StringRef domain, llvm::StringRef name);

/// "Conv" or "com.microsoft.QGemm".
std::string qualifiedName(llvm::StringRef domain, llvm::StringRef name);

} // namespace fadiff::frontend

#endif // FADIFF_LIB_ONNX_OPERATORS_H
