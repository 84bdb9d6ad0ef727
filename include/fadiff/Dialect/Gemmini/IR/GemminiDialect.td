//===- GemminiDialect.td - The gemmini dialect -------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_GEMMINIDIALECT_TD
#define FADIFF_DIALECT_GEMMINI_GEMMINIDIALECT_TD

include "mlir/IR/OpBase.td"

def Gemmini_Dialect : Dialect {
  let name = "gemmini";
  let cppNamespace = "::fadiff::gemmini";
  let summary = "Instructions of the Gemmini systolic array accelerator.";
  let description = [{
    One operation per Gemmini instruction, for use inside `scf` loops after
    bufferization. DRAM addresses are `i64` byte addresses; scratchpad and
    accumulator rows are `!gemmini.addr` values, which may be computed at run
    time. Rows and columns are `index` operands, so that edge tiles need no code
    of their own.

    Machine sizes come from the module attribute `fadiff.target`, if there is
    one that implements `TargetAttrInterface`. Without it only what holds on
    every machine is verified.

    A multiplication of a 16x16 int8 tile, weight-stationary:

    ```mlir
    gemmini.config_ex ws
    gemmini.config_ld id = 0 stride = 64 block_stride = 16
    gemmini.config_st stride = 64 activation = relu scale = 5.000000e-01
    %a = gemmini.spad_addr %c0 : !gemmini.addr<spad>
    %b = gemmini.spad_addr %c16 : !gemmini.addr<spad>
    %c = gemmini.acc_addr %c0 : !gemmini.addr<acc>
    %none = gemmini.garbage : !gemmini.addr<spad>
    gemmini.mvin %pa to %a rows %c16 cols %c16 : !gemmini.addr<spad>
    gemmini.mvin %pb to %b rows %c16 cols %c16 : !gemmini.addr<spad>
    gemmini.preload %b rows %c16 cols %c16 to %c rows %c16 cols %c16
      : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %a rows %c16 cols %c16, %none rows %c16 cols %c16
      : !gemmini.addr<spad>, !gemmini.addr<spad>
    gemmini.mvout %c to %pc rows %c16 cols %c16 : !gemmini.addr<acc>
    gemmini.fence
    ```
  }];

  // On a loop whose upper bound varies: what it is in most cases.
  let discardableAttrs = (ins "::mlir::IntegerAttr":$usual_count);

  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // FADIFF_DIALECT_GEMMINI_GEMMINIDIALECT_TD
