// torch-mlir, linalg on tensors: conv_2d_nchw_fchw_q: an input zero point of 3, padding with it.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x6x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %c1 = arith.constant 3 : i8
  %v2 = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c1 : i8
  } : tensor<1x6x8x8xi8> to tensor<1x6x10x10xi8>
  %b3 = arith.constant dense<[3778, -2459, 2400, 2460, -1325, -1327, 2058, 2106]> : tensor<8xi32>
  %e4 = tensor.empty() : tensor<1x8x8x8xi32>
  %v5 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b3 : tensor<8xi32>) outs(%e4 : tensor<1x8x8x8xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x8x8xi32>
  %w6 = arith.constant dense<"0x06EF44EC5325A99201E444132C2C01BD1C84B41CD821A5FAB5F56165257BA761F928F354658B5A58F48E2F20620C3125DF67113FB93E0DD5654248CA569EE5AE282F8D07334B2483150363E0F42D5E8F83DAC8E8B50FE77A9C175BE6255C1E279B3D4C303B6C8404FA3CDD2DFC27F7A7707FAF29CAD02E3DEAB1860BE0FE9454EEE757D7CD3D06142EB221DBCC403255D64967BF62AE8B2798158DA5BF65EA756D9BF5D8C2A500A6E6EB0B48DA5284A8992BA0DED2ADB09D94DF98D49714CD7AF47E15545A16855FDE774CC1F3F7B66E9E9EB2BB729BD0A00F78F6AA9A21C083A08DB4B0BC75B6B7CC29D067D8133C264248E4583028015DEA1BABCB5994E4C72385F36A3500D261F15F6B54185974E130DE7A43315464307EB4BA38FC81C1C38AE00D8BB1E01E141F87776DD3FD0B10DB54D14036F3DB11FA70C16261281A95A3F9130648832F0A9163B4E1C8F5DAF97CF5F8D7FE77A93B950240A09E25A5CFDFF13635750FE9225A480E052D48CFCE8DD8C9FE9BCF0051989445841B78BB6D4ADD6689293F86FF1C58BC746652B17FD567298EF0F2FF4705107C4460031D67AA7E12BB46B73E56C0328A1BD7E93BBA"> : tensor<8x6x3x3xi8>
  %c7 = arith.constant 3 : i32
  %c8 = arith.constant 0 : i32
  %v9 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v2, %w6, %c7, %c8 : tensor<1x6x10x10xi8>, tensor<8x6x3x3xi8>, i32, i32) outs(%v5 : tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
  %c10 = arith.constant 7.765863e-05 : f32
  %e11 = tensor.empty() : tensor<1x8x8x8xf32>
  %v12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9 : tensor<1x8x8x8xi32>) outs(%e11 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c10 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x8x8xf32>
  %c13 = arith.constant 0.0 : f32
  %e14 = tensor.empty() : tensor<1x8x8x8xf32>
  %v15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x8x8x8xf32>) outs(%e14 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c13 : f32
    %b = arith.select %a, %in0, %c13 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x8x8xf32>
  %c16 = arith.constant 0.0625 : f32
  %c17 = arith.constant -128.0 : f32
  %c18 = arith.constant 127.0 : f32
  %e19 = tensor.empty() : tensor<1x8x8x8xi8>
  %v20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v15 : tensor<1x8x8x8xf32>) outs(%e19 : tensor<1x8x8x8xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c16 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c13 : f32
    %d = arith.maximumf %c, %c17 : f32
    %e = arith.minimumf %d, %c18 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x8x8x8xi8>
  return %v20 : tensor<1x8x8x8xi8>
}
