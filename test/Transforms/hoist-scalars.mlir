// What a body computes of numbers per channel is computed once per channel.

// RUN: fadiff-opt %s --fadiff-fuse-host | FileCheck %s
// RUN: fadiff-run %s --entry=norm --target=gemmini --allow-empty | FileCheck %s --check-prefix=SAME
// SAME: output identical to the reference

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @norm(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<9x9x16xf32>, %[[MEAN:[a-z0-9]+]]: tensor<16xf32>, %[[VARIANCE:[a-z0-9]+]]: tensor<16xf32>
// CHECK:         %[[ROOTS:.*]] = linalg.generic {{.*}} ins(%[[VARIANCE]] : tensor<16xf32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK:           addf
// CHECK:           rsqrt
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[MEAN]], %[[ROOTS]] : tensor<9x9x16xf32>, tensor<16xf32>, tensor<16xf32>)
// CHECK-NOT:       rsqrt
// CHECK:         return
func.func @norm(%x: tensor<9x9x16xf32>, %mean: tensor<16xf32>, %variance: tensor<16xf32>) -> tensor<9x9x16xf32> {
  %epsilon = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<9x9x16xf32>
  %y = linalg.generic {indexing_maps = [#map, #channel, #channel, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %mean, %variance : tensor<9x9x16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<9x9x16xf32>) {
  ^bb0(%a: f32, %m: f32, %v: f32, %o: f32):
    %square = arith.mulf %v, %v : f32
    %more = arith.addf %square, %epsilon : f32
    %root = math.rsqrt %more : f32
    %d = arith.subf %a, %m : f32
    %r = arith.mulf %d, %root : f32
    linalg.yield %r : f32
  } -> tensor<9x9x16xf32>
  return %y : tensor<9x9x16xf32>
}

// Sums of numbers per channel are no work, and a quotient per element is one.
// CHECK-LABEL: func.func @stays(
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @stays(%x: tensor<9x9x16xf32>, %a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<9x9x16xf32> {
  %e = tensor.empty() : tensor<9x9x16xf32>
  %y = linalg.generic {indexing_maps = [#map, #channel, #channel, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %a, %b : tensor<9x9x16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<9x9x16xf32>) {
  ^bb0(%v: f32, %i: f32, %j: f32, %o: f32):
    %sum = arith.addf %i, %j : f32
    %r = arith.divf %v, %sum : f32
    linalg.yield %r : f32
  } -> tensor<9x9x16xf32>
  return %y : tensor<9x9x16xf32>
}

// Of rows, and of a reduction.
// CHECK-LABEL: func.func @rows(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<9x9xf32>)
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<9x16xf32>)
// CHECK-NOT:       math.exp
// CHECK:         return
func.func @rows(%x: tensor<9x9x16xf32>, %row: tensor<9x9xf32>, %s: tensor<9x16xf32>) -> tensor<9x16xf32> {
  %y = linalg.generic {indexing_maps = [#map, #row, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x, %row : tensor<9x9x16xf32>, tensor<9x9xf32>) outs(%s : tensor<9x16xf32>) {
  ^bb0(%v: f32, %i: f32, %o: f32):
    %factor = math.exp %i : f32
    %r = arith.mulf %v, %factor : f32
    %sum = arith.addf %o, %r : f32
    linalg.yield %sum : f32
  } -> tensor<9x16xf32>
  return %y : tensor<9x16xf32>
}
