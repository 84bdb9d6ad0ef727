// Loops over computes without what is rare, without the last trip, without what
// begins some trips, and with as many trips as usual.

// RUN: fadiff-opt %s --gemmini-specialize-loops | FileCheck %s
// RUN: fadiff-opt %s --gemmini-peel-last-trip --canonicalize | FileCheck %s --check-prefix=LAST
// RUN: fadiff-opt %s --gemmini-strip-loops --canonicalize | FileCheck %s --check-prefix=STRIP
// RUN: fadiff-opt %s --gemmini-fix-trips --canonicalize | FileCheck %s --check-prefix=FIX

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

// What is done every fourth trip, and then what is done on the first one, goes
// in front of a loop of four.

// STRIP-LABEL: func.func @blocks(
// STRIP-SAME:      %[[N:[a-z0-9]+]]: index, %[[EXISTS:[a-z0-9]+]]: i1
// STRIP:         scf.for %[[B:.*]] = %c0 to %[[N]] step %c64
// STRIP-NEXT:      scf.if %[[EXISTS]] {
// STRIP-NEXT:        %[[AT:.*]] = gemmini.spad_addr %[[B]]
// STRIP-NEXT:        gemmini.mvin2 %{{.*}} to %[[AT]]
// STRIP:           %[[FIRST:.*]] = arith.cmpi eq, %[[B]], %c0
// STRIP-NEXT:      scf.if %[[FIRST]] {
// STRIP-NEXT:        gemmini.mvin %
// STRIP:           %[[NEXT:.*]] = arith.addi %[[B]], %c64
// STRIP-NEXT:      %[[END:.*]] = arith.minsi %[[NEXT]], %[[N]]
// STRIP-NEXT:      scf.for %[[K:.*]] = %[[B]] to %[[END]] step %c16 {
// STRIP-NOT:         scf.if
// STRIP:             %[[TO:.*]] = gemmini.acc_addr %[[K]]
// STRIP-NEXT:        gemmini.preload %{{.*}} to %[[TO]]
// STRIP:         return

func.func @blocks(%n: index, %exists: i1, %weights: i64) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  %from = gemmini.spad_addr %c0 : !gemmini.addr<spad>
  scf.for %k = %c0 to %n step %c16 {
    %rest = arith.remui %k, %c64 : index
    %begins = arith.cmpi eq, %rest, %c0 : index
    %fetches = arith.andi %exists, %begins : i1
    scf.if %fetches {
      %at = gemmini.spad_addr %k : !gemmini.addr<spad>
      gemmini.mvin2 %weights to %at rows %c16 cols %c64 : !gemmini.addr<spad>
    }
    %isFirst = arith.cmpi eq, %k, %c0 : index
    scf.if %isFirst {
      gemmini.mvin %weights to %from rows %c16 cols %c16 : !gemmini.addr<spad>
    }
    %to = gemmini.acc_addr %k : !gemmini.addr<acc>
    gemmini.preload %none rows %c16 cols %c16 to %to rows %c16 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %from rows %c16 cols %c16, %none rows %c16 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<spad>
  }
  return
}

// What is done every eighth trip of those that go on counting through the loops
// around can be done on every fourth of the loop's own only. What comes every
// sixth trip of these need not.

// STRIP-LABEL: func.func @counting(
// STRIP-SAME:      %{{[a-z0-9]+}}: index, %[[N:[a-z0-9]+]]: index
// STRIP:           scf.for %[[B:.*]] = %c0 to %[[N]] step %c64
// STRIP-NEXT:        gemmini.mvin2
// STRIP:             %[[REST:.*]] = arith.remui %{{.*}}, %c8
// STRIP-NEXT:        %[[DUE:.*]] = arith.cmpi eq, %[[REST]], %c0
// STRIP-NEXT:        scf.if %[[DUE]] {
// STRIP-NEXT:          gemmini.mvin %
// STRIP:             scf.for %{{.*}} = %[[B]] to
// STRIP:               arith.remui %{{.*}}, %c6
// STRIP:               scf.if
// STRIP-NEXT:            gemmini.mvin3
// STRIP:               gemmini.preload
// STRIP:         return

