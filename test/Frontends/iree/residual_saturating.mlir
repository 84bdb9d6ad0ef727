// IREE, linalg on tensors: a residual added in int8 with saturation, which is the
// read-out with scale 1.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}}.add" {{.*}} residual(%arg0 : {{.*}} epilogue(<scale = 1.000000e+00 : f32>)
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%arg0: tensor<8x8xi8>, %arg1: tensor<8x8xi8>) -> tensor<8x8xi8> {
  %e1 = tensor.empty() : tensor<8x8xi32>
  %c2 = arith.constant 0 : i32
  %f3 = linalg.fill ins(%c2 : i32) outs(%e1 : tensor<8x8xi32>) -> tensor<8x8xi32>
  %v4 = linalg.matmul ins(%arg0, %arg1 : tensor<8x8xi8>, tensor<8x8xi8>) outs(%f3 : tensor<8x8xi32>) -> tensor<8x8xi32>
  %c5 = arith.constant 1774726370 : i32
  %c6 = arith.constant 39 : i8
  %c7 = arith.constant -128 : i32
  %c8 = arith.constant 127 : i32
  %e9 = tensor.empty() : tensor<8x8xi8>
  %v10 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%v4 : tensor<8x8xi32>) outs(%e9 : tensor<8x8xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c5, %c6 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c7 : i32
    %c = arith.minsi %b, %c8 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<8x8xi8>
  %e11 = tensor.empty() : tensor<8x8xi8>
  %v12 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%v10, %arg0 : tensor<8x8xi8>, tensor<8x8xi8>) outs(%e11 : tensor<8x8xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out: i8):
    %a = arith.extsi %in0 : i8 to i32
    %b = arith.extsi %in1 : i8 to i32
    %c = arith.addi %a, %b : i32
    %d = arith.maxsi %c, %c7 : i32
    %e = arith.minsi %d, %c8 : i32
    %g = arith.trunci %e : i32 to i8
    linalg.yield %g : i8
  } -> tensor<8x8xi8>
  return %v12 : tensor<8x8xi8>
}
