// Networks in every spelling and layout that is recognised give the bytes of
// the reference, with the traffic that was predicted.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-run %t/nchw.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/fhwc.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/strided_pointwise.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/dilated_generic.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/conv_1d.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/multiplier.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/depthwise_chw.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/grouped.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/batch_matmul.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/batch_of_scalars.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/transposed.mlir --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %t/row_times_matrix.mlir --target=gemmini-small | FileCheck %s

// CHECK:      target gemmini-small
// CHECK:      DRAM bytes read {{[1-9][0-9]*}}, written {{[1-9][0-9]*}}: as predicted
// CHECK:      output 0:
// CHECK-NEXT: output identical to the reference

//--- nchw.mlir
#id4 = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<2x5x9x8xi8>, %w: tensor<21x5x3x3xi8>) -> tensor<2x21x9x8xi8> {
  %c0 = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %scale = arith.constant 2.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c0 : i8
  } : tensor<2x5x9x8xi8> to tensor<2x5x11x10xi8>
  %e = tensor.empty() : tensor<2x21x9x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x21x9x8xi32>) -> tensor<2x21x9x8xi32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x5x11x10xi8>, tensor<21x5x3x3xi8>) outs(%f : tensor<2x21x9x8xi32>) -> tensor<2x21x9x8xi32>
  %e8 = tensor.empty() : tensor<2x21x9x8xi8>
  %q = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<2x21x9x8xi32>) outs(%e8 : tensor<2x21x9x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<2x21x9x8xi8>
  return %q : tensor<2x21x9x8xi8>
}

//--- fhwc.mlir
func.func @main(%x: tensor<1x9x8x19xi8>, %w: tensor<18x3x2x19xi8>) -> tensor<1x7x7x18xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x18xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x7x7x18xi32>) -> tensor<1x7x7x18xi32>
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x9x8x19xi8>, tensor<18x3x2x19xi8>) outs(%f : tensor<1x7x7x18xi32>) -> tensor<1x7x7x18xi32>
  return %r : tensor<1x7x7x18xi32>
}

//--- strided_pointwise.mlir
func.func @main(%x: tensor<1x9x8x19xi8>, %w: tensor<1x1x19x18xi8>) -> tensor<1x5x4x18xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x5x4x18xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x5x4x18xi32>) -> tensor<1x5x4x18xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x9x8x19xi8>, tensor<1x1x19x18xi8>) outs(%f : tensor<1x5x4x18xi32>) -> tensor<1x5x4x18xi32>
  return %r : tensor<1x5x4x18xi32>
}

//--- dilated_generic.mlir
#image = affine_map<(n, p, q, k, r, s, c) -> (n, p * 2 + r, q + s * 3, c)>
#kernel = affine_map<(n, p, q, k, r, s, c) -> (k, s, r, c)>
#result = affine_map<(n, p, q, k, r, s, c) -> (n, q, p, k)>
func.func @main(%x: tensor<1x11x12x6xi8>, %w: tensor<20x3x2x6xi8>) -> tensor<1x6x5x20xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x5x20xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x5x20xi32>) -> tensor<1x6x5x20xi32>
  %r = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x11x12x6xi8>, tensor<20x3x2x6xi8>) outs(%f : tensor<1x6x5x20xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i16
    %1 = arith.extsi %b : i8 to i16
    %2 = arith.muli %1, %0 : i16
    %3 = arith.extsi %2 : i16 to i32
    %4 = arith.addi %3, %o : i32
    linalg.yield %4 : i32
  } -> tensor<1x6x5x20xi32>
  return %r : tensor<1x6x5x20xi32>
}

//--- conv_1d.mlir
func.func @main(%x: tensor<3x17x5xi8>, %w: tensor<4x5x18xi8>, %b: tensor<18xi32>) -> tensor<3x7x18xi32> {
  %e = tensor.empty() : tensor<3x7x18xi32>
  %f = linalg.broadcast ins(%b : tensor<18xi32>) outs(%e : tensor<3x7x18xi32>) dimensions = [0, 1]
  %r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<3x17x5xi8>, tensor<4x5x18xi8>) outs(%f : tensor<3x7x18xi32>) -> tensor<3x7x18xi32>
  return %r : tensor<3x7x18xi32>
}

