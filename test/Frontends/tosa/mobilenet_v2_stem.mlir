// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: the stem of MobileNetV2,
// 3 channels, stride 2, ReLU.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x33x33x3xi8>) -> tensor<1x17x17x16xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x55CE8CEFF33527298298D650F398169CADDA52C81FEBA5A041D524242984761C6B4A614456ABF3DFF14EFC1489F340895EE7B5D8A75AC53D7684B7B66B763DD061744F5FB7C394B408A716EF2E82462F9A61F134BED4D86627A364A09D36745CB05DF75269DC6A0E5CDBAF92DD3FD694A0A5A153AEFAA23846769C3CBE6ABC742CE2AAADE4A64790889CADE875FBBF2505DD4DBDCDBB6C8D5A5A03BDF89052633ABE91EC645A53F076EB77B849238DDDA4D33412296FFF3EDC3EB0E29331B1EB40602B97AAAB1000485671AE64A8FEDE0D2492A14FF95FA25A368F296F8C0A8B691139E8EB2240D8B7DCE9611D109182887C755B23F167E626907747A24EB24AFB7096B42589660916FCB74B2305CCE6725D0185114CCE9BCF08F7487D7FCCBC2E5E84D24376A19D6F13070A862F8E534CF7AB2E2DBA8CC1A207BECBC53782CCA45B20F7E33EDFBABFC7878DE8BB9B99A72284A1104976E007811090D0CBB37A88B328B583D6D1B119139DEF8A17A41B320340FF02C04F72C572F77D5D6F011B7BC156C6681F2ECC0A595EA55DFD0C0C362B205DDA619448CDF45B987F9AF8C1A533D65C3359BB7EFE240C974959899B"> : tensor<16x3x3x3xi8>}> : () -> tensor<16x3x3x3xi8>
  %c2 = "tosa.const"() <{values = dense<[-17, 609, 2342, 1920, -1279, 2895, 1626, -3922, -3475, 3685, 1886, 1074, 2299, 1216, -2668, -993]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x33x33x3xi8>, tensor<16x3x3x3xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x17x17x16xi32>
  %c6 = "tosa.const"() <{values = dense<[1932077350]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x17x17x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x17x17x16xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x17x17x16xi8>) -> tensor<1x17x17x16xi8>
  return %v11 : tensor<1x17x17x16xi8>
}
