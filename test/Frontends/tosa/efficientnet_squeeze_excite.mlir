// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: squeeze and excitation:
// pooling, two 1x1 convolutions, a sigmoid table, a multiplication by channel.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xB514389BECCF298FAC9EED516A6670658387A649CF1F952883A9824DED965EB6B8CCF26A9C7965B8650BAA1E84475A2EC43EB7277839CC56469441BBEDEB3810E53216EB912B8B2207EC29D81EE67969A629ACB5C9F392A60E300C504F654FCD15FAF4FCA116713385A4FA0E875DFB910131E4566A0E24F2A53E27BEDBCCE1FB5FBC8908A2346BC057659DE37D5533C7"> : tensor<3x3x16x1xi8>}> : () -> tensor<3x3x16x1xi8>
  %c2 = "tosa.const"() <{values = dense<[3530, -3106, 644, -2063, -2749, 108, 2987, 1686, -2634, 2216, 3409, -125, -3803, -315, -1865, -3910]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.depthwise_conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x16xi8>, tensor<3x3x16x1xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
  %c6 = "tosa.const"() <{values = dense<[1673228068]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %c12 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c13 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v14 = tosa.avg_pool2d %v11, %c12, %c13 {acc_type = i32, kernel = array<i64: 8, 8>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x16xi8>
  %c15 = "tosa.const"() <{values = dense<"0x7407AFA5BE17F36432499DED3D6756744F060A7D6A71E71979CEC7D0952B5C3BB90A6F09F17A7DE686C7A127FBFB719069C72CCB0A32EC1F56903A36438C9C2C"> : tensor<4x1x1x16xi8>}> : () -> tensor<4x1x1x16xi8>
  %c16 = "tosa.const"() <{values = dense<[1788, -3699, 2973, -1980]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %c17 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c18 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v19 = tosa.conv2d %v14, %c15, %c16, %c17, %c18 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x16xi8>, tensor<4x1x1x16xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x4xi32>
  %c20 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c21 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c22 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c23 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v24 = tosa.rescale %v19, %c20, %c21, %c22, %c23 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x4xi8>
  %v25 = tosa.clamp %v24 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x1x1x4xi8>) -> tensor<1x1x1x4xi8>
  %c26 = "tosa.const"() <{values = dense<"0x307010E6D845CF08CED646B04884F93BC77E8DA0D2A1712BCA0F1AB22812B976E82C448A82C8B25B6E03F6EA9313C6972A84D656CB44F5BD1DCA44B7F8E56B68"> : tensor<16x1x1x4xi8>}> : () -> tensor<16x1x1x4xi8>
  %c27 = "tosa.const"() <{values = dense<[1680, -3230, -2134, 3752, 3559, -2333, -873, -647, -1864, -2413, 3761, -3720, -3132, -3840, -442, 915]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c28 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c29 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v30 = tosa.conv2d %v25, %c26, %c27, %c28, %c29 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x4xi8>, tensor<16x1x1x4xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x16xi32>
  %c31 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c32 = "tosa.const"() <{values = dense<[38]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c33 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c34 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v35 = tosa.rescale %v30, %c31, %c32, %c33, %c34 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x16xi8>
  %c36 = "tosa.const"() <{values = dense<[-128, -128, -128, -128, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -125, -125, -125, -125, -125, -125, -125, -124, -124, -124, -124, -124, -123, -123, -123, -123, -122, -122, -122, -122, -121, -121, -120, -120, -120, -119, -119, -118, -118, -117, -117, -116, -116, -115, -115, -114, -113, -113, -112, -111, -110, -109, -109, -108, -107, -106, -105, -104, -102, -101, -100, -99, -97, -96, -95, -93, -92, -90, -88, -87, -85, -83, -81, -79, -77, -75, -73, -71, -69, -66, -64, -62, -59, -57, -54, -51, -49, -46, -43, -40, -37, -34, -31, -28, -25, -22, -19, -16, -13, -10, -6, -3, 0, 3, 6, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 51, 54, 57, 59, 62, 64, 66, 69, 71, 73, 75, 77, 79, 81, 83, 85, 87, 88, 90, 92, 93, 95, 96, 97, 99, 100, 101, 102, 104, 105, 106, 107, 108, 109, 109, 110, 111, 112, 113, 113, 114, 115, 115, 116, 116, 117, 117, 118, 118, 119, 119, 120, 120, 120, 121, 121, 122, 122, 122, 122, 123, 123, 123, 123, 124, 124, 124, 124, 124, 125, 125, 125, 125, 125, 125, 125, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127]> : tensor<256xi8>}> : () -> tensor<256xi8>
  %v37 = tosa.table %v35, %c36 : (tensor<1x1x1x16xi8>, tensor<256xi8>) -> tensor<1x1x1x16xi8>
  %c38 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c39 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v42 = tosa.rescale %v11, %c38, %c39, %c40, %c41 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x8x16xi32>
  %c43 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c44 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c45 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c46 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v47 = tosa.rescale %v37, %c43, %c44, %c45, %c46 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x16xi32>
  %c48 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v49 = tosa.mul %v42, %v47, %c48 : (tensor<1x8x8x16xi32>, tensor<1x1x1x16xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
  %c50 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c51 = "tosa.const"() <{values = dense<[38]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v54 = tosa.rescale %v49, %c50, %c51, %c52, %c53 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
  %c55 = "tosa.const"() <{values = dense<"0xDCE3B85E0300BAE64D738756DB1E780685655836BF9FE2261789129112407BE86B16EA6C158D1DD21D779664DA89696AD319EFD3E8375325C18C422CF140556C430E7842D457F988E2D96E8B021543C530867FD6F909A17239A9B2C2387D1FB475D6230704A2BCBFA3FB321708C9C07658E150F9EBAE486DFD0FBB08B88B8543"> : tensor<8x1x1x16xi8>}> : () -> tensor<8x1x1x16xi8>
  %c56 = "tosa.const"() <{values = dense<[-1984, 186, 3464, 2272, 2548, 929, -932, -180]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v59 = tosa.conv2d %v54, %c55, %c56, %c57, %c58 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x16xi8>, tensor<8x1x1x16xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
  %c60 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c61 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c62 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c63 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v64 = tosa.rescale %v59, %c60, %c61, %c62, %c63 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
  return %v64 : tensor<1x8x8x8xi8>
}
