// A sum of 1024 terms that resemble each other, one after the other as the
// reference has it, is further from the exact one than 1e-5 of it, and the
// array's order is not. As much as that many roundings may come to is allowed
// then, unless the user says another number.

// RUN: fadiff-run %s --target=gemmini-fp32 --seed=6 | FileCheck %s
// CHECK: largest difference of floats from the reference: 1.7e-05 of the largest element, allowed: 6.1e-05
// RUN: not fadiff-run %s --target=gemmini-fp32 --seed=6 --float-tolerance=1e-5 | FileCheck %s --check-prefix=GIVEN
// GIVEN: allowed: 1.0e-05
// GIVEN: elements differ

func.func @main(%x: tensor<4x1024xf32>) -> tensor<4x16xf32> {
  %w1 = arith.constant dense<1.3> : tensor<1024x1024xf32>
  %w2 = arith.constant dense<1.2> : tensor<1024x1024xf32>
  %w3 = arith.constant dense<1.1> : tensor<1024x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  %1 = linalg.matmul ins(%x, %w1 : tensor<4x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  %2 = linalg.matmul ins(%1, %w2 : tensor<4x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  %e3 = tensor.empty() : tensor<4x16xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = linalg.matmul ins(%2, %w3 : tensor<4x1024xf32>, tensor<1024x16xf32>) outs(%f3 : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}
