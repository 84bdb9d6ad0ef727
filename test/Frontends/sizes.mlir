// Tensors of more than 2^31 elements are scheduled; what no schedule can count
// stays on the host with a remark. Nothing is allocated here;
// unittests/EndToEnd runs such a program.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-opt %t/large.mlir --fadiff-schedule=target=gemmini-small --fadiff-report-cost -o /dev/null 2>&1 | FileCheck %t/large.mlir
// RUN: fadiff-opt %t/too-large.mlir --fadiff-form-layers=allow-empty --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %t/too-large.mlir
// RUN: fadiff-opt %t/too-large.mlir --fadiff-normalize --fadiff-form-layers=allow-empty --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %t/too-large.mlir
// RUN: not fadiff-opt %t/too-large.mlir --fadiff-schedule 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: nothing to schedule
// NOTHING: too-large.mlir:{{[0-9]+}}:{{[0-9]+}}: note: not scheduled: its loop bound is 4000000000

//--- large.mlir
// Each input byte is read once at least: 70000 * 32768 = 2293760000 of them; and
// outputs, of 4 bytes, are written once at least.
// CHECK: total: {{.*}} DRAM {{(2[3-9]|[3-9][0-9])[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9] }}B read, {{[1-9][0-9][0-9][0-9][0-9][0-9][0-9]+}} B written
func.func @main(%x: tensor<70000x32768xi8>, %w: tensor<32768x8xi8>) -> tensor<70000x8xi32> {
  %zero = arith.constant dense<0> : tensor<70000x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<70000x32768xi8>, tensor<32768x8xi8>) outs(%zero : tensor<70000x8xi32>) -> tensor<70000x8xi32>
  return %0 : tensor<70000x8xi32>
}

//--- too-large.mlir
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.matmul' stays on the host: its loop bound is 4000000000; a layer has at most 1073741824, split the operation
func.func @rows(%x: tensor<4000000000x16xi8>, %w: tensor<16x16xi8>) -> tensor<4000000000x16xi32> {
  %zero = arith.constant dense<0> : tensor<4000000000x16xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4000000000x16xi8>, tensor<16x16xi8>) outs(%zero : tensor<4000000000x16xi32>) -> tensor<4000000000x16xi32>
  return %0 : tensor<4000000000x16xi32>
}
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.batch_matmul' stays on the host: its number of multiply-accumulates is 9223372036854775807; a layer has at most 4503599627370496, split the operation
func.func @bytes(%x: tensor<1000000000x1000000000x16xi8>, %w: tensor<1000000000x16x1xi8>) -> tensor<1000000000x1000000000x1xi32> {
  %zero = arith.constant dense<0> : tensor<1000000000x1000000000x1xi32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<1000000000x1000000000x16xi8>, tensor<1000000000x16x1xi8>) outs(%zero : tensor<1000000000x1000000000x1xi32>) -> tensor<1000000000x1000000000x1xi32>
  return %0 : tensor<1000000000x1000000000x1xi32>
}
// Each loop bound is in order, their product is not.
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.matmul' stays on the host: its number of multiply-accumulates is 9223372036854775807; a layer has at most 4503599627370496, split the operation
func.func @work(%x: tensor<1073741824x1073741824xi8>, %w: tensor<1073741824x1073741824xi8>) -> tensor<1073741824x1073741824xi32> {
  %zero = arith.constant dense<0> : tensor<1073741824x1073741824xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<1073741824x1073741824xi8>, tensor<1073741824x1073741824xi8>) outs(%zero : tensor<1073741824x1073741824xi32>) -> tensor<1073741824x1073741824xi32>
  return %0 : tensor<1073741824x1073741824xi32>
}
// Strides skip most of the input.
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.conv_2d_nhwc_hwcf' stays on the host: its number of input elements is 18014398509481984; a layer has at most 4503599627370496, split the operation
func.func @input(%x: tensor<1x134217728x134217728x1xi8>, %w: tensor<2x2x1x4xi8>) -> tensor<1x2x2x4xi32> {
  %zero = arith.constant dense<0> : tensor<1x2x2x4xi32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<134217726> : tensor<2xi64>} ins(%x, %w : tensor<1x134217728x134217728x1xi8>, tensor<2x2x1x4xi8>) outs(%zero : tensor<1x2x2x4xi32>) -> tensor<1x2x2x4xi32>
  return %0 : tensor<1x2x2x4xi32>
}
// Nothing to sum up, to store, or to read.
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.matmul' stays on the host: its loop bound is 0; a layer has at least 1
func.func @no_sum(%x: tensor<8x0xi8>, %w: tensor<0x8xi8>) -> tensor<8x8xi32> {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x0xi8>, tensor<0x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.matmul' stays on the host: its loop bound is 0; a layer has at least 1
func.func @no_rows(%x: tensor<0x8xi8>, %w: tensor<8x8xi8>) -> tensor<0x8xi32> {
  %zero = arith.constant dense<7> : tensor<0x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<0x8xi8>, tensor<8x8xi8>) outs(%zero : tensor<0x8xi32>) -> tensor<0x8xi32>
  return %0 : tensor<0x8xi32>
}
// Upstream accepts windows that run backwards.
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.conv_2d_nhwc_hwcf' stays on the host: its dilation is -1; a layer has at least 1
func.func @backwards(%x: tensor<1x8x8x4xi8>, %w: tensor<3x3x4x4xi8>) -> tensor<1x6x6x4xi32> {
  %zero = arith.constant dense<0> : tensor<1x6x6x4xi32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<-1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x4xi8>, tensor<3x3x4x4xi8>) outs(%zero : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  return %0 : tensor<1x6x6x4xi32>
}
// Nobody verifies the attributes of a generic operation.
#i = affine_map<(n, p, q, k, r, s, c) -> (n, p + r, q + s, c)>
#w = affine_map<(n, p, q, k, r, s, c) -> (r, s, c, k)>
#o = affine_map<(n, p, q, k, r, s, c) -> (n, p, q, k)>
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.generic' stays on the host: its 'strides' are tensor<2147483648xi64>; wanted an i64 for each axis of its window
func.func @attribute(%x: tensor<1x6x7x3xi8>, %w: tensor<3x3x3x16xi8>) -> tensor<1x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16xi32>
  %0 = linalg.generic {indexing_maps = [#i, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x6x7x3xi8>, tensor<3x3x3x16xi8>) outs(%zero : tensor<1x4x5x16xi32>) attrs = {strides = dense<2> : tensor<2147483648xi64>} {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x4x5x16xi32>
  return %0 : tensor<1x4x5x16xi32>
}
// CHECK: too-large.mlir:[[#@LINE+3]]:8: remark: {{.*}}'linalg.generic' stays on the host: its 'dilations' are tensor<2xi8>; wanted an i64 for each axis of its window
func.func @element(%x: tensor<1x6x7x3xi8>, %w: tensor<3x3x3x16xi8>) -> tensor<1x4x5x16xi32> {
  %zero = arith.constant dense<0> : tensor<1x4x5x16xi32>
  %0 = linalg.generic {indexing_maps = [#i, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x6x7x3xi8>, tensor<3x3x3x16xi8>) outs(%zero : tensor<1x4x5x16xi32>) attrs = {dilations = dense<[1, 2]> : tensor<2xi8>} {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x4x5x16xi32>
  return %0 : tensor<1x4x5x16xi32>
}
