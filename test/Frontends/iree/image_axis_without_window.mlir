// An image axis along which no window slides, as it is without a kernel axis of
// one tap, is an image axis of the layer; with the batch two such loops are one.

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s --check-prefix=RAN

// CHECK: fadiff.layer "rows"
// CHECK-SAME: N = 2
// CHECK-SAME: P = 6, Q = 5, S = 5
// CHECK: fadiff.layer "volume"
// CHECK-SAME: N = 6
// CHECK-SAME: R = 3, S = 3
// RAN: 2 groups
// RAN: output identical to the reference

#x = affine_map<(n, h, w, f, r, c) -> (n, h + r, w, c)>
#k = affine_map<(n, h, w, f, r, c) -> (f, r, c)>
#y = affine_map<(n, h, w, f, r, c) -> (n, h, w, f)>
#v = affine_map<(n, d, h, w, f, r, s, c) -> (n, d, h + r, w + s, c)>
#l = affine_map<(n, d, h, w, f, r, s, c) -> (r, s, c, f)>
#z = affine_map<(n, d, h, w, f, r, s, c) -> (n, d, h, w, f)>
func.func @main(%x: tensor<2x9x6x8xi8>, %k: tensor<4x5x8xi8>, %y: tensor<2x5x6x4xi32>,
                %v: tensor<2x3x7x7x4xi8>, %l: tensor<3x3x4x8xi8>, %z: tensor<2x3x5x5x8xi32>) -> (tensor<2x5x6x4xi32>, tensor<2x3x5x5x8xi32>) {
  %0 = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %k : tensor<2x9x6x8xi8>, tensor<4x5x8xi8>) outs(%y : tensor<2x5x6x4xi32>) {
  ^bb0(%in: i8, %in1: i8, %out: i32):
    %1 = arith.extsi %in : i8 to i32
    %2 = arith.extsi %in1 : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %out, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x5x6x4xi32> loc("rows")
  %5 = linalg.generic {indexing_maps = [#v, #l, #z], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%v, %l : tensor<2x3x7x7x4xi8>, tensor<3x3x4x8xi8>) outs(%z : tensor<2x3x5x5x8xi32>) {
  ^bb0(%in: i8, %in1: i8, %out: i32):
    %1 = arith.extsi %in : i8 to i32
    %2 = arith.extsi %in1 : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %out, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x3x5x5x8xi32> loc("volume")
  return %0, %5 : tensor<2x5x6x4xi32>, tensor<2x3x5x5x8xi32>
}
