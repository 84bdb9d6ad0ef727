// Named operations in layouts that no other test has: grouped convolution with
// groups behind the image, one-dimensional convolutions, no channels at all,
// products with vectors, and _q variants with zero points.

// RUN: fadiff-run %s --target=gemmini-small --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS-COUNT-9: fadiff.layer
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%groups: tensor<1x6x7x2x3xi8>, %wg: tensor<2x4x3x3x3xi8>, %seq: tensor<2x11x5xi8>, %w1: tensor<3x5x6xi8>, %wd: tensor<3x5xi8>,
                %plane: tensor<9x8xi8>, %wp: tensor<3x2xi8>, %a: tensor<7x10xi8>, %v: tensor<10xi8>, %bm: tensor<3x7x10xi8>, %bv: tensor<3x10xi8>,
                %img: tensor<1x7x7x4xi8>, %wq: tensor<3x3x4xi8>, %ng: tensor<1x2x3x6x6xi8>, %wng: tensor<2x4x3x3x3xi8>)
    -> (tensor<1x4x5x2x4xi32>, tensor<2x9x6xi32>, tensor<2x9x5xi32>, tensor<7x7xi32>, tensor<7xi32>, tensor<3x7xi32>, tensor<3x7xi32>, tensor<1x5x5x4xi32>, tensor<1x2x4x4x4xi32>) {
  %z0 = arith.constant dense<0> : tensor<1x4x5x2x4xi32>
  %0 = linalg.conv_2d_nhwgc_gfhwc ins(%groups, %wg : tensor<1x6x7x2x3xi8>, tensor<2x4x3x3x3xi8>) outs(%z0 : tensor<1x4x5x2x4xi32>) -> tensor<1x4x5x2x4xi32>
  %z1 = arith.constant dense<0> : tensor<2x9x6xi32>
  %1 = linalg.conv_1d_nwc_wcf ins(%seq, %w1 : tensor<2x11x5xi8>, tensor<3x5x6xi8>) outs(%z1 : tensor<2x9x6xi32>) -> tensor<2x9x6xi32>
  %z2 = arith.constant dense<0> : tensor<2x9x5xi32>
  %2 = linalg.depthwise_conv_1d_nwc_wc ins(%seq, %wd : tensor<2x11x5xi8>, tensor<3x5xi8>) outs(%z2 : tensor<2x9x5xi32>) -> tensor<2x9x5xi32>
  %z3 = arith.constant dense<0> : tensor<7x7xi32>
  %3 = linalg.conv_2d ins(%plane, %wp : tensor<9x8xi8>, tensor<3x2xi8>) outs(%z3 : tensor<7x7xi32>) -> tensor<7x7xi32>
  %z4 = arith.constant dense<0> : tensor<7xi32>
  %4 = linalg.matvec ins(%a, %v : tensor<7x10xi8>, tensor<10xi8>) outs(%z4 : tensor<7xi32>) -> tensor<7xi32>
  %z5 = arith.constant dense<0> : tensor<3x7xi32>
  %5 = linalg.batch_matvec ins(%bm, %bv : tensor<3x7x10xi8>, tensor<3x10xi8>) outs(%z5 : tensor<3x7xi32>) -> tensor<3x7xi32>
  %bt = tensor.empty() : tensor<3x10x7xi8>
  %bmt = linalg.transpose ins(%bm : tensor<3x7x10xi8>) outs(%bt : tensor<3x10x7xi8>) permutation = [0, 2, 1]
  %6 = linalg.batch_vecmat ins(%bv, %bmt : tensor<3x10xi8>, tensor<3x10x7xi8>) outs(%z5 : tensor<3x7xi32>) -> tensor<3x7xi32>
  %zx = arith.constant 3 : i32
  %zw = arith.constant -2 : i32
  %z7 = arith.constant dense<0> : tensor<1x5x5x4xi32>
  %7 = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%img, %wq, %zx, %zw : tensor<1x7x7x4xi8>, tensor<3x3x4xi8>, i32, i32) outs(%z7 : tensor<1x5x5x4xi32>) -> tensor<1x5x5x4xi32>
  %z8 = arith.constant dense<0> : tensor<1x2x4x4x4xi32>
  %8 = linalg.conv_2d_ngchw_gfchw_q ins(%ng, %wng, %zx, %zw : tensor<1x2x3x6x6xi8>, tensor<2x4x3x3x3xi8>, i32, i32) outs(%z8 : tensor<1x2x4x4x4xi32>) -> tensor<1x2x4x4x4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<1x4x5x2x4xi32>, tensor<2x9x6xi32>, tensor<2x9x5xi32>, tensor<7x7xi32>, tensor<7xi32>, tensor<3x7xi32>, tensor<3x7xi32>, tensor<1x5x5x4xi32>, tensor<1x2x4x4x4xi32>
}
