// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: an MBConv of EfficientNet,
// 5x5 depthwise, hard swish through tables.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x12x12x12xi8>) -> tensor<1x12x12x12xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x49FFE6E9FFDF6671CE973EAFE1DC01AEDCF14925EA79167F4EF31C83FDB9BC775E335839469EFF4D2B04C96B5A4F6D8BE79A8F57BB95E82C58DE1AC360871C7025E6F8DD88ECF24F7D183CDF457B2F6F9CD33CE1E5A40E5183296CCA9021F875FBB0A2946326B00210B0FB1351E08CCA96D31AEC11600E2F673400518B46B2845DE21ACC6F5DAB7C6E8261EB645B34835BA64C62276ACE02E4F8F43C5617E8A0E064F59E6B3DD200BEA53BD68F8E9D7DCA0DAAB8F208298FADAA40DAC5789C3CD0D63D1A8C01249EA6E7FA4CB90E58A7D65D9974232ED2B3D0CB73C2EE05ED08D87DE3B88D6D6F38F14E06FC16D9E5A509B2DCAD89795717272B9D76AE9485112348243D147E924C728A38CA23370E7DF90A047172E3E1A38A41AFD9FEA13EDC"> : tensor<24x1x1x12xi8>}> : () -> tensor<24x1x1x12xi8>
  %c2 = "tosa.const"() <{values = dense<[2350, -3897, -2431, 1369, -2663, 2312, 3635, 2214, -1201, -2859, 1900, -1313, 39, 3315, 1569, -3899, 1054, -3826, -2952, -243, -81, -1723, 844, -3210]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x12x12x12xi8>, tensor<24x1x1x12xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x12x24xi32>
  %c6 = "tosa.const"() <{values = dense<[1449058013]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x12x12x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x12x12x24xi8>
  %c11 = "tosa.const"() <{values = dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -2, -2, -2, -2, -2, -3, -3, -3, -3, -2, -2, -2, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127]> : tensor<256xi8>}> : () -> tensor<256xi8>
  %v12 = tosa.table %v10, %c11 : (tensor<1x12x12x24xi8>, tensor<256xi8>) -> tensor<1x12x12x24xi8>
  %c13 = "tosa.const"() <{values = dense<"0x8624750BFE6DC4310A15DE7AF7E98B6BE59594350FF7868851B0B1F6C80BF9082199994FBC9CF2BBEE3B6D8BBABC87A717925AD2EE4AB5FD31167382B3EC1E52745426938E074994DFE9E9FA0D7E709CF32150C4D77CDD66D02DD6740FA83D8AA3B908C1F6A9C64896E16FE1582379116EAF0C17E61D496BA5DD8263818D2B3BB373CC071CF94327F18DE276DD96789818957DEBB78379BC4DED20512550696CBCBC053C874EEFA94D7F47BDD02A4EDC3906A0AC0B0EAA4A98ED0EFCD686151E6324D39E21B6A72350CC19EACD36DF87D4C8A00C04702DD2ABC5CED903E114A867F81966E16C44B411BD834B1059A93BF4C6FBAD0D4AE10FDD872F9E8F4C2ADF96A8F45EADFD7AE678A96C0C851E27859ABD58C21F6E38937E2A746C661BA784EDFC853745375CD290F96537ACE681A95BF26D8A1E69D68CF716582705EF55E7F4C570A45630D7F550C72DD9203604D67D7275DD91532991823C57C404F07D06FF95DFA6C65CA720E1B37FD3F11CEEE63C7B6AD88776A59085A077006C307F5FB25BB33A83ECF58781A9C77BB282E03B93740F9833D113A246B1C03081517811B71F63B87166FF26BEED4EAC8C54BAF2946662292F649D40DC357C6B578CADF466CAEFB34F5B8DFA404F355938CC87F369C80518DE05DBD6E58F5561D1B6F6F0BFFCB4C6867CE5795422CD5745C29AE811467C5AF69B86EB2C4D67335ADD3D73507871B843FF6A50BB552F1E165C1FD310D73695C8BE2413537668DFDAC6BD070F1DBA48F90B9C71AD3F6036AB4D4888B69D66B638202F212CE6CCED2E0607E8C37E85294710E44CB94F20F18C3E2A21A8DD935171A0CED9"> : tensor<5x5x24x1xi8>}> : () -> tensor<5x5x24x1xi8>
  %c14 = "tosa.const"() <{values = dense<[-2302, 1721, 1201, -3827, 1359, 2275, -2392, -3926, 2892, -3816, 1898, 2587, 1853, 1655, -3196, -1096, 926, 2264, -2798, 3880, 1425, 2503, -1261, 2064]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v17 = tosa.depthwise_conv2d %v12, %c13, %c14, %c15, %c16 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 2, 2, 2, 2>, stride = array<i64: 1, 1>} : (tensor<1x12x12x24xi8>, tensor<5x5x24x1xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x12x24xi32>
  %c18 = "tosa.const"() <{values = dense<[2007873681]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c19 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c21 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v22 = tosa.rescale %v17, %c18, %c19, %c20, %c21 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x12x12x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x12x12x24xi8>
  %c23 = "tosa.const"() <{values = dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -2, -2, -2, -2, -2, -3, -3, -3, -3, -2, -2, -2, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127]> : tensor<256xi8>}> : () -> tensor<256xi8>
  %v24 = tosa.table %v22, %c23 : (tensor<1x12x12x24xi8>, tensor<256xi8>) -> tensor<1x12x12x24xi8>
  %c25 = "tosa.const"() <{values = dense<"0x1B7C056470938478AB0C8D692C5B2B907C7A843F7CD6EC31958F02E082ECCF7298232AE6E6B3BDD293634A3CFC7F0E8934102D519AD86135BD06C09215C4A08431378F90EE0176A42ECC2835FE1E351F598611A6013991C191AB3D9521EF3A90BCDF413F9CED1E3F3B5662A2AE2A3C7077EF259ECD941FF1D4042D512D020A04527855052BFC3945A3C23CD5E9AEAB63B184F36288B484497D4F47BEC362D7851AD08E94CDE516CC7130FBD341C0F6488187E762C84659237A1FD54D05F9E72E9748C127A8373AA672864729294D3FB333978A94F9FE5112DC97F29BBD9AE5A0882EDEB7ECFD77722422D7501F4BEA15AD545664FC5608052A40B05974739BAA1F236FA5E93D930388A2F723CEAC65CC97BA7FC0EA8BB999BBFC0464C03BB16B"> : tensor<12x1x1x24xi8>}> : () -> tensor<12x1x1x24xi8>
  %c26 = "tosa.const"() <{values = dense<[1610, 1107, 762, 823, -3422, -570, -2119, -229, -3169, 1535, -598, 1623]> : tensor<12xi32>}> : () -> tensor<12xi32>
  %c27 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c28 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v29 = tosa.conv2d %v24, %c25, %c26, %c27, %c28 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x12x12x24xi8>, tensor<12x1x1x24xi8>, tensor<12xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x12x12xi32>
  %c30 = "tosa.const"() <{values = dense<[2049277494]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c31 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c33 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v34 = tosa.rescale %v29, %c30, %c31, %c32, %c33 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x12x12x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x12x12x12xi8>
  return %v34 : tensor<1x12x12x12xi8>
}
