// Contractions read and write transposed tensors by their indexing maps, as long
// as channels stay innermost, and weights of a whole batch without its loop.

// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s

// CHECK: #[[BATCHLESS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>

// A bias along the channels, and what the sum is multiplied by behind.
// CHECK-LABEL: @result_with_tail
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.broadcast {{.*}} outs({{.*}} : tensor<6x4x8xi32>) dimensions = [0, 1]
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<6x4x8xi32>)
// CHECK:         linalg.generic {{.*}} tensor<6x4x8xi32>, tensor<8xi32>) outs({{.*}} : tensor<6x4x8xi32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @result_with_tail(%x: tensor<4x6x5xi8>, %w: tensor<4x5x8xi8>, %b: tensor<8xi32>, %c: tensor<8xi32>) -> tensor<6x4x8xi32> {
  %e = tensor.empty() : tensor<4x6x8xi32>
  %init = linalg.broadcast ins(%b : tensor<8xi32>) outs(%e : tensor<4x6x8xi32>) dimensions = [0, 1]
  %s = linalg.batch_matmul ins(%x, %w : tensor<4x6x5xi8>, tensor<4x5x8xi8>) outs(%init : tensor<4x6x8xi32>) -> tensor<4x6x8xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %c : tensor<4x6x8xi32>, tensor<8xi32>) outs(%e : tensor<4x6x8xi32>) {
  ^bb0(%in: i32, %add: i32, %out: i32):
    %0 = arith.muli %in, %add : i32
    linalg.yield %0 : i32
  } -> tensor<4x6x8xi32>
  %et = tensor.empty() : tensor<6x4x8xi32>
  %r = linalg.transpose ins(%t : tensor<4x6x8xi32>) outs(%et : tensor<6x4x8xi32>) permutation = [1, 0, 2]
  return %r : tensor<6x4x8xi32>
}

// Sums with another reader stay as they are; so do those that start from a
// tensor, which would have to be transposed instead.
// CHECK-LABEL: @result_stays
// CHECK-COUNT-2: linalg.transpose
func.func @result_stays(%x: tensor<4x6x5xi8>, %w: tensor<4x5x8xi8>, %from: tensor<4x6x8xi32>) -> (tensor<4x6x8xi32>, tensor<6x4x8xi32>, tensor<6x4x8xi32>) {
  %zero = arith.constant dense<0> : tensor<4x6x8xi32>
  %et = tensor.empty() : tensor<6x4x8xi32>
  %s = linalg.batch_matmul ins(%x, %w : tensor<4x6x5xi8>, tensor<4x5x8xi8>) outs(%zero : tensor<4x6x8xi32>) -> tensor<4x6x8xi32>
  %r = linalg.transpose ins(%s : tensor<4x6x8xi32>) outs(%et : tensor<6x4x8xi32>) permutation = [1, 0, 2]
  %u = linalg.batch_matmul ins(%x, %w : tensor<4x6x5xi8>, tensor<4x5x8xi8>) outs(%from : tensor<4x6x8xi32>) -> tensor<4x6x8xi32>
  %v = linalg.transpose ins(%u : tensor<4x6x8xi32>) outs(%et : tensor<6x4x8xi32>) permutation = [1, 0, 2]
  return %s, %r, %v : tensor<4x6x8xi32>, tensor<6x4x8xi32>, tensor<6x4x8xi32>
}

// Channels would not be innermost: one transpose stays of two.
// CHECK-LABEL: @innermost_moves
// CHECK-COUNT-1: linalg.transpose
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @innermost_moves(%x: tensor<4x6x5xi8>, %k: tensor<1x7x4x5xi8>) -> tensor<4x6x7xi32> {
  %zero = arith.constant dense<0> : tensor<4x6x7xi32>
  %e = tensor.empty() : tensor<1x4x7x5xi8>
  %t = linalg.transpose ins(%k : tensor<1x7x4x5xi8>) outs(%e : tensor<1x4x7x5xi8>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<1x4x7x5xi8> into tensor<4x7x5xi8>
  %ew = tensor.empty() : tensor<4x5x7xi8>
  %w = linalg.transpose ins(%c : tensor<4x7x5xi8>) outs(%ew : tensor<4x5x7xi8>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%x, %w : tensor<4x6x5xi8>, tensor<4x5x7xi8>) outs(%zero : tensor<4x6x7xi32>) -> tensor<4x6x7xi32>
  return %s : tensor<4x6x7xi32>
}

// CHECK-LABEL: @shared_weights
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.generic {indexing_maps = [{{#map[0-9]*}}, #[[BATCHLESS]], {{#map[0-9]*}}]
// CHECK-SAME:      tensor<4x6x5xi8>, tensor<5x8xi8>
// CHECK:         linalg.generic {indexing_maps = [{{#map[0-9]*}}, #[[BATCHLESS]], {{#map[0-9]*}}]
// CHECK-SAME:      tensor<1x6x5xi8>, tensor<5x8xi8>
func.func @shared_weights(%x: tensor<4x6x5xi8>, %w: tensor<5x8xi8>, %x1: tensor<1x6x5xi8>, %w1: tensor<1x5x8xi8>) -> (tensor<4x6x8xi32>, tensor<1x6x8xi32>) {
  %zero = arith.constant dense<0> : tensor<4x6x8xi32>
  %zero1 = arith.constant dense<0> : tensor<1x6x8xi32>
  %e = tensor.empty() : tensor<4x5x8xi8>
  %all = linalg.broadcast ins(%w : tensor<5x8xi8>) outs(%e : tensor<4x5x8xi8>) dimensions = [0]
  %s = linalg.batch_matmul ins(%x, %all : tensor<4x6x5xi8>, tensor<4x5x8xi8>) outs(%zero : tensor<4x6x8xi32>) -> tensor<4x6x8xi32>
  %s1 = linalg.batch_matmul ins(%x1, %w1 : tensor<1x6x5xi8>, tensor<1x5x8xi8>) outs(%zero1 : tensor<1x6x8xi32>) -> tensor<1x6x8xi32>
  return %s, %s1 : tensor<4x6x8xi32>, tensor<1x6x8xi32>
}
