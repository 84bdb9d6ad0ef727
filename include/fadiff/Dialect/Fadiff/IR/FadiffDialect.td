//===- FadiffDialect.td - The fadiff dialect ---------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_FADIFFDIALECT_TD
#define FADIFF_DIALECT_FADIFF_IR_FADIFFDIALECT_TD

include "mlir/IR/OpBase.td"

def FadiffDialect : Dialect {
  let name = "fadiff";
  let cppNamespace = "::fadiff::ir";
  let summary = "Layers, mappings, fusion groups and tiled loop nests.";
  let description = [{
    The `fadiff` dialect carries a scheduling decision through the IR. A network
    in `linalg` is grouped into `fadiff.layer` ops; a search writes each layer's
    `#fadiff.mapping` and `#fadiff.cost` and encloses fused layers in a
    `fadiff.fusion_group`; materialisation turns both into `fadiff.loop_nest`,
    a tiled nest whose loops name a dimension and a memory level and whose
    copies between levels are explicit. Decisions are attributes: passes
    downstream only read them, so a mapping can also be written by hand.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // FADIFF_DIALECT_FADIFF_IR_FADIFFDIALECT_TD
