// torch-mlir, linalg on tensors: ReLU6 as hardtanh. 6 is 96 steps, which is no bound of the accelerator, so the
// sums leave as int32.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x12x6x6xi8>) -> tensor<1x16x6x6xi8> {
  %b1 = arith.constant dense<[-3757, 2549, 3352, -3678, 3040, 2995, 2152, 930, 513, 1553, 3869, 2382, -2906, 171, 2187, 2350]> : tensor<16xi32>
  %e2 = tensor.empty() : tensor<1x16x6x6xi32>
  %v3 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b1 : tensor<16xi32>) outs(%e2 : tensor<1x16x6x6xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x16x6x6xi32>
  %w4 = arith.constant dense<"0xD63967F84BED79AF6DCE00E2436CEC76CA723A91FEA7E4F81CCCF1772FC23D38CD28FA60F553A39D6E8554F94ACCF979920E6DF097AA7C5F42FE36330F5F4C3CFE54C9193566C035B1D262A597726CD1B14C2556E3BB71C137EA89E9A307E998880F079232ED59C3F0F9869D98F9F18ABC1FC7F3616C534C927B0355D48794C02BE93453BB6B3EB2C207C13428F27A1417920392289FAC0548E1DECD1F1BD1FBCF82D97DA59F8276F20F013BD6E494DA96321591576F52967E5AB10030886086"> : tensor<16x12x1x1xi8>
  %v5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %w4 : tensor<1x12x6x6xi8>, tensor<16x12x1x1xi8>) outs(%v3 : tensor<1x16x6x6xi32>) -> tensor<1x16x6x6xi32>
  %c6 = arith.constant 0.0001647388 : f32
  %e7 = tensor.empty() : tensor<1x16x6x6xf32>
  %v8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x16x6x6xi32>) outs(%e7 : tensor<1x16x6x6xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c6 : f32
    linalg.yield %b : f32
  } -> tensor<1x16x6x6xf32>
  %c9 = arith.constant 0.0 : f32
  %c10 = arith.constant 6.0 : f32
  %e11 = tensor.empty() : tensor<1x16x6x6xf32>
  %v12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x16x6x6xf32>) outs(%e11 : tensor<1x16x6x6xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.maximumf %in0, %c9 : f32
    %b = arith.minimumf %a, %c10 : f32
    linalg.yield %b : f32
  } -> tensor<1x16x6x6xf32>
  %c13 = arith.constant 0.0625 : f32
  %c14 = arith.constant -128.0 : f32
  %c15 = arith.constant 127.0 : f32
  %e16 = tensor.empty() : tensor<1x16x6x6xi8>
  %v17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x16x6x6xf32>) outs(%e16 : tensor<1x16x6x6xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c13 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c9 : f32
    %d = arith.maximumf %c, %c14 : f32
    %e = arith.minimumf %d, %c15 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x16x6x6xi8>
  return %v17 : tensor<1x16x6x6xi8>
}
