// What stays on the host says so in a remark at the operation, one function per
// reason: each row of the table in docs/Frontends.md.

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s


func.func @zero_point_and_scales(%x: tensor<1x6x6x4xi8>) -> tensor<1x6x6x2xi8> {
  %w = "tosa.const"() {values = dense<3> : tensor<2x3x3x4xi8>} : () -> tensor<2x3x3x4xi8>
  %b = "tosa.const"() {values = dense<[5, 9]> : tensor<2xi32>} : () -> tensor<2xi32>
  %zp = "tosa.const"() {values = dense<7> : tensor<1xi8>} : () -> tensor<1xi8>
  %z8 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %z32 = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %m = "tosa.const"() {values = dense<[1073741824, 1610612736]> : tensor<2xi32>} : () -> tensor<2xi32>
  %s = "tosa.const"() {values = dense<[37, 39]> : tensor<2xi8>} : () -> tensor<2xi8>
  %0 = tosa.conv2d %x, %w, %b, %zp, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<2x3x3x4xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x2xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}Tail{{.*}}ends before its consumer
  %1 = tosa.rescale %0, %m, %s, %z32, %z8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x2xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}Requantise{{.*}}its channels have scales of their own and the accelerator has one; the nearest differs by up to {{[0-9]+}} (at the sum
  return %1 : tensor<1x6x6x2xi8>
}

func.func @padded_channels(%x: tensor<1x6x6x3xi8>, %w: tensor<3x3x4x2xi8>) -> tensor<1x4x4x2xi32> {
  %zp = arith.constant -5 : i8
  %zero = arith.constant dense<0> : tensor<1x4x4x2xi32>
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zp : i8
  } : tensor<1x6x6x3xi8> to tensor<1x6x6x4xi8>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x6x6x4xi8>, tensor<3x3x4x2xi8>) outs(%zero : tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}Padding{{.*}}has its input padded on the host; the accelerator pads with a constant
  return %0 : tensor<1x4x4x2xi32>
}

func.func @no_scale_is_exact(%x: tensor<1x6x8xi8>, %w: tensor<1x8x4xi8>) -> tensor<1x6x4xi8> {
  %z8 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %z32 = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %m = "tosa.const"() {values = dense<1395864371> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<38> : tensor<1xi8>} : () -> tensor<1xi8>
  %out = "tosa.const"() {values = dense<-11> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.matmul %x, %w, %z8, %z8 : (tensor<1x6x8xi8>, tensor<1x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x4xi32>
  %1 = tosa.rescale %0, %m, %s, %z32, %out {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x4xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}Requantise{{.*}}no float32 scale gives the same int8; the nearest differs by up to 1 (at the sum {{-?[0-9]+}}, with the scale {{.*}}), which requantize=hardware would allow
  return %1 : tensor<1x6x4xi8>
}

func.func @to_int16(%x: tensor<1x6x8xi8>, %w: tensor<1x8x4xi8>) -> tensor<1x6x4xi16> {
  %z8 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %z16 = "tosa.const"() {values = dense<0> : tensor<1xi16>} : () -> tensor<1xi16>
  %z32 = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %m = "tosa.const"() {values = dense<1395864371> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<38> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.matmul %x, %w, %z8, %z8 : (tensor<1x6x8xi8>, tensor<1x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x4xi32>
  %1 = tosa.rescale %0, %m, %s, %z32, %z16 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x6x4xi16>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.generic' stays on the host
  return %1 : tensor<1x6x4xi16>
}

func.func @rest(%x: tensor<1x6x6x4xi8>, %table: tensor<256xi8>, %scales: tensor<1x1x1x4xi32>) -> (tensor<1x3x3x4xi8>, tensor<1x3x3x4xi8>, tensor<1x6x6x4xi8>, tensor<1x6x6x4xi8>, tensor<1x6x6x4xi32>, tensor<1x6x6x4xi32>, tensor<1x6x12x4xi8>, tensor<1x6x6x4xi8>) {
  %z8 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %z8, %z8 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x6x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x4xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.pooling_nhwc_sum' stays on the host: the accelerator averages only int8, and images of 4096 bytes or more
  %1 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x6x4xi8>) -> tensor<1x3x3x4xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.pooling_nhwc_max' stays on the host
  %2 = tosa.table %x, %table : (tensor<1x6x6x4xi8>, tensor<256xi8>) -> tensor<1x6x6x4xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.generic' stays on the host
  %3 = tosa.clamp %x {min_val = 0 : i8, max_val = 6 : i8} : (tensor<1x6x6x4xi8>) -> tensor<1x6x6x4xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.generic' stays on the host
  %4 = tosa.cast %x : (tensor<1x6x6x4xi8>) -> tensor<1x6x6x4xi32>
  %5 = tosa.add %4, %4 : (tensor<1x6x6x4xi32>, tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.generic' stays on the host
  %sh = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %6 = tosa.mul %4, %scales, %sh : (tensor<1x6x6x4xi32>, tensor<1x1x1x4xi32>, tensor<1xi8>) -> tensor<1x6x6x4xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.generic' stays on the host
  %7 = tosa.concat %x, %3 {axis = 2 : i32} : (tensor<1x6x6x4xi8>, tensor<1x6x6x4xi8>) -> tensor<1x6x12x4xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'tensor.{{.*}}' stays on the host: it moves a tensor
  %8 = tosa.transpose %x {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x6x6x4xi8>) -> tensor<1x6x6x4xi8>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.transpose' stays on the host: it moves a tensor
  return %0, %1, %2, %3, %5, %6, %7, %8 : tensor<1x3x3x4xi8>, tensor<1x3x3x4xi8>, tensor<1x6x6x4xi8>, tensor<1x6x6x4xi8>, tensor<1x6x6x4xi32>, tensor<1x6x6x4xi32>, tensor<1x6x12x4xi8>, tensor<1x6x6x4xi8>
}

func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.generic' stays on the host
  return %0 : tensor<4x8xf32>
}

func.func @types(%a: tensor<4x8xi16>, %b: tensor<8x4xi16>, %f: tensor<4x8xf32>, %g: tensor<8x4xf32>) -> (tensor<4x4xi32>, tensor<4x4xf32>) {
  %zero = arith.constant dense<0> : tensor<4x4xi32>
  %zerof = arith.constant dense<0.0> : tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xi16>, tensor<8x4xi16>) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}its element types are i16 * i16 -> i32; the array takes i8 * i8 -> i32
  %1 = linalg.matmul ins(%f, %g : tensor<4x8xf32>, tensor<8x4xf32>) outs(%zerof : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}its element types are f32 * f32 -> f32; the array takes i8 * i8 -> i32
  return %0, %1 : tensor<4x4xi32>, tensor<4x4xf32>
}

func.func @zero_point_computed(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %za: i32) -> tensor<4x4xi32> {
  %zero = arith.constant dense<0> : tensor<4x4xi32>
  %zb = arith.constant 0 : i32
  %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x8xi8>, tensor<8x4xi8>, i32, i32) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.quantized_matmul' keeps its zero points: its zero points are not constant
  return %0 : tensor<4x4xi32>
}

