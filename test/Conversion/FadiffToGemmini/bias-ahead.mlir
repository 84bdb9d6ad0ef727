// Three tiles of sums that take turns in two places of the accumulator. Each
// leaves beside the next one's first reduction steps, and one step behind what
// leaves comes the bias of the tile after, into the same place. Only the first
// tile brings its bias itself.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @ahead(
// CHECK:         scf.for %[[N:.*]] = %c0 to %c48 step %c16 {
// CHECK:           %[[IS_FIRST:.*]] = arith.cmpi eq, %[[N]], %c0
// The place of this tile, and the other one.
// CHECK:           %[[TURN:.*]] = arith.remui %{{.*}}, %c2
// CHECK-NEXT:      %[[HAS_BEFORE:.*]] = arith.cmpi ne, %[[N]], %c0
// CHECK-NEXT:      %[[OTHER:.*]] = arith.subi %c1, %[[TURN]]
// CHECK-NEXT:      %[[THERE:.*]] = arith.muli %[[OTHER]], %c16
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[N]], %c16
// CHECK-NEXT:      %[[HAS_AFTER:.*]] = arith.cmpi slt, %[[NEXT]], %c48
// CHECK-NEXT:      %[[HERE:.*]] = arith.muli %[[TURN]], %c16
// CHECK:           scf.for %[[C:.*]] = %c0 to %c32 step %c4 {
// CHECK:             %[[STEP:.*]] = arith.divui %[[C]], %c4
// CHECK:             scf.for %[[I:.*]] = %c0 to %c16 step %c4 {
// CHECK:               %[[FIRST_STEP:.*]] = arith.cmpi eq, %[[C]], %c0
// CHECK-NEXT:          %[[BRINGS:.*]] = arith.andi %[[FIRST_STEP]], %[[IS_FIRST]]
// CHECK-NEXT:          scf.if %[[BRINGS]] {
// CHECK:                 %[[ROW:.*]] = arith.addi %[[HERE]], %[[I]]
// CHECK-NEXT:            %[[SUMS:.*]] = gemmini.acc_addr %[[ROW]] :
// CHECK-NEXT:            gemmini.mvin3 %{{.*}} to %[[SUMS]] rows %c4
// What is added to is there, whoever has brought it.
// CHECK:               gemmini.acc_addr %{{.*}} accumulate :
// CHECK:             %[[LEAVES:.*]] = arith.andi %{{.*}}, %[[HAS_BEFORE]]
// CHECK-NEXT:        scf.if %[[LEAVES]] {
// CHECK:               gemmini.mvout
// CHECK:             %[[LATER:.*]] = arith.subi %[[STEP]], %c1
// CHECK:             %[[COMES:.*]] = arith.andi %{{.*}}, %[[HAS_AFTER]]
// CHECK-NEXT:        scf.if %[[COMES]] {
// CHECK-NEXT:          %[[FROM:.*]] = arith.muli %[[LATER]], %c4
// CHECK:               scf.for %[[J:.*]] = %c0
// CHECK:                 %[[AT:.*]] = arith.addi %[[FROM]], %[[J]]
// CHECK:                 %[[ROW:.*]] = arith.addi %[[THERE]], %[[AT]]
// CHECK-NEXT:            %[[SUMS:.*]] = gemmini.acc_addr %[[ROW]] :
// CHECK-NEXT:            gemmini.mvin3 %{{.*}} to %[[SUMS]] rows

// There is no second place of 28 rows above rows 18 to 45 of 64, nor below: each
// tile brings its own bias, and leaves with its last step.
// CHECK-LABEL: func.func @middle(
// CHECK:         scf.for %{{.*}} = %c0 to %c56 step %c28 {
// CHECK:           scf.for %[[C:.*]] = %c0 to %c32 step %c4 {
// CHECK:             scf.for %[[I:.*]] = %c0 to %c28 step %c4 {
// CHECK:                 %[[ROW:.*]] = arith.addi %[[I]], %c18
// CHECK-NEXT:            %[[SUMS:.*]] = gemmini.acc_addr %[[ROW]] :
// CHECK-NEXT:            gemmini.mvin3 %{{.*}} to %[[SUMS]] rows %c4
// CHECK:               %[[ROW:.*]] = arith.addi %[[I]], %c18
// CHECK:                 %[[DONE:.*]] = gemmini.acc_addr %[[ROW]] full_width
// CHECK:                 gemmini.mvout %[[DONE]]
// CHECK-NOT:     gemmini.mv

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 2048, accumulator_bytes = 1024>
module attributes {fadiff.target = #tiny} {

func.func @ahead(%x: memref<48x32xi8>, %w: memref<32x4xi8>, %b: memref<4xi32>, %y: memref<48x4xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<48x32xi8>, memref<32x4xi8>, memref<4xi32>) outs(%y : memref<48x4xi32>) {
  ^bb0(%X: !fadiff.dram<48x32xi8>, %W: !fadiff.dram<32x4xi8>, %B: !fadiff.dram<4xi32>, %Y: !fadiff.dram<48x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 128>
    %wt = fadiff.alloc 400 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "gemm" workload(<[N = 48, K = 4, C = 32], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<32x4xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.for N step 16 at dram {
        fadiff.load input %X into %i : !fadiff.dram<48x32xi8>, !fadiff.buffer<scratchpad, 128>
        fadiff.init %o bias %B : !fadiff.buffer<accumulator, 16> bias !fadiff.dram<4xi32>
        fadiff.for C step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 128>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 16>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 16>, !fadiff.dram<48x4xi32>
      }
    }
  }
  return
}

func.func @middle(%x: memref<56x32xi8>, %w: memref<32x4xi8>, %b: memref<4xi32>, %y: memref<56x4xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<56x32xi8>, memref<32x4xi8>, memref<4xi32>) outs(%y : memref<56x4xi32>) {
  ^bb0(%X: !fadiff.dram<56x32xi8>, %W: !fadiff.dram<32x4xi8>, %B: !fadiff.dram<4xi32>, %Y: !fadiff.dram<56x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 224>
    %wt = fadiff.alloc 400 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 18 : !fadiff.buffer<accumulator, 28>
    fadiff.stage "gemm" workload(<[N = 56, K = 4, C = 32], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<32x4xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.for N step 28 at dram {
        fadiff.load input %X into %i : !fadiff.dram<56x32xi8>, !fadiff.buffer<scratchpad, 224>
        fadiff.init %o bias %B : !fadiff.buffer<accumulator, 28> bias !fadiff.dram<4xi32>
        fadiff.for C step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 224>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 28>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 28>, !fadiff.dram<56x4xi32>
      }
    }
  }
  return
}
}
