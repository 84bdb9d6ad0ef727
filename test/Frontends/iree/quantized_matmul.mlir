// IREE, linalg on tensors: quantized_matmul with an input zero point, constant weights: all of it
// becomes a bias.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%arg0: tensor<5x8xi8>) -> tensor<5x6xi8> {
  %w1 = arith.constant dense<"0xB94D82292B7896638E7DB0D2FA181D689351B96829875958520496F9B4A852B4A022AB9ADCBA398E5B8DEB17E30E5C0A"> : tensor<8x6xi8>
  %c2 = arith.constant 11 : i32
  %c3 = arith.constant 0 : i32
  %e4 = tensor.empty() : tensor<5x6xi32>
  %f5 = linalg.fill ins(%c3 : i32) outs(%e4 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %v6 = linalg.quantized_matmul ins(%arg0, %w1, %c2, %c3 : tensor<5x8xi8>, tensor<8x6xi8>, i32, i32) outs(%f5 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c7 = arith.constant 1774726370 : i32
  %c8 = arith.constant 39 : i8
  %c9 = arith.constant -128 : i32
  %c10 = arith.constant 127 : i32
  %e11 = tensor.empty() : tensor<5x6xi8>
  %v12 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel"]} ins(%v6 : tensor<5x6xi32>) outs(%e11 : tensor<5x6xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c7, %c8 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c9 : i32
    %c = arith.minsi %b, %c10 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<5x6xi8>
  return %v12 : tensor<5x6xi8>
}
