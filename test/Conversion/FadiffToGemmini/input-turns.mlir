// A 98 x 64 by 64 x 16 product on a 16 x 16 array, whose input comes in four
// tiles of 49 x 32. They take turns at row 0 and behind all buffers. 49 rows are
// passes of 4, 13, 16 and 16: no pass is shorter than the array's shortest.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @turns(
// CHECK:         scf.for %[[N:.*]] = %c0 to %c98 step %c49 {
// CHECK:           %[[ROW:.*]] = arith.divui %[[N]], %c49
// CHECK:           scf.for %[[C:.*]] = %c0 to %c64 step %c32 {
// Which tile it is, and its place.
// CHECK:             %[[BEFORE:.*]] = arith.muli %[[ROW]], %c2
// CHECK-NEXT:        %[[BLOCK:.*]] = arith.divui %[[C]], %c32
// CHECK-NEXT:        %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[BLOCK]]
// CHECK-NEXT:        %[[TURN:.*]] = arith.remui %[[NUMBER]], %c2
// CHECK-NEXT:        %[[ODD:.*]] = arith.cmpi eq, %[[TURN]], %c1
// CHECK-NEXT:        arith.select %[[ODD]], %c130, %c0
// CHECK:             scf.for %{{.*}} = %c0 to %c32 step %c16 {
// Only the first tile comes before its use.
// CHECK:               %[[FIRST:.*]] = arith.cmpi eq, %[[NUMBER]], %c0
// CHECK:               gemmini.preload %{{.*}} rows %c4
// CHECK:               gemmini.preload %{{.*}} rows %c13
// CHECK:               scf.for %{{.*}} = %c0 to %c32 step %c16 {
// CHECK:                 gemmini.preload %{{.*}} rows %c16
// Behind that the next tile comes, unless there is none, to the other place.
// CHECK:               %[[EVEN:.*]] = arith.cmpi eq, %[[TURN]], %c0
// CHECK-NEXT:          arith.select %[[EVEN]], %c130, %c0
// CHECK:                 gemmini.mvin %
#gemmini = #fadiff.target<"gemmini">
module attributes {fadiff.target = #gemmini} {
func.func @turns(%x: memref<98x64xi8>, %w: memref<64x16xi8>, %y: memref<98x16xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<98x64xi8>, memref<64x16xi8>) outs(%y : memref<98x16xi32>) {
  ^bb0(%X: !fadiff.dram<98x64xi8>, %W: !fadiff.dram<64x16xi8>, %Y: !fadiff.dram<98x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 98>
    %wt = fadiff.alloc 98 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 49>
    fadiff.stage "mm" workload(<[N = 98, K = 16, C = 64], layouts = "NC" "CK" "NK">) epilogue(<>) array [16, 16] {
      fadiff.for N step 49 at dram {
        fadiff.init %o : !fadiff.buffer<accumulator, 49>
        fadiff.for C step 32 at dram {
          fadiff.load input %X into %i : !fadiff.dram<98x64xi8>, !fadiff.buffer<scratchpad, 98>
          fadiff.load weights %W into %wt : !fadiff.dram<64x16xi8>, !fadiff.buffer<scratchpad, 32>
          fadiff.for C step 16 at accumulator {
            fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 98>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 49>
          }
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 49>, !fadiff.dram<98x16xi32>
      }
    }
  }
  return
}
}
