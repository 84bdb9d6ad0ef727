//===- EntryFunction.cpp - The function that a user means -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/EntryFunction.h"

using namespace mlir;

FailureOr<func::FuncOp> fadiff::chooseEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> defined, visible;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration()) {
      defined.push_back(function);
      if (function.isPublic())
        visible.push_back(function);
    }
  auto named = [&](StringRef wanted) {
    auto *found = llvm::find_if(defined, [&](func::FuncOp function) {
      return function.getSymName() == wanted;
    });
    return found == defined.end() ? func::FuncOp() : *found;
  };
  if (func::FuncOp function = named(name.empty() ? "main" : name))
    return function;
  if (name.empty() && visible.size() == 1)
    return visible.front();

  auto declared = module.lookupSymbol<func::FuncOp>(name);
  InFlightDiagnostic diag =
      declared ? declared.emitError() : module.emitError();
  if (declared)
    diag << "'@" << name << "' has no body; wanted a definition, found ";
  else if (name.empty())
    diag << "which function is to be run is open: wanted '@main', one public "
            "function or the name of one with --entry; found ";
  else
    diag << "no function '@" << name << "' to run; wanted a definition, found ";
  if (defined.empty())
    diag << "none in the module";
  else
    llvm::interleaveComma(defined, diag, [&](func::FuncOp each) {
      diag << "'@" << each.getSymName() << "'";
    });
  return failure();
}
