// Elementwise operations that join what two contractions make, each behind a
// reshape that only adds or drops a unit dim. The reshape of one operand moves
// behind the operation; that of the other one goes, where it is the same.

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize | FileCheck %s
// RUN: fadiff-run %s --entry=int8 --target=gemmini-small | FileCheck %s --check-prefix=INT8
// RUN: fadiff-run %s --entry=twice --target=gemmini-small | FileCheck %s --check-prefix=GROUPED
// RUN: fadiff-run %s --entry=gate --target=gemmini-fp32 | FileCheck %s --check-prefix=FLOAT
// RUN: fadiff-run %s --entry=branches --target=gemmini-fp32 | FileCheck %s --check-prefix=FLOAT
// RUN: fadiff-run %s --entry=silu --target=gemmini-fp32 | FileCheck %s --check-prefix=SILU

// INT8:  {{(conv|depthwise|matmul):[0-9]+}}
// INT8:  {{(conv|depthwise|matmul):[0-9]+}}
// INT8:  : as predicted
// INT8:  output identical to the reference
// FLOAT: {{(conv|depthwise|matmul):[0-9]+}}
// FLOAT: {{(conv|depthwise|matmul):[0-9]+}}
// FLOAT: : as predicted
// FLOAT: output 0
// SILU:  {{(conv|depthwise|matmul):[0-9]+}}
// SILU:  : as predicted
// SILU:  output 0
// GROUPED: {{(conv|depthwise|matmul):[0-9]+}}
// GROUPED: : as predicted
// GROUPED: output identical to the reference

#m = affine_map<(a, b, c) -> (a, b, c)>

// CHECK-LABEL: func.func @int8(
// CHECK:         %[[A:.*]] = linalg.matmul
// CHECK:         %[[B:.*]] = linalg.matmul
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<4x32xi32>, tensor<4x32xi32>)
// CHECK:         %[[WIDE:.*]] = tensor.expand_shape %[[SUM]]
// CHECK:         return %[[WIDE]]
func.func @int8(%x: tensor<4x64xi8>, %w: tensor<64x32xi8>, %v: tensor<64x32xi8>) -> tensor<4x1x32xi32> {
  %zero = arith.constant dense<0> : tensor<4x32xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x64xi8>, tensor<64x32xi8>) outs(%zero : tensor<4x32xi32>) -> tensor<4x32xi32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 1, 32] : tensor<4x32xi32> into tensor<4x1x32xi32>
  %2 = linalg.matmul ins(%x, %v : tensor<4x64xi8>, tensor<64x32xi8>) outs(%zero : tensor<4x32xi32>) -> tensor<4x32xi32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [4, 1, 32] : tensor<4x32xi32> into tensor<4x1x32xi32>
  %e = tensor.empty() : tensor<4x1x32xi32>
  %4 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<4x1x32xi32>, tensor<4x1x32xi32>) outs(%e : tensor<4x1x32xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %s = arith.addi %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<4x1x32xi32>
  return %4 : tensor<4x1x32xi32>
}

// Both operands are one value, without a unit dim.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[C:.*]] = linalg.{{.*}} ins(%arg0, %
// CHECK:         %[[TWICE:.*]] = linalg.generic {{.*}} ins(%[[C]] :
// CHECK:         %[[LESS:.*]] = tensor.collapse_shape %[[TWICE]]
// CHECK:         return %[[LESS]]
func.func @twice(%x: tensor<1x4x4x3xi8>, %w: tensor<1x1x3x2xi8>) -> tensor<4x4x2xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x4x2xi32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x4x4x3xi8>, tensor<1x1x3x2xi8>) outs(%zero : tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<1x4x4x2xi32> into tensor<4x4x2xi32>
  %e = tensor.empty() : tensor<4x4x2xi32>
  %2 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<4x4x2xi32>, tensor<4x4x2xi32>) outs(%e : tensor<4x4x2xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %s = arith.addi %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<4x4x2xi32>
  return %2 : tensor<4x4x2xi32>
}

// A gated feed-forward network, one row.
// CHECK-LABEL: func.func @gate(
// CHECK:         linalg.generic {{.*}} tensor<1x32xf32>, tensor<1x32xf32>)
func.func @gate(%x: tensor<1x64xf32>, %w: tensor<64x32xf32>, %v: tensor<64x32xf32>) -> tensor<1x1x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x32xf32>) outs(%zero : tensor<1x32xf32>) -> tensor<1x32xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 1, 32] : tensor<1x32xf32> into tensor<1x1x32xf32>
  %2 = linalg.matmul ins(%x, %v : tensor<1x64xf32>, tensor<64x32xf32>) outs(%zero : tensor<1x32xf32>) -> tensor<1x32xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [1, 1, 32] : tensor<1x32xf32> into tensor<1x1x32xf32>
  %e = tensor.empty() : tensor<1x1x32xf32>
  %4 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<1x1x32xf32>, tensor<1x1x32xf32>) outs(%e : tensor<1x1x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x1x32xf32>
  return %4 : tensor<1x1x32xf32>
}

// Two linear layers of TFLite, summed.
// CHECK-LABEL: func.func @branches(
// CHECK:         linalg.generic {{.*}} tensor<1x4x32xf32>, tensor<1x4x32xf32>)
// CHECK:         tensor.collapse_shape
func.func @branches(%x: tensor<1x4x64xf32>, %w: tensor<1x64x32xf32>, %v: tensor<1x64x32xf32>) -> tensor<4x32xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s = tosa.const_shape {values = dense<[4, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x4x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x32xf32>
  %1 = tosa.matmul %x, %v, %zp, %zp : (tensor<1x4x64xf32>, tensor<1x64x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x32xf32>
  %2 = tosa.reshape %0, %s : (tensor<1x4x32xf32>, !tosa.shape<2>) -> tensor<4x32xf32>
  %3 = tosa.reshape %1, %s : (tensor<1x4x32xf32>, !tosa.shape<2>) -> tensor<4x32xf32>
  %4 = tosa.add %2, %3 : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  return %4 : tensor<4x32xf32>
}

// x * sigmoid(x): both operands come from one contraction, one of them through
// an elementwise operation.
// CHECK-LABEL: func.func @silu(
// CHECK-COUNT-2: linalg.generic {{.*}} tensor<1x32xf32>)
// CHECK:         tensor.expand_shape
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @silu(%x: tensor<1x64xf32>, %w: tensor<64x32xf32>) -> tensor<1x1x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x32xf32>
  %one = arith.constant 1.0 : f32
  %0 = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x32xf32>) outs(%zero : tensor<1x32xf32>) -> tensor<1x32xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 1, 32] : tensor<1x32xf32> into tensor<1x1x32xf32>
  %e = tensor.empty() : tensor<1x1x32xf32>
  %2 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x1x32xf32>) outs(%e : tensor<1x1x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    %p = math.exp %n : f32
    %s = arith.addf %p, %one : f32
    %d = arith.divf %one, %s : f32
    linalg.yield %d : f32
  } -> tensor<1x1x32xf32>
  %3 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<1x1x32xf32>, tensor<1x1x32xf32>) outs(%e : tensor<1x1x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x1x32xf32>
  return %3 : tensor<1x1x32xf32>
}
