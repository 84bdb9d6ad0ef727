// A convolution over three axes with zero points: those go first, the window
// along the axis with the fewest taps is taken apart then.

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s --check-prefix=RAN

// CHECK: fadiff.layer "conv"
// CHECK: fadiff.layer "conv#1"
// CHECK-NOT: fadiff.layer
// RAN: 2 groups
// RAN: output identical to the reference

func.func @main(%x: tensor<1x4x8x8x4xi8>, %k: tensor<2x3x3x4x6xi8>, %i: tensor<1x3x6x6x6xi32>) -> tensor<1x3x6x6x6xi32> {
  %a = arith.constant 3 : i32
  %b = arith.constant -2 : i32
  %0 = linalg.conv_3d_ndhwc_dhwcf_q {strides = dense<1> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%x, %k, %a, %b : tensor<1x4x8x8x4xi8>, tensor<2x3x3x4x6xi8>, i32, i32) outs(%i : tensor<1x3x6x6x6xi32>) -> tensor<1x3x6x6x6xi32> loc("conv")
  return %0 : tensor<1x3x6x6x6xi32>
}