func.func @two_channels(%x: tensor<6x4xi8>, %w: tensor<3x4x8x2xi8>) -> tensor<4x8x2xi32> {
  %zero = arith.constant dense<0> : tensor<4x8x2xi32>
  %0 = linalg.generic {
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}it has more than one batch, group, or channel loop; collapse them first
    indexing_maps = [affine_map<(p, k, l, r, c) -> (p + r, c)>, affine_map<(p, k, l, r, c) -> (r, c, k, l)>, affine_map<(p, k, l, r, c) -> (p, k, l)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : tensor<6x4xi8>, tensor<3x4x8x2xi8>) outs(%zero : tensor<4x8x2xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %c, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x8x2xi32>
  return %0 : tensor<4x8x2xi32>
}

// Windows over three axes with more taps than are taken apart, and one that runs
// backwards.
func.func @large_windows(%x: tensor<70x70x70xi8>, %w: tensor<65x65x65xi8>, %y: tensor<6x6x6xi32>) -> tensor<6x6x6xi32> {
  %0 = linalg.conv_3d ins(%x, %w : tensor<70x70x70xi8>, tensor<65x65x65xi8>) outs(%y : tensor<6x6x6xi32>) -> tensor<6x6x6xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}it is a convolution over 3 axes; a layer has at most two
  return %0 : tensor<6x6x6xi32>
}

func.func @backwards(%x: tensor<1x8x8x8x1xi8>, %w: tensor<2x3x3x1x4xi8>, %y: tensor<1x7x6x6x4xi32>) -> tensor<1x7x6x6x4xi32> {
  %0 = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, dilations = dense<-1> : tensor<3xi64>} ins(%x, %w : tensor<1x8x8x8x1xi8>, tensor<2x3x3x1x4xi8>) outs(%y : tensor<1x7x6x6x4xi32>) -> tensor<1x7x6x6x4xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.conv_3d_ndhwc_dhwcf' stays on the host: it is a convolution over 3 axes
  return %0 : tensor<1x7x6x6x4xi32>
}

func.func @two_readers(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>) -> (tensor<4x4xi32>, tensor<4x4xi8>) {
  %zero = arith.constant dense<0> : tensor<4x4xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}Tail{{.*}}ends before its consumer: the value there has more than one reader
  %e = tensor.empty() : tensor<4x4xi8>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x4xi32>) outs(%e : tensor<4x4xi8>) {
  ^bb0(%in: i32, %out: i8):
    %t = arith.trunci %in : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4x4xi8>
  return %0, %1 : tensor<4x4xi32>, tensor<4x4xi8>
}

func.func @transposed(%x: tensor<1x4x6x6xi8>, %w: tensor<3x4x1x1xi8>) -> tensor<1x3x6x6xi32> {
  %zero = arith.constant dense<0> : tensor<1x3x6x6xi32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x6x6xi8>, tensor<3x4x1x1xi8>) outs(%zero : tensor<1x3x6x6xi32>) -> tensor<1x3x6x6xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.transpose' stays on the host: it makes another axis the innermost one
  return %0 : tensor<1x3x6x6xi32>
}

func.func @multiplier(%x: tensor<1x6x6x4xi8>) -> tensor<1x6x6x8xi32> {
  %w = "tosa.const"() {values = dense<3> : tensor<1x1x4x2xi8>} : () -> tensor<1x1x4x2xi8>
  %b = "tosa.const"() {values = dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi32>} : () -> tensor<8xi32>
  %z8 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<1x1x4x2xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  // CHECK-DAG: on-host.mlir:[[#@LINE-1]]:8: remark: {{.*}}OnHost{{.*}}'linalg.generic' stays on the host
  return %0 : tensor<1x6x6x8xi32>
}
