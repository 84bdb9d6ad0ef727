// Which operations are a layer, and which layer. The elementwise part behind is
// in form-layers-tail.mlir.

// RUN: fadiff-opt %s --fadiff-form-layers=allow-empty --split-input-file --remarks-filter=fadiff --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: fadiff-opt %s --fadiff-form-layers=allow-empty --split-input-file | fadiff-opt --fadiff-form-layers=allow-empty --split-input-file | FileCheck %s

// Channels last: no operand moves.
// CHECK-LABEL: func.func @nhwc_hwcf(
// CHECK-NOT:   transpose
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 2, K = 16, C = 3, P = 4, Q = 5, R = 3, S = 2], stride = [2, 1], dilation = [1, 2], input = [9, 7], layouts = "NHWC" "RSCK" "NPQK">)
// CHECK-SAME:    epilogue(<>)
func.func @nhwc_hwcf(%x: tensor<2x9x7x3xi8>, %w: tensor<3x2x3x16xi8>) -> tensor<2x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<2x4x5x16xi32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>} ins(%x, %w : tensor<2x9x7x3xi8>, tensor<3x2x3x16xi8>) outs(%zero : tensor<2x4x5x16xi32>) -> tensor<2x4x5x16xi32>
  return %0 : tensor<2x4x5x16xi32>
}

// -----

// The output channels of the weights move to the end.
// REMARK: Analysis] Layout | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' has operands transposed on the host, channels last"
// CHECK-LABEL: func.func @nhwc_fhwc(
// CHECK:       linalg.transpose ins({{.*}}16x3x2x3xi8>) outs({{.*}}3x2x3x16xi8>) permutation = [1, 2, 3, 0]
// CHECK-NOT:   transpose
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[K = 16, C = 3, P = 4, Q = 5, R = 3, S = 2], input = [6, 6], layouts = "NHWC" "RSCK" "NPQK">)
// CHECK-SAME:    epilogue(<>)
// Inside, the computation is on the layout it was written for.
// CHECK:         linalg.transpose ins({{.*}}3x2x3x16xi8>) outs({{.*}}16x3x2x3xi8>) permutation = [3, 0, 1, 2]
// CHECK:         linalg.conv_2d_nhwc_fhwc
// CHECK:         fadiff.yield
// CHECK-NOT:   transpose
// CHECK:       return
func.func @nhwc_fhwc(%x: tensor<1x6x6x3xi8>, %w: tensor<16x3x2x3xi8>) -> tensor<1x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16xi32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x6x6x3xi8>, tensor<16x3x2x3xi8>) outs(%zero : tensor<1x4x5x16xi32>) -> tensor<1x4x5x16xi32>
  return %0 : tensor<1x4x5x16xi32>
}

// -----

// All three operands move.
// REMARK: Analysis] Layout | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' has operands transposed on the host, channels last"
// CHECK-LABEL: func.func @nchw_fchw(
// CHECK:       linalg.transpose ins(%{{.*}} : tensor<1x3x6x6xi8>) outs({{.*}}1x6x6x3xi8>) permutation = [0, 2, 3, 1]
// CHECK:       linalg.transpose ins(%{{.*}} : tensor<16x3x3x2xi8>) outs({{.*}}3x3x2x16xi8>) permutation = [1, 2, 3, 0]
// CHECK-NOT:   transpose
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[K = 16, C = 3, P = 4, Q = 5, R = 3, S = 2], input = [6, 6], layouts = "NHWC" "CRSK" "NPQK">)
// CHECK-SAME:    epilogue(<>)
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK:         %[[YIELD:.*]] = linalg.transpose ins({{.*}}1x16x4x5xi32>) outs({{.*}}1x4x5x16xi32>) permutation = [0, 2, 3, 1]
// CHECK:         fadiff.yield %[[YIELD:.*]]
// CHECK:       } -> tensor<1x4x5x16xi32>
// CHECK:       linalg.transpose ins({{.*}}1x4x5x16xi32>) outs({{.*}}1x16x4x5xi32>) permutation = [0, 3, 1, 2]
// CHECK:       return
func.func @nchw_fchw(%x: tensor<1x3x6x6xi8>, %w: tensor<16x3x3x2xi8>) -> tensor<1x16x4x5xi32> {
  %zero = arith.constant dense<0> : tensor<1x16x4x5xi32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x6x6xi8>, tensor<16x3x3x2xi8>) outs(%zero : tensor<1x16x4x5xi32>) -> tensor<1x16x4x5xi32>
  return %0 : tensor<1x16x4x5xi32>
}

