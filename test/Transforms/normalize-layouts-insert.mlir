// The image of a transposed convolution is inserted among zeros with channels
// last, as the layers around it have them.

// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s
// RUN: fadiff-run %s --target=gemmini | FileCheck %s --check-prefix=RAN
// RAN: output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @main(
// CHECK:         linalg.transpose ins(%arg0
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.transpose {{.*}}permutation = [0, 3, 1, 2]
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0] [1, 8, 8, 16] [1, 2, 2, 1] : tensor<1x8x8x16xi8> into tensor<1x15x15x16xi8>
// CHECK-NOT:     linalg.transpose {{.*}}permutation = [0, 2, 3, 1]
// CHECK:         linalg.transpose {{.*}}permutation = [0, 3, 1, 2]
// CHECK:         return
func.func @main(%x: tensor<1x8x10x10xi8>, %v: tensor<16x8x3x3xi8>, %w: tensor<16x16x2x2xi8>) -> tensor<1x16x14x14xi32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i8
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x16x8x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x8x8xi32>) -> tensor<1x16x8x8xi32>
  %s = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<1x8x10x10xi8>, tensor<16x8x3x3xi8>) outs(%f : tensor<1x16x8x8xi32>) -> tensor<1x16x8x8xi32>
  %i = tensor.empty() : tensor<1x16x8x8xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x16x8x8xi32>) outs(%i : tensor<1x16x8x8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %wide = arith.sitofp %a : i32 to f32
    %y = arith.mulf %wide, %scale : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x16x8x8xi8>
  %spread = tensor.empty() : tensor<1x16x15x15xi8>
  %zeros = linalg.fill ins(%none : i8) outs(%spread : tensor<1x16x15x15xi8>) -> tensor<1x16x15x15xi8>
  %image = tensor.insert_slice %q into %zeros[0, 0, 0, 0] [1, 16, 8, 8] [1, 1, 2, 2] : tensor<1x16x8x8xi8> into tensor<1x16x15x15xi8>
  %e2 = tensor.empty() : tensor<1x16x14x14xi32>
  %f2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<1x16x14x14xi32>) -> tensor<1x16x14x14xi32>
  %t = linalg.conv_2d_nchw_fchw ins(%image, %w : tensor<1x16x15x15xi8>, tensor<16x16x2x2xi8>) outs(%f2 : tensor<1x16x14x14xi32>) -> tensor<1x16x14x14xi32>
  return %t : tensor<1x16x14x14xi32>
}
