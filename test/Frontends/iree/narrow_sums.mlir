// Matmuls and a convolution that sum bytes in 8 and 16 bits, where they wrap.

// RUN: fadiff-run %s --target=gemmini-small --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS-COUNT-3: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%x: tensor<1x6x6x8xi8>, %k: tensor<3x3x8x10xi8>, %a: tensor<12x31xi8>, %b: tensor<31x9xi8>, %c: tensor<12x9xi16>) -> (tensor<1x4x4x10xi8>, tensor<12x9xi8>, tensor<12x9xi16>) {
  %z = arith.constant 0 : i8
  %e = tensor.empty() : tensor<1x4x4x10xi8>
  %f = linalg.fill ins(%z : i8) outs(%e : tensor<1x4x4x10xi8>) -> tensor<1x4x4x10xi8>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x6x6x8xi8>, tensor<3x3x8x10xi8>) outs(%f : tensor<1x4x4x10xi8>) -> tensor<1x4x4x10xi8>
  %five = arith.constant dense<5> : tensor<12x9xi8>
  %1 = linalg.matmul ins(%a, %b : tensor<12x31xi8>, tensor<31x9xi8>) outs(%five : tensor<12x9xi8>) -> tensor<12x9xi8>
  %2 = linalg.matmul ins(%a, %b : tensor<12x31xi8>, tensor<31x9xi8>) outs(%c : tensor<12x9xi16>) -> tensor<12x9xi16>
  return %0, %1, %2 : tensor<1x4x4x10xi8>, tensor<12x9xi8>, tensor<12x9xi16>
}
