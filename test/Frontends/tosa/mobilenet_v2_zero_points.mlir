// TFLite, int8, one scale per tensor, by the TFLite to TOSA legaliser: a stem and three inverted residuals of
// MobileNetV2 with zero points everywhere. ReLU6 is a clamp from the zero point -128, which saturation does.
// With requantize=hardware all tails are on the array, and layers fuse across padding with -128. Each int8 is at most
// 1 apart from what the reference computes of the same inputs; the additions are layers, too.

// RUN: fadiff-run %s --target=gemmini-small --requantize=hardware --tolerance=2 2>&1 | FileCheck %s
// RUN: fadiff-run %s --target=gemmini --requantize=hardware --tolerance=2 2>&1 | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize=requantize=hardware --fadiff-form-layers -o %t \
// RUN:     --remarks-filter=fadiff --remark-format=emitRemark 2> %t.remarks
// RUN: FileCheck %s --check-prefix=LAYERS --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-small requantize=hardware" -o %t.scheduled
// RUN: FileCheck %s --check-prefix=GROUP --input-file=%t.scheduled

// CHECK: {{[3-9]|1[0-3]}} of 13 edges fused
// CHECK: as predicted
// CHECK: largest difference from the reference: {{[0-2]}}, allowed: 2

// EXACT: remark: 12 layers are requantised on the host, because the accelerator's nearest requantisation differs by up to 1; requantize=hardware lets it do all, at most 1 apart
// EXACT: as predicted
// EXACT: output identical to the reference

// LAYERS-COUNT-14: fadiff.layer {{.*}} epilogue(<{{.*}}scale = {{[^,]*}} : f32>)
// LAYERS-NOT: fadiff.layer

// REMARKS-NOT: Missed] OnHost

// What the depthwise layer reads is padded on chip, between expansion and projection.
// GROUP: fadiff.stage "{{(conv|depthwise):[0-9]+}}"
// GROUP: fadiff.stage "{{(conv|depthwise):[0-9]+}}" {{.*}} pad_value = -128
// GROUP: fadiff.stage "{{(conv|depthwise):[0-9]+}}"
// GROUP: fadiff.store {{.*}} to %{{.*}} : <accumulator, {{[0-9]+}}>, !fadiff.buffer<scratchpad

