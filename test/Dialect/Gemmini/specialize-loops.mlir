// Loops over computes without what is rare, and without the last trip.

// RUN: fadiff-opt %s --gemmini-specialize-loops | FileCheck %s
// RUN: fadiff-opt %s --gemmini-peel-last-trip --canonicalize | FileCheck %s --check-prefix=LAST

// The inner loop loses the load, whose condition holds on one trip of the loops
// around at most, and the outer one the choice between the two inner ones. What
// depends on the trip only stays.

// CHECK-LABEL: func.func @rare(
// CHECK-SAME:      %[[FIRST:[a-z0-9]+]]: i1,
// CHECK:         scf.if %[[FIRST]] {
// CHECK-NEXT:      scf.for %[[O:.*]] = %c0
// CHECK:             %[[BOTH:.*]] = arith.andi %[[FIRST]], %
// CHECK:             scf.if %[[BOTH]] {
// CHECK-NEXT:          scf.for
// CHECK:                 gemmini.mvin3
// CHECK:                 gemmini.preload
// CHECK:             } else {
// CHECK-NEXT:          scf.for
// CHECK-NOT:             gemmini.mvin3
// CHECK:                 gemmini.preload
// CHECK:         } else {
// CHECK-NEXT:      scf.for
// CHECK-NOT:         gemmini.mvin3
// CHECK-NOT:         scf.if
// CHECK:             scf.for
// CHECK-NOT:           gemmini.mvin3
// CHECK:               gemmini.preload
// CHECK:               scf.if
// CHECK-NEXT:            gemmini.mvout
// CHECK-NOT:     gemmini.preload
// CHECK:         return

func.func @rare(%first: i1, %bias: i64, %out: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  scf.for %o = %c0 to %n step %c1 {
    %isFirst = arith.cmpi eq, %o, %c0 : index
    %both = arith.andi %first, %isFirst : i1
    scf.for %i = %c0 to %c16 step %c1 {
      %to = gemmini.acc_addr %i : !gemmini.addr<acc>
      %from = gemmini.spad_addr %i : !gemmini.addr<spad>
      scf.if %both {
        gemmini.mvin3 %bias to %to rows %c1 cols %c16 : !gemmini.addr<acc>
      }
      gemmini.preload %none rows %c16 cols %c16 to %to rows %c1 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<acc>
      gemmini.compute_preloaded %from rows %c1 cols %c16, %none rows %c1 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<spad>
      %isThird = arith.cmpi eq, %i, %c1 : index
      scf.if %isThird {
        gemmini.mvout %to to %out rows %c1 cols %c16 : !gemmini.addr<acc>
      }
    }
  }
  return
}

// All trips but the last are whole and have another one; the last is the rest.

// LAST-LABEL: func.func @ahead(
// LAST-SAME:      %[[N:[a-z0-9]+]]: index
// LAST:         %[[END:.*]] = arith.subi %[[N]], %c16
// LAST:         scf.for %{{.*}} = %c0 to %[[END]] step %c16 {
// LAST-NOT:       arith.minsi
// LAST-NOT:       arith.select
// LAST-NOT:       scf.if
// LAST:           gemmini.mvin %{{.*}} to %{{.*}} rows %c16
// LAST:           gemmini.preload {{.*}} rows %c16 cols
// LAST:         %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %c0
// LAST:         scf.if %[[ANY]] {
// LAST-NOT:       gemmini.mvin
// LAST:           %[[START:.*]] = arith.muli
// LAST:           %[[REST:.*]] = arith.subi %[[N]], %[[START]]
// LAST:           gemmini.preload {{.*}} to %{{.*}} rows %[[REST]] cols
// LAST:         return

func.func @ahead(%n: index, %input: i64) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  scf.for %i = %c0 to %n step %c16 {
    %left = arith.subi %n, %i : index
    %rows = arith.minsi %left, %c16 : index
    %next = arith.addi %i, %c16 : index
    %exists = arith.cmpi slt, %next, %n : index
    scf.if %exists {
      %at = gemmini.spad_addr %next : !gemmini.addr<spad>
      gemmini.mvin %input to %at rows %c16 cols %c16 : !gemmini.addr<spad>
    }
    %to = gemmini.acc_addr %i : !gemmini.addr<acc>
    %from = gemmini.spad_addr %i : !gemmini.addr<spad>
    gemmini.preload %none rows %c16 cols %c16 to %to rows %rows cols %c16 : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %from rows %rows cols %c16, %none rows %rows cols %c16 : !gemmini.addr<spad>, !gemmini.addr<spad>
  }
  return
}
