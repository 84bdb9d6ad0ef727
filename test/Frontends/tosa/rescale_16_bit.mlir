// A 16-bit multiplier.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x5x5x8xi8>) -> tensor<1x5x5x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x862AE3B628845A398ED85C331D09A03A006D0D6C18C53B910894763D66993C1964B2D0F3FE9CC773544925F1290114E4A651EAFC4FC17D08B7AD915DA2E1C86D"> : tensor<8x1x1x8xi8>}> : () -> tensor<8x1x1x8xi8>
  %c2 = "tosa.const"() <{values = dense<[-3534, 3834, 2789, 1270, 984, -2509, 3158, -2018]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x8xi8>, tensor<8x1x1x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x8xi32>
  %c6 = "tosa.const"() <{values = dense<[27080]> : tensor<1xi16>}> : () -> tensor<1xi16>
  %c7 = "tosa.const"() <{values = dense<[23]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x8xi32>, tensor<1xi16>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x5x8xi8>
  return %v10 : tensor<1x5x5x8xi8>
}
