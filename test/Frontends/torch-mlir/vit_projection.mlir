// torch-mlir, linalg on tensors: linear on a batch of tokens: collapsed, multiplied, expanded.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%arg0: tensor<2x5x16xi8>) -> tensor<2x5x16xi8> {
  %v1 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x5x16xi8> into tensor<10x16xi8>
  %w2 = arith.constant dense<"0x2BCABF6CB8B228497999E8B95C8ABB5A47448AF2EEF208243EC527077544204F08BE56165FB5AE33949B16CE9C46A4F74DF5D5F88324405A3C0F03E737D213BC5BDB27608B741B7E505048208CCA5C4C8D4EA1FCF977274DDAA3FFD9EC57CDEFDE314EFC0143CE63FEB720538ABD91D476988EAA222EE3C28D8E7B01F5AAB358BA4288BF51FFDC3068103DFAA3CBF1C3B430BE2541F091D54C0C4E338D6B0DDA6FBB76964583B42AD782D4C64F45C4C7C4395914674B6C074AC342C453AD8D7979706901552F6084E0569CFC9A28E7DC660A91DED6B9A8BFEFBF70BB4617D9FD1AFC70C086B94DA6EB0F9627210235E9D1CA6B81C777B196FA2B9AB92DDCCCEF"> : tensor<16x16xi8>
  %e3 = tensor.empty() : tensor<16x16xi8>
  %v4 = linalg.transpose ins(%w2 : tensor<16x16xi8>) outs(%e3 : tensor<16x16xi8>) permutation = [1, 0]
  %e5 = tensor.empty() : tensor<10x16xi32>
  %c6 = arith.constant 0 : i32
  %f7 = linalg.fill ins(%c6 : i32) outs(%e5 : tensor<10x16xi32>) -> tensor<10x16xi32>
  %v8 = linalg.matmul ins(%v1, %v4 : tensor<10x16xi8>, tensor<16x16xi8>) outs(%f7 : tensor<10x16xi32>) -> tensor<10x16xi32>
  %b9 = arith.constant dense<[-2952, 2929, 1504, 3725, -1581, -92, 471, -3981, -163, 1351, -2276, -3557, -2264, -1538, 3514, 730]> : tensor<16xi32>
  %e10 = tensor.empty() : tensor<10x16xi32>
  %v11 = linalg.generic {indexing_maps = [#map1, #map0, #map1], iterator_types = ["parallel", "parallel"]} ins(%v8, %b9 : tensor<10x16xi32>, tensor<16xi32>) outs(%e10 : tensor<10x16xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out: i32):
    %a = arith.addi %in0, %in1 : i32
    linalg.yield %a : i32
  } -> tensor<10x16xi32>
  %c12 = arith.constant 0.000142668 : f32
  %e13 = tensor.empty() : tensor<10x16xf32>
  %v14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v11 : tensor<10x16xi32>) outs(%e13 : tensor<10x16xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c12 : f32
    linalg.yield %b : f32
  } -> tensor<10x16xf32>
  %c15 = arith.constant 0.0625 : f32
  %c16 = arith.constant 0.0 : f32
  %c17 = arith.constant -128.0 : f32
  %c18 = arith.constant 127.0 : f32
  %e19 = tensor.empty() : tensor<10x16xi8>
  %v20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v14 : tensor<10x16xf32>) outs(%e19 : tensor<10x16xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c15 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c16 : f32
    %d = arith.maximumf %c, %c17 : f32
    %e = arith.minimumf %d, %c18 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<10x16xi8>
  %v21 = tensor.expand_shape %v20 [[0, 1], [2]] output_shape [2, 5, 16] : tensor<10x16xi8> into tensor<2x5x16xi8>
  return %v21 : tensor<2x5x16xi8>
}
