// Convolutions that somebody has made matrix products of gathered windows are
// the same layers as before.

// What upstream's transform makes of convolutions.
// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-opt %t/upstream.mlir --transform-interpreter --canonicalize -o %t/columns.mlir
// RUN: fadiff-opt %t/columns.mlir --fadiff-attach-target=target=gemmini-fp32 --fadiff-normalize --fadiff-form-layers -o %t/layers.mlir && FileCheck %s < %t/layers.mlir
// CHECK-LABEL: @nhwc_hwcf
// CHECK-NOT:     linalg.generic
// CHECK:         fadiff.layer {{.*}} workload(<[N = 2, K = 6, C = 4, P = 4, Q = 8, R = 3, S = 2], stride = [2, 1], input = [10, 9], layouts = "NHWC" "RSCK" "NPQK">)
// CHECK-LABEL: @nchw_fchw
// CHECK:         fadiff.layer {{.*}} workload(<[N = 2, K = 6, C = 4, P = 4, Q = 8, R = 3, S = 2], stride = [2, 1], input = [10, 9], layouts = "NHWC" "CRSK" "NPQK">)
// CHECK-LABEL: @nhwc_fhwc
// CHECK:         fadiff.layer {{.*}} workload(<[N = 2, K = 6, C = 4, P = 4, Q = 8, R = 3, S = 2], stride = [2, 1], input = [10, 9], layouts = "NHWC" "RSCK" "NPQK">)
// CHECK-LABEL: @depthwise
// CHECK:         fadiff.layer {{.*}} workload(<[G = 4, P = 4, Q = 8, R = 3, S = 2], stride = [2, 1], input = [10, 9]
// RUN: fadiff-run %t/columns.mlir --entry=nhwc_hwcf --target=gemmini-fp32 --check | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %t/columns.mlir --entry=nchw_fchw --target=gemmini-fp32 --check | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %t/columns.mlir --entry=nhwc_fhwc --target=gemmini-fp32 --check | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %t/columns.mlir --entry=depthwise --target=gemmini-fp32 --check | FileCheck %s --check-prefix=EQUAL
// EQUAL: on the array: 100.0 %
// EQUAL: {{largest difference of floats|output identical}}

// As upstream wrote it before, element by element, in int8 and with padding; and
// with the windows in six axes that are collapsed.
// RUN: fadiff-opt %t/spelled.mlir --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=SPELLED
// SPELLED-LABEL: @extracted
// SPELLED:         fadiff.layer {{.*}} workload(<[K = 4, C = 8, P = 6, Q = 6, R = 3, S = 3], pad = [1, 1], layouts
// SPELLED-LABEL: @collapsed
// SPELLED:         fadiff.layer {{.*}} workload(<[N = 2, K = 4, C = 8, P = 4, Q = 4, R = 3, S = 3], input = [6, 6], layouts
// RUN: fadiff-run %t/spelled.mlir --entry=extracted --target=gemmini-small --check | FileCheck %s --check-prefix=IDENTICAL
// RUN: fadiff-run %t/spelled.mlir --entry=collapsed --target=gemmini-small --check | FileCheck %s --check-prefix=IDENTICAL
// IDENTICAL: on the array: 100.0 %
// IDENTICAL: output identical to the reference

// What is gathered otherwise stays: an image that wraps around, columns that run
// backwards.
// RUN: fadiff-opt %t/spelled.mlir --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=OTHER
// OTHER-LABEL: @wraps
// OTHER:         linalg.generic
// OTHER:         fadiff.layer {{.*}} workload(<[N = 5, K = 4, C = 8]
// OTHER-LABEL: @backwards
// OTHER:         linalg.generic
// OTHER:         fadiff.layer

