// TFLite, int8, by the TFLite to TOSA legaliser: an addition whose operands have zero
// points, before a convolution.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x10x10x8xi8>, %arg1: tensor<1x10x10x8xi8>) -> tensor<1x10x10x8xi8> {
  %c1 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c2 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v5 = tosa.rescale %arg0, %c1, %c2, %c3, %c4 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x10x10x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x10x10x8xi32>
  %c6 = "tosa.const"() <{values = dense<[1717986918]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[32]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v10 = tosa.rescale %arg1, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x10x10x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x10x10x8xi32>
  %v11 = tosa.add %v5, %v10 : (tensor<1x10x10x8xi32>, tensor<1x10x10x8xi32>) -> tensor<1x10x10x8xi32>
  %c12 = "tosa.const"() <{values = dense<[1932735283]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c13 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c15 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.rescale %v11, %c12, %c13, %c14, %c15 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x10x10x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x10x10x8xi8>
  %c17 = "tosa.const"() <{values = dense<"0xE21CDB4F44EF262F0FB89740E3C05877491E3C6AC57E03F2306EB50C85D1F60B9E70DE7199000CC170B47D54759012572D9DD9FF887492B2BF6FD3C3AE9F81B765750847CBE129E0101F2C6ADFB8CBBEEB88AD3F357CA9FC0567D266AA2EC4D82FF7552A7BA65CDEA576BED7ABD2FD29C31C5DFFD07FEE7A9F9ABC8D7F239641D545590EFCDC57E8F7A295CC65DFC2057E4BD656468EF94CBB3FC04DEAC176ACFAFADFF51D811DF819BD3085110256E7EE5CA61606CA2CD354939DE9726B05B3E7EBFAC6BE382C3979FFBD1B329A2C64D736302F646AF957DD45EBDDBAB8770A6C271AA7A6E129570212DF11B7E99607DD29A95BB621D693580FFC9F8A76192307DBD654D876DACA9E199C17BF9A9394D8C3A24E26E812D4218359B69F915BE4586DA629ED4BEBE9FD0A9F1794175C3BEF10EA571C7C7F78FE3062487A10ADB66DD5B5B64AA8652B868CEE6898836368F775711631D5CEC8159C0E7CA223414F60F202D070A2F11B1BB6C7CE9AECFBAE75F9F70E36520A420C06ECA3A95D55D7C98A493AEEE4C6E1D60FD88204386F498196BE3B8359867C81EBAFBD07BECDA6D8FE4E3F87C30CFAF52807108308B0182CA84CEC6A8CE825B8A949E3B348706C0F1E274815103CACF3C939399A82C76C63275DD789728539DCBF760D70395F25E071A44FE454CF290F36C914172579443446AD0D584A18F878F5E64AD07B49A6C51C9995100DB1CFB400FC952924351CE9D00D13BCFD618CAEBD3D9394C729BD3B4BC80C2399F72674D8B0905EA9E1FD62BF2D81BC3D525A1678A31081BF4B17"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
  %c18 = "tosa.const"() <{values = dense<[-514, -2640, 890, 3129, 2564, 677, 832, 833]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c19 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.conv2d %v16, %c17, %c18, %c19, %c20 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x10x10x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x10x10x8xi32>
  %c22 = "tosa.const"() <{values = dense<[1183150913]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c23 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c24 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c25 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v26 = tosa.rescale %v21, %c22, %c23, %c24, %c25 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x10x10x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x10x10x8xi8>
  return %v26 : tensor<1x10x10x8xi8>
}
