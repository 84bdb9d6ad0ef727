// An NCHW network legalised to TOSA keeps its transposes at the ends.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x6x6x4xi8>, %arg1: tensor<1x4x6x6xi8>) -> (tensor<1x8x6x6xi8>, tensor<1x6x6x4xi8>) {
  %v1 = tosa.transpose %arg1 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x4x6x6xi8>) -> tensor<1x6x6x4xi8>
  %c2 = "tosa.const"() <{values = dense<"0xD228B7C931186BA5B0E78F84D2B99C3386CA695276F5CE60D8BC101E6DD5318CE00D5A33BBD62F77A647F9FE5926556AE81F9C947021FEEDEEBE0F95FBB526FDE42A7608479B104AEBA99FF50F3A37F287DAB352350069B575A0956F85ACD87894EF00153FF22B4FDB872FCEE8585FFE772F2AE27033C6054E9AF2E74EBB91675097B6623812B625B83C0A724B2F56B1ED7C2C44A429D698C675600FB889614EEE0B8FE5768A8855F465780284FC58F74A62BE31966664CDBA556B0345D66A2F96F30C7D6517BC5D736956D2ACD0F81CFFF73F7FE01286470D8AD943C4985E3C61286E9A35F3B03D24177D3C2304BCC371F044887C20D1E8F1E313439BF3EAB8E09778E8838934A0363A3BEA1B6746521226FDEE3069F4AF3E73180A9B71CAAC"> : tensor<8x3x3x4xi8>}> : () -> tensor<8x3x3x4xi8>
  %c3 = "tosa.const"() <{values = dense<[-2268, 1792, 3323, 1249, -2349, 3928, 1211, 2214]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v6 = tosa.conv2d %v1, %c2, %c3, %c4, %c5 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<8x3x3x4xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  %c7 = "tosa.const"() <{values = dense<[1673228068]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c8 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c10 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v11 = tosa.rescale %v6, %c7, %c8, %c9, %c10 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x8xi8>
  %v12 = tosa.transpose %v11 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x6x6x8xi8>) -> tensor<1x8x6x6xi8>
  %c13 = "tosa.const"() <{values = dense<"0x2A0591452F4D37A128482637F9D47762"> : tensor<4x1x1x4xi8>}> : () -> tensor<4x1x1x4xi8>
  %c14 = "tosa.const"() <{values = dense<[2703, -2292, -1401, 2308]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v17 = tosa.conv2d %arg0, %c13, %c14, %c15, %c16 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<4x1x1x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x4xi32>
  %c18 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c19 = "tosa.const"() <{values = dense<[38]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c21 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v22 = tosa.rescale %v17, %c18, %c19, %c20, %c21 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x4xi8>
  return %v12, %v22 : tensor<1x8x6x6xi8>, tensor<1x6x6x4xi8>
}