func.func @main(%arg0: tensor<1x12x12x3xi8>) -> tensor<1x2x2x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xD373A7E6278D93530A99DE168F6902B78A97F0EC92BE980EED905411A073BA22211673901416E68D7AB98C0F5CA3CBECA50B9F13CF10512FAF9B151324B1E0990D379111901FB5002F09EE47D1F8166DF5DDCDC04CAF3348BF9514CD07FF61D83BF3CA1C7B939F04ECAB42D8A76FFEEC8B772C94440F134B6152D1D832DA1900154DF592589872C6FA332B91903C34D026147F2F53F3C938E3642CD98671F7DBAC1D9EFF90B845CAA23EC0E6E56B600095ABF3E70DC863A452EF5E0DC835EB7DDC2F63E276BCA796AEA7BC29BC84FD5517AFC4C982A6EC09"> : tensor<8x3x3x3xi8>}> : () -> tensor<8x3x3x3xi8>
  %c2 = "tosa.const"() <{values = dense<[-610, 620, 395, -870, 2375, -1860, 1035, 1895]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<-1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x12x12x3xi8>, tensor<8x3x3x3xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  %c6 = "tosa.const"() <{values = dense<[2045335977]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<"0x27"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x8xi8>
  %v11 = tosa.clamp %v10 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x6x6x8xi8>) -> tensor<1x6x6x8xi8>
  %c12 = "tosa.const"() <{values = dense<"0x1F282E3E8EF5675F4874602F4D10E5E6E7E59BFC23E790B1927DB6F1AA9DD81A8E9B8112A70A9A73DE1E879360B61EE1A723C175D91BDEFAA09E5AFD7F7BF8FBFCD096A59B40D83E"> : tensor<3x3x8x1xi8>}> : () -> tensor<3x3x8x1xi8>
  %c13 = "tosa.const"() <{values = dense<[-687, -30, 1044, 624, -1005, 84, -1431, -870]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c14 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.depthwise_conv2d %v11, %c12, %c13, %c14, %c15 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x6x6x8xi8>, tensor<3x3x8x1xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  %c17 = "tosa.const"() <{values = dense<[1971736796]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c20 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.rescale %v16, %c17, %c18, %c19, %c20 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x8xi8>
  %v22 = tosa.clamp %v21 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x6x6x8xi8>) -> tensor<1x6x6x8xi8>
  %c23 = "tosa.const"() <{values = dense<"0xDDA6310C6B874308CD7B255E983359C305DE69ABDC46BA090B4801D523BA1D504A7D435BB24FBE52E73E4EBBB405FFDC3C887E884BC8F9C3B2321B75D9F34F70"> : tensor<8x1x1x8xi8>}> : () -> tensor<8x1x1x8xi8>
  %c24 = "tosa.const"() <{values = dense<[480, -286, 954, 994, -254, -836, -550, -792]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c25 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c26 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v27 = tosa.conv2d %v22, %c23, %c24, %c25, %c26 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x8xi8>, tensor<8x1x1x8xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x8xi32>
  %c28 = "tosa.const"() <{values = dense<[1895849361]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c29 = "tosa.const"() <{values = dense<"0x27"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c30 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c31 = "tosa.const"() <{values = dense<6> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v32 = tosa.rescale %v27, %c28, %c29, %c30, %c31 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x8xi8>
  %c33 = "tosa.const"() <{values = dense<[1932735283]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c34 = "tosa.const"() <{values = dense<"0x0C"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c35 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c36 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v37 = tosa.rescale %v11, %c33, %c34, %c35, %c36 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x8xi32>
  %c38 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c39 = "tosa.const"() <{values = dense<"0x0B"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c40 = "tosa.const"() <{values = dense<6> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v42 = tosa.rescale %v32, %c38, %c39, %c40, %c41 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x8xi32>
  %v43 = tosa.add %v37, %v42 : (tensor<1x6x6x8xi32>, tensor<1x6x6x8xi32>) -> tensor<1x6x6x8xi32>
  %c44 = "tosa.const"() <{values = dense<[1825361101]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c45 = "tosa.const"() <{values = dense<"0x32"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c46 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c47 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v48 = tosa.rescale %v43, %c44, %c45, %c46, %c47 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x8xi8>
  %c49 = "tosa.const"() <{values = dense<"0xD7B5FC207D671D5881FB6928D94D2596562A9F69E4493741B4FB64AEF04B23D6974E737939E6F7E73F73963AA9AC7FA188A71868F84F28A61D54197BFA2970DAA80D0DA286844D793A279B074070A4F07D60B25460B788C1B7CB01BE4417D4C30CEC56A290693EDB66F62A16516805EC546B6101A209A707038560F147AF1C82474DA7ADA5FA1F3A9F0F90D42F05080FFC49479C63108FC0B1C78B469A02F4108843656A91F2D41D7A021C04B432C7F403094FFB0272C033066161726EC36D10"> : tensor<24x1x1x8xi8>}> : () -> tensor<24x1x1x8xi8>
  %c50 = "tosa.const"() <{values = dense<[828, 930, -586, 720, -84, -720, -148, -752, -198, -96, -354, -852, 374, -508, -124, -852, -566, 370, -380, 604, -750, 836, 590, -684]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c51 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c52 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v53 = tosa.conv2d %v48, %c49, %c50, %c51, %c52 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x8xi8>, tensor<24x1x1x8xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x24xi32>
  %c54 = "tosa.const"() <{values = dense<[2085738408]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c55 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c56 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c57 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v58 = tosa.rescale %v53, %c54, %c55, %c56, %c57 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x24xi8>
  %v59 = tosa.clamp %v58 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x6x6x24xi8>) -> tensor<1x6x6x24xi8>
  %c60 = "tosa.const"() <{values = dense<"0x252ADEA5C163A478F8B9407499E663FDAA7E2B56BAAA35EF7F04E8D7ECB3DCD29839DE85D70EF6F13585E3D50520CC0476919D7D6C4ABB79619B96C4C68B6848AFC642A252ED5A6A2E5273C3E8A70A6C0413FF34D497C88F4D31AFED6693C5718523974EC3961C5CB992C45DA0F583D77F0EEB6E6BC520A28C0736BE719D79AAC48DAFB46FD021CF0843B5CBF3012DAEC6D94E857FC18A84853C020E7BB104FABF70F39C295227EF29FF0C5664E57902CF31B87CBBD8B35662353B23A4E87ED97C8E57A28493213E62C2EFAA8F962B58E25F022C79C91ABF"> : tensor<3x3x24x1xi8>}> : () -> tensor<3x3x24x1xi8>
  %c61 = "tosa.const"() <{values = dense<[627, -600, -1362, -90, -933, -1017, -675, -132, -1491, -693, -384, 1452, -492, 1485, 180, -507, -750, -1395, 1464, 1209, -552, -831, -405, -939]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c62 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c63 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v64 = tosa.depthwise_conv2d %v59, %c60, %c61, %c62, %c63 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x6x6x24xi8>, tensor<3x3x24x1xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x24xi32>
  %c65 = "tosa.const"() <{values = dense<[1534564478]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c66 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c67 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c68 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v69 = tosa.rescale %v64, %c65, %c66, %c67, %c68 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x24xi8>
  %v70 = tosa.clamp %v69 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x3x3x24xi8>) -> tensor<1x3x3x24xi8>
  %c71 = "tosa.const"() <{values = dense<"0x96FAC80128B4C002478298C45297A5E7178BE586CDCE22BC961676085B41A8296538496219E444D4397DFFA7C93A1F25A68C545638650421EE3C345002A4690741021256514E855430164D65372F753225BB96888BA324DD769BE156F40F8D218521092FBFFEC481F54D92406F01660A982907913F3DFAC1509459C4BD3B42B5BC3E277AF6FF59E294FB6A30CA458C1E2225B3941AA6D5C2273F32CE2012A384FC90FDC5792D9A32B82DFECB3605CAF7F8F8459F7F650DB4D07B9670FA85CBF6"> : tensor<8x1x1x24xi8>}> : () -> tensor<8x1x1x24xi8>
  %c72 = "tosa.const"() <{values = dense<[-1688, 1356, 72, 1964, -160, -900, -416, -1144]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c73 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c74 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v75 = tosa.conv2d %v70, %c71, %c72, %c73, %c74 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x24xi8>, tensor<8x1x1x24xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x8xi32>
  %c76 = "tosa.const"() <{values = dense<[1306618617]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c77 = "tosa.const"() <{values = dense<"0x27"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c78 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c79 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v80 = tosa.rescale %v75, %c76, %c77, %c78, %c79 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x8xi8>
  %c81 = "tosa.const"() <{values = dense<"0x6FB6941598A54007C474DDA21B522203C8649D35DEBC006661FDE587A98174FE2FF4E8CE3BA5EBD9E1D19F58D581D441D757E69F716EB33784673ECBC1E091E5E45F1794DD6DEE42C75B8DC89B8E562ACA2370A7C079C5F003D1B146E04975EE6388504322E76A61710E0DB539958D6F3CEAF41E41A4255FCAFD8D6A6E0DA1ACF9EBD8C9CDC23E3E7A28C3E828BECEFC0F2CE59FAB25AA94B6016850000DB9F469D643F4EEA40DB2BF98ADD80F98D2BEDFC35012B46486405FEAE3EA3F07B6E1"> : tensor<24x1x1x8xi8>}> : () -> tensor<24x1x1x8xi8>
  %c82 = "tosa.const"() <{values = dense<[-448, -308, 540, -874, 20, -432, 176, 980, -264, -744, 406, 30, 82, 288, 618, 766, 736, -558, -812, -446, 836, -492, -214, -182]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c83 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c84 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v85 = tosa.conv2d %v80, %c81, %c82, %c83, %c84 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x8xi8>, tensor<24x1x1x8xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x24xi32>
  %c86 = "tosa.const"() <{values = dense<[1942365696]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c87 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c88 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c89 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v90 = tosa.rescale %v85, %c86, %c87, %c88, %c89 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x24xi8>
  %v91 = tosa.clamp %v90 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x3x3x24xi8>) -> tensor<1x3x3x24xi8>
  %c92 = "tosa.const"() <{values = dense<"0xEF75D05A51607886A189ED3644664EFA7817FE8193E56F6E6E54085BF879F3C0499CBAA8A706792F9C7254393426594466F6960E478B8149A1BC126C8A2638CE77A121C10823F033449D9A93CD077216B2E4C3BA4B1A81830ACEF6C876D1265763BFFA07BD0DC08876EA3527CF8F86B200632D26EC95C2BB2BED6DDFBBFF8933D738ECDD2FE6B3824DCB3E590292B5FF79B4D04552B2BCF8B9C44364CC9C7420FF1DB066BAFDEB6A2B8F7319A66DE58EB7877A19A5EB8E3690B0E5F4663763D13C9D956FABD5B1B028700740F889D02B3AE157E07DD5F2AC"> : tensor<3x3x24x1xi8>}> : () -> tensor<3x3x24x1xi8>
  %c93 = "tosa.const"() <{values = dense<[-1167, -1494, -1260, -642, -1254, -423, -210, 1434, 1218, -1122, 222, 1461, 831, -864, -333, -405, 861, 1023, -552, 1023, 969, -174, -1233, -1350]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c94 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c95 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v96 = tosa.depthwise_conv2d %v91, %c92, %c93, %c94, %c95 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x3x3x24xi8>, tensor<3x3x24x1xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x24xi32>
  %c97 = "tosa.const"() <{values = dense<[1858646924]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c98 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c99 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c100 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v101 = tosa.rescale %v96, %c97, %c98, %c99, %c100 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x24xi8>
  %v102 = tosa.clamp %v101 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x3x3x24xi8>) -> tensor<1x3x3x24xi8>
  %c103 = "tosa.const"() <{values = dense<"0xE00B6CF3B2D3DE3D66FA8822EAC0502145E88BE189F7914E6C90C2B24091671CD7DDC6D676751E8CC4403831D26DC7CD813942196B4F237372918754BC9CFA3875F87547E34BC16AEF51FFA26E00AF834E6F3ECE533246A71CBDD45DD2F6DD4949199504B3E541A9C0E9912789FC0E0CD4AA7BEE639B7D93C42096B699EC007E3679F3ADBCA3EBF61F652DBD400A59472B43A04858CCCCC812C5E0C23DC3B3F1C0B0BFBDA8C9636915B1D491E6C17FBF0207BC274F9A28F77E8A9B82FA6352BC"> : tensor<8x1x1x24xi8>}> : () -> tensor<8x1x1x24xi8>
  %c104 = "tosa.const"() <{values = dense<[1440, -164, 1744, -472, -1836, 1588, -800, -1048]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c105 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c106 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v107 = tosa.conv2d %v102, %c103, %c104, %c105, %c106 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x24xi8>, tensor<8x1x1x24xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x8xi32>
  %c108 = "tosa.const"() <{values = dense<[2122957565]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c109 = "tosa.const"() <{values = dense<"0x28"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c110 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c111 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v112 = tosa.rescale %v107, %c108, %c109, %c110, %c111 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x8xi8>
  %c113 = "tosa.const"() <{values = dense<[1932735283]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c114 = "tosa.const"() <{values = dense<"0x0C"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c115 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c116 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v117 = tosa.rescale %v80, %c113, %c114, %c115, %c116 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x3x3x8xi32>
  %c118 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c119 = "tosa.const"() <{values = dense<"0x0B"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c120 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c121 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v122 = tosa.rescale %v112, %c118, %c119, %c120, %c121 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x3x3x8xi32>
  %v123 = tosa.add %v117, %v122 : (tensor<1x3x3x8xi32>, tensor<1x3x3x8xi32>) -> tensor<1x3x3x8xi32>
  %c124 = "tosa.const"() <{values = dense<[1825361101]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c125 = "tosa.const"() <{values = dense<"0x32"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c126 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c127 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v128 = tosa.rescale %v123, %c124, %c125, %c126, %c127 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x8xi8>
  %c129 = "tosa.const"() <{values = dense<"0x1A7A5416B26F94E0045EAEF31BC347482B73829C2419361FDAB88ADFD8A58CB5C28A1A3C276AB5518352D4E92EE0B01FD094B5894CFF0DFC91E99A4CE62A0DA824099828AAE633C6E97DC92BCFEB758ED03F1263DCEBEB855E454EDE25B3E53BE8B57282F067A9ED9E5398E81463DEF646AAA2848E0EA5254F69E69713206EDF3D02ACA6DAC9AA06AC6D929CE3FE414F4B784FB3CEA157728C7A6AFCD18E1C6E23E49768371F315465AA244A5CB91FE81E59B355FAAF11B88BE77105A9E3DCA0"> : tensor<24x1x1x8xi8>}> : () -> tensor<24x1x1x8xi8>
  %c130 = "tosa.const"() <{values = dense<[-694, -496, 986, 484, 670, 836, -606, -916, 810, 150, 724, 550, 376, -922, 366, 716, -338, -760, -202, 226, -68, 126, 738, 284]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c131 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c132 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v133 = tosa.conv2d %v128, %c129, %c130, %c131, %c132 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x8xi8>, tensor<24x1x1x8xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x24xi32>
  %c134 = "tosa.const"() <{values = dense<[2006943767]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c135 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c136 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c137 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v138 = tosa.rescale %v133, %c134, %c135, %c136, %c137 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x24xi8>
  %v139 = tosa.clamp %v138 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x3x3x24xi8>) -> tensor<1x3x3x24xi8>
  %c140 = "tosa.const"() <{values = dense<"0x27ECCF16C0EDE429DFF301F1AE86811F7DFEF8BDF3441F4852F657AE50FAE79C92A1DCEFDE984EF20203298B8B23A2966D3CD1483903958E410266E1287449A3875C911E3C32519DB2A27C63FECA75506B4CAB304A396FB99156DA1D42C1A9D3661EC76851F5A5C201776CFBB618C41E02BDD2E08AB3AFE8AA2370C82ED466E1AC4B49C49E45088D235CDD7860F40F06153162669BC17F0A225CE53D4DE0C4E17EDF14A6DDD54495F2BBAE1E3F768DCC5205C1D024787C5F166E2A66D13C814089B9A7CB1E21EFEB04DE668DA2FEBB1D288C868E8112DBCE"> : tensor<3x3x24x1xi8>}> : () -> tensor<3x3x24x1xi8>
  %c141 = "tosa.const"() <{values = dense<[-1176, 105, -405, 138, -813, -231, 291, -576, 309, -1092, -873, -375, 414, 1044, -42, -1014, -1089, -1458, 1377, 960, -753, 672, -1044, -117]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c142 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c143 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v144 = tosa.depthwise_conv2d %v139, %c140, %c141, %c142, %c143 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x3x3x24xi8>, tensor<3x3x24x1xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x24xi32>
  %c145 = "tosa.const"() <{values = dense<[1578163934]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c146 = "tosa.const"() <{values = dense<"0x26"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c147 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c148 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v149 = tosa.rescale %v144, %c145, %c146, %c147, %c148 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x2x2x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2x2x24xi8>
  %v150 = tosa.clamp %v149 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<1x2x2x24xi8>) -> tensor<1x2x2x24xi8>
  %c151 = "tosa.const"() <{values = dense<"0xA6602B49C6E750C478838F26531065DA192615F21B70053CFFC0AB68818C900987E8B0BDA98F6A489B841D0E2971B3A5EAB4051C25022625EB511DAD03D091CD218D7F643A49FB380A82E159F03F6AF8953E28F4ADBA9BC3BC258AA0D665406D327259C4378EC5230E2EF0304A6B0679C4CC256E7865B896620284ACC368BD583FB472A9406BD4B262E4D51ABEE2695B226C327C2B587B0AF9F9570833825C87F0753ABC1363CF4BB7E5201694116AACA689879D9C206EAAD97BA53488888BA4"> : tensor<8x1x1x24xi8>}> : () -> tensor<8x1x1x24xi8>
  %c152 = "tosa.const"() <{values = dense<[836, 632, 596, -1828, 852, -1724, 1016, -1812]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c153 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c154 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v155 = tosa.conv2d %v150, %c151, %c152, %c153, %c154 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x24xi8>, tensor<8x1x1x24xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x8xi32>
  %c156 = "tosa.const"() <{values = dense<[2090090562]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c157 = "tosa.const"() <{values = dense<"0x28"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c158 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c159 = "tosa.const"() <{values = dense<14> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v160 = tosa.rescale %v155, %c156, %c157, %c158, %c159 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x2x2x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2x2x8xi8>
  return %v160 : tensor<1x2x2x8xi8>
}
