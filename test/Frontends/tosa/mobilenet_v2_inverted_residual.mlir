// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: an inverted residual of
// MobileNetV2: expand, depthwise, project, and the addition with rescaled operands.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x14x14x8xi8>) -> tensor<1x14x14x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x23835DCCD6F66D4958E1714A246E5786D070CC531D23EF985F81CC306A1FE71DC893626CA8B6EDFA2D5543D81E4438FEA0CA820909A8E0E04FE6E393185C08F11EF1D6382CD4325E9AFD8D6D6D72DB0C22A46577C0A43E2E1395322586B743A0873E44675F5958BD6DE2A197C528E2B3BD2B62E1980275C60AA3551797373B4DCD828226580E7D65CDFA4D11A3E70578C3F893063A192C7C9D033739F91A3E8FBC0C340068717FED09C87795A965CF9AB3A6D793009E17C799D46C658259B88EA00211AAED093A6186E4732CA86D1A75FCF718B934FD2C85A84B2E67623C898571416CF051A57256F11960A20EC817CA61DF33305E4A784D7C2687BCC7DD528C46EB2EEB9B0AFC2B2810D1334AF6A4DF9199233FF6F84F119B1D66C6FCB9465C78B3BC91BEF70137BBFAAD2DCDB68B6B0E57A1C4BB9679F76E5616D082833B366266A8E437030424C0393B1AAC58B16EACE5ADFCBCFC9E4FD570FC3E74190CD609287D8E42EB0D58B4D6EBCB7B5A8BDA50D80551C771335B6B8CE10B174064A0"> : tensor<48x1x1x8xi8>}> : () -> tensor<48x1x1x8xi8>
  %c2 = "tosa.const"() <{values = dense<[2631, -1396, 3534, -301, -102, 169, -598, 537, 3062, 2752, -2772, 3819, 665, 1776, -599, -3949, -1108, -2920, 300, 2412, -3518, 454, 2385, 639, 437, 382, 558, -2958, 2940, 3427, 129, -3146, -1022, -2997, -3760, 96, 2355, -1224, 2802, 3818, 3947, 1784, -2897, -268, -2577, -2672, 184, -1733]> : tensor<48xi32>}> : () -> tensor<48xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x8xi8>, tensor<48x1x1x8xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x14x14x48xi32>
  %c6 = "tosa.const"() <{values = dense<[1774726370]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x14x14x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x14x14x48xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x14x14x48xi8>) -> tensor<1x14x14x48xi8>
  %c12 = "tosa.const"() <{values = dense<"0x2793AFD9723B6933037E7ECDD37220A75CD97EB8C609E632588657DCDFDDFFB03872D5ADD43BD3C304B4A5A43FD5BC325005142AA56FA23F8A3F57977B5CE6F36CECFA0D8FB301AC2356DB317245927A591D39476267B1137B766A6F89D2207636A160C24DD561055BAF657554B90E79BCC6034F5143F198DDF11FA09AB2A6B62FE7F820475DCD046AED6D58B032157466C43624B2E75E86AED7771F1FB0E6F54D8D4CC5A8F7E65A24819C73E433FFBF5ED5C3F4DCE02B1BA7CE58E8F1EB427EEA969B1571DC4C79C89C3B59ECC5B2292653CF1AC27AB87E8D96E7E365D064A4A9BB3DA28DCBA4C6AD024074A807BA7182F51CA1CA92DA580C5552F0EB4D362E02FA67482CBB324A36CACE248C785447F1098BE1FB71176BC4D835734A86B1882D83E2FFDD1DDDCCA13E3029FE393B6FB0D0CC46563F950EF03FB886AE8DCD38477BFD538EC9CBA33AAED6E51D0E6FA35AC95CE42E2011DE31E00DDEB7856E5ADF00B0E798BA40D40053B69A841057D944E4748F7FA3BCEFDEFBC35C1E4B7D521635C99F73B09394455EAA23990E3DDF314095DCFA13F351AD8D968510AEB2C9CE65FBC8AE406EF36F4B852EEDD72302"> : tensor<3x3x48x1xi8>}> : () -> tensor<3x3x48x1xi8>
  %c13 = "tosa.const"() <{values = dense<[941, -2316, 3423, -2787, -990, 1353, -2268, -2632, -3929, -1280, -2712, -1677, 2629, 3115, 1108, -2024, 2543, -872, -1768, 1863, 2441, 3967, 3454, -677, 3636, 3399, -2668, -3642, -534, 3968, -1530, -973, 3353, -2772, 1629, 1196, 1202, 3682, 205, 3389, -2065, -1689, 1634, -4, 3347, -2698, -2541, -489]> : tensor<48xi32>}> : () -> tensor<48xi32>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.depthwise_conv2d %v11, %c12, %c13, %c14, %c15 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x14x14x48xi8>, tensor<3x3x48x1xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x14x14x48xi32>
  %c17 = "tosa.const"() <{values = dense<[1673228068]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.rescale %v16, %c17, %c18, %c19, %c20 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x14x14x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x14x14x48xi8>
  %v22 = tosa.clamp %v21 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x14x14x48xi8>) -> tensor<1x14x14x48xi8>
  %c23 = "tosa.const"() <{values = dense<"0x6E1258A80C453FBA7B94A09470A675CF24234CB279B7DECC6F6F07C3B55DD9BEFE86B5B8047736F915F0CBDE937E5AC75C33152FB68373D22E7A2179C35B89DDB6B72844D16BA17CA0543F6E747259102B9CC0680E17097E77FB3CE4E4F0EF621DDB49695F0C8510333A69CC8237BE04F13BFB62BD185F572715B7FDF11B681E740F795DDEAAC6A0A01DDD7ECF97884A650E49344E939F86559CD9D8E0453E61228F748BD85B578CE28E7CF34960C77F0A603CFB15630BBC2F83D420E76BB6ED09EAAAB030713EEB9E76A5797EDD95FC158D56C18ED169596B7BF694B5F8950668D0104EBB689DD5D1AD6A4F7318F364036B8EABA8F5EB58F21D690D7F551261AEFB97A5FDF059BF8C7052377EB0EB1719E32FFF17953629C0C96D8C77EF0A04B59B62FF3397DF7D5DA1A8F1C8FFDC030E93DF3AEA6966FB32CF1606A9C62D564F19CE10910FDF7026FC654B99AD71B3F1A42BF97C98B708D13588C267EC0446C7D34705A6531B8AB3E7567A7FDAEAFA7DC5FDC4487CEB09B3EC3C649903C3C7"> : tensor<8x1x1x48xi8>}> : () -> tensor<8x1x1x48xi8>
  %c24 = "tosa.const"() <{values = dense<[1242, 32, -2039, -1388, -1363, 429, 2388, -3305]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c25 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c26 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v27 = tosa.conv2d %v22, %c23, %c24, %c25, %c26 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x48xi8>, tensor<8x1x1x48xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x14x14x8xi32>
  %c28 = "tosa.const"() <{values = dense<[1449058013]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c29 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c30 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v32 = tosa.rescale %v27, %c28, %c29, %c30, %c31 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x14x14x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x14x14x8xi8>
  %c33 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c34 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c36 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v37 = tosa.rescale %arg0, %c33, %c34, %c35, %c36 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x14x14x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x14x14x8xi32>
  %c38 = "tosa.const"() <{values = dense<[1717986918]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c39 = "tosa.const"() <{values = dense<[32]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v42 = tosa.rescale %v32, %c38, %c39, %c40, %c41 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x14x14x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x14x14x8xi32>
  %v43 = tosa.add %v37, %v42 : (tensor<1x14x14x8xi32>, tensor<1x14x14x8xi32>) -> tensor<1x14x14x8xi32>
  %c44 = "tosa.const"() <{values = dense<[1932735283]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c45 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c46 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c47 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v48 = tosa.rescale %v43, %c44, %c45, %c46, %c47 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x14x14x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x14x14x8xi8>
  return %v48 : tensor<1x14x14x8xi8>
}
