// torch-mlir, linalg on tensors: an inverted residual without its residual, all NCHW.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x8x9x9xi8>) -> tensor<1x8x9x9xi8> {
  %b1 = arith.constant dense<[3297, 1058, -1928, 2177, -1906, 2776, -1936, 1465, -310, -1722, 109, 3338, -601, 2218, 3516, -1230, 3889, -812, -1261, 1854, -3377, -3471, -2776, -2561]> : tensor<24xi32>
  %e2 = tensor.empty() : tensor<1x24x9x9xi32>
  %v3 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b1 : tensor<24xi32>) outs(%e2 : tensor<1x24x9x9xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x24x9x9xi32>
  %w4 = arith.constant dense<"0xA7655F3F0660CA2E6D736368494C7ED4A8B6BA3E8709091D527AAC0F8EE8DE71962C9FB6098B5C20A45081239B088A63E1BF71C6F206B18D1ED77D350AE8F43EC60F98C10299E40BDA8E3641F4EFEAB077DFA355D165873526786F4F055673409AE486C36953FC8756FF4D3084A1403A5C076962D295F6862F3D162AA3B67B2E06F785A66985232AC6101F24BB5A3F3AB48DB2FE62DB3690C417AD0E8CD171964F72D52F73F0C372B0B345665BCA352BA781B6A5F44E183E3CC3265A730A46AE"> : tensor<24x8x1x1xi8>
  %v5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %w4 : tensor<1x8x9x9xi8>, tensor<24x8x1x1xi8>) outs(%v3 : tensor<1x24x9x9xi32>) -> tensor<1x24x9x9xi32>
  %c6 = arith.constant 0.000201763 : f32
  %e7 = tensor.empty() : tensor<1x24x9x9xf32>
  %v8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x24x9x9xi32>) outs(%e7 : tensor<1x24x9x9xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c6 : f32
    linalg.yield %b : f32
  } -> tensor<1x24x9x9xf32>
  %c9 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<1x24x9x9xf32>
  %v11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x24x9x9xf32>) outs(%e10 : tensor<1x24x9x9xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c9 : f32
    %b = arith.select %a, %in0, %c9 : f32
    linalg.yield %b : f32
  } -> tensor<1x24x9x9xf32>
  %c12 = arith.constant 0.0625 : f32
  %c13 = arith.constant -128.0 : f32
  %c14 = arith.constant 127.0 : f32
  %e15 = tensor.empty() : tensor<1x24x9x9xi8>
  %v16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v11 : tensor<1x24x9x9xf32>) outs(%e15 : tensor<1x24x9x9xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c12 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c9 : f32
    %d = arith.maximumf %c, %c13 : f32
    %e = arith.minimumf %d, %c14 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x24x9x9xi8>
  %c17 = arith.constant 0 : i8
  %v18 = tensor.pad %v16 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c17 : i8
  } : tensor<1x24x9x9xi8> to tensor<1x24x11x11xi8>
  %w19 = arith.constant dense<"0xD0D362DF8597CAA63331F899FA638F24E74BA6F129C46E3315A4C39912B6B5130214F11364100B2F07512398ECAB9AF86C35FABA1CAEE05E402850E86DD007B4FF8602C7EA190D88290C9DAC3699EB3F2F642E670F8E8F6C2401FE656C9F1BDFD439A8B4E829E3ACE5AA04C1525D7616F2CF5A3193D595E30039F0A754C0A3C31B75B7CD2F61F85B7A2D5F026B335AC491123D9F31A7487CCAFF96C49DA7BA4DC345F6CD5532B7E814463CCD82A365371174D9D4758875B01C4DCA992DFB4ECFC8DDD407C57E6B730A7A0A9BA200347A3F9559FA921B240B"> : tensor<24x3x3xi8>
  %b20 = arith.constant dense<[1680, 3760, 2530, -1118, 2703, 2252, -1310, -1252, -1419, -3189, -143, 1188, -1191, 2664, -1558, -1673, 1656, 3621, -60, -3205, -1736, -3374, -564, -3692]> : tensor<24xi32>
  %e21 = tensor.empty() : tensor<1x24x9x9xi32>
  %v22 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b20 : tensor<24xi32>) outs(%e21 : tensor<1x24x9x9xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x24x9x9xi32>
  %v23 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v18, %w19 : tensor<1x24x11x11xi8>, tensor<24x3x3xi8>) outs(%v22 : tensor<1x24x9x9xi32>) -> tensor<1x24x9x9xi32>
  %c24 = arith.constant 0.000190224 : f32
  %e25 = tensor.empty() : tensor<1x24x9x9xf32>
  %v26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v23 : tensor<1x24x9x9xi32>) outs(%e25 : tensor<1x24x9x9xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c24 : f32
    linalg.yield %b : f32
  } -> tensor<1x24x9x9xf32>
  %e27 = tensor.empty() : tensor<1x24x9x9xf32>
  %v28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v26 : tensor<1x24x9x9xf32>) outs(%e27 : tensor<1x24x9x9xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c9 : f32
    %b = arith.select %a, %in0, %c9 : f32
    linalg.yield %b : f32
  } -> tensor<1x24x9x9xf32>
  %e29 = tensor.empty() : tensor<1x24x9x9xi8>
  %v30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28 : tensor<1x24x9x9xf32>) outs(%e29 : tensor<1x24x9x9xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c12 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c9 : f32
    %d = arith.maximumf %c, %c13 : f32
    %e = arith.minimumf %d, %c14 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x24x9x9xi8>
  %b31 = arith.constant dense<[457, 3148, -2303, 3818, 952, -412, -3394, -1522]> : tensor<8xi32>
  %e32 = tensor.empty() : tensor<1x8x9x9xi32>
  %v33 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b31 : tensor<8xi32>) outs(%e32 : tensor<1x8x9x9xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x9x9xi32>
  %w34 = arith.constant dense<"0xB0DAA211ABB75653456E18773152D6CA7364CB1AA6371D7B69F0F5224383305389E756FB92463ACF0EA641C144EE10916E08AF24C40618FA5DEE0594FA54D3136E6AF9DCDCF5D19AC87F69DF510117C59FD6F55DA50DC5CBB553A3AD499CD635527901C6A3C199C3CEE2B68E49ED49390A0106BC2D8CE2039E9D605F5337D111F473202E2086A55559821491B0BB45C8FDD8AC6927067B980655525062F1A3912A02C28D5B8AD9E5043F49953E75584ADAFB9AF38E6C5F4110DEC8706F710563"> : tensor<8x24x1x1xi8>
  %v35 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v30, %w34 : tensor<1x24x9x9xi8>, tensor<8x24x1x1xi8>) outs(%v33 : tensor<1x8x9x9xi32>) -> tensor<1x8x9x9xi32>
  %c36 = arith.constant 0.0001164879 : f32
  %e37 = tensor.empty() : tensor<1x8x9x9xf32>
  %v38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v35 : tensor<1x8x9x9xi32>) outs(%e37 : tensor<1x8x9x9xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c36 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x9x9xf32>
  %e39 = tensor.empty() : tensor<1x8x9x9xi8>
  %v40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v38 : tensor<1x8x9x9xf32>) outs(%e39 : tensor<1x8x9x9xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c12 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c9 : f32
    %d = arith.maximumf %c, %c13 : f32
    %e = arith.minimumf %d, %c14 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x8x9x9xi8>
  return %v40 : tensor<1x8x9x9xi8>
}
