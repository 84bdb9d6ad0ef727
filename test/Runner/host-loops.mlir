// The loop along which neighbouring outputs lie goes innermost where an input
// lies along it, or a copy of one can. Reductions keep their order.

// RUN: fadiff-opt %s --fadiff-order-host-loops | FileCheck %s
// RUN: fadiff-run %s --entry=keys --target=gemmini-fp32 | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %s --entry=channels_first --target=gemmini-fp32 | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %s --entry=filters_first --target=gemmini-fp32 | FileCheck %s --check-prefix=EQUAL

// EQUAL: output 0:
// EQUAL: {{identical|largest difference}}

// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KEYS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d2 + d4, d5 + d6)>
// CHECK-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>

// CHECK-LABEL: func.func @keys(
// CHECK-SAME:    %[[Q:.*]]: memref<32x24xf32>, %[[K:.*]]: memref<16x24xf32>, %[[S:.*]]: memref<32x16xf32>
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<24x16xf32>
// CHECK-NEXT:    linalg.transpose ins(%[[K]] : memref<16x24xf32>) outs(%[[COPY]] : memref<24x16xf32>) permutation = [1, 0]
// CHECK-NEXT:    linalg.generic {indexing_maps = [#[[ROWS]], #[[KEYS]], #[[OUT]]], iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[Q]], %[[COPY]]
// CHECK:         memref.dealloc %[[COPY]]
#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @keys(%q: memref<32x24xf32>, %k: memref<16x24xf32>, %s: memref<32x16xf32>) {
  linalg.matmul indexing_maps = [#q, #k, #s]
    ins(%q, %k : memref<32x24xf32>, memref<16x24xf32>) outs(%s : memref<32x16xf32>)
  return
}

// A few rows do not pay for a copy, and neither do a few columns.
// CHECK-LABEL: func.func @few_rows(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.matmul
func.func @few_rows(%q: memref<15x24xf32>, %k: memref<16x24xf32>, %s: memref<15x16xf32>) {
  linalg.matmul indexing_maps = [#q, #k, #s]
    ins(%q, %k : memref<15x24xf32>, memref<16x24xf32>) outs(%s : memref<15x16xf32>)
  return
}
// CHECK-LABEL: func.func @few_columns(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.matmul
func.func @few_columns(%q: memref<32x24xf32>, %k: memref<3x24xf32>, %s: memref<32x3xf32>) {
  linalg.matmul indexing_maps = [#q, #k, #s]
    ins(%q, %k : memref<32x24xf32>, memref<3x24xf32>) outs(%s : memref<32x3xf32>)
  return
}

// The columns of the image lie along those of the output.
// CHECK-LABEL: func.func @channels_first(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {indexing_maps = [#[[IMAGE]], {{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel"]}
func.func @channels_first(%x: memref<1x4x10x10xf32>, %w: memref<8x4x3x3xf32>, %y: memref<1x8x8x8xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x4x10x10xf32>, memref<8x4x3x3xf32>) outs(%y : memref<1x8x8x8xf32>)
  return
}

// CHECK-LABEL: func.func @filters_first(
// CHECK-SAME:    %{{.*}}: memref<1x10x10x4xf32>, %[[W:.*]]: memref<8x3x3x4xf32>
// CHECK:         linalg.transpose ins(%[[W]] : memref<8x3x3x4xf32>) outs(%[[COPY:.*]] : memref<3x3x4x8xf32>) permutation = [1, 2, 3, 0]
// CHECK-NEXT:    linalg.generic {indexing_maps = [{{.*}}, #[[FILTERS]], {{.*}}], {{.*}}} ins(%{{.*}}, %[[COPY]] :
func.func @filters_first(%x: memref<1x10x10x4xf32>, %w: memref<8x3x3x4xf32>, %y: memref<1x8x8x8xf32>) {
  linalg.conv_2d_nhwc_fhwc ins(%x, %w : memref<1x10x10x4xf32>, memref<8x3x3x4xf32>) outs(%y : memref<1x8x8x8xf32>)
  return
}
