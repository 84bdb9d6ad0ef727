// Max pooling between two layers of a group: the accelerator pools what it
// hands over, where that is cheaper than a way through DRAM.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large -mlir-print-ir-after=fadiff-search -o /dev/null 2>&1 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large | FileCheck %s --check-prefix=NEST
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-large --fadiff-form-layers --fadiff-apply-schedule=file=%t.json | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-large --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-run %s --target=gemmini-large --fuse=off | FileCheck %s --check-prefix=APART
// RUN: fadiff-run %s --target=gemmini-large --entry=padded --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-run %s --target=gemmini-large --entry=no_relu --check | FileCheck %s --check-prefix=COPIED

// The pooling is part of the layer that is pooled.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     pooling
// CHECK:         fadiff.fusion_group
// CHECK:           fadiff.layer "conv"
// CHECK-SAME:        epilogue(<scale = {{.*}}, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [8, 12]>>)
// CHECK:             linalg.conv_2d_nhwc_hwcf
// CHECK:             linalg.pooling_nhwc_max
// CHECK-NEXT:        fadiff.yield %{{.*}} : tensor<1x8x12x32xi8>
// CHECK:           fadiff.layer "pointwise"
// NEST-LABEL:  func.func @main
// NEST:          fadiff.stage "conv"
// NEST-SAME:       pool = <size = 2, stride = 2, pad = [0, 0], outputs = [8, 12]>