//--- multiplier.mlir
func.func @main(%x: tensor<1x8x9x19xi8>, %w: tensor<3x3x19x1xi8>) -> tensor<1x6x7x19x1xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x7x19x1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x7x19x1xi32>) -> tensor<1x6x7x19x1xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<1x8x9x19xi8>, tensor<3x3x19x1xi8>) outs(%f : tensor<1x6x7x19x1xi32>) -> tensor<1x6x7x19x1xi32>
  return %r : tensor<1x6x7x19x1xi32>
}

//--- depthwise_chw.mlir
func.func @main(%x: tensor<1x19x8x9xi8>, %w: tensor<19x3x3xi8>) -> tensor<1x19x6x7xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x19x6x7xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x19x6x7xi32>) -> tensor<1x19x6x7xi32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x19x8x9xi8>, tensor<19x3x3xi8>) outs(%f : tensor<1x19x6x7xi32>) -> tensor<1x19x6x7xi32>
  return %r : tensor<1x19x6x7xi32>
}

//--- grouped.mlir
func.func @main(%x: tensor<1x8x7x3x5xi8>, %w: tensor<3x18x3x3x5xi8>) -> tensor<1x6x5x3x18xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x5x3x18xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x5x3x18xi32>) -> tensor<1x6x5x3x18xi32>
  %r = linalg.conv_2d_nhwgc_gfhwc ins(%x, %w : tensor<1x8x7x3x5xi8>, tensor<3x18x3x3x5xi8>) outs(%f : tensor<1x6x5x3x18xi32>) -> tensor<1x6x5x3x18xi32>
  return %r : tensor<1x6x5x3x18xi32>
}

//--- batch_matmul.mlir
func.func @main(%x: tensor<3x18x21xi8>, %w: tensor<3x21x20xi8>) -> tensor<3x18x20xi32> {
  %zero = arith.constant dense<0> : tensor<3x18x20xi32>
  %r = linalg.batch_matmul ins(%x, %w : tensor<3x18x21xi8>, tensor<3x21x20xi8>) outs(%zero : tensor<3x18x20xi32>) -> tensor<3x18x20xi32>
  return %r : tensor<3x18x20xi32>
}

//--- batch_of_scalars.mlir
func.func @main(%x: tensor<19x8x1xi8>, %w: tensor<19x1x1xi8>) -> tensor<19x8x1xi32> {
  %zero = arith.constant dense<0> : tensor<19x8x1xi32>
  %r = linalg.batch_matmul ins(%x, %w : tensor<19x8x1xi8>, tensor<19x1x1xi8>) outs(%zero : tensor<19x8x1xi32>) -> tensor<19x8x1xi32>
  return %r : tensor<19x8x1xi32>
}

//--- transposed.mlir
#lhs = affine_map<(m, n, k) -> (k, m)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (n, m)>
func.func @main(%x: tensor<21x18xi8>, %w: tensor<35x21xi8>) -> tensor<35x18xi32> {
  %zero = arith.constant dense<0> : tensor<35x18xi32>
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<21x18xi8>, tensor<35x21xi8>) outs(%zero : tensor<35x18xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<35x18xi32>
  return %r : tensor<35x18xi32>
}

//--- row_times_matrix.mlir
func.func @main(%x: tensor<40xi8>, %w: tensor<40x35xi8>) -> tensor<35xi32> {
  %zero = arith.constant dense<0> : tensor<35xi32>
  %r = linalg.vecmat ins(%x, %w : tensor<40xi8>, tensor<40x35xi8>) outs(%zero : tensor<35xi32>) -> tensor<35xi32>
  return %r : tensor<35xi32>
}
