//===- TargetInterface.td - The machine that a module is for ---*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_TARGET_IR_TARGETINTERFACE_TD
#define FADIFF_DIALECT_TARGET_IR_TARGETINTERFACE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/Interfaces.td"

def TargetAttrInterface : AttrInterface<"TargetAttrInterface"> {
  let cppNamespace = "::fadiff";
  let description = [{
    An attribute that describes the machine which the operations of a module are
    for. It is looked up as `fadiff.target` on the enclosing modules, the
    innermost first.
  }];
  let methods = [
    InterfaceMethod<"The machine.", "::fadiff::Accelerator", "getAccelerator">
  ];
}

#endif // FADIFF_DIALECT_TARGET_IR_TARGETINTERFACE_TD
