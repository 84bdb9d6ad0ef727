// What fusion computed inside of a reader's body is a tensor again: the int8 that
// one layer leaves and the next one multiplies, and a sum with its bias.

// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @factor
// CHECK: %[[READ_OUT:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xi32>)
// CHECK: -> tensor<4x8xi8>
// CHECK: linalg.generic {{.*}} ins(%[[READ_OUT]], %{{.*}} : tensor<4x8xi8>, tensor<8x16xi8>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %[[C:.*]]: i32):
// CHECK-NEXT: arith.extsi %[[A]]
// CHECK-NEXT: arith.extsi %[[B]]
func.func @factor(%sum: tensor<4x8xi32>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.001 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%sum, %w : tensor<4x8xi32>, tensor<8x16xi8>) outs(%f : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i8, %c: i32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    %6 = arith.extsi %5 : i8 to i32
    %7 = arith.extsi %b : i8 to i32
    %8 = arith.muli %6, %7 : i32
    %9 = arith.addi %c, %8 : i32
    linalg.yield %9 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// An image is read by windows; what it is computed from is read as it is.
// CHECK-LABEL: func.func @image
// CHECK: linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]]], iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<6x4xf32>)
// CHECK: -> tensor<6x4xf32>
func.func @image(%x: tensor<6x4xf32>, %w: tensor<3x4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(p, k, r, c) -> (p + r, c)>, affine_map<(p, k, r, c) -> (r, c, k)>, affine_map<(p, k, r, c) -> (p, k)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : tensor<6x4xf32>, tensor<3x4x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.maximumf %a, %zero : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @bias
// CHECK: %[[BIASED:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xi32>, tensor<8xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[BIASED]] : tensor<4x8xi32>)
func.func @bias(%sum: tensor<4x8xi32>, %b: tensor<8xi32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
    ins(%sum, %b : tensor<4x8xi32>, tensor<8xi32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: i32, %y: i32, %o: f32):
    %0 = arith.addi %x, %y : i32
    %1 = arith.sitofp %0 : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The read-out of one layer and its ReLU are one function: nothing to cut.
// CHECK-LABEL: func.func @read_out
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @read_out(%sum: tensor<4x8xi32>) -> tensor<4x8xi8> {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<4x8xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%sum : tensor<4x8xi32>) outs(%e : tensor<4x8xi8>) {
  ^bb0(%x: i32, %o: i8):
    %0 = arith.trunci %x : i32 to i8
    %1 = arith.maxsi %0, %zero : i8
    linalg.yield %1 : i8
  } -> tensor<4x8xi8>
  return %r : tensor<4x8xi8>
}
