// A chain that is fused: one row of the report for both, less traffic than
// apart, the same bytes. Tiles of two sizes, since 9 rows do not divide.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small --fuse=off | FileCheck %s --check-prefix=APART
// Where the array reads the accumulator the tile stays there.
// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s --check-prefixes=CHECK,CHECKED
// RUN: fadiff-run %s --target=gemmini --fuse=off | FileCheck %s --check-prefix=APART

// CHECK:     depthwise+pointwise
// CHECK:     : as predicted
// CHECKED:   check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.000
// CHECK:     output identical to the reference
// APART-NOT: depthwise+pointwise
// APART:     : as predicted
// APART:     output identical to the reference

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x11x15x20xi8>, %v: tensor<3x3x20xi8>, %w: tensor<1x1x20x37xi8>) -> tensor<1x9x13x37xi8> {
  %c0 = arith.constant 0 : i32
  %scale1 = arith.constant 4.0e-3 : f32
  %scale2 = arith.constant 2.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %e1 = tensor.empty() : tensor<1x9x13x20xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x9x13x20xi32>) -> tensor<1x9x13x20xi32>
  %s1 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %v : tensor<1x11x15x20xi8>, tensor<3x3x20xi8>) outs(%f1 : tensor<1x9x13x20xi32>) -> tensor<1x9x13x20xi32> loc("depthwise")
  %o1 = tensor.empty() : tensor<1x9x13x20xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x9x13x20xi32>) outs(%o1 : tensor<1x9x13x20xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x9x13x20xi8>
  %e2 = tensor.empty() : tensor<1x9x13x37xi32>
  %f2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<1x9x13x37xi32>) -> tensor<1x9x13x37xi32>
  %s2 = linalg.conv_2d_nhwc_hwcf ins(%q1, %w : tensor<1x9x13x20xi8>, tensor<1x1x20x37xi8>) outs(%f2 : tensor<1x9x13x37xi32>) -> tensor<1x9x13x37xi32> loc("pointwise")
  %o2 = tensor.empty() : tensor<1x9x13x37xi8>
  %q2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s2 : tensor<1x9x13x37xi32>) outs(%o2 : tensor<1x9x13x37xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale2 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x9x13x37xi8>
  return %q2 : tensor<1x9x13x37xi8>
}
