// IREE, linalg on tensors: an output zero point of -128 with a scale of 2^-9.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x5x5x8xi8>) -> tensor<1x5x5x8xi8> {
  %b1 = arith.constant dense<[-735, 380, -1410, -1234, -3982, 335, -3938, 1700]> : tensor<8xi32>
  %e2 = tensor.empty() : tensor<1x5x5x8xi32>
  %v3 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b1 : tensor<8xi32>) outs(%e2 : tensor<1x5x5x8xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x5x5x8xi32>
  %w4 = arith.constant dense<"0xAD3A20CBD5992DAAC501D69135CCC035EC04883E4C2C2B19F4711200657856F84845BA6B0D099FAFC137FBF0217E75B1117E9B32B5107B2DA8060978F5D0B240"> : tensor<1x1x8x8xi8>
  %v5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %w4 : tensor<1x5x5x8xi8>, tensor<1x1x8x8xi8>) outs(%v3 : tensor<1x5x5x8xi32>) -> tensor<1x5x5x8xi32>
  %c6 = arith.constant 1073741824 : i32
  %c7 = arith.constant 39 : i8
  %c8 = arith.constant -128 : i32
  %c9 = arith.constant 127 : i32
  %e10 = tensor.empty() : tensor<1x5x5x8xi8>
  %v11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x5x5x8xi32>) outs(%e10 : tensor<1x5x5x8xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c6, %c7 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %z = arith.addi %a, %c8 : i32
    %b = arith.maxsi %z, %c8 : i32
    %c = arith.minsi %b, %c9 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<1x5x5x8xi8>
  return %v11 : tensor<1x5x5x8xi8>
}