// -----

// One channel in and out per group: G is the channel axis.
// CHECK-LABEL: func.func @nhwc_hwc(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[G = 16, P = 4, Q = 5, R = 3, S = 3], input = [6, 7], layouts = "NHWG" "RSG" "NPQG">)
// CHECK-SAME:    epilogue(<>)
func.func @nhwc_hwc(%x: tensor<1x6x7x16xi8>, %w: tensor<3x3x16xi8>) -> tensor<1x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16xi32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x7x16xi8>, tensor<3x3x16xi8>) outs(%zero : tensor<1x4x5x16xi32>) -> tensor<1x4x5x16xi32>
  return %0 : tensor<1x4x5x16xi32>
}

// -----

// A multiplier of 1 leaves an axis of extent 1 behind the channels.
// CHECK-LABEL: func.func @nhwc_hwcm(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[G = 16, P = 4, Q = 5, R = 3, S = 3], input = [6, 7], layouts = "NHWG" "RSGK" "NPQGK">)
// CHECK-SAME:    epilogue(<>)
func.func @nhwc_hwcm(%x: tensor<1x6x7x16xi8>, %w: tensor<3x3x16x1xi8>) -> tensor<1x4x5x16x1xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16x1xi32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<1x6x7x16xi8>, tensor<3x3x16x1xi8>) outs(%zero : tensor<1x4x5x16x1xi32>) -> tensor<1x4x5x16x1xi32>
  return %0 : tensor<1x4x5x16x1xi32>
}

// -----

// A multiplier of 2 is a group of one input channel each.
// CHECK-LABEL: func.func @multiplier_2(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[G = 16, K = 2, P = 4, Q = 5, R = 3, S = 3], input = [6, 7], layouts = "NHWG" "RSGK" "NPQGK">)
// CHECK-SAME:    epilogue(<>)
func.func @multiplier_2(%x: tensor<1x6x7x16xi8>, %w: tensor<3x3x16x2xi8>) -> tensor<1x4x5x16x2xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16x2xi32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<1x6x7x16xi8>, tensor<3x3x16x2xi8>) outs(%zero : tensor<1x4x5x16x2xi32>) -> tensor<1x4x5x16x2xi32>
  return %0 : tensor<1x4x5x16x2xi32>
}

// -----

// REMARK: Analysis] Layout | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' has operands transposed on the host, channels last"
// CHECK-LABEL: func.func @grouped(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[G = 2, K = 16, C = 3, P = 4, Q = 5, R = 3, S = 3], input = [6, 7], layouts = "NHWGC" "GRSCK" "NPQGK">)
// CHECK-SAME:    epilogue(<>)
func.func @grouped(%x: tensor<1x6x7x2x3xi8>, %w: tensor<2x16x3x3x3xi8>) -> tensor<1x4x5x2x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x2x16xi32>
  %0 = linalg.conv_2d_nhwgc_gfhwc ins(%x, %w : tensor<1x6x7x2x3xi8>, tensor<2x16x3x3x3xi8>) outs(%zero : tensor<1x4x5x2x16xi32>) -> tensor<1x4x5x2x16xi32>
  return %0 : tensor<1x4x5x2x16xi32>
}

// -----

// CHECK-LABEL: func.func @matmul(
// CHECK-NOT:   transpose
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:    epilogue(<>)
func.func @matmul(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// CHECK-LABEL: func.func @batch_matmul(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 4, G = 3, K = 16, C = 8], layouts = "GNC" "GCK" "GNK">)
// CHECK-SAME:    epilogue(<>)
func.func @batch_matmul(%x: tensor<3x4x8xi8>, %w: tensor<3x8x16xi8>) -> tensor<3x4x16xi32> {
  %zero = arith.constant dense<0> : tensor<3x4x16xi32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<3x4x8xi8>, tensor<3x8x16xi8>) outs(%zero : tensor<3x4x16xi32>) -> tensor<3x4x16xi32>
  return %0 : tensor<3x4x16xi32>
}

// -----

