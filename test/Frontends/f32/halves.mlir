// Factors of 16 bits whose products are summed in f32: layers of the f32 machine,
// as the products are the same numbers. Sums of 16 bits stay on the host.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize=halves=host --fadiff-form-layers=allow-empty | FileCheck %s --check-prefix=HOST
// RUN: not fadiff-opt %s --fadiff-normalize=halves=maybe 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-import --fadiff-normalize --fadiff-form-layers=allow-empty | FileCheck %s --check-prefix=HOST

// CHECK-LABEL: func.func @main
// CHECK: fadiff.layer
// CHECK: fadiff.layer {{.*}}tensor<48x8xf32>
// CHECK: linalg.matmul {{.*}}outs({{.*}}tensor<8x8xf16>
// CHECK-NOT: fadiff.layer
// RAN: as predicted
// RAN: {{output identical|largest difference of floats}}
// HOST-NOT: fadiff.layer
// BAD: halves must be widen or host; found 'maybe'

#map = affine_map<(m, n, k) -> (m, k)>
#map1 = affine_map<(m, n, k) -> (k, n)>
#map2 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<32x64xf32>, %y: tensor<64x48xf32>, %b: tensor<8x32xf32>) -> (tensor<32x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.0 : f16
  %w = arith.constant dense<0.333251953125> : tensor<48x8xf16>
  %ea = tensor.empty() : tensor<32x64xf16>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%ea : tensor<32x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<32x64xf16>
  %ey = tensor.empty() : tensor<64x48xbf16>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x48xf32>) outs(%ey : tensor<64x48xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x48xbf16>
  %e = tensor.empty() : tensor<32x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = linalg.matmul ins(%a, %c : tensor<32x64xf16>, tensor<64x48xbf16>) outs(%f : tensor<32x48xf32>) -> tensor<32x48xf32>
  %e2 = tensor.empty() : tensor<32x8xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x8xf32>) -> tensor<32x8xf32>
  %r2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r, %w : tensor<32x48xf32>, tensor<48x8xf16>) outs(%f2 : tensor<32x8xf32>) {
  ^bb0(%in: f32, %in1: f16, %out: f32):
    %0 = arith.extf %in1 : f16 to f32
    %1 = arith.mulf %in, %0 : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<32x8xf32>
  %eb = tensor.empty() : tensor<8x32xf16>
  %bh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8x32xf32>) outs(%eb : tensor<8x32xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x32xf16>
  %wh = arith.constant dense<0.25> : tensor<32x8xf16>
  %eh = tensor.empty() : tensor<8x8xf16>
  %fh = linalg.fill ins(%half : f16) outs(%eh : tensor<8x8xf16>) -> tensor<8x8xf16>
  %h = linalg.matmul ins(%bh, %wh : tensor<8x32xf16>, tensor<32x8xf16>) outs(%fh : tensor<8x8xf16>) -> tensor<8x8xf16>
  %es = tensor.empty() : tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<8x8xf16>) outs(%es : tensor<8x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %t = arith.extf %in : f16 to f32
    linalg.yield %t : f32
  } -> tensor<8x8xf32>
  return %r2, %s : tensor<32x8xf32>, tensor<8x8xf32>
}
