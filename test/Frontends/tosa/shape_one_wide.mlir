// A map one pixel wide.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x31x1x7xi8>) -> tensor<1x31x1x11xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x6160BCE402F28C8266952F1258192B707C4D182F6D38F493721683A68B90729AAFA6FA4FD4547D9E28CF6290752499AF922FE76DC9FE1FAE29212BE476EF8BDAFB6C4549C341CC02F8743ED69A2488F06EE16D4F4977C60E027F2945AF578D5075FDF2B7FEBF36B2C1B449B6B700D8638865D1CC9EDAD7287D5167229479202D5884F96CE144EC81C97E8DB5552138B9DD4C0A501E4E52EE4D4BD7CBD548DFE421F7F78F7CC01D0639822CFA54F8A561C7BFA298787633060041EDDB395DCC26DD7B43DEFD633C16463FD055C90DD5E75964EAF63A2E3A8F4E6E84E07D03F076930157B82ED62E"> : tensor<11x3x1x7xi8>}> : () -> tensor<11x3x1x7xi8>
  %c2 = "tosa.const"() <{values = dense<[-2685, 1136, 938, 3907, 2874, 2226, 1163, 2115, -3224, -3210, 547]> : tensor<11xi32>}> : () -> tensor<11xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x31x1x7xi8>, tensor<11x3x1x7xi8>, tensor<11xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x31x1x11xi32>
  %c6 = "tosa.const"() <{values = dense<[1095384896]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x31x1x11xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x31x1x11xi8>
  return %v10 : tensor<1x31x1x11xi8>
}
