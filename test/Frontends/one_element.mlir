// IREE after its folding of unit dims: products of one element, whose bias and
// read-out have no axes. The sum's reshape decides which axes they get, though
// the bias has one, too.

// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale
// LAYERS: fadiff.layer {{.*}} epilogue(<scale
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg1: tensor<1x4xi8>, %arg2: tensor<4x1xi8>, %arg3: tensor<1xi32>, %arg4: tensor<1x8xi8>) -> tensor<1x8xi8> {
    %cst = arith.constant 0.00684931502 : f32
    %cst_0 = arith.constant 1.270000e+02 : f32
    %cst_1 = arith.constant -1.280000e+02 : f32
    %cst_2 = arith.constant 0.00342465751 : f32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<1x1xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<1x1xi32>) -> tensor<1x1xi32>
    %2 = linalg.matmul ins(%arg1, %arg2 : tensor<1x4xi8>, tensor<4x1xi8>) outs(%1 : tensor<1x1xi32>) -> tensor<1x1xi32>
    %collapsed = tensor.collapse_shape %2 [] : tensor<1x1xi32> into tensor<i32>
    %collapsed_3 = tensor.collapse_shape %arg3 [] : tensor<1xi32> into tensor<i32>
    %3 = tensor.empty() : tensor<i32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed, %collapsed_3 : tensor<i32>, tensor<i32>) outs(%3 : tensor<i32>) {
    ^bb0(%in: i32, %in_6: i32, %out: i32):
      %12 = arith.addi %in, %in_6 : i32
      linalg.yield %12 : i32
    } -> tensor<i32>
    %5 = tensor.empty() : tensor<i8>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%4 : tensor<i32>) outs(%5 : tensor<i8>) {
    ^bb0(%in: i32, %out: i8):
      %12 = arith.sitofp %in : i32 to f32
      %13 = arith.mulf %12, %cst_2 : f32
      %14 = math.roundeven %13 : f32
      %15 = arith.maximumf %14, %cst_1 : f32
      %16 = arith.minimumf %15, %cst_0 : f32
      %17 = arith.fptosi %16 : f32 to i8
      linalg.yield %17 : i8
    } -> tensor<i8>
    %expanded = tensor.expand_shape %6 [] output_shape [1, 1] : tensor<i8> into tensor<1x1xi8>
    %7 = tensor.empty() : tensor<1x8xi32>
    %8 = linalg.fill ins(%c0_i32 : i32) outs(%7 : tensor<1x8xi32>) -> tensor<1x8xi32>
    %9 = linalg.matmul ins(%expanded, %arg4 : tensor<1x1xi8>, tensor<1x8xi8>) outs(%8 : tensor<1x8xi32>) -> tensor<1x8xi32>
    %collapsed_4 = tensor.collapse_shape %9 [[0, 1]] : tensor<1x8xi32> into tensor<8xi32>
    %10 = tensor.empty() : tensor<8xi8>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%collapsed_4 : tensor<8xi32>) outs(%10 : tensor<8xi8>) {
    ^bb0(%in: i32, %out: i8):
      %12 = arith.sitofp %in : i32 to f32
      %13 = arith.mulf %12, %cst : f32
      %14 = math.roundeven %13 : f32
      %15 = arith.maximumf %14, %cst_1 : f32
      %16 = arith.minimumf %15, %cst_0 : f32
      %17 = arith.fptosi %16 : f32 to i8
      linalg.yield %17 : i8
    } -> tensor<8xi8>
    %expanded_5 = tensor.expand_shape %11 [[0, 1]] output_shape [1, 8] : tensor<8xi8> into tensor<1x8xi8>
    return %expanded_5 : tensor<1x8xi8>
  }
}

