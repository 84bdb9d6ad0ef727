// IREE, linalg on tensors: quantized_batch_matmul with zero points: corrected on the host.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<2x5x8xi8>, %arg1: tensor<2x8x6xi8>) -> tensor<2x5x6xi32> {
  %c1 = arith.constant 11 : i32
  %c2 = arith.constant -3 : i32
  %e3 = tensor.empty() : tensor<2x5x6xi32>
  %c4 = arith.constant 0 : i32
  %f5 = linalg.fill ins(%c4 : i32) outs(%e3 : tensor<2x5x6xi32>) -> tensor<2x5x6xi32>
  %v6 = linalg.quantized_batch_matmul ins(%arg0, %arg1, %c1, %c2 : tensor<2x5x8xi8>, tensor<2x8x6xi8>, i32, i32) outs(%f5 : tensor<2x5x6xi32>) -> tensor<2x5x6xi32>
  return %v6 : tensor<2x5x6xi32>
}
