// Positions as torch exports them to TOSA: cast from i64, which no profile of
// TOSA knows, beside a matrix product.

// RUN: fadiff-run %s --target=gemmini-fp32 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-attach-target=target=gemmini-fp32 --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: {{largest difference of floats from the reference: .*e-0[6-9] of the largest element, allowed: 1.0e-05|output identical}}

func.func @main(%p: tensor<1x4xi64>, %x: tensor<1x4x8xf32>, %w: tensor<1x8x16xf32>) -> (tensor<1x4xf32>, tensor<1x4x16xf32>) {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.cast %p : (tensor<1x4xi64>) -> tensor<1x4xf32>
  %1 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>
  return %0, %1 : tensor<1x4xf32>, tensor<1x4x16xf32>
}
