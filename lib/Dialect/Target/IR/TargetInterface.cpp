//===- TargetInterface.cpp - The machine that a module is for -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Target/IR/TargetInterface.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

#include "fadiff/Dialect/Target/IR/TargetInterface.cpp.inc"

std::optional<fadiff::Accelerator> fadiff::lookupMachine(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isa<ModuleOp>(op))
      if (auto target = op->getAttrOfType<TargetAttrInterface>(kTargetAttrName))
        return target.getAccelerator();
  return std::nullopt;
}
