// RUN: fadiff-opt %s -canonicalize -cse -loop-invariant-code-motion -split-input-file | FileCheck %s

// Address computations are pure: duplicates merge, invariants leave the loop.
// Instructions are neither merged, deleted, nor moved.

// CHECK-LABEL: func.func @pure
// CHECK-SAME: %[[DRAM:.*]]: i64, %[[ROW:.*]]: index, %[[N:.*]]: index
func.func @pure(%dram: i64, %row: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = gemmini.spad_addr %[[ROW]]
  // CHECK-NEXT: scf.for
  scf.for %i = %c0 to %n step %c1 {
    %unused = gemmini.acc_addr %row : !gemmini.addr<acc>
    %a = gemmini.spad_addr %row : !gemmini.addr<spad>
    %b = gemmini.spad_addr %row : !gemmini.addr<spad>
    // CHECK-NEXT: gemmini.mvin %[[DRAM]] to %[[A]]
    gemmini.mvin %dram to %a rows %n cols %n : !gemmini.addr<spad>
    // CHECK-NEXT: gemmini.mvin %[[DRAM]] to %[[A]]
    gemmini.mvin %dram to %b rows %n cols %n : !gemmini.addr<spad>
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: return
  return
}

// -----

// Twice the same configuration is two instructions, with an invariant one
// still inside its loop: what it configures may be used between them.

// CHECK-LABEL: func.func @kept
func.func @kept(%dram: i64, %s: !gemmini.addr<spad>, %a: !gemmini.addr<acc>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: gemmini.region 1
    // CHECK-NEXT: gemmini.region 1
    // CHECK-NEXT: gemmini.flush
    // CHECK-NEXT: gemmini.flush
    // CHECK-NEXT: gemmini.config_ex ws
    // CHECK-NEXT: gemmini.config_ex ws
    // CHECK-NEXT: gemmini.config_ld
    // CHECK-NEXT: gemmini.config_ld
    // CHECK-NEXT: gemmini.config_st
    // CHECK-NEXT: gemmini.config_st
    // CHECK-NEXT: gemmini.mvin2 zero
    // CHECK-NEXT: gemmini.mvin2 zero
    // CHECK-NEXT: gemmini.preload
    // CHECK-NEXT: gemmini.compute_preloaded
    // CHECK-NEXT: gemmini.preload
    // CHECK-NEXT: gemmini.compute_preloaded
    // CHECK-NEXT: gemmini.preload
    // CHECK-NEXT: gemmini.compute_accumulated
    // CHECK-NEXT: gemmini.preload
    // CHECK-NEXT: gemmini.compute_accumulated
    // CHECK-NEXT: gemmini.mvout_spad
    // CHECK-NEXT: gemmini.mvout_spad
    // CHECK-NEXT: gemmini.mvout
    // CHECK-NEXT: gemmini.mvout
    // CHECK-NEXT: gemmini.fence
    // CHECK-NEXT: gemmini.fence
    // CHECK-NEXT: gemmini.mvin3
    // CHECK-NEXT: gemmini.mvin3
    // CHECK-NEXT: }
    gemmini.region 1
    gemmini.region 1
    gemmini.flush
    gemmini.flush
    gemmini.config_ex ws
    gemmini.config_ex ws
    gemmini.config_ld id = 1 stride = 64 block_stride = 16
    gemmini.config_ld id = 1 stride = 64 block_stride = 16
    gemmini.config_st stride = 64
    gemmini.config_st stride = 64
    gemmini.mvin2 zero to %a rows %n cols %n : !gemmini.addr<acc>
    gemmini.mvin2 zero to %a rows %n cols %n : !gemmini.addr<acc>
    gemmini.preload %s rows %n cols %n to %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %s rows %n cols %n, %none rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
    gemmini.preload %s rows %n cols %n to %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %s rows %n cols %n, %none rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
    gemmini.preload %none rows %n cols %n to %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_accumulated %s rows %n cols %n, %none rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
    gemmini.preload %none rows %n cols %n to %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_accumulated %s rows %n cols %n, %none rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
    gemmini.mvout_spad %a to %s rows %n cols %n
    gemmini.mvout_spad %a to %s rows %n cols %n
    gemmini.mvout %a to %dram rows %n cols %n : !gemmini.addr<acc>
    gemmini.mvout %a to %dram rows %n cols %n : !gemmini.addr<acc>
    gemmini.fence
    gemmini.fence
    gemmini.mvin3 %dram to %s rows %n cols %n : !gemmini.addr<spad>
    gemmini.mvin3 %dram to %s rows %n cols %n : !gemmini.addr<spad>
  }
  return
}

// -----

// A store to DRAM keeps a load of a host buffer in its place.

// CHECK-LABEL: func.func @dram
func.func @dram(%m: memref<4xi8>, %dram: i64, %s: !gemmini.addr<spad>, %n: index) -> (i8, i8, i8) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[FIRST:.*]] = memref.load
  %0 = memref.load %m[%c0] : memref<4xi8>
  // CHECK-NEXT: gemmini.mvout
  gemmini.mvout %s to %dram rows %n cols %n : !gemmini.addr<spad>
  // CHECK-NEXT: gemmini.fence
  gemmini.fence
  // CHECK-NEXT: %[[SECOND:.*]] = memref.load
  %1 = memref.load %m[%c0] : memref<4xi8>
  %2 = memref.load %m[%c0] : memref<4xi8>
  // CHECK-NEXT: return %[[FIRST]], %[[SECOND]], %[[SECOND]]
  return %0, %1, %2 : i8, i8, i8
}

// -----

// A flag known at compile time becomes the attribute.

// CHECK-LABEL: func.func @accumulate
// CHECK-SAME: %[[ROW:.*]]: index
func.func @accumulate(%row: index) -> (!gemmini.addr<acc>, !gemmini.addr<acc>) {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: %[[A:.*]] = gemmini.acc_addr %[[ROW]] accumulate full_width : !gemmini.addr<acc>
  %0 = gemmini.acc_addr %row accumulate(%true) full_width : !gemmini.addr<acc>
  // CHECK: %[[B:.*]] = gemmini.acc_addr %[[ROW]] : !gemmini.addr<acc>
  %1 = gemmini.acc_addr %row accumulate(%false) : !gemmini.addr<acc>
  // CHECK: return %[[A]], %[[B]]
  return %0, %1 : !gemmini.addr<acc>, !gemmini.addr<acc>
}
