// The first of three layers makes slices, and rows of its input stay in a ring.
// What of them comes with the first slice of a tile, and is not there yet,
// follows from the group's tile, not from the rows that the second layer makes.

// RUN: fadiff-run %s --target=gemmini-large --check | FileCheck %s

// CHECK: first+second+third
// CHECK: DRAM bytes {{.*}}: as predicted
// CHECK: check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECK: output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
module {
  func.func @main(%arg0: tensor<1x12x12x8xi8>, %arg1: tensor<3x3x8x64xi8>, %arg2: tensor<64xi32>, %arg3: tensor<3x3x64xi8>, %arg4: tensor<64xi32>, %arg5: tensor<3x3x64x16xi8>, %arg6: tensor<16xi32>) -> tensor<1x12x12x16xi8> {
    %0 = fadiff.fusion_group tile [N = 1, P = 4, Q = 12] keep_rows input_slices [0, 32, 0] {
      %1 = fadiff.layer "first" ins(%arg0, %arg1, %arg2 : tensor<1x12x12x8xi8>, tensor<3x3x8x64xi8>, tensor<64xi32>) workload(<[K = 64, C = 8, P = 12, Q = 12, R = 3, S = 3], pad = [1, 1], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 0.00228405604 : f32>) mapping(<dram [P:3], scratchpad [K:2], accumulator [R:3 S:3], registers [P:6 Q:12], array [8 x 32]>) {
      ^bb0(%arg7: tensor<1x12x12x8xi8>, %arg8: tensor<3x3x8x64xi8>, %arg9: tensor<64xi32>):
        %c0_i8 = arith.constant 0 : i8
        %c0_i32 = arith.constant 0 : i32
        %4 = tensor.empty() : tensor<1x12x12x64xi32>
        %5 = tensor.empty() : tensor<1x12x12x64xi32>
        %6 = tensor.empty() : tensor<1x12x12x64xi8>
        %cst = arith.constant 0.00228405604 : f32
        %cst_0 = arith.constant -1.280000e+02 : f32
        %cst_1 = arith.constant 1.270000e+02 : f32
        %padded = tensor.pad %arg7 low[0, 1, 1, 0] high[0, 1, 1, 0] {
        ^bb0(%arg10: index, %arg11: index, %arg12: index, %arg13: index):
          tensor.yield %c0_i8 : i8
        } : tensor<1x12x12x8xi8> to tensor<1x14x14x8xi8>
        %7 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg8 : tensor<1x14x14x8xi8>, tensor<3x3x8x64xi8>) outs(%7 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg9 : tensor<1x12x12x64xi32>, tensor<64xi32>) outs(%5 : tensor<1x12x12x64xi32>) {
        ^bb0(%in: i32, %in_2: i32, %out: i32):
          %11 = arith.addi %in, %in_2 : i32
          linalg.yield %11 : i32
        } -> tensor<1x12x12x64xi32>
        %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x12x12x64xi32>) outs(%6 : tensor<1x12x12x64xi8>) {
        ^bb0(%in: i32, %out: i8):
          %11 = arith.sitofp %in : i32 to f32
          %12 = arith.mulf %11, %cst : f32
          %13 = math.roundeven %12 : f32
          %14 = arith.maximumf %13, %cst_0 : f32
          %15 = arith.minimumf %14, %cst_1 : f32
          %16 = arith.fptosi %15 : f32 to i8
          linalg.yield %16 : i8
        } -> tensor<1x12x12x64xi8>
        fadiff.yield %10 : tensor<1x12x12x64xi8>
      } -> tensor<1x12x12x64xi8>
      %2 = fadiff.layer "second" ins(%1, %arg3, %arg4 : tensor<1x12x12x64xi8>, tensor<3x3x64xi8>, tensor<64xi32>) workload(<[G = 64, P = 12, Q = 12, R = 3, S = 3], pad = [1, 1], layouts = "NHWG" "RSG" "NPQG">) epilogue(<scale = 0.00228405604 : f32>) mapping(<dram [P:3], scratchpad [G:2], accumulator [R:3 S:3], registers [P:4 Q:12], array [1 x 32]>) {
      ^bb0(%arg7: tensor<1x12x12x64xi8>, %arg8: tensor<3x3x64xi8>, %arg9: tensor<64xi32>):
        %c0_i8 = arith.constant 0 : i8
        %c0_i32 = arith.constant 0 : i32
        %4 = tensor.empty() : tensor<1x12x12x64xi32>
        %5 = tensor.empty() : tensor<1x12x12x64xi32>
        %6 = tensor.empty() : tensor<1x12x12x64xi8>
        %cst = arith.constant 0.00228405604 : f32
        %cst_0 = arith.constant -1.280000e+02 : f32
        %cst_1 = arith.constant 1.270000e+02 : f32
        %padded = tensor.pad %arg7 low[0, 1, 1, 0] high[0, 1, 1, 0] {
        ^bb0(%arg10: index, %arg11: index, %arg12: index, %arg13: index):
          tensor.yield %c0_i8 : i8
        } : tensor<1x12x12x64xi8> to tensor<1x14x14x64xi8>
        %7 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %8 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg8 : tensor<1x14x14x64xi8>, tensor<3x3x64xi8>) outs(%7 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg9 : tensor<1x12x12x64xi32>, tensor<64xi32>) outs(%5 : tensor<1x12x12x64xi32>) {
        ^bb0(%in: i32, %in_2: i32, %out: i32):
          %11 = arith.addi %in, %in_2 : i32
          linalg.yield %11 : i32
        } -> tensor<1x12x12x64xi32>
        %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x12x12x64xi32>) outs(%6 : tensor<1x12x12x64xi8>) {
        ^bb0(%in: i32, %out: i8):
          %11 = arith.sitofp %in : i32 to f32
          %12 = arith.mulf %11, %cst : f32
          %13 = math.roundeven %12 : f32
          %14 = arith.maximumf %13, %cst_0 : f32
          %15 = arith.minimumf %14, %cst_1 : f32
          %16 = arith.fptosi %15 : f32 to i8
          linalg.yield %16 : i8
        } -> tensor<1x12x12x64xi8>
        fadiff.yield %10 : tensor<1x12x12x64xi8>
      } -> tensor<1x12x12x64xi8>
      %3 = fadiff.layer "third" ins(%2, %arg5, %arg6 : tensor<1x12x12x64xi8>, tensor<3x3x64x16xi8>, tensor<16xi32>) workload(<[K = 16, C = 64, P = 12, Q = 12, R = 3, S = 3], pad = [1, 1], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 0.00228405604 : f32>) mapping(<dram [P:3], scratchpad [], accumulator [R:3 S:3 C:2], registers [P:4 Q:12], array [32 x 16]>) {
      ^bb0(%arg7: tensor<1x12x12x64xi8>, %arg8: tensor<3x3x64x16xi8>, %arg9: tensor<16xi32>):
        %c0_i8 = arith.constant 0 : i8
        %c0_i32 = arith.constant 0 : i32
        %4 = tensor.empty() : tensor<1x12x12x16xi32>
        %5 = tensor.empty() : tensor<1x12x12x16xi32>
        %6 = tensor.empty() : tensor<1x12x12x16xi8>
        %cst = arith.constant 0.00228405604 : f32
        %cst_0 = arith.constant -1.280000e+02 : f32
        %cst_1 = arith.constant 1.270000e+02 : f32
        %padded = tensor.pad %arg7 low[0, 1, 1, 0] high[0, 1, 1, 0] {
        ^bb0(%arg10: index, %arg11: index, %arg12: index, %arg13: index):
          tensor.yield %c0_i8 : i8
        } : tensor<1x12x12x64xi8> to tensor<1x14x14x64xi8>
        %7 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<1x12x12x16xi32>) -> tensor<1x12x12x16xi32>
        %8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg8 : tensor<1x14x14x64xi8>, tensor<3x3x64x16xi8>) outs(%7 : tensor<1x12x12x16xi32>) -> tensor<1x12x12x16xi32>
        %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg9 : tensor<1x12x12x16xi32>, tensor<16xi32>) outs(%5 : tensor<1x12x12x16xi32>) {
        ^bb0(%in: i32, %in_2: i32, %out: i32):
          %11 = arith.addi %in, %in_2 : i32
          linalg.yield %11 : i32
        } -> tensor<1x12x12x16xi32>
        %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x12x12x16xi32>) outs(%6 : tensor<1x12x12x16xi8>) {
        ^bb0(%in: i32, %out: i8):
          %11 = arith.sitofp %in : i32 to f32
          %12 = arith.mulf %11, %cst : f32
          %13 = math.roundeven %12 : f32
          %14 = arith.maximumf %13, %cst_0 : f32
          %15 = arith.minimumf %14, %cst_1 : f32
          %16 = arith.fptosi %15 : f32 to i8
          linalg.yield %16 : i8
        } -> tensor<1x12x12x16xi8>
        fadiff.yield %10 : tensor<1x12x12x16xi8>
      } -> tensor<1x12x12x16xi8>
      fadiff.yield %3 : tensor<1x12x12x16xi8>
    } -> tensor<1x12x12x16xi8>
    return %0 : tensor<1x12x12x16xi8>
  }
}

