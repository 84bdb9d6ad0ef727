//===- GemminiDialect.h - Dialect and modes -------- -------------*- C++
//-*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_IR_GEMMINIDIALECT_H
#define FADIFF_DIALECT_GEMMINI_IR_GEMMINIDIALECT_H

#include "fadiff/Dialect/Target/IR/TargetInterface.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#include "fadiff/Dialect/Gemmini/IR/GemminiDialect.h.inc"
#include "fadiff/Dialect/Gemmini/IR/GemminiEnums.h.inc"

#endif // FADIFF_DIALECT_GEMMINI_IR_GEMMINIDIALECT_H
