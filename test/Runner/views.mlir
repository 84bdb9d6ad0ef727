// A layer reads a part of a larger tensor where it lies: rows that start anywhere
// and are any distance apart. Only gaps between channels are closed by a copy.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-small --fadiff-bufferize | FileCheck %s --check-prefix=BUFFERS
// BUFFERS-LABEL: func.func @main(
// BUFFERS-NOT:     memref.copy
// BUFFERS:         fadiff.loop_nest ins(%{{.*}} : memref<7x10xi8, strided<[25, 1], offset: 38>>,
// BUFFERS:         memref.copy %{{.*}}, %[[DENSE:.*]] : memref<7x10xi8, strided<[25, 2], offset: 26>> to memref<7x10xi8>
// BUFFERS:         fadiff.loop_nest ins(%[[DENSE]], %{{.*}} : memref<7x10xi8>,
// BUFFERS:         fadiff.loop_nest ins(%{{.*}} : memref<7x10xi8, strided<[25, 1], offset: ?>>,

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small --seed=2 | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small --seed=3 | FileCheck %s
// CHECK: : as predicted
// CHECK: output identical to the reference

func.func @main(%x: tensor<9x25xi8>, %w: tensor<10x20xi8>, %at: tensor<i8>) -> (tensor<7x20xi32>, tensor<7x20xi32>, tensor<7x20xi32>) {
  %zero = arith.constant 0 : i32
  %s = tensor.extract_slice %x[1, 13] [7, 10] [1, 1] : tensor<9x25xi8> to tensor<7x10xi8>
  %e = tensor.empty() : tensor<7x20xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<7x20xi32>) -> tensor<7x20xi32>
  %0 = linalg.matmul ins(%s, %w : tensor<7x10xi8>, tensor<10x20xi8>) outs(%f : tensor<7x20xi32>) -> tensor<7x20xi32> loc("slice")
  %t = tensor.extract_slice %x[1, 1] [7, 10] [1, 2] : tensor<9x25xi8> to tensor<7x10xi8>
  %2 = linalg.matmul ins(%t, %w : tensor<7x10xi8>, tensor<10x20xi8>) outs(%f : tensor<7x20xi32>) -> tensor<7x20xi32> loc("gaps")
  %a = tensor.extract %at[] : tensor<i8>
  %b = arith.index_castui %a : i8 to index
  %three = arith.constant 3 : index
  %row = arith.remui %b, %three : index
  %u = tensor.extract_slice %x[%row, 15] [7, 10] [1, 1] : tensor<9x25xi8> to tensor<7x10xi8>
  %3 = linalg.matmul ins(%u, %w : tensor<7x10xi8>, tensor<10x20xi8>) outs(%f : tensor<7x20xi32>) -> tensor<7x20xi32> loc("anywhere")
  return %0, %2, %3 : tensor<7x20xi32>, tensor<7x20xi32>, tensor<7x20xi32>
}
