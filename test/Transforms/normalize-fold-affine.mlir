// Constant batch normalisation goes into weights and bias, in the spellings of
// several front ends; what the read-out does as it is, stays as it is.

// RUN: fadiff-opt %s --split-input-file --fadiff-attach-target=target=gemmini-fp32 --fadiff-normalize | FileCheck %s
// Without an array that works in f32 the sums stay on the host, as they are.
// RUN: fadiff-opt %s --split-input-file --fadiff-attach-target=target=gemmini-small --fadiff-normalize | FileCheck %s --check-prefix=INT8

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

// Torch's, with a ReLU in the same body: (x - mean) * rsqrt(var + eps) * gamma + beta.
// Here slope = [2, -0.5] and offset = [-1, 3].
// CHECK-LABEL: @torch
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}2.000000e+00, -1.000000e+00], [6.000000e+00, -2.000000e+00]]]]>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[-1.000000e+00, 3.000000e+00]>
// CHECK-DAG: %[[INIT:.*]] = linalg.broadcast ins(%[[B]]
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}ins(%{{.*}}, %[[W]] : {{.*}} outs(%[[INIT]]
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.cmpf ugt, %[[X]]
// CHECK-NEXT: arith.select
// CHECK-NEXT: linalg.yield
// CHECK-NOT: math.rsqrt
// INT8-LABEL: @torch
// INT8: math.rsqrt
func.func @torch(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %mean = arith.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %var = arith.constant dense<[0.1875, 15.9375]> : tensor<2xf32>
  %gamma = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %beta = arith.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %eps = arith.constant 6.250000e-02 : f64
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #channel, #channel, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %mean, %var, %gamma, %beta : tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x4x4x2xf32>) {
  ^bb0(%in: f32, %m: f32, %v: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.truncf %eps : f64 to f32
    %1 = arith.addf %v, %0 : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.subf %in, %m : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.mulf %4, %g : f32
    %6 = arith.addf %5, %b : f32
    %7 = arith.cmpf ugt, %6, %zero : f32
    %8 = arith.select %7, %6, %zero : f32
    linalg.yield %8 : f32
  } -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
}

// -----

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#unit = affine_map<(n, h, w, c) -> (0, 0, 0, c)>
#const = affine_map<(n, h, w, c) -> (n, h, w, c)>

// TOSA's: one operation each, the constants 1x1x1xC and computed by operations
// of their own; a depthwise convolution with a bias. The sum is also read behind.
// Here slope = [0.5, 4] and offset = [-1, 2] behind a bias of [2, -3].
// CHECK-LABEL: @tosa
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[\[}}5.000000e-01, 8.000000e+00]]]>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[0.000000e+00, -1.000000e+01]>
// CHECK-DAG: %[[INIT:.*]] = linalg.broadcast ins(%[[B]]
// CHECK: %[[Y:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {{.*}}ins(%{{.*}}, %[[W]] : {{.*}} outs(%[[INIT]]
// CHECK: return %[[Y]], %[[Y]]
func.func @tosa(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = arith.constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %bias = arith.constant dense<[2.0, -3.0]> : tensor<2xf32>
  %var = arith.constant dense<[[[[4.0, 0.0625]]]]> : tensor<1x1x1x2xf32>
  %mean = arith.constant dense<[2.0, -0.5]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.broadcast ins(%bias : tensor<2xf32>) outs(%e : tensor<1x4x4x2xf32>) dimensions = [0, 1, 2]
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x4x4x2xf32>, tensor<1x1x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %ev = tensor.empty() : tensor<1x1x1x2xf32>
  %rs = linalg.generic {indexing_maps = [#const, #const], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%var : tensor<1x1x1x2xf32>) outs(%ev : tensor<1x1x1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.rsqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x1x2xf32>
  %means = linalg.broadcast ins(%mean : tensor<2xf32>) outs(%e : tensor<1x4x4x2xf32>) dimensions = [0, 1, 2]
  %s = linalg.sub ins(%y, %means : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #unit, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %rs : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) outs(%e : tensor<1x4x4x2xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %0 = arith.mulf %in, %v : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x4x2xf32>
  return %r, %r : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

#id = affine_map<(n, c) -> (n, c)>

// A negative scale is none of the read-out's; the residual behind it stays.
// CHECK-LABEL: @before_residual
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[}}-2.000000e+00, -4.000000e+00], [-6.000000e+00, -8.000000e+00]]>
// CHECK: linalg.matmul ins(%{{.*}}, %[[W]]
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[R:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[R]]
// CHECK-NEXT: linalg.yield %[[S]]
func.func @before_residual(%x: tensor<3x2xf32>, %r: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %start = arith.constant dense<0.0> : tensor<3x2xf32>
  %scale = arith.constant -2.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<3x2xf32>, tensor<2x2xf32>) outs(%start : tensor<3x2xf32>) -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %r : tensor<3x2xf32>, tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %res: f32, %out: f32):
    %1 = arith.mulf %in, %scale : f32
    %2 = arith.addf %1, %res : f32
    linalg.yield %2 : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

#id = affine_map<(n, c) -> (n, c)>
#channel = affine_map<(n, c) -> (c)>

// A bias, one scale and a ReLU are the read-out's: nothing is folded. Nor is
// what would make a weight infinite, or weights that are not constant.
// CHECK-LABEL: @read_out
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: arith.maximumf
func.func @read_out(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %start = arith.constant dense<0.0> : tensor<3x2xf32>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 2.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<3x2xf32>, tensor<2x2xf32>) outs(%start : tensor<3x2xf32>) -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %b : tensor<3x2xf32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %1 = arith.addf %in, %bias : f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.maximumf %2, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: @infinite
// CHECK: arith.divf
func.func @infinite(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %start = arith.constant dense<0.0> : tensor<3x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x2xf32>, tensor<2x2xf32>) outs(%start : tensor<3x2xf32>) -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %v : tensor<3x2xf32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %d: f32, %out: f32):
    %1 = arith.divf %in, %d : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: @weights
// CHECK: arith.divf
func.func @weights(%x: tensor<3x2xf32>, %w: tensor<2x2xf32>) -> tensor<3x2xf32> {
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %start = arith.constant dense<0.0> : tensor<3x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x2xf32>, tensor<2x2xf32>) outs(%start : tensor<3x2xf32>) -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %v : tensor<3x2xf32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %d: f32, %out: f32):
    %1 = arith.divf %in, %d : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
