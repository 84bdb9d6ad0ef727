// torch-mlir, linalg on tensors: a reshape that adds unit dims between the matmul and its bias and activation.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x8x1x1xi8>) -> tensor<1x12x1x1xi8> {
  %v1 = tensor.collapse_shape %arg0 [[0], [1, 2, 3]] : tensor<1x8x1x1xi8> into tensor<1x8xi8>
  %w2 = arith.constant dense<"0xE489362E33D6B0ED39D0B468B5513FEA333C438DA617663BCF760E98B8360D65C311C3F6853E4BA0040130C4D2A025415771768915C1ECA5100DA1B544BD60A0D25645A43D9E0C09F634D9BDFC3C9C2495DC69087808EB125EA88EFB2DCDD896"> : tensor<12x8xi8>
  %e3 = tensor.empty() : tensor<8x12xi8>
  %v4 = linalg.transpose ins(%w2 : tensor<12x8xi8>) outs(%e3 : tensor<8x12xi8>) permutation = [1, 0]
  %e5 = tensor.empty() : tensor<1x12xi32>
  %c6 = arith.constant 0 : i32
  %f7 = linalg.fill ins(%c6 : i32) outs(%e5 : tensor<1x12xi32>) -> tensor<1x12xi32>
  %v8 = linalg.matmul ins(%v1, %v4 : tensor<1x8xi8>, tensor<8x12xi8>) outs(%f7 : tensor<1x12xi32>) -> tensor<1x12xi32>
  %v9 = tensor.expand_shape %v8 [[0], [1, 2, 3]] output_shape [1, 12, 1, 1] : tensor<1x12xi32> into tensor<1x12x1x1xi32>
  %b10 = arith.constant dense<[-717, -1157, -2313, 1105, 344, 3031, -352, -700, 2920, -1619, 413, 3274]> : tensor<12xi32>
  %e11 = tensor.empty() : tensor<1x12x1x1xi32>
  %v12 = linalg.generic {indexing_maps = [#map1, #map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9, %b10 : tensor<1x12x1x1xi32>, tensor<12xi32>) outs(%e11 : tensor<1x12x1x1xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out: i32):
    %a = arith.addi %in0, %in1 : i32
    linalg.yield %a : i32
  } -> tensor<1x12x1x1xi32>
  %c13 = arith.constant 0.000201763 : f32
  %e14 = tensor.empty() : tensor<1x12x1x1xf32>
  %v15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x12x1x1xi32>) outs(%e14 : tensor<1x12x1x1xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c13 : f32
    linalg.yield %b : f32
  } -> tensor<1x12x1x1xf32>
  %c16 = arith.constant 0.0 : f32
  %e17 = tensor.empty() : tensor<1x12x1x1xf32>
  %v18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v15 : tensor<1x12x1x1xf32>) outs(%e17 : tensor<1x12x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c16 : f32
    %b = arith.select %a, %in0, %c16 : f32
    linalg.yield %b : f32
  } -> tensor<1x12x1x1xf32>
  %c19 = arith.constant 0.0625 : f32
  %c20 = arith.constant -128.0 : f32
  %c21 = arith.constant 127.0 : f32
  %e22 = tensor.empty() : tensor<1x12x1x1xi8>
  %v23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<1x12x1x1xf32>) outs(%e22 : tensor<1x12x1x1xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c19 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c16 : f32
    %d = arith.maximumf %c, %c20 : f32
    %e = arith.minimumf %d, %c21 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x12x1x1xi8>
  return %v23 : tensor<1x12x1x1xi8>
}
