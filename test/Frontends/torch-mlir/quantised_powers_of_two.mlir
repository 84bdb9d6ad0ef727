// Dequantised int8 with scales that are powers of two: f32 does not round, so
// the layers are int8 ones by default, and the outputs equal.

// RUN: fadiff-run %s --target=gemmini-small --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}}epilogue(<scale = {{[0-9.e-]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<11x24xi8>) -> tensor<11x7xi8> {
  %w = arith.constant dense<[[-55, -91, -4, 16, -56, -92, 119], [-105, 64, 15, -52, 51, -97, -111], [-20, -12, -91, 53, 16, 68, 76], [-29, 23, 100, 78, -84, 42, 56], [-57, 70, 25, 98, 28, -1, -38], [-102, 109, -115, -57, 8, -95, -83], [77, 34, 83, -106, -86, 72, 75], [-71, 92, -124, -76, -82, -6, -11], [24, 16, 12, -28, -106, -83, 13], [-4, 24, 115, -60, 10, -110, 113], [39, -120, 21, 127, 22, 100, -16], [12, -48, 7, 7, 10, 37, 105], [76, -111, 97, 37, 19, 11, 117], [-51, -111, 58, -70, 57, -92, -101], [-102, 52, -2, -11, -112, -2, 100], [36, 59, -114, 46, 27, -120, -32], [-65, 97, -10, -68, -32, 83, 119], [59, 19, 32, -1, 97, -65, -118], [32, 25, -106, 29, -115, 46, -23], [-23, 23, -110, -107, -79, -119, 28], [65, -81, -106, -111, -120, -37, 32], [-7, 13, 10, -6, -121, 53, 71], [-108, -42, -106, 73, -45, -125, -9], [117, -13, 24, -89, 122, -29, 125]]> : tensor<24x7xi8>
  %b = arith.constant dense<[1.5, -3.25, 0.0, 2.0, 0.0625, -0.5, 4.0]> : tensor<7xf32>
  %sx = arith.constant 0.0625 : f32
  %sw = arith.constant 0.00390625 : f32
  %sy = arith.constant 0.05 : f32
  %zp = arith.constant -4.0 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %dx_e = tensor.empty() : tensor<11x24xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<11x24xi8>) outs(%dx_e : tensor<11x24xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zp : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<11x24xf32>
  %dw_e = tensor.empty() : tensor<24x7xf32>
  %dw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<24x7xi8>) outs(%dw_e : tensor<24x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %2 = arith.mulf %0, %sw : f32
    linalg.yield %2 : f32
  } -> tensor<24x7xf32>
  %e = tensor.empty() : tensor<11x7xf32>
  %init = linalg.broadcast ins(%b : tensor<7xf32>) outs(%e : tensor<11x7xf32>) dimensions = [0]
  %y = linalg.matmul ins(%dx, %dw : tensor<11x24xf32>, tensor<24x7xf32>) outs(%init : tensor<11x7xf32>) -> tensor<11x7xf32>
  %eq = tensor.empty() : tensor<11x7xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<11x7xf32>) outs(%eq : tensor<11x7xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %sy : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %lo : f32
    %3 = arith.minimumf %2, %hi : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<11x7xi8>
  return %q : tensor<11x7xi8>
}
