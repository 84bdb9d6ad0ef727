// Sums of windows are products with ones, which are layers.

// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s
// RUN: fadiff-run %s --entry=average --target=gemmini-small | FileCheck %s --check-prefix=LAYER
// RUN: fadiff-run %s --entry=average --target=gemmini | FileCheck %s --check-prefix=LAYER
// RUN: fadiff-run %s --entry=batch --target=gemmini-small | FileCheck %s --check-prefix=LAYER
// RUN: fadiff-run %s --entry=windows --target=gemmini-small | FileCheck %s --check-prefix=LAYER
// RUN: fadiff-run %s --entry=windows --target=gemmini | FileCheck %s --check-prefix=LAYER
// RUN: fadiff-run %s --entry=fewer --target=gemmini | FileCheck %s --check-prefix=FEWER
// RUN: fadiff-run %s --entry=small --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=HOST
// LAYER: on the array: 100.0 % of {{[0-9]+}} multiply-accumulates, 1 of 1 tails (100.0 %); on the host: 0 operations
// LAYER: DRAM bytes read {{[0-9]+}}, written {{[0-9]+}}: as predicted
// LAYER: output identical to the reference
// FEWER: on the array: 100.0 % of {{[0-9]+}} multiply-accumulates{{.*}}; on the host: 0 operations
// FEWER: output identical to the reference
// HOST:  output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @average(
// CHECK-DAG:     %[[ONES:.*]] = arith.constant dense<1> : tensor<1x49xi8>
// CHECK-DAG:     %[[ROWS:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] : tensor<1x7x7x96xi8> into tensor<49x96xi8>
// CHECK:         linalg.{{.*}} ins(%[[ONES]], %[[ROWS]] : tensor<1x49xi8>, tensor<49x96xi8>)
// CHECK-NOT:     pooling
func.func @average(%x: tensor<1x7x7x96xi8>) -> tensor<1x1x1x96xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 2.04081628e-02 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %w = tensor.empty() : tensor<7x7xi8>
  %e = tensor.empty() : tensor<1x1x1x96xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x1x1x96xi32>) -> tensor<1x1x1x96xi32>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x7x7x96xi8>, tensor<7x7xi8>) outs(%f : tensor<1x1x1x96xi32>) -> tensor<1x1x1x96xi32>
  %i = tensor.empty() : tensor<1x1x1x96xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x1x1x96xi32>) outs(%i : tensor<1x1x1x96xi8>) {
  ^bb0(%a: i32, %o: i8):
    %wide = arith.sitofp %a : i32 to f32
    %y = arith.mulf %wide, %scale : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x1x1x96xi8>
  return %q : tensor<1x1x1x96xi8>
}

// A product for each image.
// CHECK-LABEL: func.func @batch(
// CHECK-NOT:     pooling
// CHECK:         return
func.func @batch(%x: tensor<3x5x6x64xi8>) -> tensor<3x1x1x64xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.0333333351 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %w = tensor.empty() : tensor<5x6xi8>
  %e = tensor.empty() : tensor<3x1x1x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x1x1x64xi32>) -> tensor<3x1x1x64xi32>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<3x5x6x64xi8>, tensor<5x6xi8>) outs(%f : tensor<3x1x1x64xi32>) -> tensor<3x1x1x64xi32>
  %i = tensor.empty() : tensor<3x1x1x64xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<3x1x1x64xi32>) outs(%i : tensor<3x1x1x64xi8>) {
  ^bb0(%a: i32, %o: i8):
    %wide = arith.sitofp %a : i32 to f32
    %y = arith.mulf %wide, %scale : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<3x1x1x64xi8>
  return %q : tensor<3x1x1x64xi8>
}

// Several windows: a depthwise convolution with ones.
// CHECK-LABEL: func.func @windows(
// CHECK-NOT:     pooling
// CHECK:         return
func.func @windows(%x: tensor<1x8x8x64xi8>) -> tensor<1x3x3x64xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.0625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %w = tensor.empty() : tensor<4x4xi8>
  %e = tensor.empty() : tensor<1x3x3x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x3x3x64xi32>) -> tensor<1x3x3x64xi32>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x8x8x64xi8>, tensor<4x4xi8>) outs(%f : tensor<1x3x3x64xi32>) -> tensor<1x3x3x64xi32>
  %i = tensor.empty() : tensor<1x3x3x64xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x3x3x64xi32>) outs(%i : tensor<1x3x3x64xi8>) {
  ^bb0(%a: i32, %o: i8):
    %wide = arith.sitofp %a : i32 to f32
    %y = arith.mulf %wide, %scale : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x3x3x64xi8>
  return %q : tensor<1x3x3x64xi8>
}

// The core takes less time for this than a layer takes to begin.
// CHECK-LABEL: func.func @small(
// CHECK:         linalg.pooling_nhwc_sum
func.func @small(%x: tensor<1x4x4x18xi8>) -> tensor<1x1x1x18xi32> {
  %zero = arith.constant 0 : i32
  %w = tensor.empty() : tensor<4x4xi8>
  %e = tensor.empty() : tensor<1x1x1x18xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x1x1x18xi32>) -> tensor<1x1x1x18xi32>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x4x4x18xi8>, tensor<4x4xi8>) outs(%f : tensor<1x1x1x18xi32>) -> tensor<1x1x1x18xi32>
  return %s : tensor<1x1x1x18xi32>
}

// Something is there before.
// CHECK-LABEL: func.func @onto(
// CHECK:         linalg.pooling_nhwc_sum
func.func @onto(%x: tensor<1x7x7x96xi8>, %f: tensor<1x1x1x96xi32>) -> tensor<1x1x1x96xi32> {
  %w = tensor.empty() : tensor<7x7xi8>
  %s = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x7x7x96xi8>, tensor<7x7xi8>) outs(%f : tensor<1x1x1x96xi32>) -> tensor<1x1x1x96xi32>
  return %s : tensor<1x1x1x96xi32>
}

// Fewer windows than the image has room for.
// CHECK-LABEL: func.func @fewer(
// CHECK-NOT:     pooling
// CHECK:         return
func.func @fewer(%x: tensor<1x20x20x32xi8>) -> tensor<1x4x5x32xi32> {
  %zero = arith.constant 0 : i32
  %t = tensor.empty() : tensor<3x3xi8>
  %e = tensor.empty() : tensor<1x4x5x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x5x32xi32>) -> tensor<1x4x5x32xi32>
  %m = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %t : tensor<1x20x20x32xi8>, tensor<3x3xi8>) outs(%f : tensor<1x4x5x32xi32>) -> tensor<1x4x5x32xi32>
  return %m : tensor<1x4x5x32xi32>
}
