//===- GemminiAttrs.td - Pooling ---------------------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_GEMMINIATTRS_TD
#define FADIFF_DIALECT_GEMMINI_GEMMINIATTRS_TD

include "fadiff/Dialect/Gemmini/IR/GemminiDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Gemmini_PoolAttr : AttrDef<Gemmini_Dialect, "Pool"> {
  let mnemonic = "pool";
  let summary = "max pooling done by mvout and mvout_spad";
  let description = [{
    The accumulator holds `rows` x `cols` pixels, one per local row, row-major.
    A store writes `out_rows` x `out_cols` pooled pixels, pixel (r, c) at row
    `r * out_dim + c`. Windows are `size` x `size`, `stride` apart, and
    start `pad_top` rows above and `pad_left` columns left of the first pixel.
    Padded pixels count as 0.

    Example:

    ```mlir
    #gemmini.pool<size = 3, stride = 2, pad_top = 1, pad_left = 1, rows = 8,
                  cols = 16, out_rows = 4, out_cols = 8, out_dim = 56>
    ```
  }];
  let parameters = (ins
    "int64_t":$size,
    "int64_t":$stride,
    DefaultValuedParameter<"int64_t", "0">:$pad_top,
    DefaultValuedParameter<"int64_t", "0">:$pad_left,
    "int64_t":$rows,
    "int64_t":$cols,
    "int64_t":$out_rows,
    "int64_t":$out_cols,
    "int64_t":$out_dim
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // FADIFF_DIALECT_GEMMINI_GEMMINIATTRS_TD
