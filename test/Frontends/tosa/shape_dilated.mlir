// Dilation 3.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x12x12x6xi8>) -> tensor<1x12x12x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x251D69B2D479D2656E768790EA495332FBCDE149999D6FA6431D0E58D71B9F52FB38E61C73BCDCAA18709A0B96D2820E48D7CD26B4C20724F9EFC173B5DDADFA582BBC0DCF7CAC7F68C2AC718AA1F40DF7A317F3896493D936234A2F21283B866787B49DBECFA2563CC7FC6927A73E38F0DA88852DC3A2DF7A676FAEF7D56B7C2188D7971F0FE475DD1051A472CCBDB29B25401C09CC2147D7B0683C8AA4CFA9F836848EFF7CCEF03ECBDE061849A8412006B9A1718696D0A92F02E7FCBB63C70951198B240C2C74E508C7611E72D4F8011A01B7217F3127FD681F61029A245A05D6E2C566BB1F598E320B61E1E2554E7346D2062C50F14A5D2BC4227BAF9D29964DF46752733371DF1A5C93D801FD5E5C1FFF56BF8C187E5471FB88C06C38C72FD7B526D64AF74A18D4FAE68AFB01D8A76C3F85EBF25223F91D9797AAAD8D8D95946821FB55A62F0E9A96BEEC971732C3E413572E693ADF2310D0A796AF8DD0F3068E9D60F150350C84C74AD0C6E79D513546EA677AA8C69C56984D4FBD373D31A0917863E398EDDFF605216AFDB2E687E3E7CFBA2AF1E01F28AAC970344DC7C54A6B13EC6A5F8874BE0A90C305BB6B"> : tensor<8x3x3x6xi8>}> : () -> tensor<8x3x3x6xi8>
  %c2 = "tosa.const"() <{values = dense<[-3632, 2458, -1650, -1994, 2394, -1951, 2244, -2876]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 3, 3>, pad = array<i64: 3, 3, 3, 3>, stride = array<i64: 1, 1>} : (tensor<1x12x12x6xi8>, tensor<8x3x3x6xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x12x8xi32>
  %c6 = "tosa.const"() <{values = dense<[1366184996]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x12x12x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x12x12x8xi8>
  return %v10 : tensor<1x12x12x8xi8>
}
