//===- GemminiEnums.td - Modes of the machine --------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_GEMMINIENUMS_TD
#define FADIFF_DIALECT_GEMMINI_GEMMINIENUMS_TD

include "fadiff/Dialect/Gemmini/IR/GemminiDialect.td"
include "mlir/IR/EnumAttr.td"

class Gemmini_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fadiff::gemmini";
  let genSpecializedAttr = 0;
}

// Prints the bare keyword in the assembly formats of operations.
class Gemmini_EnumAttr<EnumAttrInfo info, string name>
    : EnumAttr<Gemmini_Dialect, info, name> {
  let assemblyFormat = "$value";
}

def Gemmini_Memory : Gemmini_Enum<"Memory", "on-chip memory", [
  I32EnumAttrCase<"Spad", 0, "spad">,
  I32EnumAttrCase<"Acc", 1, "acc">
]>;

// The numbers are those of the instruction fields.
def Gemmini_Dataflow : Gemmini_Enum<"Dataflow",
    "which operand stays in the array", [
  I32EnumAttrCase<"OutputStationary", 0, "os">,
  I32EnumAttrCase<"WeightStationary", 1, "ws">
]>;
def Gemmini_DataflowAttr : Gemmini_EnumAttr<Gemmini_Dataflow, "dataflow">;

def Gemmini_Activation : Gemmini_Enum<"Activation", "activation function", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Relu", 1, "relu">
]>;
def Gemmini_ActivationAttr : Gemmini_EnumAttr<Gemmini_Activation, "activation">;

#endif // FADIFF_DIALECT_GEMMINI_GEMMINIENUMS_TD
