//===- FadiffTypes.td - Types of the fadiff dialect --------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_FADIFFTYPES_TD
#define FADIFF_DIALECT_FADIFF_IR_FADIFFTYPES_TD

include "fadiff/Dialect/Fadiff/IR/FadiffAttrs.td"

class Fadiff_Type<string name, string typeMnemonic>
    : TypeDef<FadiffDialect, name, []> {
  let mnemonic = typeMnemonic;
}

def Fadiff_DramType : Fadiff_Type<"Dram", "dram"> {
  let summary = "an operand of a loop nest as it lies in DRAM";
  let description = [{
    Inside a `fadiff.loop_nest` an operand is seen as a dense array in DRAM,
    whether outside it is still a tensor or already a memref.

    Example: `!fadiff.dram<1x56x56x64xi8>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static DramType get(::mlir::ShapedType type) {
      return get(type.getContext(), type.getShape(), type.getElementType());
    }
  }];
}

def Fadiff_BufferType : Fadiff_Type<"Buffer", "buffer"> {
  let summary = "rows of an on-chip memory that hold one tile";
  let description = [{
    A run of rows of the scratchpad (`side` int8 or f32 elements each) or of the
    accumulator (`side` int32 or f32 elements each).

    Example: `!fadiff.buffer<scratchpad, 1568>`
  }];
  let parameters = (ins EnumParameter<Fadiff_MemoryLevel>:$level,
                        "int64_t":$rows);
  let assemblyFormat = "`<` $level `,` $rows `>`";
  let genVerifyDecl = 1;
}

#endif // FADIFF_DIALECT_FADIFF_IR_FADIFFTYPES_TD
