// Channels last: transposes around contractions in other layouts meet and cancel
// wherever only elementwise operations, padding and pooling stand in between.

// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s

// As torch exports it: channels first, and index 0 for the batch of one. What is
// left are the transposes of the arguments and of the result.
// CHECK-LABEL: func.func @torch
// CHECK: linalg.transpose ins(%arg0
// CHECK-NEXT: tensor.pad
// CHECK: linalg.transpose ins(%arg1
// CHECK: linalg.generic {{.*}} "reduction"
// CHECK-NOT: linalg.transpose
// CHECK: arith.maximumf
// CHECK-NOT: linalg.transpose
// CHECK: linalg.pooling_nhwc_max
// CHECK-NOT: linalg.transpose
// CHECK: linalg.transpose ins(%arg2
// CHECK: linalg.generic {{.*}} "reduction"
// CHECK-NOT: linalg.transpose
// CHECK: arith.addf
// CHECK: linalg.transpose
// CHECK-NOT: linalg.transpose
// CHECK: return
#batch = affine_map<(n, c, h, w) -> (0, c, h, w)>
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @torch(%x: tensor<1x4x8x8xf32>, %w1: tensor<8x4x3x3xf32>, %w2: tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%p, %w1 : tensor<1x4x10x10xf32>, tensor<8x4x3x3xf32>) outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %r = linalg.generic {indexing_maps = [#batch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c1 : tensor<1x8x8x8xf32>) outs(%e : tensor<1x8x8x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.maximumf %i, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x8x8x8xf32>
  %e2 = tensor.empty() : tensor<1x8x4x4xf32>
  %f2 = linalg.fill ins(%least : f32) outs(%e2 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %taps = tensor.empty() : tensor<2x2xf32>
  %pool = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%r, %taps : tensor<1x8x8x8xf32>, tensor<2x2xf32>) outs(%f2 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%pool, %w2 : tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) outs(%f3 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %s = linalg.generic {indexing_maps = [#batch, #batch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c2, %pool : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) outs(%e2 : tensor<1x8x4x4xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %a = arith.addf %i, %j : f32
    linalg.yield %a : f32
  } -> tensor<1x8x4x4xf32>
  return %s : tensor<1x8x4x4xf32>
}

// A transpose that moves unit dims only is a reshape, and constants are turned
// at once.
// CHECK-LABEL: func.func @head
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @head(%x: tensor<1x4x1x1xi8>) -> tensor<1x2x1x1xi32> {
  %w = arith.constant dense<[[[[1]], [[2]], [[3]], [[4]]], [[[5]], [[6]], [[7]], [[8]]]]> : tensor<2x4x1x1xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x2x1x1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x2x1x1xi32>) -> tensor<1x2x1x1xi32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x1x1xi8>, tensor<2x4x1x1xi8>) outs(%f : tensor<1x2x1x1xi32>) -> tensor<1x2x1x1xi32>
  return %r : tensor<1x2x1x1xi32>
}

// What a max pool of a contraction's result makes, padded as in ResNet, is
// dequantised behind it and read twice: by what keeps it and by a sum with what
// the next contraction makes. Both read it in the pool's layout, and nothing but
// the results is turned.
// CHECK-LABEL: func.func @behind_pool
// CHECK: %[[POOL:.*]] = linalg.pooling_nhwc_max
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%[[POOL]]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK-NOT: linalg.transpose
// CHECK: math.absf
// CHECK: linalg.generic {{.*}} ins(%{{[0-9]+}}, %arg2 :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf
// CHECK: return
func.func @behind_pool(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>, %other: tensor<1x3x3x8xf32>) -> (tensor<1x8x3x3xf32>, tensor<1x8x3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %turned = tensor.empty() : tensor<8x4x3x3xf32>
  %tw = linalg.transpose ins(%w : tensor<3x3x4x8xf32>) outs(%turned : tensor<8x4x3x3xf32>) permutation = [3, 2, 0, 1]
  %turnedX = tensor.empty() : tensor<1x4x8x8xf32>
  %tx = linalg.transpose ins(%x : tensor<1x8x8x4xf32>) outs(%turnedX : tensor<1x4x8x8xf32>) permutation = [0, 3, 1, 2]
  %turnedO = tensor.empty() : tensor<1x8x3x3xf32>
  %to = linalg.transpose ins(%other : tensor<1x3x3x8xf32>) outs(%turnedO : tensor<1x8x3x3xf32>) permutation = [0, 3, 1, 2]
  %e = tensor.empty() : tensor<1x8x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%tx, %tw : tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) outs(%f : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %p = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %g: index, %d: index):
    tensor.yield %least : f32
  } : tensor<1x8x6x6xf32> to tensor<1x8x7x7xf32>
  %e2 = tensor.empty() : tensor<1x8x3x3xf32>
  %f2 = linalg.fill ins(%least : f32) outs(%e2 : tensor<1x8x3x3xf32>) -> tensor<1x8x3x3xf32>
  %taps = tensor.empty() : tensor<3x3xf32>
  %pool = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%p, %taps : tensor<1x8x7x7xf32>, tensor<3x3xf32>) outs(%f2 : tensor<1x8x3x3xf32>) -> tensor<1x8x3x3xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%pool : tensor<1x8x3x3xf32>) outs(%e2 : tensor<1x8x3x3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %k = math.exp %i : f32
    linalg.yield %k : f32
  } -> tensor<1x8x3x3xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%m : tensor<1x8x3x3xf32>) outs(%e2 : tensor<1x8x3x3xf32>) {
  ^bb0(%i: f32, %o: f32):
    %k = math.absf %i : f32
    linalg.yield %k : f32
  } -> tensor<1x8x3x3xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%m, %to : tensor<1x8x3x3xf32>, tensor<1x8x3x3xf32>) outs(%e2 : tensor<1x8x3x3xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %k = arith.addf %i, %j : f32
    linalg.yield %k : f32
  } -> tensor<1x8x3x3xf32>
  return %n, %s : tensor<1x8x3x3xf32>, tensor<1x8x3x3xf32>
}
