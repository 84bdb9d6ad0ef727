// Depthwise with multiplier 3: the bias and the tail of its 12 channels are the
// layer's.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = 0.00304358453 : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x6x6x4xi8>) -> tensor<1x6x6x12xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x84B065ECD260150E10C46E5666F46AB72202746D54C9238C14AAB5C5052678097CC5BE2239D9D1279A7A03A2171EE402A1E57A829A658E65B0E724729291B4F7BA4625522994F5D07F1E69DCDEE3B7CAA2457099F702DDFFCE88FAC66619AE73BDDCF0F94B5159AC41957736"> : tensor<3x3x4x3xi8>}> : () -> tensor<3x3x4x3xi8>
  %c2 = "tosa.const"() <{values = dense<[-314, 481, -3850, 1801, 1404, 1393, 3615, -3714, -759, -780, 3895, -3655]> : tensor<12xi32>}> : () -> tensor<12xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.depthwise_conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<3x3x4x3xi8>, tensor<12xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x12xi32>
  %c6 = "tosa.const"() <{values = dense<[1673228068]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x12xi8>
  return %v10 : tensor<1x6x6x12xi8>
}
