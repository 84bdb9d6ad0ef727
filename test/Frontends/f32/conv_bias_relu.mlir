// An image's first layers in f32: 3 channels, padding, stride 2, then a 1x1
// convolution that reads the first one's ReLU; all by TFLite's legaliser.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}}pad = [1, 1]{{.*}} epilogue(<scale = 1.000000e+00 : f32, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = 1.000000e+00 : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: {{largest difference of floats from the reference: .*e-0[6-9] of the largest element, allowed: 1.0e-05|output identical}}

func.func @main(%x: tensor<1x17x17x3xf32>, %w0: tensor<8x3x3x3xf32>, %b0: tensor<8xf32>, %w1: tensor<5x1x1x8xf32>) -> tensor<1x9x9x5xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b1 = "tosa.const"() <{values = dense<[0.5, -1.25, 0.0, 3.0, 0.125]> : tensor<5xf32>}> : () -> tensor<5xf32>
  %0 = tosa.conv2d %x, %w0, %b0, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x17x17x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x9x8xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x9x9x8xf32>) -> tensor<1x9x9x8xf32>
  %2 = tosa.conv2d %1, %w1, %b1, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x8xf32>, tensor<5x1x1x8xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x9x5xf32>
  return %2 : tensor<1x9x9x5xf32>
}
