// A convolution over three axes is a sum of ones over two: a layer for each tap
// of the axis with the fewest, which starts from the sums of the one before. Its
// rows along that axis are more images of the batch.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s --check-prefix=RAN

// The first one starts from zeros. ReLU is the last one's tail; a bias behind
// sums that start from others is not.
// CHECK: fadiff.layer "video" ins({{[^,]*}}, {{[^,)]*}} :
// CHECK-SAME: N = 6
// CHECK: fadiff.layer "video#1" ins({{[^,]*}}, {{[^,]*}}, {{[^,)]*}} :
// CHECK: fadiff.layer "volume"
// CHECK-SAME: N = 4
// CHECK: fadiff.layer "volume#1"
// CHECK: fadiff.layer "volume#2"
// CHECK: fadiff.layer "plain"
// CHECK-SAME: N = 4, P = 4, Q = 4, R = 3, S = 3]
// CHECK: fadiff.layer "plain#1"
// CHECK: fadiff.layer "depthwise"
// CHECK: fadiff.layer "depthwise#1"
// CHECK-NOT: fadiff.layer
// RAN: 9 groups
// RAN: largest difference of floats

#y = affine_map<(n, d, h, w, c) -> (n, d, h, w, c)>
#b = affine_map<(n, d, h, w, c) -> (c)>
func.func @main(%x: tensor<2x4x8x8x3xf32>, %k: tensor<2x3x3x3x5xf32>, %b: tensor<5xf32>,
                %y: tensor<2x3x9x7x7xf32>, %l: tensor<4x3x3x3x3xf32>, %i: tensor<2x4x2x5x5xf32>,
                %p: tensor<6x5x6xf32>, %q: tensor<3x2x3xf32>, %j: tensor<4x4x4xf32>,
                %d: tensor<1x4x5x5x6xf32>, %e: tensor<2x2x2x6xf32>, %h: tensor<1x3x4x4x6xf32>)
    -> (tensor<2x3x6x6x5xf32>, tensor<2x4x2x5x5xf32>, tensor<4x4x4xf32>, tensor<1x3x4x4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x3x6x6x5xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3x6x6x5xf32>) -> tensor<2x3x6x6x5xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%x, %k : tensor<2x4x8x8x3xf32>, tensor<2x3x3x3x5xf32>) outs(%f0 : tensor<2x3x6x6x5xf32>) -> tensor<2x3x6x6x5xf32> loc("video")
  %id = tensor.empty() : tensor<2x3x6x6x5xf32>
  %r = linalg.generic {indexing_maps = [#y, #b, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%0, %b : tensor<2x3x6x6x5xf32>, tensor<5xf32>) outs(%id : tensor<2x3x6x6x5xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %4 = arith.addf %in, %in1 : f32
    %5 = arith.maximumf %4, %zero : f32
    linalg.yield %5 : f32
  } -> tensor<2x3x6x6x5xf32>
  // Channels in front, two images: their axis and the rows lie apart. Rows with
  // a stride of 3 and a dilation of 2.
  %1 = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[3, 1, 1]> : tensor<3xi64>, dilations = dense<[2, 1, 1]> : tensor<3xi64>}
    ins(%y, %l : tensor<2x3x9x7x7xf32>, tensor<4x3x3x3x3xf32>) outs(%i : tensor<2x4x2x5x5xf32>) -> tensor<2x4x2x5x5xf32> loc("volume")
  // The second axis has the fewest taps.
  %2 = linalg.conv_3d ins(%p, %q : tensor<6x5x6xf32>, tensor<3x2x3xf32>) outs(%j : tensor<4x4x4xf32>) -> tensor<4x4x4xf32> loc("plain")
  %3 = linalg.depthwise_conv_3d_ndhwc_dhwc {strides = dense<1> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
    ins(%d, %e : tensor<1x4x5x5x6xf32>, tensor<2x2x2x6xf32>) outs(%h : tensor<1x3x4x4x6xf32>) -> tensor<1x3x4x4x6xf32> loc("depthwise")
  return %r, %1, %2, %3 : tensor<2x3x6x6x5xf32>, tensor<2x4x2x5x5xf32>, tensor<4x4x4xf32>, tensor<1x3x4x4x6xf32>
}
