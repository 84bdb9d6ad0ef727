// TFLite, int8, by the TFLite to TOSA legaliser: zero points -1 and -128, a scale per
// channel, double rounding, padding SAME with stride 2. The padding is with the
// zero point and the scales differ, so padding and rescaling stay on the host.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x16x16x3xi8>) -> tensor<1x8x8x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x17DA0724869D728461D86E97E7C16C35FE786F23A0C77ECAEB51F5812BEF3EADB339CD93E3B22A73BF91C071651F3A1718E9BA990A242B55136AC615B7E815F5B3FE6B39B915C4DAF3FDE260316EDD1102EEF2FB02A0EFB2553CF4DAA89CBF2ACC516FF1126B6F64DC23365FC2E4E95341E67ED2AB92457E6C890E1E4AB17828A30FAEBB4614FEA4823958DAA83F5B4D26CB5FE78E5B092F6B11F4CA12D79067631E6E02BE0B7E68184AF7B5AF42D839CC0758622B4EEAC34DC47E68732885A1EA983629DA929861915CB6869C1FD89C3000D810AC196CAE"> : tensor<8x3x3x3xi8>}> : () -> tensor<8x3x3x3xi8>
  %c2 = "tosa.const"() <{values = dense<[-1204, -3404, 3447, 2285, -3065, -130, 3826, -3059]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<-1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x16x16x3xi8>, tensor<8x3x3x3xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
  %c6 = "tosa.const"() <{values = dense<[1195324276, 1086263234, 1091367005, 1074509214, 2087934546, 1919800059, 1560521575, 1445260010]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c7 = "tosa.const"() <{values = dense<[40, 40, 39, 40, 40, 40, 40, 39]> : tensor<8xi8>}> : () -> tensor<8xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<8xi32>, tensor<8xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
  return %v10 : tensor<1x8x8x8xi8>
}
