// A mixed network: int8 in front, dequantised, f32 behind. On either machine the
// part of the other type stays on the host, with a remark.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s --check-prefix=REAL
// REAL: {{(conv|depthwise|matmul):[0-9]+}}
// REAL: as predicted
// REAL: {{largest difference of floats from the reference: .*e-0[6-9] of the largest element, allowed: 1.0e-05|output identical}}
// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s --check-prefix=INT8
// INT8: {{(conv|depthwise|matmul):[0-9]+}}
// INT8: as predicted
// INT8: output identical to the reference
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-fp32 --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK-REAL
// REMARK-REAL: mixed.mlir:21:8: remark: {{.*}}its element types are i8 * i8 -> i32; the array takes f32 * f32 -> f32
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-small --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK-INT8
// REMARK-INT8: mixed.mlir:32:8: remark: {{.*}}its element types are f32 * f32 -> f32; the array takes i8 * i8 -> i32

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<11x24xi8>, %w0: tensor<24x18xi8>, %w1: tensor<18x7xf32>, %b: tensor<7xf32>) -> tensor<11x7xf32> {
  %zero = arith.constant dense<0> : tensor<11x18xi32>
  %0 = linalg.matmul ins(%x, %w0 : tensor<11x24xi8>, tensor<24x18xi8>) outs(%zero : tensor<11x18xi32>) -> tensor<11x18xi32>
  %e = tensor.empty() : tensor<11x18xf32>
  %scale = arith.constant 0.001 : f32
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<11x18xi32>) outs(%e : tensor<11x18xf32>) {
  ^bb0(%in: i32, %out: f32):
    %3 = arith.sitofp %in : i32 to f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<11x18xf32>
  %f = tensor.empty() : tensor<11x7xf32>
  %start = linalg.broadcast ins(%b : tensor<7xf32>) outs(%f : tensor<11x7xf32>) dimensions = [0]
  %2 = linalg.matmul ins(%1, %w1 : tensor<11x18xf32>, tensor<18x7xf32>) outs(%start : tensor<11x7xf32>) -> tensor<11x7xf32>
  return %2 : tensor<11x7xf32>
}
