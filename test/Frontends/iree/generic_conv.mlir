// IREE, linalg on tensors: a convolution as linalg.generic.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w + s, c)>
#map1 = affine_map<(n, h, w, f, r, s, c) -> (r, s, c, f)>
#map2 = affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x9x9x6xi8>, %arg1: tensor<3x3x6x8xi8>) -> tensor<1x7x7x8xi8> {
  %e1 = tensor.empty() : tensor<1x7x7x8xi32>
  %c2 = arith.constant 0 : i32
  %f3 = linalg.fill ins(%c2 : i32) outs(%e1 : tensor<1x7x7x8xi32>) -> tensor<1x7x7x8xi32>
  %v4 = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x9x9x6xi8>, tensor<3x3x6x8xi8>) outs(%f3 : tensor<1x7x7x8xi32>) {
  ^bb0(%in0: i8, %in1: i8, %out: i32):
    %x = arith.extsi %in0 : i8 to i32
    %y = arith.extsi %in1 : i8 to i32
    %p = arith.muli %x, %y : i32
    %s = arith.addi %out, %p : i32
    linalg.yield %s : i32
  } -> tensor<1x7x7x8xi32>
  %c5 = arith.constant 1366184996 : i32
  %c6 = arith.constant 40 : i8
  %c7 = arith.constant 127 : i32
  %e8 = tensor.empty() : tensor<1x7x7x8xi8>
  %v9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x7x7x8xi32>) outs(%e8 : tensor<1x7x7x8xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c5, %c6 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c2 : i32
    %c = arith.minsi %b, %c7 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<1x7x7x8xi8>
  return %v9 : tensor<1x7x7x8xi8>
}
