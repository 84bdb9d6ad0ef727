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

def GemminiFixTripsPass : Pass<"gemmini-fix-trips"> {
  let summary = "Give loops over computes a copy with the usual number of trips";
  let description = [{
    Tiles at the edge of a tensor are smaller than others, so the bounds of
    loops over their pixels are values. Most tiles are alike: a loop whose bound
    has a usual value (`gemmini.usual_count`) gets a copy for bounds that lead
    to as many trips, the last of which is behind it. The loop around it is
    copied, too, where it has the same bound throughout.

    **Example**

    ```mlir
    scf.for %row = %c0 to %rows step %c1 {
      scf.for %i = %c0 to %n step %c16 {
        // preload and compute of min(%n - %i, 16) rows
      } {gemmini.usual_count = 29 : index}
    }
    ```

    becomes

    ```mlir
    scf.if %isAbove16AndAtMost32 {
      scf.for %row = %c0 to %rows step %c1 {
        scf.for %i = %c0 to %c16 step %c16 {
          // preload and compute of 16 rows
        }
        // preload and compute of %n - 16 rows
      }
    } else {
      // the same loops
    }
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def GemminiStripLoopsPass : Pass<"gemmini-strip-loops"> {
  let summary = "Put what begins every n-th trip around a loop of n trips";
  let description = [{
    Some loops over computes begin with something that is done on the first
    trip only, or on every n-th: weights come in blocks as wide as a move, which
    is several times as wide as the array. Such a loop becomes one over every
    n-th trip, which does that, and one over the n trips, which does the rest.
    What is done on some of the n-th trips only, as a count over the loops
    around says, is asked for there. What is done on the first trip only goes in
    front of the loop.

    **Example**

    ```mlir
    scf.for %k = %c0 to %n step %c16 {
      %rest = arith.remui %k, %c64 : index
      %begins = arith.cmpi eq, %rest, %c0 : index
      scf.if %begins { gemmini.mvin2 ... }
      gemmini.preload ...
      gemmini.compute_preloaded ...
    }
    ```

    becomes

    ```mlir
    scf.for %block = %c0 to %n step %c64 {
      gemmini.mvin2 ...
      %next = arith.addi %block, %c64 : index
      %end = arith.minsi %next, %n : index
      scf.for %k = %block to %end step %c16 {
        gemmini.preload ...
        gemmini.compute_preloaded ...
      }
    }
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def GemminiPeelLastTripPass : Pass<"gemmini-peel-last-trip"> {
  let summary = "Put the last trip of loops that look ahead behind them";
  let description = [{
    A tile that is fetched one part ahead asks on each trip whether there is
    another one, and else where the loops around go on. Of the innermost loops
    over computes that ask so, the last trip goes behind the loop: in the loop
    the answer is always yes, and every trip takes a whole step; behind it the
    answer is no.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def GemminiSpecializeLoopsPass : Pass<"gemmini-specialize-loops"> {
  let summary = "Give loops over computes a copy without what is rarely done";
  let description = [{
    A loop over computes in which something else is done under conditions that
    do not change in it, or do in part only, becomes two: the loop as it is, for
    when one of these conditions holds, and the loop without all of that. Loops
    around such loops are treated alike, so code grows with the depth of the
    nest, not with the number of conditions. Wants loop invariants outside of
    loops already (`loop-invariant-code-motion`).

    **Example**

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      scf.if %isFirst { gemmini.mvin3 ... }
      gemmini.preload ...
      gemmini.compute_accumulated ...
    }
    ```

    becomes

    ```mlir
    scf.if %isFirst {
      // the same loop
    } else {
      scf.for %i = %c0 to %n step %c1 {
        gemmini.preload ...
        gemmini.compute_accumulated ...
      }
    }
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

#endif // FADIFF_DIALECT_GEMMINI_TRANSFORMS_PASSES_TD
