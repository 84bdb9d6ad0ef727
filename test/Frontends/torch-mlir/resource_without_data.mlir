// A resource whose data was left out when the module was printed stays what it is.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s

// CHECK: dense_resource<absent>
// CHECK: fadiff.layer

func.func @main(%x: tensor<5x3xf32>) -> tensor<5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<absent> : tensor<3x2xf32>
  %o = tensor.empty() : tensor<5x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<5x2xf32>) -> tensor<5x2xf32>
  %r = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x2xf32>) outs(%f : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}
