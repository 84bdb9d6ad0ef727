// Weights in resources, as torch-mlir keeps them, fold as dense constants do: they
// are transposed once and take up batch normalisation.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 | FileCheck %s --check-prefix=RAN

// CHECK-NOT: dense_resource
// CHECK-NOT: linalg.transpose
// CHECK: fadiff.layer
// CHECK-NOT: linalg.generic
// RAN: as predicted
// RAN: {{output identical|largest difference of floats}}

#id = affine_map<(m, n) -> (m, n)>
#channel = affine_map<(m, n) -> (n)>
func.func @main(%x: tensor<5x3xf32>) -> tensor<5x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<weights> : tensor<2x3xf32>
  %gamma = arith.constant dense_resource<gamma> : tensor<2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<5x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<5x2xf32>) -> tensor<5x2xf32>
  %r = linalg.matmul ins(%x, %t : tensor<5x3xf32>, tensor<3x2xf32>) outs(%f : tensor<5x2xf32>) -> tensor<5x2xf32>
  %s = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %gamma : tensor<5x2xf32>, tensor<2xf32>) outs(%o : tensor<5x2xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %0 = arith.mulf %in, %g : f32
    linalg.yield %0 : f32
  } -> tensor<5x2xf32>
  return %s : tensor<5x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040000000C00000003F0000803E000080BF",
      gamma: "0x040000000000004000004040"
    }
  }
#-}
