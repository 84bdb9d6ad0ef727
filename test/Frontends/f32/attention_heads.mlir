// Attention as torch-mlir and JAX spell it: heads are split off the channels and
// moved in front, which is a batch of matrix products. Queries, values and the
// result are read and written where they lie; only the keys are transposed, since
// their channels are summed over.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// CHECK: on the array: 100.0 % of 16384 multiply-accumulates
// CHECK-DAG: 1 x linalg.transpose, 1024 elements, {{.*}}: a layer multiplies by its columns, and loads bring rows as they lie{{.*}}what would help: an operand that is stored the other way round
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

// In a batch of two, batch and heads are one loop of the layer, along which no
// stride leads from the heads of one image to those of the next.
// RUN: fadiff-run %s --entry=batch --target=gemmini-fp32 --check | FileCheck %s --check-prefix=BATCH
// BATCH: on the array: 100.0 % of 32768 multiply-accumulates
// BATCH-DAG: 3 x linalg.transpose, 6144 elements, {{.*}}: axes that it brings together are one loop of a layer, whose steps must all be of one length; what would help: a batch of one
// BATCH-DAG: 1 x linalg.transpose, 2048 elements, {{.*}}: a layer multiplies by its columns
// BATCH: largest difference of floats
func.func @batch(%q: tensor<2x16x32xf32>, %k: tensor<2x16x32xf32>, %v: tensor<2x16x32xf32>) -> tensor<2x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %q4 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
  %qe = tensor.empty() : tensor<2x4x16x8xf32>
  %qt = linalg.transpose ins(%q4 : tensor<2x16x4x8xf32>) outs(%qe : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %k4 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
  %ke = tensor.empty() : tensor<2x4x16x8xf32>
  %kt = linalg.transpose ins(%k4 : tensor<2x16x4x8xf32>) outs(%ke : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %v4 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
  %ve = tensor.empty() : tensor<2x4x16x8xf32>
  %vt = linalg.transpose ins(%v4 : tensor<2x16x4x8xf32>) outs(%ve : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %ek = tensor.empty() : tensor<2x4x8x16xf32>
  %kk = linalg.transpose ins(%kt : tensor<2x4x16x8xf32>) outs(%ek : tensor<2x4x8x16xf32>) permutation = [0, 1, 3, 2]
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
  %kc = tensor.collapse_shape %kk [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
  %vc = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
  %es = tensor.empty() : tensor<8x16x16xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%fs : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %p = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<8x16x16xf32>) outs(%es : tensor<8x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<8x16x16xf32>
  %eo = tensor.empty() : tensor<8x16x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %o = linalg.batch_matmul ins(%p, %vc : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%fo : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
  %et = tensor.empty() : tensor<2x16x4x8xf32>
  %ot = linalg.transpose ins(%o4 : tensor<2x4x16x8xf32>) outs(%et : tensor<2x16x4x8xf32>) permutation = [0, 2, 1, 3]
  %r = tensor.collapse_shape %ot [[0], [1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<2x16x32xf32>
  return %r : tensor<2x16x32xf32>
}

// Rows that are padded behind the transpose, with what no zero is.
// RUN: fadiff-run %s --entry=padded --target=gemmini-fp32 --check | FileCheck %s --check-prefix=PADDED
// PADDED: on the array: 100.0 % of 8192 multiply-accumulates; on the host: 1 operation that touches 992 elements
// PADDED-NEXT: 1 x tensor.pad
// PADDED: largest difference of floats
func.func @padded(%q: tensor<15x32xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %q4 = tensor.expand_shape %q [[0], [1, 2]] output_shape [15, 4, 8] : tensor<15x32xf32> into tensor<15x4x8xf32>
  %qe = tensor.empty() : tensor<4x15x8xf32>
  %qt = linalg.transpose ins(%q4 : tensor<15x4x8xf32>) outs(%qe : tensor<4x15x8xf32>) permutation = [1, 0, 2]
  %qp = tensor.pad %qt low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %half : f32
  } : tensor<4x15x8xf32> to tensor<4x16x8xf32>
  %es = tensor.empty() : tensor<4x16x16xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %s = linalg.batch_matmul ins(%qp, %v : tensor<4x16x8xf32>, tensor<4x8x16xf32>) outs(%fs : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  return %s : tensor<4x16x16xf32>
}
