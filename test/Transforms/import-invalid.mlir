// What no front end's lowering takes is an error at that operation.

// RUN: rm -rf %t && split-file %s %t
// RUN: not fadiff-opt %t/custom.mlir --fadiff-import 2>&1 | FileCheck %t/custom.mlir
// RUN: not fadiff-opt %t/types.mlir --fadiff-import 2>&1 | FileCheck %t/types.mlir
// RUN: not fadiff-opt %t/zero_point.mlir --fadiff-import 2>&1 | FileCheck %t/zero_point.mlir
// RUN: not fadiff-opt %t/quantized.mlir --fadiff-schedule 2>&1 | FileCheck %t/quantized.mlir
// RUN: not fadiff-opt %t/dynamic.mlir --fadiff-schedule 2>&1 | FileCheck %t/dynamic.mlir
// RUN: not fadiff-opt %t/dynamic.mlir --fadiff-schedule=requantize=nearly 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: for the --requantize option: wanted exact or hardware, found 'nearly'

//--- custom.mlir
// CHECK: custom.mlir:[[#@LINE+3]]:8: error: failed to legalize operation 'tosa.custom'
// CHECK: custom.mlir:{{.*}} error: cannot be lowered from TOSA: wanted TOSA 1.0 operations that MLIR's tosa-to-linalg knows, on static shapes; replace the operation named above
func.func @custom(%x: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %0 = tosa.custom %x {operator_name = "nms", domain_name = "vendor", implementation_attrs = ""} : (tensor<4x8xi8>) -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

//--- types.mlir
// CHECK: types.mlir:[[#@LINE+4]]:8: error: 'tosa.conv2d' op expect both input and its zero point are the same element type, got 'i32' and 'i8'
func.func @types(%x: tensor<1x4x4x2xi32>, %w: tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi32> {
  %b = "tosa.const"() {values = dense<0> : tensor<2xi32>} : () -> tensor<2xi32>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi32>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %0 : tensor<1x4x4x2xi32>
}

//--- zero_point.mlir
// A zero point that is computed.
// CHECK: zero_point.mlir:[[#@LINE+4]]:8: error: 'tosa.conv2d' op has a zero point that is computed; make it a tosa.const, or subtract it in front of the operation
func.func @main(%x: tensor<1x6x6x4xi8>, %z: tensor<1xi8>) -> tensor<1x6x6x4xi32> {
  %w = "tosa.const"() {values = dense<3> : tensor<4x1x1x4xi8>} : () -> tensor<4x1x1x4xi8>
  %b = "tosa.const"() {values = dense<0> : tensor<4xi32>} : () -> tensor<4xi32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<4x1x1x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x4xi32>
  return %0 : tensor<1x6x6x4xi32>
}

//--- quantized.mlir
// The same in linalg stays on the host, which is no reason to refuse others.
// CHECK: quantized.mlir:[[#@LINE+5]]:8: error: nothing to schedule
// CHECK: quantized.mlir:[[#@LINE+4]]:8: note: not scheduled: its zero points are not constant; what would help: constant zero points
// CHECK-NOT: note:
func.func @main(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %za: i32, %zb: i32) -> tensor<4x4xi32> {
  %zero = arith.constant dense<0> : tensor<4x4xi32>
  %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x8xi8>, tensor<8x4xi8>, i32, i32) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

//--- dynamic.mlir
// CHECK: error: nothing to schedule
// CHECK: dynamic.mlir:[[#@LINE+5]]:8: note: not scheduled: a schedule needs static extents, found {{.*}}; make the shapes static, or give those of the arguments with fadiff-static-shapes
func.func @dynamic(%x: tensor<?x8xi8>, %w: tensor<1x8x4xi8>) -> tensor<1x?x4xi32> {
  %s = tosa.const_shape {values = dense<[1, -1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.reshape %x, %s : (tensor<?x8xi8>, !tosa.shape<3>) -> tensor<1x?x8xi8>
  %0 = tosa.matmul %r, %w, %z, %z : (tensor<1x?x8xi8>, tensor<1x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x4xi32>
  return %0 : tensor<1x?x4xi32>
}