// RAN:         conv+pointwise
// RAN:         : as predicted
// RAN:         output identical to the reference
// COPIED:      group of 3 layers
// COPIED:      : as predicted
// COPIED:      output identical to the reference
// APART-NOT:   conv+pointwise
// APART:       : as predicted
// APART:       output identical to the reference

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x16x24x32xi8>, %v: tensor<3x3x32x32xi8>, %w: tensor<1x1x32x40xi8>) -> tensor<1x8x12x40xi8> {
  %c0 = arith.constant 0 : i32
  %i0 = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %scale1 = arith.constant 2.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %i0 : i8
  } : tensor<1x16x24x32xi8> to tensor<1x18x26x32xi8>
  %e1 = tensor.empty() : tensor<1x16x24x32xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32>
  %s1 = linalg.conv_2d_nhwc_hwcf ins(%p, %v : tensor<1x18x26x32xi8>, tensor<3x3x32x32xi8>) outs(%f1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32> loc("conv")
  %o1 = tensor.empty() : tensor<1x16x24x32xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x16x24x32xi32>) outs(%o1 : tensor<1x16x24x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x16x24x32xi8>
  %taps = tensor.empty() : tensor<2x2xi8>
  %e2 = tensor.empty() : tensor<1x8x12x32xi8>
  %f2 = linalg.fill ins(%least : i8) outs(%e2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%q1, %taps : tensor<1x16x24x32xi8>, tensor<2x2xi8>) outs(%f2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  %e3 = tensor.empty() : tensor<1x8x12x40xi32>
  %f3 = linalg.fill ins(%c0 : i32) outs(%e3 : tensor<1x8x12x40xi32>) -> tensor<1x8x12x40xi32>
  %s3 = linalg.conv_2d_nhwc_hwcf ins(%pooled, %w : tensor<1x8x12x32xi8>, tensor<1x1x32x40xi8>) outs(%f3 : tensor<1x8x12x40xi32>) -> tensor<1x8x12x40xi32> loc("pointwise")
  %o3 = tensor.empty() : tensor<1x8x12x40xi8>
  %q3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s3 : tensor<1x8x12x40xi32>) outs(%o3 : tensor<1x8x12x40xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x8x12x40xi8>
  return %q3 : tensor<1x8x12x40xi8>
}

// Padding never wins where nothing is negative: it is read as zeros.
// CHECK-LABEL: func.func @padded
// CHECK:         pool = <size = 3, stride = 2, pad = [1, 1], outputs = [8, 12]>
func.func @padded(%x: tensor<1x16x24x32xi8>, %v: tensor<3x3x32x32xi8>, %w: tensor<1x1x32x40xi8>) -> tensor<1x8x12x40xi8> {
  %c0 = arith.constant 0 : i32
  %i0 = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %scale1 = arith.constant 2.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %i0 : i8
  } : tensor<1x16x24x32xi8> to tensor<1x18x26x32xi8>
  %e1 = tensor.empty() : tensor<1x16x24x32xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32>
  %s1 = linalg.conv_2d_nhwc_hwcf ins(%p, %v : tensor<1x18x26x32xi8>, tensor<3x3x32x32xi8>) outs(%f1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32> loc("conv")
  %o1 = tensor.empty() : tensor<1x16x24x32xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x16x24x32xi32>) outs(%o1 : tensor<1x16x24x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x16x24x32xi8>
  %m = tensor.pad %q1 low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %least : i8
  } : tensor<1x16x24x32xi8> to tensor<1x17x25x32xi8>
  %taps = tensor.empty() : tensor<3x3xi8>
  %e2 = tensor.empty() : tensor<1x8x12x32xi8>
  %f2 = linalg.fill ins(%least : i8) outs(%e2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%m, %taps : tensor<1x17x25x32xi8>, tensor<3x3xi8>) outs(%f2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  %e3 = tensor.empty() : tensor<1x8x12x40xi32>
  %f3 = linalg.fill ins(%c0 : i32) outs(%e3 : tensor<1x8x12x40xi32>) -> tensor<1x8x12x40xi32>
  %s3 = linalg.conv_2d_nhwc_hwcf ins(%pooled, %w : tensor<1x8x12x32xi8>, tensor<1x1x32x40xi8>) outs(%f3 : tensor<1x8x12x40xi32>) -> tensor<1x8x12x40xi32> loc("pointwise")
  %o3 = tensor.empty() : tensor<1x8x12x40xi8>
  %q3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s3 : tensor<1x8x12x40xi32>) outs(%o3 : tensor<1x8x12x40xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x8x12x40xi8>
  return %q3 : tensor<1x8x12x40xi8>
}

// Where sums may be below zero, a copy has the padding, with the least byte.
// CHECK-LABEL: func.func @no_relu
// CHECK:         fadiff.fusion_group
// CHECK:           fadiff.layer "conv#2"
// CHECK-NOT:         pool =
// CHECK:           fadiff.layer "depthwise:{{[0-9]+}}"
// CHECK-SAME:        pad_value = -128
// CHECK-SAME:        pool = <size = 3, stride = 2, pad = [0, 0], outputs = [8, 12]>
// CHECK:           fadiff.layer "pointwise#2"
func.func @no_relu(%x: tensor<1x16x24x32xi8>, %v: tensor<3x3x32x32xi8>, %w: tensor<1x1x32x40xi8>) -> tensor<1x8x12x40xi8> {
  %c0 = arith.constant 0 : i32
  %i0 = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %scale1 = arith.constant 2.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %i0 : i8
  } : tensor<1x16x24x32xi8> to tensor<1x18x26x32xi8>
  %e1 = tensor.empty() : tensor<1x16x24x32xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32>
  %s1 = linalg.conv_2d_nhwc_hwcf ins(%p, %v : tensor<1x18x26x32xi8>, tensor<3x3x32x32xi8>) outs(%f1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32> loc("conv")
  %o1 = tensor.empty() : tensor<1x16x24x32xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x16x24x32xi32>) outs(%o1 : tensor<1x16x24x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x16x24x32xi8>
  %m = tensor.pad %q1 low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %least : i8
  } : tensor<1x16x24x32xi8> to tensor<1x17x25x32xi8>
  %taps = tensor.empty() : tensor<3x3xi8>
  %e2 = tensor.empty() : tensor<1x8x12x32xi8>
  %f2 = linalg.fill ins(%least : i8) outs(%e2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%m, %taps : tensor<1x17x25x32xi8>, tensor<3x3xi8>) outs(%f2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  %e3 = tensor.empty() : tensor<1x8x12x40xi32>
  %f3 = linalg.fill ins(%c0 : i32) outs(%e3 : tensor<1x8x12x40xi32>) -> tensor<1x8x12x40xi32>
  %s3 = linalg.conv_2d_nhwc_hwcf ins(%pooled, %w : tensor<1x8x12x32xi8>, tensor<1x1x32x40xi8>) outs(%f3 : tensor<1x8x12x40xi32>) -> tensor<1x8x12x40xi32> loc("pointwise")
  %o3 = tensor.empty() : tensor<1x8x12x40xi8>
  %q3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s3 : tensor<1x8x12x40xi32>) outs(%o3 : tensor<1x8x12x40xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x8x12x40xi8>
  return %q3 : tensor<1x8x12x40xi8>
}
