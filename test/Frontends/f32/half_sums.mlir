// Sums of 16 bits: taken in f32 and rounded once, in the reference, too. As
// written, a sum of 2048 ones in bf16 stops at 256.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize=halves=widen --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 --halves=widen --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers=allow-empty | FileCheck %s --check-prefix=FACTORS
// RUN: fadiff-run %s --target=gemmini-fp32 --allow-empty | FileCheck %s --check-prefix=ASIS

// CHECK: fadiff.layer {{.*}}tensor<8x24xf32>
// CHECK: fadiff.layer {{.*}}[N = 3, K = 4, C = 2048]
// CHECK: fadiff.layer {{.*}}[N = 2, K = 2, C = 8]
// CHECK: arith.truncf
// RAN: 3 groups
// RAN: sums of bf16 are taken in f32 and rounded once, in the reference, too; --halves=factors leaves them as they are, on the host
// RAN: output 0: tensor<8x24xf16>
// RAN: output 1: tensor<3x4xbf16> {{.*}}min 2048 max 2048
// RAN: output 2: tensor<2x2xf16>
// RAN: {{output identical|largest difference of floats.*allowed: 7.8e-03|the others: }}
// FACTORS-NOT: fadiff.layer
// ASIS-NOT: are taken in f32
// ASIS: output 1: tensor<3x4xbf16> {{.*}}min 256 max 256

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: tensor<8x32xf16>, %b: tensor<32x24xf16>, %c: tensor<8x24xf16>, %m: memref<2x8xf16>, %n: memref<8x2xf16>, %o: memref<2x2xf16>,
                %ones: tensor<3x2048xbf16> {fadiff.fill = "ones"}, %more: tensor<2048x4xbf16> {fadiff.fill = "ones"}) -> (tensor<8x24xf16>, tensor<3x4xbf16>) {
  %0 = linalg.matmul ins(%a, %b : tensor<8x32xf16>, tensor<32x24xf16>) outs(%c : tensor<8x24xf16>) -> tensor<8x24xf16>
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<3x4xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<3x4xbf16>) -> tensor<3x4xbf16>
  %1 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ones, %more : tensor<3x2048xbf16>, tensor<2048x4xbf16>) outs(%f : tensor<3x4xbf16>) {
  ^bb0(%in: bf16, %in1: bf16, %out: bf16):
    %2 = arith.mulf %in, %in1 : bf16
    %3 = arith.addf %2, %out : bf16
    linalg.yield %3 : bf16
  } -> tensor<3x4xbf16>
  linalg.matmul ins(%m, %n : memref<2x8xf16>, memref<8x2xf16>) outs(%o : memref<2x2xf16>)
  return %0, %1 : tensor<8x24xf16>, tensor<3x4xbf16>
}
