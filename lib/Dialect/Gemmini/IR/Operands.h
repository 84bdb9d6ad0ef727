//===- Operands.h - What is known of operands -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_DIALECT_GEMMINI_IR_OPERANDS_H
#define FADIFF_LIB_DIALECT_GEMMINI_IR_OPERANDS_H

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"

#include "mlir/IR/Matchers.h"

namespace fadiff::gemmini {

/// The value of an integer or index constant; none for anything else, a null
/// value included.
inline std::optional<int64_t> getConstant(mlir::Value value) {
  llvm::APInt constant;
  if (value && mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

inline bool isGarbage(mlir::Value addr) {
  return addr.getDefiningOp<GarbageOp>() != nullptr;
}

/// The row that `addr` names, if it is constant.
inline std::optional<int64_t> getRow(mlir::Value addr) {
  if (auto spad = addr.getDefiningOp<SpadAddrOp>())
    return getConstant(spad.getRow());
  if (auto acc = addr.getDefiningOp<AccAddrOp>())
    return getConstant(acc.getRow());
  return std::nullopt;
}

} // namespace fadiff::gemmini

#endif // FADIFF_LIB_DIALECT_GEMMINI_IR_OPERANDS_H
