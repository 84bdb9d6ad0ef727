// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: depthwise with stride 2,
// then the projection.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x15x15x16xi8>) -> tensor<1x8x8x24xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x9F58A1CBF9EB4C098F0B917CED7A13A020584D76C4585CB12B7AB7297BF9CB1BB8382C3364843BB1101BFFE6F0F7B0C85F1DD97E5FA3248EBDBDE3A017D2EE625FCB1708EB4A61B504A913113C69D9EF7DE0685A6EE7B97D94102D04094C21F081656B5A8F4748B70E67DFED9EB8650A14167BDFE68E7DE83CDC416FD1855E9C6A4E09F570793BD3E62544D2C522A9E1"> : tensor<3x3x16x1xi8>}> : () -> tensor<3x3x16x1xi8>
  %c2 = "tosa.const"() <{values = dense<[-2091, -1833, 2395, 690, -3024, -2560, 1034, 2694, -846, -2816, 1168, 3310, 815, -3148, -2677, 485]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.depthwise_conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x15x15x16xi8>, tensor<3x3x16x1xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
  %c6 = "tosa.const"() <{values = dense<[1673228068]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %c12 = "tosa.const"() <{values = dense<"0xEF9B6882B3A9C42BDD08B8CFB33DB7B20CD4F9342AAC346D290BFAD276B481563D1122D78EAC1DA11981754ED5FCA37C7AE8AEB4E1AB96B2069B76CB55B1CA9F0C879325DD3E1E886DA17B34E2219F434569E483F071617F893AA7BE29B12FE5B7E0CDE4715474B0E2326EB44268BB258B290187E336E6516427077BC4880AF2CA56A6421F11AB2F2D817A136B75245F5B897CD97858ACF68BC0BAEDDDBA0D6A08760E5A1DDC39C8D7B4552E51F771E0082E03EA09234629D54A43C0AD082F70843A02518DFA96142DBB553BCC73D69A2D2E77A39BCAF31EE85186881DDFB61F50ED96C62465E81CD9F957F6640877660F1385D2D999E254FCA869D09FCB447C0F2E546BCEF4CFD171971C39B647CB7E9FAB1F77206302B3E91542963B7967D020DE38A2E50207C005676AA8843F02E234DFEF6457C572F4DCDA51E4B690EF2C4AB4E435DACABCFDD66821FB15E24445D206EB33EEB8A244234C8D94F4146B39AEBDF6E9D149041EFDF5A77FB0C59AA800AC2CB2FC4B2DD7D3216FA9AF03B82E"> : tensor<24x1x1x16xi8>}> : () -> tensor<24x1x1x16xi8>
  %c13 = "tosa.const"() <{values = dense<[-2284, 1009, -3139, -118, 1803, 1812, 3658, -1731, -2627, 3229, 2360, 1581, 3995, 2318, 3463, -2943, 318, 3201, 3371, -2524, 3598, 3089, 1800, 489]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.conv2d %v11, %c12, %c13, %c14, %c15 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x16xi8>, tensor<24x1x1x16xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x24xi32>
  %c17 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.rescale %v16, %c17, %c18, %c19, %c20 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x24xi8>
  return %v21 : tensor<1x8x8x24xi8>
}
