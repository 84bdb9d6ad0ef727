// torch-mlir, linalg on tensors: zero points on both operands and the output.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x6x8x8xi8>) -> tensor<1x8x6x6xi8> {
  %b1 = arith.constant dense<[3428, 1840, 3439, -3607, -1775, 102, -248, 2358]> : tensor<8xi32>
  %e2 = tensor.empty() : tensor<1x8x6x6xi32>
  %v3 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b1 : tensor<8xi32>) outs(%e2 : tensor<1x8x6x6xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x6x6xi32>
  %w4 = arith.constant dense<"0xFD210632BD5AB665ED8668EA41AB1685666689272C6262651EC8333604FB6C1EFBC18F6AA59DD4FB96141FF02C93024EF894E5DF84D447CA715DAF0A0405AB71DE077137D649F76AFF6AE46A8FDAF22F18542FB2C9849E384D7FD569DB4B1CCE298DDD1E7B9869FABBEE8CB857BE46A0D6F20E088DB79F02500B9D6CFD513B1D963BF7EA33ECFF2B0FD0689A1F1E3D47A3405D6B5EA20F68D9BF577048B9D4F166B484E7C269BC9B74C744AFAFB54B3AC8E7579848D8FBD9A3BEE26D4AB7A697E41F192F3A0461E17D83991FE75A26A0765453BDF63E8723C408617EAB0997AC8F711FFCD270B18835C0A59742477D597D1257DC04C51968B29DE7636186C215416F70B74C97D221E90868F81F8FBD852CD5E44AAED3C09C4E010EF6D83F23C60146908AD83B620F69F0DC002E4B93728AFE9C0B60E6DCE0AF31589B9EC1415555922CAAD048C069960D9ACD1A5ECBD27BBE5455349ACE55A5C39522509933EE89F15994576331D291BAE7A1ED2F3AD0F614036EEF8720A635BFCCB95A445F0BAB4A01DC2E5B2D2A9BC1859EF53002BDFAE979D2B9686372EBC6F4952386A123A8986E76ED5370EC897BB96B1F99AA58"> : tensor<8x6x3x3xi8>
  %c5 = arith.constant -7 : i32
  %c6 = arith.constant 5 : i32
  %v7 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %w4, %c5, %c6 : tensor<1x6x8x8xi8>, tensor<8x6x3x3xi8>, i32, i32) outs(%v3 : tensor<1x8x6x6xi32>) -> tensor<1x8x6x6xi32>
  %c8 = arith.constant 7.765863e-05 : f32
  %e9 = tensor.empty() : tensor<1x8x6x6xf32>
  %v10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v7 : tensor<1x8x6x6xi32>) outs(%e9 : tensor<1x8x6x6xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c8 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x6x6xf32>
  %c11 = arith.constant 0.0 : f32
  %e12 = tensor.empty() : tensor<1x8x6x6xf32>
  %v13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x8x6x6xf32>) outs(%e12 : tensor<1x8x6x6xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c11 : f32
    %b = arith.select %a, %in0, %c11 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x6x6xf32>
  %c14 = arith.constant 0.0625 : f32
  %c15 = arith.constant -12.0 : f32
  %c16 = arith.constant -128.0 : f32
  %c17 = arith.constant 127.0 : f32
  %e18 = tensor.empty() : tensor<1x8x6x6xi8>
  %v19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<1x8x6x6xf32>) outs(%e18 : tensor<1x8x6x6xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c14 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c15 : f32
    %d = arith.maximumf %c, %c16 : f32
    %e = arith.minimumf %d, %c17 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x8x6x6xi8>
  return %v19 : tensor<1x8x6x6xi8>
}
