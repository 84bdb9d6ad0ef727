// torch-mlir, linalg on tensors: dilation 2, batch 2.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<2x6x7x7xi8>) -> tensor<2x10x7x7xi8> {
  %c1 = arith.constant 0 : i8
  %v2 = tensor.pad %arg0 low[0, 0, 2, 2] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c1 : i8
  } : tensor<2x6x7x7xi8> to tensor<2x6x11x11xi8>
  %b3 = arith.constant dense<[2989, -839, -3938, 1341, -2474, -46, -3166, 241, -3373, 1789]> : tensor<10xi32>
  %e4 = tensor.empty() : tensor<2x10x7x7xi32>
  %v5 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b3 : tensor<10xi32>) outs(%e4 : tensor<2x10x7x7xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<2x10x7x7xi32>
  %w6 = arith.constant dense<"0xEB066FC5B00B797C496A46D0BBBC5C491A43C67438A48B19283AB97D7610DC3C1D895882FD70DEF7447EC1BBDC7D1E2ED000BD54F4FB72332271623E20B0E5880825E74CEE2C3393E7D5136A5C0CB302F3C1A242A1B11F64B4A4AECB51364F6D1E1337F4CEA832D8BEF6FFEDF76ECAC96D1FC73046DD195CAD85F447388C87881472EC468724793AF5568B1F1828B881A5AACA2D206E37160A0DAFE3C1F45707199CEF4B04AA50EE4C44A250565667423755744F6D9EDB0536FAAAA35E9F2C4D40BAA9497532EBA1F8C016A3FE5D42FB403420EE10C36B787EEF1B60F3969582257B35C761723FC20BF2FAC18579D8D5249A3FE4794E01426F62BD62A29EAE26883CEE858DC4411BB3F64EC0FD44B2B12BC0B7494BE951AA5FF6B140BD67C18869B91DA84BBC39DDFB8CB6B2B7AD5942DA48B84D5EFE9064C587C10EB262024AFD1801EC561CAE424EF7E6DF0A5BB8D8E7D20F20F1BCA8736EBF2B1DA21DD9E816E6C7F8F0AFEDC3B5617C03F124B3F01BB1EFA9F4F3E105C9BEA8892711ECC28FE529AE02873AF53EBFD0CDC41A2B13146B38EFADD846F94C2B6F96473A1DF864CCF02D59FDDD0E2C5DF6346C36DBBBCFE5352A7C170807B3B5F250F33F8A787021B69C16DFACE396E343E916235E576038F3736463C7C337E736F033457E7EC575B5BB41A422FA25A590C9BD58BF4E1ADEF3BD692C9B08F81AF82E25D30842D78839B96373E9E90A31E62D70A6FC3850BF58CD7F51475D6142F93B"> : tensor<10x6x3x3xi8>
  %v7 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v2, %w6 : tensor<2x6x11x11xi8>, tensor<10x6x3x3xi8>) outs(%v5 : tensor<2x10x7x7xi32>) -> tensor<2x10x7x7xi32>
  %c8 = arith.constant 7.765863e-05 : f32
  %e9 = tensor.empty() : tensor<2x10x7x7xf32>
  %v10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v7 : tensor<2x10x7x7xi32>) outs(%e9 : tensor<2x10x7x7xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c8 : f32
    linalg.yield %b : f32
  } -> tensor<2x10x7x7xf32>
  %c11 = arith.constant 0.0 : f32
  %e12 = tensor.empty() : tensor<2x10x7x7xf32>
  %v13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<2x10x7x7xf32>) outs(%e12 : tensor<2x10x7x7xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c11 : f32
    %b = arith.select %a, %in0, %c11 : f32
    linalg.yield %b : f32
  } -> tensor<2x10x7x7xf32>
  %c14 = arith.constant 0.0625 : f32
  %c15 = arith.constant -128.0 : f32
  %c16 = arith.constant 127.0 : f32
  %e17 = tensor.empty() : tensor<2x10x7x7xi8>
  %v18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<2x10x7x7xf32>) outs(%e17 : tensor<2x10x7x7xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c14 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c11 : f32
    %d = arith.maximumf %c, %c15 : f32
    %e = arith.minimumf %d, %c16 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<2x10x7x7xi8>
  return %v18 : tensor<2x10x7x7xi8>
}
