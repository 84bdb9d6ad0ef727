// A 16 x 32 by 32 x 32 product on a 4 x 4 array, 16 bytes per DRAM row: loads run
// ahead of the computes, stores follow them, and nothing but computes repeats.
// Tiles cut evenly, so no part, of the next tile either, may be smaller.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s --implicit-check-not=arith.minsi

// CHECK-LABEL: func.func @stream(
// CHECK-COUNT-4: gemmini.config
// CHECK-NOT:     gemmini.config
// The first 16 channels of all pixels.
// CHECK:         scf.for %{{.*}} = %c0 to %c16 step %c4 {
// CHECK:           gemmini.mvin %{{.*}} rows %c4 cols %c16
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for %[[TILE:.*]] = %c0 to %c32 step %c16 {
// Only the first tile of weights waits for its first rows.
// CHECK-NEXT:      %[[FIRST:.*]] = arith.cmpi eq, %[[TILE]], %c0
// CHECK-NEXT:      scf.if %[[FIRST]] {
// CHECK:             gemmini.mvin2 %{{.*}} rows %c4 cols %c16
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.for %[[C:.*]] = %c0 to %c32 step %c4 {
// The next rows of weights: of this tile, or after its last row the next one's.
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addi %[[C]], %c4
// CHECK-NEXT:        %[[HERE:.*]] = arith.cmpi slt, %[[NEXT]], %c32
// CHECK:             %[[MORE:.*]] = arith.ori %[[HERE]], %{{.*}}
// CHECK:             scf.if %[[MORE]] {
// CHECK:               gemmini.mvin2
// The other 16 channels, with the first tile and ahead of their use.
// CHECK:             %[[REST:.*]] = arith.andi %[[FIRST]], %{{.*}}
// CHECK:             %[[WHOLE:.*]] = arith.remui %[[C]], %c16
// CHECK-NEXT:        %[[STARTS:.*]] = arith.cmpi eq, %[[WHOLE]], %c0
// CHECK-NEXT:        %[[FETCH:.*]] = arith.andi %[[REST]], %[[STARTS]]
// CHECK:             scf.if %[[FETCH]] {
// CHECK:               gemmini.mvin %
// No load among the computes; four blocks leave together behind the last.
// CHECK:             scf.for %[[K:.*]] = %c0 to %c16 step %c4 {
// CHECK-NOT:           gemmini.mvin
// CHECK:               gemmini.compute_preloaded
// CHECK:               gemmini.compute_accumulated
// CHECK:               %[[DONE:.*]] = arith.cmpi eq, %[[NEXT]], %c32
// CHECK:               %[[FULL:.*]] = arith.ori
// CHECK-NEXT:          %[[LEAVES:.*]] = arith.andi %[[DONE]], %[[FULL]]
// CHECK-NEXT:          scf.if %[[LEAVES]] {
// CHECK:                 %[[COLS:.*]] = arith.subi
// CHECK-NEXT:            gemmini.mvout %{{.*}} rows %c4 cols %[[COLS]]
// CHECK-NEXT:          }
// CHECK-NOT:     gemmini.mv
// CHECK:         gemmini.fence

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 1024, accumulator_bytes = 1024>
module attributes {fadiff.target = #tiny} {

func.func @stream(%x: memref<16x32xi8>, %w: memref<32x32xi8>, %y: memref<16x32xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<16x32xi8>, memref<32x32xi8>) outs(%y : memref<16x32xi8>) {
  ^bb0(%X: !fadiff.dram<16x32xi8>, %W: !fadiff.dram<32x32xi8>, %Y: !fadiff.dram<16x32xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 128>
    %wt = fadiff.alloc 128 : !fadiff.buffer<scratchpad, 128>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 64>
    fadiff.stage "stream" workload(<[N = 16, K = 32, C = 32], layouts = "NC" "CK" "NK">) epilogue(<scale = 0.5 : f32>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<16x32xi8>, !fadiff.buffer<scratchpad, 128>
      fadiff.for K step 16 at dram {
        fadiff.load weights %W into %wt : !fadiff.dram<32x32xi8>, !fadiff.buffer<scratchpad, 128>
        fadiff.init %o : !fadiff.buffer<accumulator, 64>
        fadiff.for C step 4 at accumulator {
          fadiff.for K step 4 at accumulator {
            fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 128>, !fadiff.buffer<scratchpad, 128>, !fadiff.buffer<accumulator, 64>
          }
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 64>, !fadiff.dram<16x32xi8>
      }
    }
  }
  return
}
}
