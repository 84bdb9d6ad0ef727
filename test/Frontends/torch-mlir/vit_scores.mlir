// torch-mlir, linalg on tensors: the scores of three heads: batch_matmul with a transposed operand.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%arg0: tensor<3x9x8xi8>, %arg1: tensor<3x9x8xi8>) -> tensor<3x9x9xi8> {
  %e1 = tensor.empty() : tensor<3x8x9xi8>
  %v2 = linalg.transpose ins(%arg1 : tensor<3x9x8xi8>) outs(%e1 : tensor<3x8x9xi8>) permutation = [0, 2, 1]
  %e3 = tensor.empty() : tensor<3x9x9xi32>
  %c4 = arith.constant 0 : i32
  %f5 = linalg.fill ins(%c4 : i32) outs(%e3 : tensor<3x9x9xi32>) -> tensor<3x9x9xi32>
  %v6 = linalg.batch_matmul ins(%arg0, %v2 : tensor<3x9x8xi8>, tensor<3x8x9xi8>) outs(%f5 : tensor<3x9x9xi32>) -> tensor<3x9x9xi32>
  %c7 = arith.constant 0.000201763 : f32
  %e8 = tensor.empty() : tensor<3x9x9xf32>
  %v9 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v6 : tensor<3x9x9xi32>) outs(%e8 : tensor<3x9x9xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c7 : f32
    linalg.yield %b : f32
  } -> tensor<3x9x9xf32>
  %c10 = arith.constant 0.0625 : f32
  %c11 = arith.constant 0.0 : f32
  %c12 = arith.constant -128.0 : f32
  %c13 = arith.constant 127.0 : f32
  %e14 = tensor.empty() : tensor<3x9x9xi8>
  %v15 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v9 : tensor<3x9x9xf32>) outs(%e14 : tensor<3x9x9xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c10 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c11 : f32
    %d = arith.maximumf %c, %c12 : f32
    %e = arith.minimumf %d, %c13 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<3x9x9xi8>
  return %v15 : tensor<3x9x9xi8>
}
