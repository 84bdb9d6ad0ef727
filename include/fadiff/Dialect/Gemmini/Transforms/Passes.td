//===- Passes.td - Passes on gemmini instructions ----------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_TRANSFORMS_PASSES_TD
#define FADIFF_DIALECT_GEMMINI_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GemminiMergeFencesPass : Pass<"gemmini-merge-fences"> {
  let summary = "Drop fences that separate nothing";
  let description = [{
    A `gemmini.fence` is needed between accesses of the core and of the
    accelerator to the same memory, and between a `mvout` and a `mvin` of it.
    Of two fences in a block one goes if what lies between them cannot tell:

    - the first, if no operation between them accesses memory, allocations
      apart, which give out memory that the accelerator is done with;
    - the second, if at most deallocations lie between them and no allocation
      can give that memory out again before the next fence.

    Allocations and deallocations count as writes of the core otherwise, since
    allocators keep their lists in free memory. A `gemmini.region` between the
    fences moves behind the one that stays, so that counters are attributed as
    before.

    **Example**

    ```mlir
    gemmini.fence              // the last of one loop nest: goes
    %out = memref.alloc() : memref<64xi8>
    gemmini.region 1 "conv2"   // moves
    gemmini.fence              // the first of the next: stays
    ```
  }];
}

def GemminiOutlineNestsPass : Pass<"gemmini-outline-nests", "mlir::ModuleOp"> {
  let summary = "Make what stands between two fences a function";
  let description = [{
    What issues the commands of a loop nest stands between two fences of one
    block. It becomes a private function of its own, named after the
    `gemmini.region` before it, which is never inlined: registers are allocated
    for one nest at a time, the compiler's time grows with the number of nests
    and not with its square, and an instruction of the core tells by its address
    which nest it belongs to. Fences, regions and memory from outside stay where
    they are; constants are made again inside.

    **Example**

    ```mlir
    gemmini.region 1 "conv2"
    gemmini.fence
    func.call @fadiff_nest_conv2(%in, %w, %out) : (memref<..>, ..) -> ()
    gemmini.fence
    ```
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

#endif // FADIFF_DIALECT_GEMMINI_TRANSFORMS_PASSES_TD
