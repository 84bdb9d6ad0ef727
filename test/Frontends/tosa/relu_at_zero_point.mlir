// TFLite, int8: ReLU as a clamp from the output's zero point -10. Saturation starts at -128, so the clamp stays on the
// host, on int8; with requantize=hardware the requantisation before it, zero point included, is the layer's.

// RUN: fadiff-run %s --target=gemmini-small --requantize=hardware --tolerance=1 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize=requantize=hardware --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]*}} : f32>)
// LAYERS: fadiff.yield
// LAYERS: linalg.generic
// LAYERS-NEXT: ^bb0(%{{.*}}: i8, %{{.*}}: i8):
// LAYERS: arith.maxsi %{{.*}}, %c-10_i8
// CHECK: as predicted
// CHECK: largest difference from the reference: {{[01]}}, allowed: 1

func.func @main(%arg0: tensor<1x10x10x3xi8>) -> tensor<1x5x5x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xD373A7E6278D93530A99DE168F6902B78A97F0EC92BE980EED905411A073BA22211673901416E68D7AB98C0F5CA3CBECA50B9F13CF10512FAF9B151324B1E0990D379111901FB5002F09EE47D1F8166DF5DDCDC04CAF3348BF9514CD07FF61D83BF3CA1C7B939F04ECAB42D8A76FFEEC8B772C94440F134B6152D1D832DA1900154DF592589872C6FA332B91903C34D026147F2F53F3C938E3642CD98671F7DBAC1D9EFF90B845CAA23EC0E6E56B600095ABF3E70DC863A452EF5E0DC835EB7DDC2F63E276BCA796AEA7BC29BC84FD5517AFC4C982A6EC09"> : tensor<8x3x3x3xi8>}> : () -> tensor<8x3x3x3xi8>
  %c2 = "tosa.const"() <{values = dense<[-610, 620, 395, -870, 2375, -1860, 1035, 1895]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %c3 = "tosa.const"() <{values = dense<-1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x10x10x3xi8>, tensor<8x3x3x3xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x8xi32>
  %c6 = "tosa.const"() <{values = dense<[2045335977]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<"0x27"> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<-10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x5x5x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x5x8xi8>
  %v11 = tosa.clamp %v10 {min_val = -10 : i8, max_val = 127 : i8} : (tensor<1x5x5x8xi8>) -> tensor<1x5x5x8xi8>
  return %v11 : tensor<1x5x5x8xi8>
}
