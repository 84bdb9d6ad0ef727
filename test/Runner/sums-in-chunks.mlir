// Sums of 28 pixels and four blocks of channels, where the array waits for loads
// anyway: in whole chunks of 16 pixels the blocks lie beside each other, so that
// one move stores 64 channels. That takes 128 rows of the accumulator, not 112.
// In a buffer of only 112 rows each block is a move of its own.

// RUN: fadiff-opt %s --fadiff-materialize -o %t.mlir
// RUN: FileCheck %s --check-prefix=NEST --input-file=%t.mlir
// NEST: fadiff.init %{{.*}} : <accumulator, 128>

// RUN: fadiff-run %t.mlir --target=gemmini-small --check | FileCheck %s
// RUN: fadiff-run %t.mlir --target=gemmini-small --json | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/<accumulator, 128>/<accumulator, 112>/' %t.mlir > %t.less.mlir
// RUN: fadiff-run %t.less.mlir --target=gemmini-small --check | FileCheck %s
// RUN: fadiff-run %t.less.mlir --target=gemmini-small --json | FileCheck %s --check-prefix=NARROW

// CHECK: DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// Of seven tiles each has two stores, or eight.
// WIDE: "commands": 1057
// NARROW: "commands": 1099

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
module attributes {fadiff.target = #fadiff.target<"gemmini-small">} {
  func.func @main(%arg0: tensor<1x14x14x128xi8>, %arg1: tensor<1x1x128x64xi8>, %arg2: tensor<64xi32>) -> tensor<1x14x14x64xi8> {
    %0 = fadiff.layer "conv" ins(%arg0, %arg1, %arg2 : tensor<1x14x14x128xi8>, tensor<1x1x128x64xi8>, tensor<64xi32>) workload(<[K = 64, C = 128, P = 14, Q = 14], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 5.500000e-04 : f32, relu>) mapping(<dram [P:7 C:2], scratchpad [], accumulator [K:4 C:4], registers [Q:14 P:2], array [16 x 16]>) {
    ^bb0(%arg3: tensor<1x14x14x128xi8>, %arg4: tensor<1x1x128x64xi8>, %arg5: tensor<64xi32>):
      %c0_i32 = arith.constant 0 : i32
      %1 = tensor.empty() : tensor<1x14x14x64xi32>
      %2 = tensor.empty() : tensor<1x14x14x64xi8>
      %cst = arith.constant 5.500000e-04 : f32
      %cst_0 = arith.constant -1.280000e+02 : f32
      %cst_1 = arith.constant 1.270000e+02 : f32
      %c0_i8 = arith.constant 0 : i8
      %3 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi32>
      %4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg3, %arg4 : tensor<1x14x14x128xi8>, tensor<1x1x128x64xi8>) outs(%3 : tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi32>
      %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %arg5 : tensor<1x14x14x64xi32>, tensor<64xi32>) outs(%1 : tensor<1x14x14x64xi32>) {
      ^bb0(%in: i32, %in_2: i32, %out: i32):
        %8 = arith.addi %in, %in_2 : i32
        linalg.yield %8 : i32
      } -> tensor<1x14x14x64xi32>
      %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x14x14x64xi32>) outs(%2 : tensor<1x14x14x64xi8>) {
      ^bb0(%in: i32, %out: i8):
        %8 = arith.sitofp %in : i32 to f32
        %9 = arith.mulf %8, %cst : f32
        %10 = math.roundeven %9 : f32
        %11 = arith.maximumf %10, %cst_0 : f32
        %12 = arith.minimumf %11, %cst_1 : f32
        %13 = arith.fptosi %12 : f32 to i8
        linalg.yield %13 : i8
      } -> tensor<1x14x14x64xi8>
      %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x14x14x64xi8>) outs(%2 : tensor<1x14x14x64xi8>) {
      ^bb0(%in: i8, %out: i8):
        %8 = arith.maxsi %in, %c0_i8 : i8
        linalg.yield %8 : i8
      } -> tensor<1x14x14x64xi8>
      fadiff.yield %7 : tensor<1x14x14x64xi8>
    } -> tensor<1x14x14x64xi8>
    return %0 : tensor<1x14x14x64xi8>
  }
}

