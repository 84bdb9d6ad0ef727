// RUN: fadiff-opt %s -convert-to-llvm -split-input-file | FileCheck %s

// The generic pass takes the dialect along. Without a target triple the
// instructions become calls.

// CHECK: llvm.func @fadiff_gemmini_execute(i32, i64, i64)
// CHECK-LABEL: llvm.func @host(
// CHECK-SAME: %[[DRAM:.*]]: i64, %[[ADDR:.*]]: i64)
func.func @host(%dram: i64, %addr: !gemmini.addr<spad>) {
  %c4 = arith.constant 4 : index
  // rows 4 << 48 | cols 4 << 32 = 0x0004000400000000
  // CHECK: %[[REST:.*]] = llvm.mlir.constant(1125917086711808 : i64) : i64
  // CHECK: %[[RS2:.*]] = llvm.add %[[ADDR]], %[[REST]] : i64
  // CHECK: %[[FUNCT:.*]] = llvm.mlir.constant(2 : i32) : i32
  // CHECK: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[DRAM]], %[[RS2]])
  gemmini.mvin %dram to %addr rows %c4 cols %c4 : !gemmini.addr<spad>
  return
}

// -----

// With a RISC-V triple they become instructions.

module attributes {llvm.target_triple = "riscv64-unknown-elf"} {
  // CHECK-NOT: llvm.func @fadiff_gemmini
  // CHECK-LABEL: llvm.func @riscv(
  func.func @riscv() {
    // CHECK: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 7, x0, $0, $1"
    gemmini.flush
    // CHECK: llvm.inline_asm has_side_effects "fence", "~{memory}"
    gemmini.fence
    // CHECK-NEXT: llvm.return
    gemmini.region 2
    return
  }
}
