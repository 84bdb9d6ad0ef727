// IREE, linalg on tensors: conv_2d_nhwc_hwcf_q.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x7x7x5xi8>, %arg1: tensor<3x3x5x6xi8>) -> tensor<1x5x5x6xi32> {
  %c1 = arith.constant -4 : i32
  %c2 = arith.constant 0 : i32
  %e3 = tensor.empty() : tensor<1x5x5x6xi32>
  %f4 = linalg.fill ins(%c2 : i32) outs(%e3 : tensor<1x5x5x6xi32>) -> tensor<1x5x5x6xi32>
  %v5 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1, %c1, %c2 : tensor<1x7x7x5xi8>, tensor<3x3x5x6xi8>, i32, i32) outs(%f4 : tensor<1x5x5x6xi32>) -> tensor<1x5x5x6xi32>
  return %v5 : tensor<1x5x5x6xi32>
}
