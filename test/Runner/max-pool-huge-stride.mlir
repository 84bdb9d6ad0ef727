// A pooling whose stride is beyond what a layer's pool may have: it has one
// window, and stays on the host.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%x: tensor<1x8x8x4xi8>, %w: tensor<1x1x4x4xi8>) -> tensor<1x1x1x4xi8> {
  %zero = arith.constant dense<0> : tensor<1x8x8x4xi32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x4xi8>, tensor<1x1x4x4xi8>) outs(%zero : tensor<1x8x8x4xi32>) -> tensor<1x8x8x4xi32>
  %c = arith.constant 1.0e-02 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x8x8x4xi8>
  %1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%0 : tensor<1x8x8x4xi32>) outs(%e : tensor<1x8x8x4xi8>) {
  ^bb0(%a: i32, %o: i8):
    %r = arith.sitofp %a : i32 to f32
    %s = arith.mulf %r, %c : f32
    %t = math.roundeven %s : f32
    %u = arith.minimumf %t, %hi : f32
    %v = arith.maximumf %u, %lo : f32
    %b = arith.fptosi %v : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x8x8x4xi8>
  %k = tensor.empty() : tensor<2x2xi8>
  %least = arith.constant -128 : i8
  %pe = tensor.empty() : tensor<1x1x1x4xi8>
  %f = linalg.fill ins(%least : i8) outs(%pe : tensor<1x1x1x4xi8>) -> tensor<1x1x1x4xi8>
  %2 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<4294967296> : tensor<2xi64>} ins(%1, %k : tensor<1x8x8x4xi8>, tensor<2x2xi8>) outs(%f : tensor<1x1x1x4xi8>) -> tensor<1x1x1x4xi8>
  return %2 : tensor<1x1x1x4xi8>
}
