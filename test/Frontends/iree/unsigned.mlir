// A quantised classifier on unsigned bytes, as ONNX Runtime and older TFLite
// write it: u8 times s8 with a zero point of 128, read out to u8, then a named
// matmul that casts unsigned, weights and all.

// RUN: fadiff-run %s --target=gemmini-small --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS-COUNT-2: fadiff.layer
// LAYERS-NOT: arith.extui
// CHECK: as predicted
// CHECK: output identical to the reference

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<9x20xi8>, %v: tensor<13x6xi8>) -> tensor<9x6xi32> {
  %w = arith.constant dense<[[-9, 29, -32, -59, -92, -80, 94, 46, -126, -41, 1, -9, 102], [27, -107, -42, 14, 112, 30, 52, -117, 59, -30, -84, 53, 115], [-12, 116, 58, -19, -87, -84, -67, -114, -99, -94, 2, 96, 109], [126, 24, -111, 71, 49, -29, 75, 64, 100, -101, 108, -53, -75], [45, -70, 58, 76, -20, 100, -105, 70, -59, 106, -74, -26, -56], [-40, 80, -116, -76, 54, 99, -126, 98, -22, -113, 102, -31, 89], [-2, -92, -121, -67, -19, 61, 105, 90, -99, 119, 25, -127, -96], [68, 21, -77, 102, 91, -76, -43, -125, 101, -106, -93, 11, 107], [-123, 1, -106, 19, 0, 10, 108, -77, -20, -110, -26, -78, 36], [68, -104, 52, 21, -90, -83, 113, 28, 57, 118, -117, -114, -58], [15, 47, 28, 91, -89, 63, -59, 61, 127, 20, -119, -96, 95], [53, -24, 116, 104, -67, -86, 29, 2, -116, 61, -34, 89, 45], [6, 24, 17, 71, 49, -105, 95, -39, -99, 94, 98, 22, -34], [-12, -74, -25, -77, 125, 115, 20, 63, -123, -30, 77, 28, -43], [-127, -17, -99, -73, -71, -14, -58, -44, 81, -105, -49, 34, -55], [-101, 5, 73, -113, -121, -30, 72, 16, 79, -18, 0, -39, 54], [72, -64, 17, 61, -111, -19, 38, -68, -103, 119, 67, -25, 3], [-32, 117, 93, 16, -33, -92, 43, -53, -84, 50, 88, 97, -61], [-120, -115, 113, 122, 80, -83, -60, 115, -85, 125, -97, 28, -90], [-124, -115, -112, -12, -74, 74, -28, -52, 29, -124, 120, 77, -37]]> : tensor<20x13xi8>
  %zero = arith.constant dense<0> : tensor<9x13xi32>
  %zero2 = arith.constant dense<0> : tensor<9x6xi32>
  %zp = arith.constant 128 : i32
  %scale = arith.constant 0.0037 : f32
  %zpf = arith.constant 121.0 : f32
  %lo = arith.constant 0.0 : f32
  %hi = arith.constant 255.0 : f32
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<9x20xi8>, tensor<20x13xi8>) outs(%zero : tensor<9x13xi32>) {
  ^bb0(%in: i8, %weight: i8, %out: i32):
    %1 = arith.extui %in : i8 to i32
    %2 = arith.subi %1, %zp : i32
    %3 = arith.extsi %weight : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %out, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<9x13xi32>
  %e = tensor.empty() : tensor<9x13xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<9x13xi32>) outs(%e : tensor<9x13xi8>) {
  ^bb0(%in: i32, %out: i8):
    %1 = arith.sitofp %in : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %zpf : f32
    %5 = arith.maximumf %4, %lo : f32
    %6 = arith.minimumf %5, %hi : f32
    %7 = arith.fptoui %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<9x13xi8>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%q, %v : tensor<9x13xi8>, tensor<13x6xi8>) outs(%zero2 : tensor<9x6xi32>) -> tensor<9x6xi32>
  return %r : tensor<9x6xi32>
}
