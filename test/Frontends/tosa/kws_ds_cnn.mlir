// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: keyword spotting, DS-CNN: one
// channel of 49x10, a 10x4 kernel, depthwise and pointwise, 12 words.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x49x10x1xi8>) -> tensor<1x1x1x12xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xF99C835D17AC4BA1CEFAAB132469D836447537EB2E06BB895DC6675350A6754AAA38E87660B06D671461B2B8381D7258A1641F1E9F8248CB722ABBB711EF1DF098A26367DA028C5E11D08C7CB94F813EAA0135106A02B162A21BEA03CBB4AFEFA16EFE8F2A9075F1652C253AC7A8ACF19B2D3E546164837E7739F50D184C636683841D08C3169188907A5F3937D347B23C981E6938C8D5FB703277FE63B641970891F624F0195FD63A5ADE0258871A253B06B95AD6EA823C6B7A8FF2863040D6C9D89377B4945C2BA3CC12DAB4202162F68F3A907AF7D7E074DA9121C78A630406D1112020D2E70544DB9A8559EF9EB13C7264EDEE1F884D5913034BD9D522D18D992E0B8642E89C31CEFC7DF77D5C6FB7E5A1D5BF20954D7455200530DF8357F034A822AE3CD81100E850739A6DA01C87FF5B94F05BC18E3DFF055D62B3E0C1CC04ED5D5FF33FD5069A6D221419459DFAB78D0DC0D6A859C62DF3219EFE676351AEB8F3F52D521224D973BC049768B492EC47EF0831B59B2FC0B6BB0C99A1CF7BCD4DB7D123F6F88DD688450A22467696D3ED607BB19DC7C25E0413343D39712C5EDE908D76A6D8E42E495D07FA4A0EEBECD59A63DAD7204A0EDFEFA35A2F7242B9ECA0B2746BF5438A8B2C4D65E3B4B7BD3212E4B96F4930E140729F27E87710559DC4817C59AF8985E605F5E675AC599F904C5D54016ED5E38C758FF1C31D082BAE91B3BED83C2862ABEFF5967E26A2599910A452D12158DE74A0920493AF92566E37617848211A89D7729F17F200C552EE545335C9AB02B9A7D953EA58F3DEA682710F7B1C51774CB5FD58CC54519745C931C35BBEDA43BE737E6977758DCD8B08DB7078C3C16EA7413D7CED79E1D25B5EC60266797B436CE78E4979A90D"> : tensor<16x10x4x1xi8>}> : () -> tensor<16x10x4x1xi8>
  %c2 = "tosa.const"() <{values = dense<[-582, 831, 1360, -3408, 611, 1575, -2939, 2783, -2520, 2159, -3643, 2790, -1115, 3672, -3262, -2353]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 5, 4, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x49x10x1xi8>, tensor<16x10x4x1xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x25x5x16xi32>
  %c6 = "tosa.const"() <{values = dense<[1587363522]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x25x5x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x25x5x16xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x25x5x16xi8>) -> tensor<1x25x5x16xi8>
  %c12 = "tosa.const"() <{values = dense<"0xBDEB052E2C22022EB07AAB7C9F968E7310A7CC4DA571E56A746FD57767A215CD4336E68B792925E4D96F4A25B0DADAFF1E2752CD7C32AFF50A0FAD1C94A6F62B794A550D71EB7F10E25F7DC973CF39419515D69CC4EADE37507F3CD9598B3F9122E89E222A4B0B70AC33BD4BA092E61F3569CD72EAE19339F6DD694F98AF1CC44A9D11F4FE5E99B7FC1C846E3B8CB1F0"> : tensor<3x3x16x1xi8>}> : () -> tensor<3x3x16x1xi8>
  %c13 = "tosa.const"() <{values = dense<[3494, -1130, -2564, 312, -220, 3443, 1108, -1483, -126, -1838, 1825, -1496, 3090, 2248, -1031, 576]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.depthwise_conv2d %v11, %c12, %c13, %c14, %c15 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x25x5x16xi8>, tensor<3x3x16x1xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x25x5x16xi32>
  %c17 = "tosa.const"() <{values = dense<[1673228068]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.rescale %v16, %c17, %c18, %c19, %c20 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x25x5x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x25x5x16xi8>
  %v22 = tosa.clamp %v21 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x25x5x16xi8>) -> tensor<1x25x5x16xi8>
  %c23 = "tosa.const"() <{values = dense<"0xCF0412504300FB286C9551C7C3BF7141AF058905CD982C23B79D8CDF1C4CA06BD99B33DF65D804F645110720F4EDA9638413E7FBF5D34A61E88A6C6235E3B97D20AEC8E0817CBA351F83243C7549E7F6C7619AB92F0C7D2EEB6352186B33DA78FA03AC03A317CDA18ACC3F9AC66D0866A238C3E50529F47E9FBE73D89A0460EC514EC4A7D53CFA079F355CB43798DE1D28FCEF2A378EEBA80E38545ABC725AC3C63E43980ED56438B7B6D5F75E1BCBF04B5ED24FF3DB922B0D26ED29AB8BAA3D99C64F5E261B51D9928597C08484A603A1CAA8754C09CFE6722863F072811C7D9A48DE5E0D404810636D174884B65B5118EBE3648F8B7297219D0F7A7245F428"> : tensor<16x1x1x16xi8>}> : () -> tensor<16x1x1x16xi8>
  %c24 = "tosa.const"() <{values = dense<[-1300, 2102, -2609, -2685, 3074, 1413, -2997, -934, 1507, 3052, 2693, -3803, -3622, -2359, 3087, -3256]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c25 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c26 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v27 = tosa.conv2d %v22, %c23, %c24, %c25, %c26 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x25x5x16xi8>, tensor<16x1x1x16xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x25x5x16xi32>
  %c28 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c29 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c30 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v32 = tosa.rescale %v27, %c28, %c29, %c30, %c31 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x25x5x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x25x5x16xi8>
  %v33 = tosa.clamp %v32 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x25x5x16xi8>) -> tensor<1x25x5x16xi8>
  %c34 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v36 = tosa.avg_pool2d %v33, %c34, %c35 {acc_type = i32, kernel = array<i64: 25, 5>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x25x5x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x16xi8>
  %c37 = "tosa.const"() <{values = dense<"0x0F2A41251CDF52730C0DEB3370D39A3BE61BF191D34301276F35034E56699D520D2BCEEB016719342D4E1CDE11816125D70E384EF8A54B3AE9064E6F5444AA57BDF20EF2B996CD4832622AE2AE2B673E9D942A6B8A4608ECE43A73F165B15B9BA4A4BFCF621B82B9360F279A6E95F09929DA598D2DC88CDAECDD47E056E882F659FF400CE67BDF7A5D1A18C94B43FB23D778FDC161241DF6E8B9887420B661F5A991378DBD678C869A522314007C42D13ABF2133830C7D2D8E88354347E504B5"> : tensor<12x1x1x16xi8>}> : () -> tensor<12x1x1x16xi8>
  %c38 = "tosa.const"() <{values = dense<[-570, -830, -1497, 390, -2072, -3786, 794, -3907, 3092, 2043, -617, 3798]> : tensor<12xi32>}> : () -> tensor<12xi32>
  %c39 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v41 = tosa.conv2d %v36, %c37, %c38, %c39, %c40 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x16xi8>, tensor<12x1x1x16xi8>, tensor<12xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x12xi32>
  %c42 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c43 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c44 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c45 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v46 = tosa.rescale %v41, %c42, %c43, %c44, %c45 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x12xi8>
  return %v46 : tensor<1x1x1x12xi8>
}
