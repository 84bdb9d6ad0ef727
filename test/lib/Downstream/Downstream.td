//===- Downstream.td - A cost of somebody else's -----------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "fadiff/Dialect/Fadiff/IR/FadiffInterfaces.td"
include "mlir/IR/AttrTypeBase.td"

def DownstreamDialect : Dialect {
  let name = "downstream";
  let cppNamespace = "::downstream";
  let useDefaultAttributePrinterParser = 1;
}

def Downstream_TrafficAttr : AttrDef<DownstreamDialect, "Traffic", [
    DeclareAttrInterfaceMethods<DifferentiableCost>]> {
  let mnemonic = "traffic";
  let summary = "only DRAM bytes cost anything, at so many pJ each";
  let parameters = (ins "int64_t":$picojoules);
  let assemblyFormat = "`<` $picojoules `>`";
}
