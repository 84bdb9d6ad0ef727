// What a member of a group with kept rows reads inside another one, slice by
// slice, is padded where that one begins; the group's next input, which comes
// beside that one's computes, must not find how that was cleared.

// RUN: fadiff-run %s --target=gemmini-large --check | FileCheck %s

// CHECK: conv1+conv2+conv2.add
// CHECK: DRAM bytes {{.*}}: as predicted
// CHECK: check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECK: output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
module {
  func.func @main(%arg0: tensor<1x12x12x64xi8>, %arg1: tensor<3x3x64x64xi8>, %arg2: tensor<64xi32>, %arg3: tensor<3x3x64x64xi8>, %arg4: tensor<64xi32>) -> tensor<1x12x12x64xi8> {
    %cst_15 = arith.constant dense<1> : tensor<1x1x64xi8>
    %0 = fadiff.fusion_group tile [N = 1, P = 3, Q = 12] keep_rows live_skips [2] input_slices [0, 0, 32] input_turns {
      %1 = fadiff.layer "conv1" ins(%arg0, %arg1, %arg2 : tensor<1x12x12x64xi8>, tensor<3x3x64x64xi8>, tensor<64xi32>) workload(<[K = 64, C = 64, P = 12, Q = 12, R = 3, S = 3], pad = [1, 1], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 5.73619734E-4 : f32, relu>) mapping(<dram [P:5], scratchpad [K:2], accumulator [C:2 R:3 S:3], registers [P:3 Q:12], array [32 x 32]>) {
      ^bb0(%arg5: tensor<1x12x12x64xi8>, %arg6: tensor<3x3x64x64xi8>, %arg7: tensor<64xi32>):
        %c0_i8 = arith.constant 0 : i8
        %c0_i32 = arith.constant 0 : i32
        %4 = tensor.empty() : tensor<1x12x12x64xi32>
        %5 = tensor.empty() : tensor<1x12x12x64xi32>
        %6 = tensor.empty() : tensor<1x12x12x64xi8>
        %cst_16 = arith.constant 5.73619734E-4 : f32
        %cst_17 = arith.constant -1.280000e+02 : f32
        %cst_18 = arith.constant 1.270000e+02 : f32
        %7 = tensor.empty() : tensor<1x12x12x64xi8>
        %padded = tensor.pad %arg5 low[0, 1, 1, 0] high[0, 1, 1, 0] {
        ^bb0(%arg8: index, %arg9: index, %arg10: index, %arg11: index):
          tensor.yield %c0_i8 : i8
        } : tensor<1x12x12x64xi8> to tensor<1x14x14x64xi8>
        %8 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %9 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg6 : tensor<1x14x14x64xi8>, tensor<3x3x64x64xi8>) outs(%8 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %arg7 : tensor<1x12x12x64xi32>, tensor<64xi32>) outs(%5 : tensor<1x12x12x64xi32>) {
        ^bb0(%in: i32, %in_19: i32, %out: i32):
          %13 = arith.addi %in, %in_19 : i32
          linalg.yield %13 : i32
        } -> tensor<1x12x12x64xi32>
        %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x12x12x64xi32>) outs(%6 : tensor<1x12x12x64xi8>) {
        ^bb0(%in: i32, %out: i8):
          %13 = arith.sitofp %in : i32 to f32
          %14 = arith.mulf %13, %cst_16 : f32
          %15 = math.roundeven %14 : f32
          %16 = arith.maximumf %15, %cst_17 : f32
          %17 = arith.minimumf %16, %cst_18 : f32
          %18 = arith.fptosi %17 : f32 to i8
          linalg.yield %18 : i8
        } -> tensor<1x12x12x64xi8>
        %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x12x12x64xi8>) outs(%7 : tensor<1x12x12x64xi8>) {
        ^bb0(%in: i8, %out: i8):
          %13 = arith.maxsi %in, %c0_i8 : i8
          linalg.yield %13 : i8
        } -> tensor<1x12x12x64xi8>
        fadiff.yield %12 : tensor<1x12x12x64xi8>
      } -> tensor<1x12x12x64xi8>
      %2 = fadiff.layer "conv2" ins(%1, %arg3, %arg4 : tensor<1x12x12x64xi8>, tensor<3x3x64x64xi8>, tensor<64xi32>) workload(<[K = 64, C = 64, P = 12, Q = 12, R = 3, S = 3], pad = [1, 1], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 8.02520895E-4 : f32>) mapping(<dram [P:5], scratchpad [K:2], accumulator [C:2 R:3 S:3], registers [P:3 Q:12], array [32 x 32]>) {
      ^bb0(%arg5: tensor<1x12x12x64xi8>, %arg6: tensor<3x3x64x64xi8>, %arg7: tensor<64xi32>):
        %c0_i8 = arith.constant 0 : i8
        %c0_i32 = arith.constant 0 : i32
        %4 = tensor.empty() : tensor<1x12x12x64xi32>
        %5 = tensor.empty() : tensor<1x12x12x64xi32>
        %6 = tensor.empty() : tensor<1x12x12x64xi8>
        %cst_16 = arith.constant 8.02520895E-4 : f32
        %cst_17 = arith.constant -1.280000e+02 : f32
        %cst_18 = arith.constant 1.270000e+02 : f32
        %padded = tensor.pad %arg5 low[0, 1, 1, 0] high[0, 1, 1, 0] {
        ^bb0(%arg8: index, %arg9: index, %arg10: index, %arg11: index):
          tensor.yield %c0_i8 : i8
        } : tensor<1x12x12x64xi8> to tensor<1x14x14x64xi8>
        %7 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg6 : tensor<1x14x14x64xi8>, tensor<3x3x64x64xi8>) outs(%7 : tensor<1x12x12x64xi32>) -> tensor<1x12x12x64xi32>
        %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg7 : tensor<1x12x12x64xi32>, tensor<64xi32>) outs(%5 : tensor<1x12x12x64xi32>) {
        ^bb0(%in: i32, %in_19: i32, %out: i32):
          %11 = arith.addi %in, %in_19 : i32
          linalg.yield %11 : i32
        } -> tensor<1x12x12x64xi32>
        %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x12x12x64xi32>) outs(%6 : tensor<1x12x12x64xi8>) {
        ^bb0(%in: i32, %out: i8):
          %11 = arith.sitofp %in : i32 to f32
          %12 = arith.mulf %11, %cst_16 : f32
          %13 = math.roundeven %12 : f32
          %14 = arith.maximumf %13, %cst_17 : f32
          %15 = arith.minimumf %14, %cst_18 : f32
          %16 = arith.fptosi %15 : f32 to i8
          linalg.yield %16 : i8
        } -> tensor<1x12x12x64xi8>
        fadiff.yield %10 : tensor<1x12x12x64xi8>
      } -> tensor<1x12x12x64xi8>
      %3 = fadiff.layer "conv2.add" ins(%2, %cst_15 : tensor<1x12x12x64xi8>, tensor<1x1x64xi8>) residual(%arg0 : tensor<1x12x12x64xi8>) workload(<[G = 64, P = 12, Q = 12], layouts = "NHWG" "RSG" "NPQG">) epilogue(<scale = 0.71066904 : f32, relu>) mapping(<dram [P:5], scratchpad [G:2], accumulator [], registers [P:3 Q:12], array [1 x 32]>) {
      ^bb0(%arg5: tensor<1x12x12x64xi8>, %arg6: tensor<1x1x64xi8>, %arg7: tensor<1x12x12x64xi8>):
        %4 = tensor.empty() : tensor<1x12x12x64xi32>
        %5 = tensor.empty() : tensor<1x12x12x64xi8>
        %cst_16 = arith.constant 0.71066904 : f32
        %cst_17 = arith.constant -1.280000e+02 : f32
        %cst_18 = arith.constant 1.270000e+02 : f32
        %6 = tensor.empty() : tensor<1x12x12x64xi8>
        %c0_i8 = arith.constant 0 : i8
        %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5, %arg7 : tensor<1x12x12x64xi8>, tensor<1x12x12x64xi8>) outs(%4 : tensor<1x12x12x64xi32>) {
        ^bb0(%in: i8, %in_19: i8, %out: i32):
          %10 = arith.extsi %in : i8 to i32
          %11 = arith.extsi %in_19 : i8 to i32
          %12 = arith.addi %10, %11 : i32
          linalg.yield %12 : i32
        } -> tensor<1x12x12x64xi32>
        %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x12x12x64xi32>) outs(%5 : tensor<1x12x12x64xi8>) {
        ^bb0(%in: i32, %out: i8):
          %10 = arith.sitofp %in : i32 to f32
          %11 = arith.mulf %10, %cst_16 : f32
          %12 = math.roundeven %11 : f32
          %13 = arith.maximumf %12, %cst_17 : f32
          %14 = arith.minimumf %13, %cst_18 : f32
          %15 = arith.fptosi %14 : f32 to i8
          linalg.yield %15 : i8
        } -> tensor<1x12x12x64xi8>
        %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x12x12x64xi8>) outs(%6 : tensor<1x12x12x64xi8>) {
        ^bb0(%in: i8, %out: i8):
          %10 = arith.maxsi %in, %c0_i8 : i8
          linalg.yield %10 : i8
        } -> tensor<1x12x12x64xi8>
        fadiff.yield %9 : tensor<1x12x12x64xi8>
      } -> tensor<1x12x12x64xi8>
      fadiff.yield %3 : tensor<1x12x12x64xi8>
    } -> tensor<1x12x12x64xi8>
    return %0 : tensor<1x12x12x64xi8>
  }
}