// A single row needs no row loop, a single column no channel axis.
// CHECK-LABEL: func.func @vecmat(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[K = 16, C = 8], layouts = "C" "CK" "K">)
// CHECK-SAME:    epilogue(<>)
func.func @vecmat(%x: tensor<8xi8>, %w: tensor<8x16xi8>) -> tensor<16xi32> {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %0 = linalg.vecmat ins(%x, %w : tensor<8xi8>, tensor<8x16xi8>) outs(%zero : tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// CHECK-LABEL: func.func @matvec(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 16, C = 8], layouts = "NC" "C" "N">)
// CHECK-SAME:    epilogue(<>)
func.func @matvec(%w: tensor<16x8xi8>, %x: tensor<8xi8>) -> tensor<16xi32> {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %0 = linalg.matvec ins(%w, %x : tensor<16x8xi8>, tensor<8xi8>) outs(%zero : tensor<16xi32>) -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// A one-dimensional convolution runs along W.
// CHECK-LABEL: func.func @conv_1d(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 3, K = 16, C = 5, Q = 7, S = 4], stride = [1, 2], input = [1, 17], layouts = "NWC" "SCK" "NQK">)
// CHECK-SAME:    epilogue(<>)
func.func @conv_1d(%x: tensor<3x17x5xi8>, %w: tensor<4x5x16xi8>) -> tensor<3x7x16xi32> {
  %zero = arith.constant dense<0> : tensor<3x7x16xi32>
  %0 = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<3x17x5xi8>, tensor<4x5x16xi8>) outs(%zero : tensor<3x7x16xi32>) -> tensor<3x7x16xi32>
  return %0 : tensor<3x7x16xi32>
}

// -----

// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.conv_3d_ndhwc_dhwcf' stays on the host: it is a convolution over 3 axes; a layer has at most two"
// CHECK-LABEL: func.func @conv_3d(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
func.func @conv_3d(%x: tensor<1x4x4x4x3xi8>, %w: tensor<2x2x2x3x16xi8>) -> tensor<1x3x3x3x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x3x3x3x16xi32>
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x4x4x4x3xi8>, tensor<2x2x2x3x16xi8>) outs(%zero : tensor<1x3x3x3x16xi32>) -> tensor<1x3x3x3x16xi32>
  return %0 : tensor<1x3x3x3x16xi32>
}

// -----

