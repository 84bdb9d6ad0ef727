// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: a bottleneck of ResNet50.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x9x9x32xi8>) -> tensor<1x9x9x32xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x1B81990F683E334E06E1858E7E92D9E6CA046031398D61F661C8B0E3C78D3A530143480071CDD32283E9EF1D6F5035A9947BDC75BA44984FBD1F476FBB16C8E620ED995069A35AB60D701DFD4D02F370406EC8F9F3FA104CB285D5811587ED04721D9C5F62329D0FBCBF0E1D43478C632752D2CF2D1952979B27022D8D062DE89294A966544142E4CC4506ED1B0A6A0528C8D8A6D729761C5364923BBA371C3396ED62006A4429E6E4AB3B827B367D9B123B528744CAC9541C581F68AE90B79926979851F63BCE3DA26614BB6CDB45B30CC8EAF15467E005EBC65185CAA082696ADB05A0C5EA2CC9985060CB40849ADC41163960DCFA8D7858DD1D526654090D"> : tensor<8x1x1x32xi8>}> : () -> tensor<8x1x1x32xi8>
  %c2 = "tosa.const"() <{values = dense<[-1211, 1029, -2783, -2444, -2578, -3956, 1260, 3842]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x32xi8>, tensor<8x1x1x32xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x8xi32>
  %c6 = "tosa.const"() <{values = dense<[1774726370]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x9x9x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x9x9x8xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x9x9x8xi8>) -> tensor<1x9x9x8xi8>
  %c12 = "tosa.const"() <{values = dense<"0x4A310AAB53EBCC2DE218009155C946F742E4CD54113A93A8CCB282E46C6A01069D27BBE9F1C36A5AC2C77BE543A4C47579C4F55137B2C4474F8A680E14414FF048C27BBA50F16CE75AF952733A9EA23827794D26AB1FAA250C8187087F66B0CBC4D994BE8AB588ABA274AB88026CED7FD834DC87CF9D3A5B14F045DD6A62BA2D95407FC85977AD0CDC5B036A8EB6966F843785D11A3EA1DAA3455E327A1E905149FEAD45FAA87F5735B3AB1CB2AD4B8A95C34DFF41C509CD24D6088E674815A28DAB2F823F5F2CAB928AEBACBFB9CDCD26C6AA89A0BA3B149E363BC9CD4A9BD2AA7F9A1832522E95878E093DC435ED6E08CB735DA46B73D6EE258618ECFD6954A87BF98868F3EFB17001761A93727ED09FC08B0C037BA8828A6027539C1959817076F760499551C40AA6419731825906F7A2F84DC73FF0C790EEF66A6ADC7D48B3672082E654134B8BAD3B91D8438F2638893CD91193BF2287855B0A222A5C062221CF345B69EAE78B554FBC068D8771847F5F465BF13900BD2CECCBD72339CF23606C49AF8A1107E4CC740360024EF8A58513521B7D3995E335DB3516A3A31450B40A74A68F498A4A7C096EA2A7E2C7C47F7BCBE4D38E74B44B3AD76982C7BF99EB108FFAA6BD39469BC7E645A85AD999B42B1113D188D76530FB384C71CEAEE3EE746273455317BE290C296C68D469E1D4145D2368D8E41B35031DDC3E7E7ED2888542B9B85754DF7DAFAE74144C331A6F666B762225990045F032648A22DCC008BD74701913C68F0F96A0C5C0FABA05F9F87B50DD0EAFEAD54AC9659C8D29"> : tensor<8x3x3x8xi8>}> : () -> tensor<8x3x3x8xi8>
  %c13 = "tosa.const"() <{values = dense<[-1373, -2812, -2726, 3939, 388, 421, 1094, 328]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.conv2d %v11, %c12, %c13, %c14, %c15 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x8xi32>
  %c17 = "tosa.const"() <{values = dense<[1183150913]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.rescale %v16, %c17, %c18, %c19, %c20 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x9x9x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x9x9x8xi8>
  %v22 = tosa.clamp %v21 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x9x9x8xi8>) -> tensor<1x9x9x8xi8>
  %c23 = "tosa.const"() <{values = dense<"0x70EEEE170B4F617B15C0FDA28155E8F85CA019D50BD9A492BA9B627816795391D7C4F6FD5D1A87015AB07B16D8F1D0A652385AE4FA10760BF3D23132F43499A4D2D1401E9570A19384EC46DD9B7171CEA68D994DCE728382EC45F4502FB8FC3F12AFA66EF1CF8551F135BE9D6D479A6EDE6F30B8C7FE85701742DE2034238ADB1CB3F0033DA1DFB72CDFB7CB84BD899EF82FE7FB70A01A28D035DEE06E4CE082BBE51841454A60D82B04A6C54868D592F28A2F52F7E07F0DA41752B4F8D1FF9397C925683769546BBA36C922F7DC5F6BC08D61A51F74793B8EF6DDC8C23C405F93FFD21EFEDE04AC2E4025F03E83A3ED09B67D71FB1C48755788E36DC3E09DE2"> : tensor<32x1x1x8xi8>}> : () -> tensor<32x1x1x8xi8>
  %c24 = "tosa.const"() <{values = dense<[-2755, 3014, -648, 3371, 1396, 2060, 1983, -1650, 1519, 2096, -663, -2392, 3888, -2427, 155, 3800, 134, -1201, 775, 887, -318, -2780, -2687, -1920, 3126, -3950, -1106, -3235, -1548, -2611, 3502, -2785]> : tensor<32xi32>}> : () -> tensor<32xi32>
  %c25 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c26 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v27 = tosa.conv2d %v22, %c23, %c24, %c25, %c26 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x8xi8>, tensor<32x1x1x8xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x32xi32>
  %c28 = "tosa.const"() <{values = dense<[1774726370]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c29 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c30 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v32 = tosa.rescale %v27, %c28, %c29, %c30, %c31 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x9x9x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x9x9x32xi8>
  %c33 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c34 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c36 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v37 = tosa.rescale %arg0, %c33, %c34, %c35, %c36 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x9x9x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x9x9x32xi32>
  %c38 = "tosa.const"() <{values = dense<[1717986918]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c39 = "tosa.const"() <{values = dense<[32]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v42 = tosa.rescale %v32, %c38, %c39, %c40, %c41 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x9x9x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x9x9x32xi32>
  %v43 = tosa.add %v37, %v42 : (tensor<1x9x9x32xi32>, tensor<1x9x9x32xi32>) -> tensor<1x9x9x32xi32>
  %c44 = "tosa.const"() <{values = dense<[1932735283]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c45 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c46 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c47 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v48 = tosa.rescale %v43, %c44, %c45, %c46, %c47 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x9x9x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x9x9x32xi8>
  %v49 = tosa.clamp %v48 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x9x9x32xi8>) -> tensor<1x9x9x32xi8>
  return %v49 : tensor<1x9x9x32xi8>
}
