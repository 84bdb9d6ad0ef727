// Operations on vectors beside the layers, in functions that somebody has
// vectorised by hand, run on the host; an access that is not within memory is an
// error at its place.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-run %t/kernel.mlir --target=gemmini-fp32 --check | FileCheck %s
// CHECK: on the array: 100.0 % of 256 multiply-accumulates
// CHECK: largest difference of floats

// RUN: not fadiff-run %t/outside.mlir --reference-only 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: the program stopped at {{.*}}outside.mlir:3:8: 'vector.load': out-of-bounds access
// RUN: not fadiff-run %t/below.mlir --reference-only 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: error: the program stopped at {{.*}}below.mlir:3:3: 'vector.store': out-of-bounds access
// RUN: not fadiff-run %t/transfer.mlir --reference-only 2>&1 | FileCheck %s --check-prefix=TRANSFER
// TRANSFER: error: the program stopped at {{.*}}transfer.mlir:4:8: 'vector.transfer_read': out-of-bounds access

// A transfer that says that it may leave memory reads its padding there.
// RUN: fadiff-run %t/padded.mlir --reference-only --print-values | FileCheck %s --check-prefix=PADDED
// PADDED: values 0: {{.*}} 9 9 9 9 9

// An index of a vector is given a value that is within memory.
// RUN: fadiff-run %t/index.mlir --reference-only --seed=3 | FileCheck %s --check-prefix=INDEX
// INDEX: output 0: tensor<8xf32>

//--- index.mlir
func.func @main(%at: index, %y: memref<8xf32>) {
  %0 = arith.constant dense<1.0> : vector<7xf32>
  vector.store %0, %y[%at] : memref<8xf32>, vector<7xf32>
  return
}

//--- kernel.mlir
func.func @main(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %b: memref<8xf32>, %y: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  linalg.fill ins(%zero : f32) outs(%y : memref<4x8xf32>)
  linalg.matmul ins(%x, %w : memref<4x8xf32>, memref<8x8xf32>) outs(%y : memref<4x8xf32>)
  %bias = vector.load %b[%c0] : memref<8xf32>, vector<8xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %row = vector.transfer_read %y[%i, %c0], %zero {in_bounds = [true]} : memref<4x8xf32>, vector<8xf32>
    %sum = arith.addf %row, %bias : vector<8xf32>
    %root = math.exp %sum : vector<8xf32>
    %largest = vector.reduction <maximumf>, %root : vector<8xf32> into f32
    %all = vector.broadcast %largest : f32 to vector<8xf32>
    %scaled = arith.divf %root, %all : vector<8xf32>
    vector.store %scaled, %y[%i, %c0] : memref<4x8xf32>, vector<8xf32>
  }
  return
}

//--- outside.mlir
func.func @main(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %0 = vector.load %x[%c1, %c1] : memref<4x8xf32>, vector<8xf32>
  vector.store %0, %y[%c1] : memref<8xf32>, vector<8xf32>
  return
}

//--- below.mlir
func.func @main(%at: index {fadiff.fill = "uniform(-2,-2)"}, %y: memref<8xf32>) {
  %0 = arith.constant dense<1.0> : vector<2xf32>
  vector.store %0, %y[%at] : memref<8xf32>, vector<2xf32>
  return
}

//--- transfer.mlir
func.func @main(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c1, %c1], %z {in_bounds = [true]} : memref<4x8xf32>, vector<8xf32>
  vector.store %0, %y[%c1] : memref<8xf32>, vector<8xf32>
  return
}

//--- padded.mlir
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %nine = arith.constant 9.0 : f32
  %0 = vector.transfer_read %x[%c5], %nine {in_bounds = [false]} : memref<8xf32>, vector<8xf32>
  vector.store %0, %y[%c0] : memref<8xf32>, vector<8xf32>
  return
}
