// IREE, linalg on tensors: an inverted residual; depthwise with a multiplier of one
// and the reshape that drops it.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %b1 = arith.constant dense<[3297, 1058, -1928, 2177, -1906, 2776, -1936, 1465, -310, -1722, 109, 3338, -601, 2218, 3516, -1230]> : tensor<16xi32>
  %e2 = tensor.empty() : tensor<1x8x8x16xi32>
  %v3 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b1 : tensor<16xi32>) outs(%e2 : tensor<1x8x8x16xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x8x16xi32>
  %w4 = arith.constant dense<"0x77E4D6379491A7ADA7655F3F0660CA2E6D736368494C7ED4A8B6BA3E8709091D527AAC0F8EE8DE71962C9FB6098B5C20A45081239B088A63E1BF71C6F206B18D1ED77D350AE8F43EC60F98C10299E40BDA8E3641F4EFEAB077DFA355D165873526786F4F055673409AE486C36953FC8756FF4D3084A1403A5C076962D295F686"> : tensor<1x1x8x16xi8>
  %v5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %w4 : tensor<1x8x8x8xi8>, tensor<1x1x8x16xi8>) outs(%v3 : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
  %c6 = arith.constant 1774726370 : i32
  %c7 = arith.constant 39 : i8
  %c8 = arith.constant 0 : i32
  %c9 = arith.constant 127 : i32
  %e10 = tensor.empty() : tensor<1x8x8x16xi8>
  %v11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x8x8x16xi32>) outs(%e10 : tensor<1x8x8x16xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c6, %c7 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c8 : i32
    %c = arith.minsi %b, %c9 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<1x8x8x16xi8>
  %c12 = arith.constant 0 : i8
  %v13 = tensor.pad %v11 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c12 : i8
  } : tensor<1x8x8x16xi8> to tensor<1x10x10x16xi8>
  %w14 = arith.constant dense<"0x2F3D162AA3B67B2E06F785A66985232AC6101F24BB5A3F3AB48DB2FE62DB3690C417AD0E8CD171964F72D52F73F0C372B0B345665BCA352BA781B6A5F44E183E3CC3265A730A46AED0D362DF8597CAA63331F899FA638F24E74BA6F129C46E3315A4C39912B6B5130214F11364100B2F07512398ECAB9AF86C35FABA1CAEE05E402850E86DD007B4FF8602C7EA190D88"> : tensor<3x3x16x1xi8>
  %e15 = tensor.empty() : tensor<1x8x8x16x1xi32>
  %f16 = linalg.fill ins(%c8 : i32) outs(%e15 : tensor<1x8x8x16x1xi32>) -> tensor<1x8x8x16x1xi32>
  %v17 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v13, %w14 : tensor<1x10x10x16xi8>, tensor<3x3x16x1xi8>) outs(%f16 : tensor<1x8x8x16x1xi32>) -> tensor<1x8x8x16x1xi32>
  %v18 = tensor.collapse_shape %v17 [[0], [1], [2], [3, 4]] : tensor<1x8x8x16x1xi32> into tensor<1x8x8x16xi32>
  %b19 = arith.constant dense<[1378, 448, -3087, -2606, 1795, -3218, -588, 2095, 1598, 3281, 1537, 3376, 569, -3574, -3542, 3541]> : tensor<16xi32>
  %e20 = tensor.empty() : tensor<1x8x8x16xi32>
  %v21 = linalg.generic {indexing_maps = [#map1, #map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18, %b19 : tensor<1x8x8x16xi32>, tensor<16xi32>) outs(%e20 : tensor<1x8x8x16xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out: i32):
    %a = arith.addi %in0, %in1 : i32
    linalg.yield %a : i32
  } -> tensor<1x8x8x16xi32>
  %c22 = arith.constant 1673228068 : i32
  %e23 = tensor.empty() : tensor<1x8x8x16xi8>
  %v24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v21 : tensor<1x8x8x16xi32>) outs(%e23 : tensor<1x8x8x16xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c22, %c7 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c8 : i32
    %c = arith.minsi %b, %c9 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<1x8x8x16xi8>
  %b25 = arith.constant dense<[1216, 102, 2, 3319, 3548, -3036, 948, -982]> : tensor<8xi32>
  %e26 = tensor.empty() : tensor<1x8x8x8xi32>
  %v27 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b25 : tensor<8xi32>) outs(%e26 : tensor<1x8x8x8xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x8x8xi32>
  %w28 = arith.constant dense<"0xD439A8B4E829E3ACE5AA04C1525D7616F2CF5A3193D595E30039F0A754C0A3C31B75B7CD2F61F85B7A2D5F026B335AC491123D9F31A7487CCAFF96C49DA7BA4DC345F6CD5532B7E814463CCD82A365371174D9D4758875B01C4DCA992DFB4ECFC8DDD407C57E6B730A7A0A9BA200347A3F9559FA921B240B32734DDB5244D5D6"> : tensor<1x1x16x8xi8>
  %v29 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v24, %w28 : tensor<1x8x8x16xi8>, tensor<1x1x16x8xi8>) outs(%v27 : tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
  %c30 = arith.constant 1254921051 : i32
  %c31 = arith.constant -128 : i32
  %e32 = tensor.empty() : tensor<1x8x8x8xi8>
  %v33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v29 : tensor<1x8x8x8xi32>) outs(%e32 : tensor<1x8x8x8xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c30, %c7 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c31 : i32
    %c = arith.minsi %b, %c9 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<1x8x8x8xi8>
  return %v33 : tensor<1x8x8x8xi8>
}
