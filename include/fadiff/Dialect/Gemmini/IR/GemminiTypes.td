//===- GemminiTypes.td - Local addresses -------------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_GEMMINITYPES_TD
#define FADIFF_DIALECT_GEMMINI_GEMMINITYPES_TD

include "fadiff/Dialect/Gemmini/IR/GemminiEnums.td"
include "mlir/IR/AttrTypeBase.td"

def Gemmini_AddrType : TypeDef<Gemmini_Dialect, "Addr"> {
  let mnemonic = "addr";
  let summary = "row of the scratchpad or of the accumulator";
  let description = [{
    The address of one row: `side` int8 elements in the scratchpad (`spad`),
    `side` int32 elements in the accumulator (`acc`). An accumulator address
    also carries how the access is done: adding on a write, full width on a
    read. In the instruction it is a 32-bit word; lowered to LLVM it is an
    `i64` whose upper half is zero.

    Example:

    ```mlir
    !gemmini.addr<spad>
    !gemmini.addr<acc>
    ```
  }];
  let parameters = (ins EnumParameter<Gemmini_Memory>:$memory);
  let assemblyFormat = "`<` $memory `>`";
  let extraClassDeclaration = [{
    bool isSpad() const { return getMemory() == Memory::Spad; }
    bool isAcc() const { return getMemory() == Memory::Acc; }
  }];
}

class Gemmini_AddrIn<string memory, string summary>
    : Type<And<[Gemmini_AddrType.predicate,
                CPred<"::llvm::cast<::fadiff::gemmini::AddrType>($_self)"
                      ".getMemory() == ::fadiff::gemmini::Memory::" # memory>]>,
           summary, "::fadiff::gemmini::AddrType">,
      BuildableType<"::fadiff::gemmini::AddrType::get($_builder.getContext(), "
                    "::fadiff::gemmini::Memory::" # memory # ")">;

def Gemmini_SpadAddr : Gemmini_AddrIn<"Spad", "scratchpad address">;
def Gemmini_AccAddr : Gemmini_AddrIn<"Acc", "accumulator address">;

#endif // FADIFF_DIALECT_GEMMINI_GEMMINITYPES_TD
