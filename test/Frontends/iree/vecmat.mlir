// IREE, linalg on tensors: a vector times a matrix.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<64xi8>, %arg1: tensor<64x30xi8>) -> tensor<30xi32> {
  %e1 = tensor.empty() : tensor<30xi32>
  %c2 = arith.constant 0 : i32
  %f3 = linalg.fill ins(%c2 : i32) outs(%e1 : tensor<30xi32>) -> tensor<30xi32>
  %v4 = linalg.vecmat ins(%arg0, %arg1 : tensor<64xi8>, tensor<64x30xi8>) outs(%f3 : tensor<30xi32>) -> tensor<30xi32>
  return %v4 : tensor<30xi32>
}
