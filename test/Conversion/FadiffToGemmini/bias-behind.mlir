// A 50 x 32 by 32 x 4 product on a 4 x 4 array, with a bias. Passes take 2 pixels,
// then 4 each, so that the next weights load during a whole one. Behind each of
// the first seven reduction steps the bias of two chunks of four sums is added:
// of those that begin at 0 and 28, at 4 and 32 and so on. The last one has two
// sums, and the seventh step none but its first. The second half of the input's
// channels, too, comes in pieces behind the steps that read the first half.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @gemm(
// CHECK:         scf.for %[[C:.*]] = %c0 to %c32 step %c4 {
// CHECK:           %[[STEP:.*]] = arith.divui %[[C]], %c4
// The first step's sums replace what is there.
// CHECK:           %[[ADDS:.*]] = arith.cmpi ne, %[[C]], %c0
// CHECK:           scf.for %[[I:.*]] = %c0 to %c50 step %c4 {
// CHECK-NEXT:        %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK-NEXT:        %[[LATER:.*]] = arith.subi %[[I]], %c2
// CHECK-NEXT:        %[[ROWS:.*]] = arith.select %[[FIRST]], %c2, %c4
// CHECK-NEXT:        %[[PIXEL:.*]] = arith.select %[[FIRST]], %c0, %[[LATER]]
// CHECK:             %[[TO:.*]] = gemmini.acc_addr %[[PIXEL]] accumulate(%[[ADDS]])
// CHECK-NEXT:        gemmini.preload %{{.*}} to %[[TO]] rows %[[ROWS]]
// CHECK:           }
// CHECK:           %[[DUE:.*]] = arith.cmpi slt, %[[STEP]], %c7
// CHECK-NEXT:      scf.if %[[DUE]] {
// CHECK-NEXT:        %[[FROM:.*]] = arith.muli %[[STEP]], %c4
// CHECK-NEXT:        %[[SPAN:.*]] = arith.subi %c50, %[[FROM]]
// CHECK-NEXT:        scf.for %[[J:.*]] = %c0 to %[[SPAN]] step %c28 {
// CHECK-NEXT:          %[[AT:.*]] = arith.addi %[[FROM]], %[[J]]
// CHECK-NEXT:          %[[LEFT:.*]] = arith.subi %c50, %[[AT]]
// CHECK-NEXT:          %[[COUNT:.*]] = arith.minsi %[[LEFT]], %c4
// CHECK:               %[[SUMS:.*]] = gemmini.acc_addr %[[AT]] accumulate :
// CHECK-NEXT:          gemmini.mvin3 %{{.*}} to %[[SUMS]] rows %[[COUNT]]
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[PIECE:.*]] = arith.muli %[[STEP]], %c4
// CHECK-NEXT:      %[[COMES:.*]] = arith.cmpi slt, %[[PIECE]], %c13
// CHECK-NEXT:      scf.if %[[COMES]] {
// CHECK-NEXT:        scf.for %{{.*}} = %c0 to %c4 step %c1 {
// CHECK:               gemmini.mvin %
// CHECK-NOT:     gemmini.mvin3

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 2048, accumulator_bytes = 1024>
module attributes {fadiff.target = #tiny} {

func.func @gemm(%x: memref<50x32xi8>, %w: memref<32x4xi8>, %b: memref<4xi32>, %y: memref<50x4xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<50x32xi8>, memref<32x4xi8>, memref<4xi32>) outs(%y : memref<50x4xi32>) {
  ^bb0(%X: !fadiff.dram<50x32xi8>, %W: !fadiff.dram<32x4xi8>, %B: !fadiff.dram<4xi32>, %Y: !fadiff.dram<50x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 400>
    %wt = fadiff.alloc 400 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 50>
    fadiff.stage "gemm" workload(<[N = 50, K = 4, C = 32], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<32x4xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.load input %X into %i : !fadiff.dram<50x32xi8>, !fadiff.buffer<scratchpad, 400>
      fadiff.init %o bias %B : !fadiff.buffer<accumulator, 50> bias !fadiff.dram<4xi32>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 400>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 50>
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 50>, !fadiff.dram<50x4xi32>
    }
  }
  return
}
}
