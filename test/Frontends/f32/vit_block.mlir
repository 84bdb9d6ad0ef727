// Attention and a residual in f32, as torch-mlir writes them: heads as batches,
// softmax on the host, the addition a layer, a constant bias, a scale behind the
// scores.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-fp32 --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: {{.*}}OnHost
// CHECK: as predicted
// CHECK: {{largest difference of floats from the reference: .*e-0[6-9] of the largest element, allowed: 1.0e-05|output identical}}
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = 0.35355{{.*}} : f32>)
// LAYERS: fadiff.layer
// LAYERS: fadiff.layer {{.*}}tensor<16xf32>) workload
// LAYERS: fadiff.layer {{.*}}.add
// LAYERS-NOT: fadiff.layer

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%q: tensor<2x9x8xf32>, %k: tensor<2x8x9xf32>, %v: tensor<2x9x8xf32>, %w: tensor<8x16xf32>, %r: tensor<18x16xf32>) -> tensor<18x16xf32> {
  %zero = arith.constant 0.0 : f32
  %root = arith.constant 0.353553391 : f32
  %e0 = tensor.empty() : tensor<2x9x9xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
  %0 = linalg.batch_matmul ins(%q, %k : tensor<2x9x8xf32>, tensor<2x8x9xf32>) outs(%f0 : tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
  %1 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<2x9x9xf32>) outs(%e0 : tensor<2x9x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.mulf %in, %root : f32
    linalg.yield %8 : f32
  } -> tensor<2x9x9xf32>
  %2 = linalg.softmax dimension(2) ins(%1 : tensor<2x9x9xf32>) outs(%e0 : tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
  %e1 = tensor.empty() : tensor<2x9x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x9x8xf32>) -> tensor<2x9x8xf32>
  %3 = linalg.batch_matmul ins(%2, %v : tensor<2x9x9xf32>, tensor<2x9x8xf32>) outs(%f1 : tensor<2x9x8xf32>) -> tensor<2x9x8xf32>
  %4 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<2x9x8xf32> into tensor<18x8xf32>
  %bias = arith.constant dense<[0.5, -0.25, 0.125, 1.0, 2.0, -3.0, 0.0, 0.75, 0.5, -0.25, 0.125, 1.0, 2.0, -3.0, 0.0, 0.75]> : tensor<16xf32>
  %e2 = tensor.empty() : tensor<18x16xf32>
  %b = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e2 : tensor<18x16xf32>) dimensions = [0]
  %5 = linalg.matmul ins(%4, %w : tensor<18x8xf32>, tensor<8x16xf32>) outs(%b : tensor<18x16xf32>) -> tensor<18x16xf32>
  %6 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%5, %r : tensor<18x16xf32>, tensor<18x16xf32>) outs(%e2 : tensor<18x16xf32>) {
  ^bb0(%in: f32, %res: f32, %out: f32):
    %8 = arith.addf %in, %res : f32
    linalg.yield %8 : f32
  } -> tensor<18x16xf32>
  return %6 : tensor<18x16xf32>
}
