// The numbers of one layer, which can be checked by hand.
//
// RUN: rm -rf %t && mkdir -p %t && %python -c "import struct; h = \"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }\"; h += ' ' * (-(len(h) + 11) %% 64) + chr(10); open(r'%t/a.npy', 'wb').write(bytes([147]) + b'NUMPY' + bytes([1, 0]) + struct.pack('<H', len(h)) + h.encode() + struct.pack('<4f', 2.0, 0.5, -1.0, 1.0))"
// RUN: fadiff-opt %s --fadiff-quantize="calibration=%t target=gemmini" | FileCheck %s

// Inputs up to 2 in magnitude: 127 / 2 = 63.5. Weights up to 1: bytes 127, and
// 0.5 is 63.5, which is rounded to 64, half to even. Sums are in units of
// 2 / 127 * 1 / 127, so a bias of 1.25 is 10080.625, rounded to 10081. Outputs
// are 2 + 0.25 - 0.5 + 1 + 1.25 = 4 and -2 + 0.25 - 1 = -2.75: the range is 4,
// and the factor 2 / 127 / 127 / (4 / 127) = 1 / 254.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<1x4xf32>) -> tensor<1x2xf32>
// CHECK: ins(%[[X]] : tensor<1x4xf32>)
// CHECK: 6.350000e+01
// CHECK: arith.mulf
// CHECK: math.roundeven
// CHECK: arith.constant dense<{{\[\[}}127, -127], [64, 64], [64, 0], [127, -127]]> : tensor<4x2xi8>
// CHECK: arith.constant dense<[10081, 0]> : tensor<2xi32>
// CHECK: arith.addi
// CHECK: arith.sitofp
// CHECK: arith.constant 0.00393700786 : f32
// CHECK: arith.mulf
// CHECK: math.roundeven
// CHECK: arith.constant -1.280000e+02 : f32
// CHECK: arith.maximumf
// CHECK: arith.constant 1.270000e+02 : f32
// CHECK: arith.fptosi
// CHECK: arith.constant 0.0314960629 : f32
func.func @main(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[1.0, -1.0], [0.5, 0.5], [0.5, 0.0], [1.0, -1.0]]> : tensor<4x2xf32>
  %b = arith.constant dense<[1.25, 0.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2xf32>
  %i = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<1x2xf32>) dimensions = [0]
  %r = linalg.matmul ins(%x, %w : tensor<1x4xf32>, tensor<4x2xf32>) outs(%i : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
