// Attention as torch-mlir and JAX spell it: heads are split off the channels and
// moved in front, which is a batch of matrix products. Queries, values and the
// result are read and written where they lie; only the keys are transposed, since
// their channels are summed over.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// CHECK: on the array: 100.0 % of 16384 multiply-accumulates
// CHECK-DAG: 1 x linalg.transpose, 1024 elements, {{.*}}: it makes another axis the innermost one
// CHECK-NOT: NOT as predicted
// CHECK: largest difference of floats

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS-LABEL: @main
// LAYERS:         linalg.transpose
// LAYERS-NOT:     linalg.transpose
// LAYERS:         fadiff.layer
// LAYERS-SAME:    layouts = "NGC" "GCK" "GNK"
// LAYERS-NOT:     linalg.transpose
// LAYERS:         fadiff.layer
// LAYERS-SAME:    layouts = "GNC" "CGK" "NGK"
// LAYERS-NOT:     linalg.transpose
// LAYERS:         return

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%q: tensor<1x16x32xf32>, %k: tensor<1x16x32xf32>, %v: tensor<1x16x32xf32>) -> tensor<1x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %q4 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 16, 4, 8] : tensor<1x16x32xf32> into tensor<1x16x4x8xf32>
  %k4 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [1, 16, 4, 8] : tensor<1x16x32xf32> into tensor<1x16x4x8xf32>
  %v4 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [1, 16, 4, 8] : tensor<1x16x32xf32> into tensor<1x16x4x8xf32>
  %eh = tensor.empty() : tensor<1x4x16x8xf32>
  %qt = linalg.transpose ins(%q4 : tensor<1x16x4x8xf32>) outs(%eh : tensor<1x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%k4 : tensor<1x16x4x8xf32>) outs(%eh : tensor<1x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %vt = linalg.transpose ins(%v4 : tensor<1x16x4x8xf32>) outs(%eh : tensor<1x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %ek = tensor.empty() : tensor<1x4x8x16xf32>
  %kk = linalg.transpose ins(%kt : tensor<1x4x16x8xf32>) outs(%ek : tensor<1x4x8x16xf32>) permutation = [0, 1, 3, 2]
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<1x4x16x8xf32> into tensor<4x16x8xf32>
  %kc = tensor.collapse_shape %kk [[0, 1], [2], [3]] : tensor<1x4x8x16xf32> into tensor<4x8x16xf32>
  %vc = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<1x4x16x8xf32> into tensor<4x16x8xf32>
  %es = tensor.empty() : tensor<4x16x16xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<4x16x8xf32>, tensor<4x8x16xf32>) outs(%fs : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  // Softmax, which stays on the host, is left out but for one function of it.
  %p = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x16x16xf32>) outs(%es : tensor<4x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x16x16xf32>
  %eo = tensor.empty() : tensor<4x16x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
  %o = linalg.batch_matmul ins(%p, %vc : tensor<4x16x16xf32>, tensor<4x16x8xf32>) outs(%fo : tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
  // The tail moves with the sums that it works on.
  %scaled = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o : tensor<4x16x8xf32>) outs(%eo : tensor<4x16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<4x16x8xf32>
  %o4 = tensor.expand_shape %scaled [[0, 1], [2], [3]] output_shape [1, 4, 16, 8] : tensor<4x16x8xf32> into tensor<1x4x16x8xf32>
  %et = tensor.empty() : tensor<1x16x4x8xf32>
  %ot = linalg.transpose ins(%o4 : tensor<1x4x16x8xf32>) outs(%et : tensor<1x16x4x8xf32>) permutation = [0, 2, 1, 3]
  %r = tensor.collapse_shape %ot [[0], [1], [2, 3]] : tensor<1x16x4x8xf32> into tensor<1x16x32xf32>
  return %r : tensor<1x16x32xf32>
}
