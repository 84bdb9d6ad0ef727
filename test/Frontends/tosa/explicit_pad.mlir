// tosa.pad before a convolution without padding of its own.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x6x6x4xi8>) -> tensor<1x7x7x8xi8> {
  %s1 = tosa.const_shape {values = dense<[0, 0, 1, 2, 2, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v3 = tosa.pad %arg0, %s1, %c2 : (tensor<1x6x6x4xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x9x9x4xi8>
  %c4 = "tosa.const"() <{values = dense<"0xDB86A99F257DC58C150795AFFB23B1EE1A0266E1C7DA797D49174FEB996A427347E5FB70A4164AAE64B35BB884F20310174C94DF5FEF88AAB9439DC7782E9E5057364E2DBA6A0081E430950A5398681D30E58F7BF8101FA3E5F4F360BE8F7D76EACC8F3019929D8E6F537DE5A7D18E6E8FEB6287A8FC45343D5351DEC3F1F1C5FC4975CB840F78947D7FB3B8C0A8D4657B625C83A640F735221AFAE6EDB492C79A5E1C229510FE200AD408DBF5CF9EEC9088FBCDB484F4AFEABEE4E83F91CCF7ED7573C8DA1DA0E3DEBAD24F62FE0CDEBC85196E7411179A0E0FAC559394B5C29D9531D511B2B02C2169F67860BB1868E8618A2FA9C050C65C66CA29699992169C4D41C35CFA0988B3A2212D047B1BDFAC0DED4F6E122FED98CFD20D6ED68610"> : tensor<8x3x3x4xi8>}> : () -> tensor<8x3x3x4xi8>
  %c5 = "tosa.const"() <{values = dense<[2499, 3654, 3851, -1700, -3107, 2027, 2545, -3858]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c6 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c7 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v8 = tosa.conv2d %v3, %c4, %c5, %c6, %c7 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x4xi8>, tensor<8x3x3x4xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x7x8xi32>
  %c9 = "tosa.const"() <{values = dense<[1673228068]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c10 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c11 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c12 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v13 = tosa.rescale %v8, %c9, %c10, %c11, %c12 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x7x7x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x7x7x8xi8>
  return %v13 : tensor<1x7x7x8xi8>
}