func.func @counting(%rows: index, %n: index, %weights: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c64 = arith.constant 64 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  %from = gemmini.spad_addr %c0 : !gemmini.addr<spad>
  scf.for %row = %c0 to %rows step %c1 {
    %before = arith.muli %row, %c20 : index
    scf.for %k = %c0 to %n step %c16 {
      %rest = arith.remui %k, %c64 : index
      %begins = arith.cmpi eq, %rest, %c0 : index
      scf.if %begins {
        gemmini.mvin2 %weights to %from rows %c16 cols %c64 : !gemmini.addr<spad>
      }
      %own = arith.divui %k, %c16 : index
      %trip = arith.addi %before, %own : index
      %eighth = arith.remui %trip, %c8 : index
      %isEighth = arith.cmpi eq, %eighth, %c0 : index
      scf.if %isEighth {
        gemmini.mvin %weights to %from rows %c16 cols %c16 : !gemmini.addr<spad>
      }
      %sixth = arith.remui %trip, %c6 : index
      %isSixth = arith.cmpi eq, %sixth, %c0 : index
      scf.if %isSixth {
        gemmini.mvin3 %weights to %from rows %c16 cols %c16 : !gemmini.addr<spad>
      }
      %to = gemmini.acc_addr %k : !gemmini.addr<acc>
      gemmini.preload %none rows %c16 cols %c16 to %to rows %c16 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<acc>
      gemmini.compute_preloaded %from rows %c16 cols %c16, %none rows %c16 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<spad>
    }
  }
  return
}

// What is done on the first trip only goes in front of the loop, if it has one.
// What comes after a command stays behind it.

// STRIP-LABEL: func.func @once(
// STRIP-SAME:      %[[N:[a-z0-9]+]]: index
// STRIP:         %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %c0
// STRIP-NEXT:    scf.if %[[ANY]] {
// STRIP:           gemmini.mvin %
// STRIP:         scf.for %[[K:.*]] = %c0 to %[[N]] step %c16 {
// STRIP-NOT:       gemmini.mvin
// STRIP:           gemmini.compute_preloaded
// STRIP:           arith.remui %[[K]], %c64
// STRIP:           scf.if
// STRIP-NEXT:        gemmini.mvin2
// STRIP:         return

func.func @once(%n: index, %weights: i64) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  %from = gemmini.spad_addr %c0 : !gemmini.addr<spad>
  scf.for %k = %c0 to %n step %c16 {
    %isFirst = arith.cmpi eq, %k, %c0 : index
    scf.if %isFirst {
      gemmini.mvin %weights to %from rows %c16 cols %c16 : !gemmini.addr<spad>
    }
    %to = gemmini.acc_addr %k : !gemmini.addr<acc>
    gemmini.preload %none rows %c16 cols %c16 to %to rows %c16 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %from rows %c16 cols %c16, %none rows %c16 cols %c16 : !gemmini.addr<spad>, !gemmini.addr<spad>
    %rest = arith.remui %k, %c64 : index
    %begins = arith.cmpi eq, %rest, %c0 : index
    scf.if %begins {
      gemmini.mvin2 %weights to %from rows %c16 cols %c64 : !gemmini.addr<spad>
    }
  }
  return
}

// Tiles of 17 to 32 columns have two trips, the second of a known place; others
// have the loop as it is.

// FIX-LABEL: func.func @columns(
// FIX-SAME:      %[[ROWS:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// FIX-DAG:     %[[MORE:.*]] = arith.cmpi sgt, %[[N]], %c16
// FIX-DAG:     %[[LESS:.*]] = arith.cmpi sle, %[[N]], %c32
// FIX:         %[[USUAL:.*]] = arith.andi %[[MORE]], %[[LESS]]
// FIX-NEXT:    scf.if %[[USUAL]] {
// FIX:           scf.for %{{.*}} = %c0 to %[[ROWS]] step %c1 {
// FIX-NOT:         scf.for
// FIX:             gemmini.preload %{{.*}} to %{{.*}} rows %c16 cols
// FIX:             gemmini.preload %{{.*}} to %{{.*}} rows %[[REST:[a-z0-9]+]] cols
// FIX:         } else {
// FIX:           scf.for %{{.*}} = %c0 to %[[ROWS]] step %c1 {
// FIX-NEXT:        scf.for %{{.*}} = %c0 to %[[N]] step %c16 {
// FIX:         {gemmini.usual}
// FIX-NOT:     usual_count
// FIX:         return

func.func @columns(%rows: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  scf.for %row = %c0 to %rows step %c1 {
    scf.for %i = %c0 to %n step %c16 {
      %left = arith.subi %n, %i : index
      %count = arith.minsi %left, %c16 : index
      %to = gemmini.acc_addr %i : !gemmini.addr<acc>
      %from = gemmini.spad_addr %i : !gemmini.addr<spad>
      gemmini.preload %none rows %c16 cols %c16 to %to rows %count cols %c16 : !gemmini.addr<spad>, !gemmini.addr<acc>
      gemmini.compute_preloaded %from rows %count cols %c16, %none rows %count cols %c16 : !gemmini.addr<spad>, !gemmini.addr<spad>
    } {gemmini.usual_count = 29 : index}
  }
  return
}
