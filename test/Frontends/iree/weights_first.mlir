// Weights as first operand: of a convolution they change places with the image.

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s --check-prefix=RAN

// CHECK: fadiff.layer "conv" ins(%arg1,
// CHECK-SAME: K = 8, C = 4, P = 6, Q = 4, R = 2, S = 3
// RAN: output identical to the reference

#k = affine_map<(n, h, w, f, r, s, c) -> (r, s, c, f)>
#x = affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w * 2 + s, c)>
#y = affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>
func.func @main(%k: tensor<2x3x4x8xi8>, %x: tensor<1x7x9x4xi8>, %y: tensor<1x6x4x8xi32>) -> tensor<1x6x4x8xi32> {
  %0 = linalg.generic {indexing_maps = [#k, #x, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%k, %x : tensor<2x3x4x8xi8>, tensor<1x7x9x4xi8>) outs(%y : tensor<1x6x4x8xi32>) {
  ^bb0(%in: i8, %in1: i8, %out: i32):
    %1 = arith.extsi %in : i8 to i32
    %2 = arith.extsi %in1 : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %out, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x6x4x8xi32> loc("conv")
  return %0 : tensor<1x6x4x8xi32>
}
