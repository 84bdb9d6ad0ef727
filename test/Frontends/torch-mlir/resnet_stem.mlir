// torch-mlir, linalg on tensors: conv, bias, ReLU; dequantised, activated and quantised
// again in f32 by three generics. NCHW.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x3x17x17xi8>) -> tensor<1x8x9x9xi8> {
  %c1 = arith.constant 0 : i8
  %v2 = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c1 : i8
  } : tensor<1x3x17x17xi8> to tensor<1x3x19x19xi8>
  %b3 = arith.constant dense<[2190, 3780, -1578, 3286, -3890, 2413, -471, -1283]> : tensor<8xi32>
  %e4 = tensor.empty() : tensor<1x8x9x9xi32>
  %v5 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b3 : tensor<8xi32>) outs(%e4 : tensor<1x8x9x9xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x9x9xi32>
  %w6 = arith.constant dense<"0x37BB4719F4D486E51229A3E17D13C489D37C7746BE668716100576D37FFF7758C6D9DD3C3DE79D9A0E0DA5940F46A58C68A81386C013BC72BD780630A8B173A4EB8B419D6AB19B56623B2B33FD508AA40669CC98DE9B9E560C6430B2A04330BB5E49E04772398E53CC0155C6A770715D8DBCF91F6A7D5302BF9A7F1A5904B528B30F87CCD1758B1F42BF4535F03BF1180FBAF774ECFB5303A8B414DA7EC1CBE1338F3588317604CA0A6E6B2C48A9B7E2A326C7DC46CC2461C3625E91693FFD5D3393129AB4B894908D4C9C22A0C4ABBD9D7686547A33C4A2"> : tensor<8x3x3x3xi8>
  %v7 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%v2, %w6 : tensor<1x3x19x19xi8>, tensor<8x3x3x3xi8>) outs(%v5 : tensor<1x8x9x9xi32>) -> tensor<1x8x9x9xi32>
  %c8 = arith.constant 0.0001098259 : f32
  %e9 = tensor.empty() : tensor<1x8x9x9xf32>
  %v10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v7 : tensor<1x8x9x9xi32>) outs(%e9 : tensor<1x8x9x9xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c8 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x9x9xf32>
  %c11 = arith.constant 0.0 : f32
  %e12 = tensor.empty() : tensor<1x8x9x9xf32>
  %v13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x8x9x9xf32>) outs(%e12 : tensor<1x8x9x9xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c11 : f32
    %b = arith.select %a, %in0, %c11 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x9x9xf32>
  %c14 = arith.constant 0.0625 : f32
  %c15 = arith.constant -128.0 : f32
  %c16 = arith.constant 127.0 : f32
  %e17 = tensor.empty() : tensor<1x8x9x9xi8>
  %v18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<1x8x9x9xf32>) outs(%e17 : tensor<1x8x9x9xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c14 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c11 : f32
    %d = arith.maximumf %c, %c15 : f32
    %e = arith.minimumf %d, %c16 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x8x9x9xi8>
  return %v18 : tensor<1x8x9x9xi8>
}
