//===- Passes.td - Passes between dialects -----------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CONVERSION_PASSES_TD
#define FADIFF_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// GemminiToLLVM
//===----------------------------------------------------------------------===//

def ConvertGemminiToLLVM : Pass<"convert-gemmini-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert gemmini instructions to RoCC instructions or calls";
  let description = [{
    Packs the operands of each instruction into its two 64-bit source registers
    and emits it, either as a call into the simulator on the host or as a RoCC
    instruction in inline assembly for `riscv64`. What is known at compile time
    ends up in one constant per register.

    Control flow may still be `scf` or already `cf`; local addresses in loop
    arguments, block arguments, selects and function signatures become `i64`.
    Row and column operands stay `index` and go on to the usual index lowering.

    Before anything is changed the rules between instructions are checked
    (`verifyInstructionOrder`): a compute without a preload, a block stride
    below the rows of a load, a missing fence, and others. Field values known
    only at run time are not checked here; the simulator does.

    The simulator runtime has to define

    ```c
    void fadiff_gemmini_execute(int32_t funct, int64_t rs1, int64_t rs2);
    void fadiff_gemmini_fence(void);
    void fadiff_gemmini_region(int64_t id);
    void fadiff_gemmini_member(int64_t index);
    ```
  }];
  let options = [
    Option<"runtime", "target", "::fadiff::GemminiRuntime",
           /*default=*/"::fadiff::GemminiRuntime::Simulator",
           "What executes the instructions; the simulator by default.",
           [{::llvm::cl::values(
             clEnumValN(::fadiff::GemminiRuntime::Simulator, "simulator",
                        "Calls of fadiff_gemmini_execute, _fence, _region"),
             clEnumValN(::fadiff::GemminiRuntime::Rocc, "rocc",
                        "RISC-V custom-3 instructions; regions are dropped")
           )}]>
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// FadiffToGemmini
//===----------------------------------------------------------------------===//

def LowerToGemminiPass : Pass<"fadiff-lower-to-gemmini", "::mlir::ModuleOp"> {
  let summary = "Lower loop nests to the accelerator's instructions";
  let description = [{
    Every `fadiff.loop_nest` on memrefs becomes `scf` loops around `gemmini`
    instructions for the module's `fadiff.target`: mvins of the tiles with
    padding filled, weight-stationary computes that keep partial sums in
    the accumulator, bias through the accumulator, scale, saturation and ReLU on
    the way out, on-chip hand-over inside fusion groups. Code size grows with
    the number of layers, not of tiles. Run after bufferization. Nests are
    verified first, as by `fadiff-verify-schedule`.
  }];
  let dependentDialects = ["::fadiff::gemmini::GemminiDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // FADIFF_CONVERSION_PASSES_TD
