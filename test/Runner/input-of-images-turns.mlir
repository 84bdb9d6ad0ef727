// The first tile of the input comes pixel by pixel, with the first computes, the
// next ones two images at a time, which are further apart than nothing: a run of
// one pixel has no stride, so both go by that of the next tile.

// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s
// CHECK: DRAM bytes read 9664, written 4608: as predicted
// CHECK: output identical to the reference

func.func @main(%x: tensor<2x1x9x32xi8>, %w: tensor<32x32xi8>) -> tensor<2x1x9x32xi32> {
  %y = fadiff.layer "conv" ins(%x, %w : tensor<2x1x9x32xi8>, tensor<32x32xi8>)
      workload(<[N = 2, K = 32, C = 32, Q = 9], layouts = "NHWC" "CK" "NPQK">) epilogue(<>)
      mapping(<dram [K:11 Q:9], scratchpad [C:2 N:2], accumulator [K:3], registers [], array [16 x 1]>) {
  ^bb0(%in: tensor<2x1x9x32xi8>, %f: tensor<32x32xi8>):
    %zero = arith.constant 0 : i32
    %weights = tensor.expand_shape %f [[0, 1, 2], [3]] output_shape [1, 1, 32, 32] : tensor<32x32xi8> into tensor<1x1x32x32xi8>
    %empty = tensor.empty() : tensor<2x1x9x32xi32>
    %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x1x9x32xi32>) -> tensor<2x1x9x32xi32>
    %r = linalg.conv_2d_nhwc_hwcf ins(%in, %weights : tensor<2x1x9x32xi8>, tensor<1x1x32x32xi8>) outs(%init : tensor<2x1x9x32xi32>) -> tensor<2x1x9x32xi32>
    fadiff.yield %r : tensor<2x1x9x32xi32>
  } -> tensor<2x1x9x32xi32>
  return %y : tensor<2x1x9x32xi32>
}
