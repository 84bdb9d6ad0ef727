// Arithmetic on whole tensors is that of their elements, behind a layer and by
// itself; ReLU in this spelling is the layer's.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import | FileCheck %s --check-prefix=IMPORTED

// CHECK: on the host: 2 operations
// CHECK: linalg.generic (absf)
// CHECK-NEXT: linalg.generic (truncf)
// CHECK: output 0: tensor<8x4xbf16>
// CHECK: {{output identical|largest difference of floats}}
// IMPORTED-NOT: {{(maximumf|truncf|absf)}} {{.*}} : tensor
// IMPORTED: linalg.generic
// IMPORTED: arith.maximumf {{.*}} : f32
// IMPORTED: arith.truncf {{.*}} : f32 to bf16
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> (tensor<8x4xbf16>, tensor<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = arith.maximumf %0, %zeros : tensor<8x4xf32>
  %2 = arith.truncf %1 : tensor<8x4xf32> to tensor<8x4xbf16>
  %3 = math.absf %a : tensor<8x16xf32>
  return %2, %3 : tensor<8x4xbf16>, tensor<8x16xf32>
}
