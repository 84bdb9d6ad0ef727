// A linear layer in f32 as torch-mlir writes it: bias added by a generic, ReLU as
// compare and select. Prime sizes.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = 1.000000e+00 : f32, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: target gemmini-fp32
// CHECK: as predicted
// CHECK: {{largest difference of floats from the reference: .*e-0[6-9] of the largest element, allowed: 1.0e-05|output identical}}

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<13x37xf32>, %w: tensor<37x29xf32>, %b: tensor<29xf32>) -> tensor<13x29xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<13x29xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<13x29xf32>) -> tensor<13x29xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<13x37xf32>, tensor<37x29xf32>) outs(%fill : tensor<13x29xf32>) -> tensor<13x29xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<13x29xf32>, tensor<29xf32>) outs(%empty : tensor<13x29xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %2 = arith.addf %in, %bias : f32
    linalg.yield %2 : f32
  } -> tensor<13x29xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<13x29xf32>) outs(%empty : tensor<13x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.cmpf ugt, %in, %zero : f32
    %5 = arith.select %4, %in, %zero : f32
    linalg.yield %5 : f32
  } -> tensor<13x29xf32>
  return %3 : tensor<13x29xf32>
}
