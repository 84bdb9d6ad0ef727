// IREE, linalg on tensors: sums that start from a constant tensor, all 777.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x5x5x8xi8>) -> tensor<1x5x5x4xi8> {
  %k1 = arith.constant dense<777> : tensor<1x5x5x4xi32>
  %w2 = arith.constant dense<"0x6529F92ACAB9ADB96DC3E0C1733F2D5539A7D8D9E94D19BD1F6FCA9392BE2526"> : tensor<1x1x8x4xi8>
  %v3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %w2 : tensor<1x5x5x8xi8>, tensor<1x1x8x4xi8>) outs(%k1 : tensor<1x5x5x4xi32>) -> tensor<1x5x5x4xi32>
  %c4 = arith.constant 1774726370 : i32
  %c5 = arith.constant 39 : i8
  %c6 = arith.constant -128 : i32
  %c7 = arith.constant 127 : i32
  %e8 = tensor.empty() : tensor<1x5x5x4xi8>
  %v9 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v3 : tensor<1x5x5x4xi32>) outs(%e8 : tensor<1x5x5x4xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c4, %c5 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c6 : i32
    %c = arith.minsi %b, %c7 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<1x5x5x4xi8>
  return %v9 : tensor<1x5x5x4xi8>
}
