// IREE, linalg on tensors: linalg.contract.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(m, n, k) -> (m, k)>
#map1 = affine_map<(m, n, k) -> (k, n)>
#map2 = affine_map<(m, n, k) -> (m, n)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%arg0: tensor<6x20xi8>, %arg1: tensor<20x12xi8>) -> tensor<6x12xi8> {
  %e1 = tensor.empty() : tensor<6x12xi32>
  %c2 = arith.constant 0 : i32
  %f3 = linalg.fill ins(%c2 : i32) outs(%e1 : tensor<6x12xi32>) -> tensor<6x12xi32>
  %v4 = linalg.contract indexing_maps = [#map0, #map1, #map2] ins(%arg0, %arg1 : tensor<6x20xi8>, tensor<20x12xi8>) outs(%f3 : tensor<6x12xi32>) -> tensor<6x12xi32>
  %c5 = arith.constant 1122435510 : i32
  %c6 = arith.constant 39 : i8
  %c7 = arith.constant 127 : i32
  %e8 = tensor.empty() : tensor<6x12xi8>
  %v9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%v4 : tensor<6x12xi32>) outs(%e8 : tensor<6x12xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c5, %c6 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c2 : i32
    %c = arith.minsi %b, %c7 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<6x12xi8>
  return %v9 : tensor<6x12xi8>
}
