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