// By its maps, not its name: transposed operands.
// REMARK: Analysis] Layout | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' has operands transposed on the host, channels last"
// CHECK-LABEL: func.func @generic_matmul(
// CHECK:       linalg.transpose ins({{.*}}8x4xi8>) outs({{.*}}4x8xi8>) permutation = [1, 0]
// CHECK:       linalg.transpose ins({{.*}}16x8xi8>) outs({{.*}}8x16xi8>) permutation = [1, 0]
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:    epilogue(<>)
// CHECK:       } -> tensor<4x16xi32>
// CHECK:       linalg.transpose ins({{.*}}4x16xi32>) outs({{.*}}16x4xi32>) permutation = [1, 0]
#generic_matmul_i = affine_map<(m, n, k) -> (k, m)>
#generic_matmul_w = affine_map<(m, n, k) -> (n, k)>
#generic_matmul_o = affine_map<(m, n, k) -> (n, m)>
func.func @generic_matmul(%x: tensor<8x4xi8>, %w: tensor<16x8xi8>) -> tensor<16x4xi32> {
  %zero = arith.constant dense<0> : tensor<16x4xi32>
  %0 = linalg.generic {indexing_maps = [#generic_matmul_i, #generic_matmul_w, #generic_matmul_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x4xi8>, tensor<16x8xi8>) outs(%zero : tensor<16x4xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<16x4xi32>
  return %0 : tensor<16x4xi32>
}

// -----

// Three row loops are N, P and Q.
// CHECK-LABEL: func.func @three_rows(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 2, K = 16, C = 8, P = 3, Q = 4], layouts = "NHWC" "CK" "NPQK">)
// CHECK-SAME:    epilogue(<>)
#three_rows_i = affine_map<(a, b, c, n, k) -> (a, b, c, k)>
#three_rows_w = affine_map<(a, b, c, n, k) -> (k, n)>
#three_rows_o = affine_map<(a, b, c, n, k) -> (a, b, c, n)>
func.func @three_rows(%x: tensor<2x3x4x8xi8>, %w: tensor<8x16xi8>) -> tensor<2x3x4x16xi32> {
  %zero = arith.constant dense<0> : tensor<2x3x4x16xi32>
  %0 = linalg.generic {indexing_maps = [#three_rows_i, #three_rows_w, #three_rows_o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x3x4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<2x3x4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x3x4x16xi32>
  return %0 : tensor<2x3x4x16xi32>
}

// -----

// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: it has more loops of one kind than a layer has dims (at most one batch, three row, one column and one reduction loop); collapse them first"
// CHECK-LABEL: func.func @two_reductions(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#two_reductions_i = affine_map<(m, n, k, l) -> (m, k, l)>
#two_reductions_w = affine_map<(m, n, k, l) -> (k, l, n)>
#two_reductions_o = affine_map<(m, n, k, l) -> (m, n)>
func.func @two_reductions(%x: tensor<4x2x8xi8>, %w: tensor<2x8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#two_reductions_i, #two_reductions_w, #two_reductions_o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<4x2x8xi8>, tensor<2x8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// The axis whose loop stands first is H, whatever its place in the tensors; i16 is
// wide enough for the product.
// CHECK-LABEL: func.func @generic_conv(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[K = 16, C = 3, P = 5, Q = 4, R = 2, S = 3], stride = [1, 2], dilation = [3, 1], input = [8, 9], layouts = "NWHC" "SRCK" "NQPK">)
// CHECK-SAME:    epilogue(<>)
#generic_conv_i = affine_map<(c, s, k, q, r, p, n) -> (n, r + p * 2, q + s * 3, c)>
#generic_conv_w = affine_map<(c, s, k, q, r, p, n) -> (r, s, c, k)>
#generic_conv_o = affine_map<(c, s, k, q, r, p, n) -> (n, p, q, k)>
func.func @generic_conv(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x16xi8>) -> tensor<1x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16xi32>
  %0 = linalg.generic {indexing_maps = [#generic_conv_i, #generic_conv_w, #generic_conv_o], iterator_types = ["reduction", "reduction", "parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x16xi8>) outs(%zero : tensor<1x4x5x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i16
    %2 = arith.extsi %b : i8 to i16
    %3 = arith.muli %2, %1 : i16
    %4 = arith.extsi %3 : i16 to i32
    %5 = arith.addi %4, %s : i32
    linalg.yield %5 : i32
  } -> tensor<1x4x5x16xi32>
  return %0 : tensor<1x4x5x16xi32>
}

// -----

// Rows of the window that run across its columns are another function.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: an operand is indexed by an expression that is no axis of a layer"
// CHECK-LABEL: func.func @crossed(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#crossed_i = affine_map<(n, p, q, k, r, s, c) -> (n, p + s, q + r, c)>
#crossed_w = affine_map<(n, p, q, k, r, s, c) -> (r, s, c, k)>
#crossed_o = affine_map<(n, p, q, k, r, s, c) -> (n, p, q, k)>
func.func @crossed(%x: tensor<1x6x7x3xi8>, %w: tensor<3x3x3x16xi8>) -> tensor<1x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16xi32>
  %0 = linalg.generic {indexing_maps = [#crossed_i, #crossed_w, #crossed_o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x6x7x3xi8>, tensor<3x3x3x16xi8>) outs(%zero : tensor<1x4x5x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x4x5x16xi32>
  return %0 : tensor<1x4x5x16xi32>
}

// -----

// An attribute that contradicts the maps does not count.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: an operand is indexed by an expression that is no axis of a layer"
// CHECK-LABEL: func.func @stray_strides(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#stray_strides_i = affine_map<(n, p, q, k, r, s, c) -> (n, p + r, q + s, c)>
#stray_strides_w = affine_map<(n, p, q, k, r, s, c) -> (r, s, c, k)>
#stray_strides_o = affine_map<(n, p, q, k, r, s, c) -> (n, p, q, k)>
func.func @stray_strides(%x: tensor<1x6x7x3xi8>, %w: tensor<3x3x3x16xi8>) -> tensor<1x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16xi32>
  %0 = linalg.generic {indexing_maps = [#stray_strides_i, #stray_strides_w, #stray_strides_o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x6x7x3xi8>, tensor<3x3x3x16xi8>) outs(%zero : tensor<1x4x5x16xi32>) attrs = {strides = dense<2> : tensor<2xi64>} {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x4x5x16xi32>
  return %0 : tensor<1x4x5x16xi32>
}

// -----

// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: an operand is indexed by an expression that is no axis of a layer"
// CHECK-LABEL: func.func @constant_index(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#constant_index_i = affine_map<(m, n, k) -> (0, m, k)>
#constant_index_w = affine_map<(m, n, k) -> (k, n)>
#constant_index_o = affine_map<(m, n, k) -> (m, n)>
func.func @constant_index(%x: tensor<2x4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#constant_index_i, #constant_index_w, #constant_index_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: an operand is indexed by an expression that is no axis of a layer"
// CHECK-LABEL: func.func @quotient_index(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#quotient_index_i = affine_map<(m, n, k) -> (m, k, n floordiv 16)>
#quotient_index_w = affine_map<(m, n, k) -> (k, n)>
#quotient_index_o = affine_map<(m, n, k) -> (m, n)>
func.func @quotient_index(%x: tensor<4x8x1xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#quotient_index_i, #quotient_index_w, #quotient_index_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8x1xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: loop 0 is no dim of a layer"
// CHECK-LABEL: func.func @diagonal(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#diagonal_i = affine_map<(m, n, k) -> (m, m, k)>
#diagonal_w = affine_map<(m, n, k) -> (k, n)>
#diagonal_o = affine_map<(m, n, k) -> (m, n)>
func.func @diagonal(%x: tensor<4x4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#diagonal_i, #diagonal_w, #diagonal_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// A sum over one operand only.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: loop 3 is no dim of a layer"
// CHECK-LABEL: func.func @sum_of_left(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#sum_of_left_i = affine_map<(m, n, k, l) -> (m, k, l)>
#sum_of_left_w = affine_map<(m, n, k, l) -> (k, n)>
#sum_of_left_o = affine_map<(m, n, k, l) -> (m, n)>
func.func @sum_of_left(%x: tensor<4x8x2xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#sum_of_left_i, #sum_of_left_w, #sum_of_left_o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<4x8x2xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// A product that wraps at 8 bits.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: it is a reduction, but no sum of products that the array computes"
// CHECK-LABEL: func.func @narrow_product(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#narrow_product_i = affine_map<(m, n, k) -> (m, k)>
#narrow_product_w = affine_map<(m, n, k) -> (k, n)>
#narrow_product_o = affine_map<(m, n, k) -> (m, n)>
func.func @narrow_product(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#narrow_product_i, #narrow_product_w, #narrow_product_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.muli %a, %b : i8
    %2 = arith.extsi %1 : i8 to i32
    %3 = arith.addi %s, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// Unsigned operands.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: it is a reduction, but no sum of products that the array computes"
// CHECK-LABEL: func.func @unsigned(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#unsigned_i = affine_map<(m, n, k) -> (m, k)>
#unsigned_w = affine_map<(m, n, k) -> (k, n)>
#unsigned_o = affine_map<(m, n, k) -> (m, n)>
func.func @unsigned(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#unsigned_i, #unsigned_w, #unsigned_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.matmul' stays on the host: it is a reduction, but no sum of products that the array computes"
// CHECK-LABEL: func.func @unsigned_matmul(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
func.func @unsigned_matmul(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: it is a reduction, but no sum of products that the array computes"
// CHECK-LABEL: func.func @difference(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#difference_i = affine_map<(m, n, k) -> (m, k)>
#difference_w = affine_map<(m, n, k) -> (k, n)>
#difference_o = affine_map<(m, n, k) -> (m, n)>
func.func @difference(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#difference_i, #difference_w, #difference_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.subi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// The square of one operand.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.generic' stays on the host: it is a reduction, but no sum of products that the array computes"
// CHECK-LABEL: func.func @square(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
#square_i = affine_map<(m, n, k) -> (m, k)>
#square_w = affine_map<(m, n, k) -> (k, n)>
#square_o = affine_map<(m, n, k) -> (m, n)>
func.func @square(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#square_i, #square_w, #square_o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.muli %1, %1 : i32
    %3 = arith.addi %s, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// The accelerator sums 32 bits.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.matmul' stays on the host: its element types are i8 * i8 -> i64; the array takes i8 * i8 -> i32"
// CHECK-LABEL: func.func @wide(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
func.func @wide(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi64> {
  %zero = arith.constant dense<0> : tensor<4x16xi64>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi64>) -> tensor<4x16xi64>
  return %0 : tensor<4x16xi64>
}

// -----

// One tensor as both operands is still two operands.
// CHECK-LABEL: func.func @gram(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:    epilogue(<>)
func.func @gram(%x: tensor<8x8xi8>) -> tensor<8x8xi32> {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %x : tensor<8x8xi8>, tensor<8x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

// -----

// A bias that all groups share has no operand of a layer.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.batch_matmul' stays on the host: it has groups that share one bias"
// CHECK-LABEL: func.func @shared_bias(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
func.func @shared_bias(%x: tensor<3x4x8xi8>, %w: tensor<3x8x1xi8>, %b: tensor<1xi32>) -> tensor<3x4x1xi32> {
  %e = tensor.empty() : tensor<3x4x1xi32>
  %f = linalg.broadcast ins(%b : tensor<1xi32>) outs(%e : tensor<3x4x1xi32>) dimensions = [0, 1]
  %0 = linalg.batch_matmul ins(%x, %w : tensor<3x4x8xi8>, tensor<3x8x1xi8>) outs(%f : tensor<3x4x1xi32>) -> tensor<3x4x1xi32>
  return %0 : tensor<3x4x1xi32>
}

// -----

// Without an axis for channels, a vector that is added is no bias.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.add' stays on the host: it reads a second tensor that is not a bias per output channel"
// CHECK-LABEL: func.func @matvec_add(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 16, C = 8], layouts = "NC" "C" "N">)
// CHECK-SAME:    epilogue(<>)
// CHECK:       } -> tensor<16xi32>
// CHECK:       linalg.add
func.func @matvec_add(%w: tensor<16x8xi8>, %x: tensor<8xi8>, %b: tensor<16xi32>) -> tensor<16xi32> {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %e = tensor.empty() : tensor<16xi32>
  %0 = linalg.matvec ins(%w, %x : tensor<16x8xi8>, tensor<8xi8>) outs(%zero : tensor<16xi32>) -> tensor<16xi32>
  %1 = linalg.add ins(%0, %b : tensor<16xi32>, tensor<16xi32>) outs(%e : tensor<16xi32>) -> tensor<16xi32>
  return %1 : tensor<16xi32>
}

// -----

// Zero padding is the accelerator's business, low and high alike.
// CHECK-LABEL: func.func @pad(
// CHECK-NOT:   tensor.pad
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[K = 16, C = 3, P = 4, Q = 4, R = 3, S = 3], pad = [1, 2], layouts = "NHWC" "RSCK" "NPQK">)
// CHECK-SAME:    epilogue(<>)
// CHECK:       tensor.pad
// CHECK:       fadiff.yield
func.func @pad(%x: tensor<1x4x4x3xi8>, %w: tensor<3x3x3x16xi8>) -> tensor<1x4x4x16xi32> {
  %pad = arith.constant 0 : i8
  %zero = arith.constant dense<0> : tensor<1x4x4x16xi32>
  %0 = tensor.pad %x low[0, 1, 2, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %pad : i8
  } : tensor<1x4x4x3xi8> to tensor<1x6x6x3xi8>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %w : tensor<1x6x6x3xi8>, tensor<3x3x3x16xi8>) outs(%zero : tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xi32>
  return %1 : tensor<1x4x4x16xi32>
}

// -----

// Padding with another value is part of the layer, too.
// CHECK-LABEL: func.func @pad_value(
// CHECK-NOT:   tensor.pad
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[K = 16, C = 3, P = 4, Q = 4, R = 3, S = 3], pad = [1, 1], pad_value = -128, layouts = "NHWC" "RSCK" "NPQK">)
// CHECK-SAME:    epilogue(<>)
func.func @pad_value(%x: tensor<1x4x4x3xi8>, %w: tensor<3x3x3x16xi8>) -> tensor<1x4x4x16xi32> {
  %pad = arith.constant -128 : i8
  %zero = arith.constant dense<0> : tensor<1x4x4x16xi32>
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %pad : i8
  } : tensor<1x4x4x3xi8> to tensor<1x6x6x3xi8>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %w : tensor<1x6x6x3xi8>, tensor<3x3x3x16xi8>) outs(%zero : tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xi32>
  return %1 : tensor<1x4x4x16xi32>
}

// -----

// REMARK: Analysis] Padding | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' has its input padded on the host; the accelerator pads with a constant along image axes only"
// Padding of channels, in part or alone, stays outside.
// CHECK-LABEL: func.func @pad_channels(
// CHECK:       tensor.pad
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[K = 16, C = 3, P = 4, Q = 4, R = 3, S = 3], input = [6, 6], layouts = "NHWC" "RSCK" "NPQK">)
// CHECK-SAME:    epilogue(<>)
func.func @pad_channels(%x: tensor<1x4x4x2xi8>, %w: tensor<3x3x3x16xi8>) -> tensor<1x4x4x16xi32> {
  %pad = arith.constant 0 : i8
  %zero = arith.constant dense<0> : tensor<1x4x4x16xi32>
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %pad : i8
  } : tensor<1x4x4x2xi8> to tensor<1x6x6x3xi8>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %w : tensor<1x6x6x3xi8>, tensor<3x3x3x16xi8>) outs(%zero : tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xi32>
  return %1 : tensor<1x4x4x16xi32>
}

// -----

// A padded matrix has no window.
// CHECK-LABEL: func.func @pad_matmul(
// CHECK:       tensor.pad
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:    epilogue(<>)
func.func @pad_matmul(%x: tensor<3x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %pad = arith.constant 0 : i8
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %pad : i8
  } : tensor<3x8xi8> to tensor<4x8xi8>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %1 : tensor<4x16xi32>
}

// -----

// What the sum starts from: a filled tensor.
// CHECK-LABEL: func.func @filled(
// CHECK:       fadiff.layer
// CHECK-SAME:    workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:    epilogue(<>)
func.func @filled(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%f : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// Any tensor is loaded as it is.
// CHECK-LABEL: func.func @filled_with_one(
// CHECK:       %[[ONE:.*]] = arith.constant dense<1>
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 : {{.*}} residual(%[[ONE]] :
// CHECK-SAME:    epilogue(<>)
func.func @filled_with_one(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %one = arith.constant dense<1> : tensor<4x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%one : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// Nothing is known of what an empty tensor holds.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.matmul' stays on the host: its sum starts from a tensor.empty, whose elements have no values; fill it with zeros first"
// CHECK-LABEL: func.func @not_filled(
// CHECK-NOT:   fadiff.layer
// CHECK:       return
func.func @not_filled(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %e = tensor.empty() : tensor<4x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// A residual is permuted as the result is.
// CHECK-LABEL: func.func @channels_first(
// CHECK:       %[[RESIDUAL:.*]] = linalg.transpose ins(%arg2 {{.*}} permutation = [0, 2, 3, 1]
// CHECK:       fadiff.layer {{.*}} ins({{.*}} residual(%[[RESIDUAL]] :
// CHECK-SAME:    "NPQK"
func.func @channels_first(%x: tensor<1x4x6x6xi8>, %w: tensor<8x4x3x3xi8>, %c: tensor<1x8x4x4xi32>) -> tensor<1x8x4x4xi32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x6x6xi8>, tensor<8x4x3x3xi8>) outs(%c : tensor<1x8x4x4xi32>) -> tensor<1x8x4x4xi32>
  return %0 : tensor<1x8x4x4xi32>
}

// -----

// A second product into the first one's sums.
// CHECK-LABEL: func.func @in_place(
// CHECK:       %[[SUMS:.*]] = fadiff.layer
// CHECK-SAME:    workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:    epilogue(<>)
// CHECK:       } -> tensor<4x16xi32>
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg1, %arg2 : {{.*}} residual(%[[SUMS]] :
func.func @in_place(%x: tensor<4x8xi8>, %y: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) -> tensor<4x16xi32>
  %1 = linalg.matmul ins(%y, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%0 : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %1 : tensor<4x16xi32>
}

// -----

// Names: the location's, made distinct.
// CHECK-LABEL: func.func @names(
// CHECK:       fadiff.layer "fc" ins
// CHECK:       fadiff.layer "fc#1" ins
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins
func.func @names(%x: tensor<4x4xi8>) -> (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) {
  %zero = arith.constant dense<0> : tensor<4x4xi32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32> loc("fc")
  %1 = linalg.matmul ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32> loc("fc")
  %2 = linalg.matmul ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0, %1, %2 : tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>
}
