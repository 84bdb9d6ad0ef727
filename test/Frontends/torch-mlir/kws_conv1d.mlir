// torch-mlir, linalg on tensors: a one-dimensional convolution over time, keyword spotting.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%arg0: tensor<1x5x30xi8>) -> tensor<1x7x28xi8> {
  %w1 = arith.constant dense<"0x54C4CCABA3FC22D33ED3914E9A8259CF76221B1230B474B86630E73D0DD3537D705FC56DE15ECEBC94FD76F1074FBC9217D1C6724A26766D65A93DD03BC21D7C3B3215BF577C4BD1BC6C68936B7BBDDD0EA1FA4EB36D4E088195635E54827E684892EF7DA885E40291"> : tensor<7x5x3xi8>
  %e2 = tensor.empty() : tensor<1x7x28xi32>
  %c3 = arith.constant 0 : i32
  %f4 = linalg.fill ins(%c3 : i32) outs(%e2 : tensor<1x7x28xi32>) -> tensor<1x7x28xi32>
  %v5 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%arg0, %w1 : tensor<1x5x30xi8>, tensor<7x5x3xi8>) outs(%f4 : tensor<1x7x28xi32>) -> tensor<1x7x28xi32>
  %c6 = arith.constant 0.0001473469 : f32
  %e7 = tensor.empty() : tensor<1x7x28xf32>
  %v8 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x7x28xi32>) outs(%e7 : tensor<1x7x28xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c6 : f32
    linalg.yield %b : f32
  } -> tensor<1x7x28xf32>
  %c9 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<1x7x28xf32>
  %v11 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x7x28xf32>) outs(%e10 : tensor<1x7x28xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c9 : f32
    %b = arith.select %a, %in0, %c9 : f32
    linalg.yield %b : f32
  } -> tensor<1x7x28xf32>
  %c12 = arith.constant 0.0625 : f32
  %c13 = arith.constant -128.0 : f32
  %c14 = arith.constant 127.0 : f32
  %e15 = tensor.empty() : tensor<1x7x28xi8>
  %v16 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v11 : tensor<1x7x28xf32>) outs(%e15 : tensor<1x7x28xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c12 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c9 : f32
    %d = arith.maximumf %c, %c13 : f32
    %e = arith.minimumf %d, %c14 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x7x28xi8>
  return %v16 : tensor<1x7x28xi8>
}