//--- upstream.mlir
module attributes {transform.with_named_sequence} {
  func.func @nhwc_hwcf(%x: tensor<2x10x9x4xf32>, %w: tensor<3x2x4x6xf32>, %z: tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32> {
    %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x10x9x4xf32>, tensor<3x2x4x6xf32>) outs(%z : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    return %s : tensor<2x4x8x6xf32>
  }
  func.func @nchw_fchw(%x: tensor<2x4x10x9xf32>, %w: tensor<6x4x3x2xf32>, %z: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
    %s = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x4x10x9xf32>, tensor<6x4x3x2xf32>) outs(%z : tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
    return %s : tensor<2x6x4x8xf32>
  }
  func.func @nhwc_fhwc(%x: tensor<2x10x9x4xf32>, %w: tensor<6x3x2x4xf32>, %z: tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32> {
    %s = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x10x9x4xf32>, tensor<6x3x2x4xf32>) outs(%z : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
    return %s : tensor<2x4x8x6xf32>
  }
  func.func @depthwise(%x: tensor<1x10x9x4xf32>, %w: tensor<3x2x4xf32>, %z: tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32> {
    %s = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x10x9x4xf32>, tensor<3x2x4xf32>) outs(%z : tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
    return %s : tensor<1x4x8x4xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.convert_conv2d_to_img2col %c : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- spelled.mlir
#id3 = affine_map<(n, w, c) -> (n, w, c)>
#mul = affine_map<(n, w, k, c) -> (n, w, c)>
#weights = affine_map<(n, w, k, c) -> (c, k)>
#out = affine_map<(n, w, k, c) -> (n, w, k)>
func.func @extracted(%x: tensor<1x6x6x8xi8>, %w: tensor<3x3x8x4xi8>) -> tensor<1x6x6x4xi32> {
  %z8 = arith.constant 0 : i8
  %z = arith.constant dense<0> : tensor<1x36x4xi32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z8 : i8
  } : tensor<1x6x6x8xi8> to tensor<1x8x8x8xi8>
  %flat = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<3x3x8x4xi8> into tensor<72x4xi8>
  %e = tensor.empty() : tensor<1x36x72xi8>
  %columns = linalg.generic {indexing_maps = [#id3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x36x72xi8>) {
  ^bb0(%o: i8):
    %n = linalg.index 0 : index
    %p = linalg.index 1 : index
    %t = linalg.index 2 : index
    %channel = affine.apply affine_map<(d0) -> (d0 mod 8)>(%t)
    %row = affine.apply affine_map<(d0, d1) -> (d0 floordiv 6 + d1 floordiv 24)>(%p, %t)
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %c24 = arith.constant 24 : index
    %column = arith.remui %p, %c6 : index
    %in_row = arith.remui %t, %c24 : index
    %tap = arith.divui %in_row, %c8 : index
    %at = arith.addi %column, %tap : index
    %v = tensor.extract %padded[%n, %row, %at, %channel] : tensor<1x8x8x8xi8>
    linalg.yield %v : i8
  } -> tensor<1x36x72xi8>
  %s = linalg.generic {indexing_maps = [#mul, #weights, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%columns, %flat : tensor<1x36x72xi8>, tensor<72x4xi8>) outs(%z : tensor<1x36x4xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %2, %o : i32
    linalg.yield %3 : i32
  } -> tensor<1x36x4xi32>
  %r = tensor.expand_shape %s [[0], [1, 2], [3]] output_shape [1, 6, 6, 4] : tensor<1x36x4xi32> into tensor<1x6x6x4xi32>
  return %r : tensor<1x6x6x4xi32>
}

#image = affine_map<(n, p, q, r, s, c) -> (n, p + r, q + s, c)>
#windows = affine_map<(n, p, q, r, s, c) -> (n, p, q, r, s, c)>
func.func @collapsed(%x: tensor<2x6x6x8xi8>, %w: tensor<72x4xi8>) -> tensor<32x4xi32> {
  %z = arith.constant dense<0> : tensor<32x4xi32>
  %e = tensor.empty() : tensor<2x4x4x3x3x8xi8>
  %columns = linalg.generic {indexing_maps = [#image, #windows], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x6x6x8xi8>) outs(%e : tensor<2x4x4x3x3x8xi8>) {
  ^bb0(%v: i8, %o: i8):
    linalg.yield %v : i8
  } -> tensor<2x4x4x3x3x8xi8>
  %flat = tensor.collapse_shape %columns [[0, 1, 2], [3, 4, 5]] : tensor<2x4x4x3x3x8xi8> into tensor<32x72xi8>
  %s = linalg.matmul ins(%flat, %w : tensor<32x72xi8>, tensor<72x4xi8>) outs(%z : tensor<32x4xi32>) -> tensor<32x4xi32>
  return %s : tensor<32x4xi32>
}

#id2 = affine_map<(m, c) -> (m, c)>
func.func @wraps(%x: tensor<7xi8>, %w: tensor<8x4xi8>) -> tensor<5x4xi32> {
  %z = arith.constant dense<0> : tensor<5x4xi32>
  %e = tensor.empty() : tensor<5x8xi8>
  %columns = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x8xi8>) {
  ^bb0(%o: i8):
    %m = linalg.index 0 : index
    %c = linalg.index 1 : index
    %at = affine.apply affine_map<(m, c) -> ((m + c) mod 7)>(%m, %c)
    %v = tensor.extract %x[%at] : tensor<7xi8>
    linalg.yield %v : i8
  } -> tensor<5x8xi8>
  %s = linalg.matmul ins(%columns, %w : tensor<5x8xi8>, tensor<8x4xi8>) outs(%z : tensor<5x4xi32>) -> tensor<5x4xi32>
  return %s : tensor<5x4xi32>
}
func.func @backwards(%x: tensor<7xi8>, %w: tensor<8x4xi8>) -> tensor<5x4xi32> {
  %z = arith.constant dense<0> : tensor<5x4xi32>
  %e = tensor.empty() : tensor<5x8xi8>
  %columns = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x8xi8>) {
  ^bb0(%o: i8):
    %m = linalg.index 0 : index
    %c = linalg.index 1 : index
    %at = affine.apply affine_map<(m, c) -> (6 - c + c floordiv 7)>(%m, %c)
    %v = tensor.extract %x[%at] : tensor<7xi8>
    linalg.yield %v : i8
  } -> tensor<5x8xi8>
  %s = linalg.matmul ins(%columns, %w : tensor<5x8xi8>, tensor<8x4xi8>) outs(%z : tensor<5x4xi32>) -> tensor<5x4xi32>
  return %s : tensor<5x4xi32>
}
