// Results in f32 that pass a scale leave the accumulator in moves as wide as
// the DMA, several blocks at a time: fewer commands than one for each block.

// RUN: fadiff-run %s --check --target=gemmini-fp32 | FileCheck %s
// CHECK: check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECK: output identical to the reference

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

func.func @main(%image: tensor<2x1x2x1xf32>, %weights: tensor<1x1x1x40xf32>)
    -> tensor<2x1x2x40xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<2x1x2x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x1x2x40xf32>)
      -> tensor<2x1x2x40xf32>
  %sums = linalg.conv_2d_nhwc_hwcf
      ins(%image, %weights : tensor<2x1x2x1xf32>, tensor<1x1x1x40xf32>)
      outs(%init : tensor<2x1x2x40xf32>) -> tensor<2x1x2x40xf32>
  %scaled = linalg.generic {
      indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<2x1x2x40xf32>) outs(%empty : tensor<2x1x2x40xf32>) {
  ^bb0(%sum: f32, %out: f32):
    %product = arith.mulf %sum, %scale : f32
    linalg.yield %product : f32
  } -> tensor<2x1x2x40xf32>
  return %scaled : tensor<2x1x2x40xf32>
}
