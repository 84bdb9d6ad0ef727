// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: a bottleneck with stride 2
// and a strided 1x1 convolution on the shortcut.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x9x9x16xi8>) -> tensor<1x5x5x32xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xA55B57652176D6DF01CE8E602BC459984590FF5F9DF6FA4A11EFB4D045BD913943E7E8008BE6A13FCC0D9C7863730EF04AB03F32B4F067A5128C8EE65B2F54D7CF370B4B63EA10BA6F90C55F551270B1D9CC4B601D706B36739159E8A9BF3263BBBE6C32A610E591BC4AB4DC6983B9F999EC4B337F3FD8292CE59D9113AC909C"> : tensor<8x1x1x16xi8>}> : () -> tensor<8x1x1x16xi8>
  %c2 = "tosa.const"() <{values = dense<[-1669, 517, 2301, 2051, -3939, -2293, -2476, -982]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x16xi8>, tensor<8x1x1x16xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x8xi32>
  %c6 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x9x9x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x9x9x8xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x9x9x8xi8>) -> tensor<1x9x9x8xi8>
  %c12 = "tosa.const"() <{values = dense<"0x0D3250BE1612D9BFBE30E8E683E65324F71EC73A293821B60F5B9557DB52E8D3F6FB381EABFBA4FDCF2F8E89C61DB5C0D5281F73A3A720F7DD57ED7521ED628ACA25D3E4E011231D7567E9E054F4E6E012B6FB56415693939D5C8951768A36028AEDD554220466956AE5FDCBE0D0915E14276EF1CED642BB2F731B3CB6ECDBC5FA13BEE6C6F499B21B2AD0FD1B18ADB44F6A7D6EE075CA5FBD0FF4340F46DAA4C77799F51821E72AE0CECFBD7E53BEE0EC46FF0EAA1B2ADCBEC5B53BB319140BCADE0F0A974627FD84BCC393842486D9F1F839600620C95FFED64004664B03DA1945B8146670BF8D63BC18F6954FB5FD25BC1935D2A959AE0C60A4216B9ECE2A9DD58D29CCB18A0E90FB2550A2357D89CE2F0A9784CE2B504040A3157DDAE74F8A60C0AA5E88F73F5E7BD68DCCC6C006CF79B450907DB12B3FAC47ACAB993E65875CF83F13502281BBA6460BAAB25F3D6D297F4A9C63A637D4B41DD6B56C1F8DA4A8DB8B3082115E3245AF7BB981C0447E9E4ED8A45C1F13BAD864C29BA047549DAD3D062BFDDFD2D6FA10104052115FF86FC0529A9218B0E8F8F9100CE0A15EAE5DC9C22E8506318DE3F72440DB057B67554237323187B2FBAF91CB7E9E30263C88A0FA3593434DDE1CA7026E64949132547DFB25777A9240CCBB1BF9C0205C0F2FC9BC8336196D742B9C6EB69976717FB6A5166ED2BAD52C63560F625737BB46447AF553484C4A97EAD69991F6752CED096EB24ADF33195358E7D53D71FB666DD8BEB7763754D0331AF3BB7DD82309A9321EEA9F16B2BBE8B8477D8CCC08F5"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
  %c13 = "tosa.const"() <{values = dense<[3571, 3344, -914, -3172, 3451, 3551, 850, 1711]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.conv2d %v11, %c12, %c13, %c14, %c15 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x9x9x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x8xi32>
  %c17 = "tosa.const"() <{values = dense<[1183150913]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.rescale %v16, %c17, %c18, %c19, %c20 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x5x8xi8>
  %v22 = tosa.clamp %v21 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x5x5x8xi8>) -> tensor<1x5x5x8xi8>
  %c23 = "tosa.const"() <{values = dense<"0xFB5758792B3D137D31E7D579BFD5EBEDA6A60A7D43D683572BDF774CB57DC09C07E01DB844953B711B29F4715FFE635CFCBB73A427EC6F3239E756CAD53ACA0293392BB95DA3A0595E7856FB77A6E266A0AE49FB59CA894DEC19A4CDB621C569875155F6FC843AA9449D24A78583E6993C76287366B31A8AB8695D6662E86E1A929915047A286CAF8D876099E022A3AD486EAF197BD79C9D213A55B49C16EBC37692476E62F56CB9B937EDFF0861711C136CC9487B5670756C284BDF8BD648DAED698E7359365A5FDE0145EE21E020E069100C4B5112E5C0F5C086FFA2DFC7BC1E8BFCFE53AEF3BDBD813C50FC0992720C2F5B1D89AD4CC0335EF94FEEAB2ED9"> : tensor<32x1x1x8xi8>}> : () -> tensor<32x1x1x8xi8>
  %c24 = "tosa.const"() <{values = dense<[-615, -1782, 1614, 330, -1404, 2536, -329, -2424, -1833, 1256, -3843, 1588, 1340, 1525, -2791, -1126, 2083, -3173, -1642, 1269, 3482, -1382, 1954, -1117, -1446, -2239, 1678, -3995, 2426, -1408, -1117, 1229]> : tensor<32xi32>}> : () -> tensor<32xi32>
  %c25 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c26 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v27 = tosa.conv2d %v22, %c23, %c24, %c25, %c26 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x8xi8>, tensor<32x1x1x8xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x32xi32>
  %c28 = "tosa.const"() <{values = dense<[1774726370]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c29 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c30 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v32 = tosa.rescale %v27, %c28, %c29, %c30, %c31 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x5x32xi8>
  %c33 = "tosa.const"() <{values = dense<"0xDF4A409B1E9735EBBA3D636EB3703CFB37D430840D1BDBE3EF5BDCF6BE6EC9214E1A9AF408EC2FE4115F5409D6F324334C21A34D03D1B09F27DF3F5287C4E1DDF37EAC092681E7EB6532BE77AB17022FCA59E20A46A1BEE4BD25C8752B8BD784B21BAB3ED15DF86D188FE2E83D5FC82DF1C419D16C4BCA4A6E51B9C6023BEEA921AD43BCEF27B30A783B68D6FADB4FF678DEECECFD2C91DE3CD4E0D09C5A510C2B9E2EFDA5D922B2B501498ED567614313E5933601F2A8E021E77C4AE84EB0424391E6CB5EED3D4F918761B832CC7BA7CFE80035087B2983C1CDC52CE1F856053EDF0563B5F21D67BFFCFD2FF9CA85D82756241F720CF9543BDCBF6453409E4135D3D9FBE11B9DB78FEB721661D7EBBFC5201D37BEF24AB8647B9E95E65BA08D7F1A6BF9EACD21E0C92E106A90319315B2230712F8DADC117C3758B41DDD6309D84787D2996D6101186EF682218710CA6F5336533A261BA7AAF8FF0B34E6885333566077426251CBFCABB6D08C0D46CE221CB65B5ECD46827F74239917B2F526C6B45D726883DF65262FC679BFD07222CB05CB34B1E34E571321A037053E8F5E759C56683F893ACA23B1095FC67D5F175F0B1D434F68763B6FCD6F784CD2F0C565681B932A201EF0C27D3CFDDE51FD34573304340D74ADB9C292B4FE87B2D9AAC22170F8CD7B26707D9BB781D712BA40FDEF3D6E6320F9CAF49AD563A0DC0CC8"> : tensor<32x1x1x16xi8>}> : () -> tensor<32x1x1x16xi8>
  %c34 = "tosa.const"() <{values = dense<[-1125, 1360, 1766, -2045, -1142, -813, -3110, -3470, 1246, 1525, -139, -2118, 3475, -698, 785, 2018, 1607, -1352, 1955, 3342, 3030, -3687, 52, -608, 2897, -1952, 855, 489, 615, -2324, 3058, 524]> : tensor<32xi32>}> : () -> tensor<32xi32>
  %c35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v37 = tosa.conv2d %arg0, %c33, %c34, %c35, %c36 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x16xi8>, tensor<32x1x1x16xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x32xi32>
  %c38 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c39 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c40 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c41 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v42 = tosa.rescale %v37, %c38, %c39, %c40, %c41 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x5x32xi8>
  %c43 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c44 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c45 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c46 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v47 = tosa.rescale %v42, %c43, %c44, %c45, %c46 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x5x5x32xi32>
  %c48 = "tosa.const"() <{values = dense<[1717986918]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c49 = "tosa.const"() <{values = dense<[32]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c50 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c51 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v52 = tosa.rescale %v32, %c48, %c49, %c50, %c51 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x5x5x32xi32>
  %v53 = tosa.add %v47, %v52 : (tensor<1x5x5x32xi32>, tensor<1x5x5x32xi32>) -> tensor<1x5x5x32xi32>
  %c54 = "tosa.const"() <{values = dense<[1932735283]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c55 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c56 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v58 = tosa.rescale %v53, %c54, %c55, %c56, %c57 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x5x32xi8>
  %v59 = tosa.clamp %v58 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x5x5x32xi8>) -> tensor<1x5x5x32xi8>
  return %v59 : tensor<1x5x5x32xi8>
}
