// LLVM is told how often a branch is taken that follows from trips of loops
// whose bounds are known, or follow from such trips, of those on which the
// branches around it are taken. One that is taken each time, or never, is none
// any more. Of others it knows nothing. Loops with constant bounds have their
// trips.

// REQUIRES: riscv
// RUN: fadiff-compile %s --schedule=allow-empty --emit=llvm -O0 | FileCheck %s --implicit-check-not=llvm.expect
// CHECK-LABEL: define void @{{.*}}main(
// CHECK: br i1 %{{[0-9]+}}, label %{{[0-9]+}}, label %{{[0-9]+}}, !prof ![[SIXTEEN:[0-9]+]]
// CHECK: br i1 %{{[0-9]+}}, label %{{[0-9]+}}, label %{{[0-9]+}}, !prof ![[FOUR:[0-9]+]]

func.func @main(%values: memref<16x8xi32>, %counts: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i4 = arith.constant 4 : i32
  %i5 = arith.constant 5 : i32
  %i6 = arith.constant 6 : i32
  %i7 = arith.constant 7 : i32
  %i8 = arith.constant 8 : i32
  %i9 = arith.constant 9 : i32
  %zero = arith.constant 0 : i32
  %word = memref.load %counts[%c0] : memref<1xi32>
  %count = arith.index_cast %word : i32 to index
  %isSet = arith.cmpi ne, %word, %zero : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %isFirst = arith.cmpi eq, %i, %c0 : index
    scf.for %j = %c0 to %c8 step %c2 {
      // The last of 4 trips on the first of 16: 63/64 it is not.
      // CHECK: call i1 @llvm.expect.with.probability.i1(i1 %{{[0-9]+}}, i1 false, double 9.843750e-01)
      // CHECK: store i32 1,
      %isLast = arith.cmpi eq, %j, %c6 : index
      %both = arith.andi %isFirst, %isLast : i1
      scf.if %both {
        memref.store %i1, %values[%i, %j] : memref<16x8xi32>
      }
    }
    // The quotient is 0 on 4 trips of 16; of these it is the first on one.
    // CHECK: call i1 @llvm.expect.with.probability.i1(i1 %{{[0-9]+}}, i1 false, double 7.500000e-01)
    // CHECK: call i1 @llvm.expect.with.probability.i1(i1 %{{[0-9]+}}, i1 false, double 7.500000e-01)
    // CHECK-NEXT: br i1
    // CHECK: store i32 2,
    // CHECK-NOT: {{store i32 3|br i1}}
    // CHECK: store i32 4,
    %quotient = arith.divui %i, %c4 : index
    %isInFirstQuarter = arith.cmpi eq, %quotient, %c0 : index
    scf.if %isInFirstQuarter {
      scf.if %isFirst {
        memref.store %i2, %values[%i, %c0] : memref<16x8xi32>
        %isThird = arith.cmpi eq, %i, %c2 : index
        scf.if %isThird {
          memref.store %i3, %values[%i, %c0] : memref<16x8xi32>
        }
      }
      %isBelow = arith.cmpi slt, %i, %c4 : index
      scf.if %isBelow {
        memref.store %i4, %values[%i, %c1] : memref<16x8xi32>
      }
    }
    // CHECK: br i1
    // CHECK: store i32 5,
    scf.if %isSet {
      memref.store %i5, %values[%i, %c2] : memref<16x8xi32>
    }
    // Up to the outer trip: 1 of 1 to 6 trips, of 0 + ... + 6 + 9 x 6 = 75 15.
    // CHECK: call i1 @llvm.expect.with.probability.i1(i1 %{{[0-9]+}}, i1 false, double 8.000000e-01)
    // CHECK: store i32 7,
    %end = arith.minsi %i, %c6 : index
    scf.for %j = %c0 to %end step %c1 {
      %isFirstOf = arith.cmpi eq, %j, %c0 : index
      scf.if %isFirstOf {
        memref.store %i7, %values[%i, %j] : memref<16x8xi32>
      }
    }
  }
  // CHECK: br i1
  // CHECK: store i32 6,
  scf.for %i = %c0 to %count step %c1 {
    %isFirst = arith.cmpi eq, %i, %c0 : index
    scf.if %isFirst {
      memref.store %i6, %values[%i, %c3] : memref<16x8xi32>
    }
  }
  // Loops with very many trips are not gone through, though the one inside makes
  // none.
  // CHECK: br i1
  // CHECK: store i32 9,
  %many = arith.constant 1000000000000000 : index
  scf.for %i = %c0 to %many step %c1 {
    %none = arith.minsi %i, %c0 : index
    scf.for %j = %c0 to %none step %c1 {
      %isFirst = arith.cmpi eq, %j, %c0 : index
      scf.if %isFirst {
        memref.store %i9, %values[%c0, %c0] : memref<16x8xi32>
      }
    }
  }
  // A flag that is set is -1 where its sign counts.
  // CHECK: icmp slt i64
  // CHECK: br i1
  // CHECK: store i32 8,
  scf.for %i = %c0 to %c16 step %c1 {
    %isFirst = arith.cmpi eq, %i, %c0 : index
    %sign = arith.index_cast %isFirst : i1 to index
    %isNegative = arith.cmpi slt, %sign, %c0 : index
    scf.if %isNegative {
      memref.store %i8, %values[%i, %c4] : memref<16x8xi32>
    }
  }
  // CHECK: declare i1 @llvm.expect.with.probability.i1
  // CHECK-DAG: ![[SIXTEEN]] = !{!"branch_weights", i32 16, i32 1}
  // CHECK-DAG: ![[FOUR]] = !{!"branch_weights", i32 4, i32 1}
  return
}
