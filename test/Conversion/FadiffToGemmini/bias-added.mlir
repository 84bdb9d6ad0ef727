// The bias of 256 sums is 16 loads, mostly latency. Sums begin without it; behind
// passes of the 4 reductions mvins add a piece each, half a round back.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @added(
// CHECK-NOT:     gemmini.mvin3
// CHECK:         scf.for %[[C:.*]] = %c0 to %c64 step %c16 {
// CHECK:           %[[STEP:.*]] = arith.divui %[[C]], %c16
// The first reduction overwrites.
// CHECK:           %[[ADDS:.*]] = arith.cmpi ne, %[[C]], %c0
// CHECK:           scf.for %[[PIXEL:.*]] = %c0 to %c256 step %c16 {
// CHECK-NOT:         gemmini.mvin3
// CHECK:             gemmini.acc_addr %[[PIXEL]] accumulate(%[[ADDS]])
// CHECK:             gemmini.compute_preloaded
// CHECK:             gemmini.compute_accumulated
// Of 16 pieces one that lies 8 back, be it of the reduction before.
// CHECK:             %[[PASS:.*]] = arith.divui %[[PIXEL]], %c16
// CHECK:             %[[BACK:.*]] = arith.subi %[[PASS]], %c8
// CHECK-NEXT:        %[[WRAPS:.*]] = arith.cmpi slt, %[[PASS]], %c8
// CHECK-NEXT:        %[[AHEAD:.*]] = arith.addi %[[PASS]], %c8
// CHECK-NEXT:        %[[PIECE:.*]] = arith.select %[[WRAPS]], %[[AHEAD]], %[[BACK]]
// CHECK-NEXT:        %[[BEFORE:.*]] = arith.subi %[[STEP]], %c1
// CHECK-NEXT:        %[[TURN:.*]] = arith.select %[[WRAPS]], %[[BEFORE]], %[[STEP]]
// Three reductions take turns.
// CHECK-NEXT:        %[[OWN:.*]] = arith.remui %[[PIECE]], %c3
// CHECK-NEXT:        %[[IS:.*]] = arith.cmpi eq, %[[OWN]], %[[TURN]]
// CHECK-NEXT:        scf.if %[[IS]] {
// CHECK-NEXT:          %[[ROW:.*]] = arith.muli %[[PIECE]], %c16
// CHECK:               %[[TO:.*]] = gemmini.acc_addr %[[ROW]] accumulate :
// CHECK-NEXT:          gemmini.mvin3 %{{.*}} to %[[TO]] rows %c16 cols %c16
// CHECK:             gemmini.mvout

module attributes {fadiff.target = #fadiff.target<"gemmini">} {

func.func @added(%x: memref<256x64xi8>, %w: memref<64x16xi8>, %b: memref<16xi32>, %y: memref<256x16xi8>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<256x64xi8>, memref<64x16xi8>, memref<16xi32>) outs(%y : memref<256x16xi8>) {
  ^bb0(%X: !fadiff.dram<256x64xi8>, %W: !fadiff.dram<64x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<256x16xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 1024>
    %wt = fadiff.alloc 1024 : !fadiff.buffer<scratchpad, 64>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 256>
    fadiff.stage "added" workload(<[N = 256, K = 16, C = 64], layouts = "NC" "CK" "NK">) epilogue(<scale = 0.5 : f32>) array [16, 16] {
      fadiff.load input %X into %i : !fadiff.dram<256x64xi8>, !fadiff.buffer<scratchpad, 1024>
      fadiff.load weights %W into %wt : !fadiff.dram<64x16xi8>, !fadiff.buffer<scratchpad, 64>
      fadiff.init %o bias %B : !fadiff.buffer<accumulator, 256> bias !fadiff.dram<16xi32>
      fadiff.for C step 16 at accumulator {
        fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 1024>, !fadiff.buffer<scratchpad, 64>, !fadiff.buffer<accumulator, 256>
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 256>, !fadiff.dram<256x16xi8>
    }
  }
  return
}
}
