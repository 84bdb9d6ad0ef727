// A dialect that FADiff knows nothing of brings its own cost, and the search
// minimises it: the traffic is below that of the default objective.

// RUN: downstream-opt %s --fadiff-form-layers \
// RUN:   --fadiff-attach-target=target=gemmini-small \
// RUN:   --downstream-attach-traffic --fadiff-attach-cost --fadiff-search \
// RUN:   | FileCheck %s

// RUN: downstream-opt %s --fadiff-form-layers \
// RUN:   --fadiff-attach-target=target=gemmini-small \
// RUN:   --downstream-attach-traffic --fadiff-search --fadiff-verify-schedule \
// RUN:   --fadiff-materialize --fadiff-verify-schedule -o /dev/null

// 64 x 64 bytes of input and output each, 64 x 64 of weights: everything once.
// CHECK-LABEL: func @gemm
// CHECK: fadiff.layer
// CHECK-SAME: mapping(
// CHECK-SAME: cost_model(#downstream.traffic<7>)
// CHECK-SAME: cost(<energy = 8.601600e+04 pJ, cycles = 1.000000e+00, dram_read = 8192 B, dram_write = 4096 B, by "downstream traffic">)
func.func @gemm(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 1.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e0 = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e0 : tensor<64x64xi32>) -> tensor<64x64xi32>
  %sum = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) -> tensor<64x64xi32>
  %e1 = tensor.empty() : tensor<64x64xi8>
  %out = linalg.map ins(%sum : tensor<64x64xi32>) outs(%e1 : tensor<64x64xi8>)
    (%in: i32, %o: i8) {
      %f = arith.sitofp %in : i32 to f32
      %m = arith.mulf %f, %scale : f32
      %r = math.roundeven %m : f32
      %l = arith.maximumf %r, %low : f32
      %h = arith.minimumf %l, %high : f32
      %q = arith.fptosi %h : f32 to i8
      linalg.yield %q : i8
    }
  return %out : tensor<64x64xi8>
}
