// REQUIRES: riscv
// RUN: fadiff-opt %s -convert-gemmini-to-llvm=target=rocc -convert-scf-to-cf -convert-to-llvm -reconcile-unrealized-casts \
// RUN:   | mlir-translate --mlir-to-llvmir | llc -mtriple=riscv64 -filetype=asm | FileCheck %s
// RUN: fadiff-opt %s -convert-gemmini-to-llvm=target=rocc -convert-scf-to-cf -convert-to-llvm -reconcile-unrealized-casts \
// RUN:   | mlir-translate --mlir-to-llvmir | llc -mtriple=riscv64 -filetype=obj | llvm-objdump -d - | FileCheck %s --check-prefix=OBJ

// A stock LLVM assembles the instructions: nothing but .insn is needed.

// CHECK-LABEL: load_and_store:
// OBJ-LABEL: <load_and_store>:
func.func @load_and_store(%in: i64, %out: i64, %n: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %spad = gemmini.spad_addr %c0 : !gemmini.addr<spad>
  // opcode custom-3 0x7b, funct3 3, rd x0; funct7 in the top seven bits, so
  // flush (7) starts with 0e or 0f.
  // CHECK: .insn r 123, 3, 7, zero, [[RS1:[a-z0-9]+]], [[RS2:[a-z0-9]+]]
  // OBJ: {{0[ef][0-9a-f][0-9a-f][3b]07b}}
  gemmini.flush
  // CHECK: .insn r 123, 3, 0, zero
  gemmini.config_ld id = 0 stride = 16 block_stride = 16
  scf.for %i = %c0 to %n step %c1 {
    // The address of the data is passed as it is.
    // CHECK: .insn r 123, 3, 2, zero, [[IN:[a-z0-9]+]], {{[a-z0-9]+}}
    gemmini.mvin %in to %spad rows %rows cols %c16 : !gemmini.addr<spad>
    // CHECK: .insn r 123, 3, 3, zero
    gemmini.mvout %spad to %out rows %rows cols %c16 : !gemmini.addr<spad>
    // CHECK: fence
    gemmini.fence
  }
  // CHECK: ret
  return
}
