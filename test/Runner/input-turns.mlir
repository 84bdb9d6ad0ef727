// Tiles of the input take turns in two places of the scratchpad: the next one
// comes beside the computes of this one. In "conv" the last tile has fewer
// rows, and fewer channels; lines are padded, and come one by one. In "mm" rows
// of the matrix come by as many as the array is high, and the last tile has
// fewer.

// RUN: fadiff-run %s --target=gemmini --check 2>&1 | FileCheck %s

// CHECK: DRAM bytes {{.*}}: as predicted
// CHECK: scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.001, cycles 1.00
// CHECK: output identical to the reference

func.func @main(%x: tensor<11x10x72xi8>, %v: tensor<3x3x72x32xi8>, %b: tensor<32xi32>,
                %a: tensor<88x240xi8>, %w: tensor<240x48xi8>)
    -> (tensor<11x10x32xi32>, tensor<88x48xi32>) {
  %y = fadiff.layer "conv" ins(%x, %v, %b : tensor<11x10x72xi8>, tensor<3x3x72x32xi8>, tensor<32xi32>)
      workload(<[K = 32, C = 72, P = 11, Q = 10, R = 3, S = 3], pad = [1, 1], layouts = "HWC" "RSCK" "PQK">)
      epilogue(<>)
      mapping(<dram [P:3 C:5], scratchpad [], accumulator [S:3 R:3 K:2], registers [Q:10 P:4], array [16 x 16]>) {
  ^bb0(%in: tensor<11x10x72xi8>, %f: tensor<3x3x72x32xi8>, %bias: tensor<32xi32>):
    %c0 = arith.constant 0 : i8
    %padded = tensor.pad %in low[1, 1, 0] high[1, 1, 0] {
    ^bb1(%i: index, %j: index, %k: index):
      tensor.yield %c0 : i8
    } : tensor<11x10x72xi8> to tensor<13x12x72xi8>
    %image = tensor.expand_shape %padded [[0, 1], [2], [3]] output_shape [1, 13, 12, 72] : tensor<13x12x72xi8> into tensor<1x13x12x72xi8>
    %e = tensor.empty() : tensor<1x11x10x32xi32>
    %g = linalg.broadcast ins(%bias : tensor<32xi32>) outs(%e : tensor<1x11x10x32xi32>) dimensions = [0, 1, 2]
    %h = linalg.conv_2d_nhwc_hwcf ins(%image, %f : tensor<1x13x12x72xi8>, tensor<3x3x72x32xi8>) outs(%g : tensor<1x11x10x32xi32>) -> tensor<1x11x10x32xi32>
    %r = tensor.collapse_shape %h [[0, 1], [2], [3]] : tensor<1x11x10x32xi32> into tensor<11x10x32xi32>
    fadiff.yield %r : tensor<11x10x32xi32>
  } -> tensor<11x10x32xi32>
  %z = fadiff.layer "mm" ins(%a, %w : tensor<88x240xi8>, tensor<240x48xi8>)
      workload(<[N = 88, K = 48, C = 240], layouts = "NC" "CK" "NK">)
      epilogue(<>)
      mapping(<dram [N:3 C:3], scratchpad [], accumulator [C:5 K:3], registers [N:32], array [16 x 16]>) {
  ^bb0(%in: tensor<88x240xi8>, %f: tensor<240x48xi8>):
    %c0 = arith.constant 0 : i32
    %e = tensor.empty() : tensor<88x48xi32>
    %g = linalg.fill ins(%c0 : i32) outs(%e : tensor<88x48xi32>) -> tensor<88x48xi32>
    %h = linalg.matmul ins(%in, %f : tensor<88x240xi8>, tensor<240x48xi8>) outs(%g : tensor<88x48xi32>) -> tensor<88x48xi32>
    fadiff.yield %h : tensor<88x48xi32>
  } -> tensor<88x48xi32>
  return %y, %z : tensor<11x10x32xi32>, tensor<88x48xi32>
}
