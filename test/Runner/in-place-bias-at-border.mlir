// Sums that stay in place of a tile whose window begins above the image are the
// window's last rows, not its first: bias that is added behind the first steps is
// added to all of them, also where the window of most tiles is filled.

// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s
// CHECK: DRAM bytes read 15360, written 9216: as predicted
// CHECK: output identical to the reference

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x18x32x16xi8>, %w: tensor<1x1x16x16xi8>, %b: tensor<16xi32>, %v: tensor<3x1x16x16xi8>) -> tensor<1x18x32x16xi8> {
  %0 = fadiff.fusion_group tile [N = 1, P = 6, Q = 32] {
    %a = fadiff.layer "a" ins(%x, %w, %b : tensor<1x18x32x16xi8>, tensor<1x1x16x16xi8>, tensor<16xi32>)
        workload(<[K = 16, C = 16, P = 18, Q = 32], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 3.000000e-03 : f32>)
        mapping(<dram [P:3], scratchpad [], accumulator [C:16 P:8 Q:2], registers [Q:16], array [1 x 16]>) {
    ^bb0(%in: tensor<1x18x32x16xi8>, %f: tensor<1x1x16x16xi8>, %bias: tensor<16xi32>):
      %scale = arith.constant 3.000000e-03 : f32
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %empty = tensor.empty() : tensor<1x18x32x16xi32>
      %init = linalg.broadcast ins(%bias : tensor<16xi32>) outs(%empty : tensor<1x18x32x16xi32>) dimensions = [0, 1, 2]
      %r = linalg.conv_2d_nhwc_hwcf ins(%in, %f : tensor<1x18x32x16xi8>, tensor<1x1x16x16xi8>) outs(%init : tensor<1x18x32x16xi32>) -> tensor<1x18x32x16xi32>
      %bytes = tensor.empty() : tensor<1x18x32x16xi8>
      %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x18x32x16xi32>) outs(%bytes : tensor<1x18x32x16xi8>) {
      ^bb0(%s: i32, %o: i8):
        %1 = arith.sitofp %s : i32 to f32
        %2 = arith.mulf %1, %scale : f32
        %3 = math.roundeven %2 : f32
        %4 = arith.maximumf %3, %low : f32
        %5 = arith.minimumf %4, %high : f32
        %6 = arith.fptosi %5 : f32 to i8
        linalg.yield %6 : i8
      } -> tensor<1x18x32x16xi8>
      fadiff.yield %q : tensor<1x18x32x16xi8>
    } -> tensor<1x18x32x16xi8>
    %c = fadiff.layer "c" ins(%a, %v : tensor<1x18x32x16xi8>, tensor<3x1x16x16xi8>)
        workload(<[K = 16, C = 16, P = 18, Q = 32, R = 3], pad = [1, 0], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 2.000000e-03 : f32>)
        mapping(<dram [P:3], scratchpad [], accumulator [R:3 P:6 Q:2], registers [Q:16], array [16 x 16]>) {
    ^bb0(%in: tensor<1x18x32x16xi8>, %f: tensor<3x1x16x16xi8>):
      %scale = arith.constant 2.000000e-03 : f32
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %zero = arith.constant 0 : i32
      %zero8 = arith.constant 0 : i8
      %padded = tensor.pad %in low[0, 1, 0, 0] high[0, 1, 0, 0] {
      ^bb0(%i: index, %j: index, %k: index, %l: index):
        tensor.yield %zero8 : i8
      } : tensor<1x18x32x16xi8> to tensor<1x20x32x16xi8>
      %empty = tensor.empty() : tensor<1x18x32x16xi32>
      %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x18x32x16xi32>) -> tensor<1x18x32x16xi32>
      %r = linalg.conv_2d_nhwc_hwcf ins(%padded, %f : tensor<1x20x32x16xi8>, tensor<3x1x16x16xi8>) outs(%init : tensor<1x18x32x16xi32>) -> tensor<1x18x32x16xi32>
      %bytes = tensor.empty() : tensor<1x18x32x16xi8>
      %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x18x32x16xi32>) outs(%bytes : tensor<1x18x32x16xi8>) {
      ^bb0(%s: i32, %o: i8):
        %1 = arith.sitofp %s : i32 to f32
        %2 = arith.mulf %1, %scale : f32
        %3 = math.roundeven %2 : f32
        %4 = arith.maximumf %3, %low : f32
        %5 = arith.minimumf %4, %high : f32
        %6 = arith.fptosi %5 : f32 to i8
        linalg.yield %6 : i8
      } -> tensor<1x18x32x16xi8>
      fadiff.yield %q : tensor<1x18x32x16xi8>
    } -> tensor<1x18x32x16xi8>
    fadiff.yield %c : tensor<1x18x32x16xi8>
  } -> tensor<1x18x32x16xi8>
  return %0 : tensor<1x18x32x16xi8>
}
