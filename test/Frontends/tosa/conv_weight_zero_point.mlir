// A convolution with a zero point on constant weights.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x6x6x8xi8>) -> tensor<1x4x4x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xA15B23C8397BF73B9B6A4444971FBF69265CE36B5177F04216478214E59CD222E9F3CF114764DA8F92E42AA7B58E7FF043C8FEF6599C3371736655E2A80B614E5EF758B448A127E385749E1DF9F16BA04D7E0AC2C28BC4702A09F8792735DC453EF0D30CCD0B65A1D8A4EF8D39AF1663D9A22DD0D2FD666F8BB213A344D653577BA7DCDF2272D4B9251019E9B3CA0254E6DFF236472E634A05940154F30D6707734F9518E7874C6611E79CC51D9E70C09CD4F503A8F0F6585F5368E8DD1A0CBD2E6248BA346156FB83D7B1DBD6C2CA0161E162CA88B21310D728FE4148B317FE49A710BEF01477ACA0BCCBCC1BF7FBDAB915116F131A6AAE30C175D9C4BA660406457E8645376750A12244678FA34CA24E82901CA0D96079F6D02817BF680F2F6A9BCD3551BCCE33BE9EDFE14D11F6ADBA8252615D4CE741E8936026B12495248BDD6ECEEE0A362B22AADC7F8E41518DDFB4C5CCAA64E2A674C253073D5027F12F813146967424BCAB0C4417F6B2CAAE2DD2E2F7547CACEA4E091A00B03E27C623F09BE997E8DC88911CFBA7E7B31037509A0644ECBE35B0925C673434A7EE38FB4B29D2D2CC48F37E2194F3D838EE21635F51EC2DD9F252510CF13ABE08CC0946CAD17CC9EE3F09998362070B39E35B2B0D9BC5329C10EB0812D9883B975D1B672C8D5E150697DD0D64C0850B95A4D6BD691DBE6AA642E06F27AD55F2E949FB1141A16F11E1EC35BD8ADBE062FB72A9FF6A6FD1487F409A8411A783A0D6351CAE0F566902053FFEB2B9B46A1845926222AD6620CFBFE5034B6E8F9D4FC1B2D2"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
  %c2 = "tosa.const"() <{values = dense<[417, 780, -2103, 58, 1065, -703, 1676, -2671]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x8xi32>
  %c6 = "tosa.const"() <{values = dense<[1183150913]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x8xi8>
  return %v10 : tensor<1x4x4x8xi8>
}
