// Averages of dequantised bytes are layers of the bytes, and bytes that are
// dequantised and quantised again as they were stay what they are.

// RUN: fadiff-opt %s --fadiff-normalize=requantize=hardware | FileCheck %s
// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s --check-prefix=EXACT
// RUN: fadiff-run %s --entry=windows --target=gemmini --requantize=hardware --tolerance=1 | FileCheck %s --check-prefix=NEAR
// RUN: fadiff-run %s --entry=unsigned --target=gemmini-small --requantize=hardware --tolerance=1 | FileCheck %s --check-prefix=FLIPS
// RUN: fadiff-run %s --entry=image --target=gemmini | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=again --target=gemmini --allow-empty | FileCheck %s --check-prefix=AGAIN
// RUN: fadiff-run %s --entry=changed --target=gemmini --allow-empty | FileCheck %s --check-prefix=AGAIN
// NEAR:  on the array: 100.0 % of {{[0-9]+}} multiply-accumulates, 1 of 1 tails
// NEAR:  largest difference from the reference: {{[01]}},
// FLIPS: on the host: 2 operations that touch 40960 elements
// FLIPS: 2 x linalg.generic (xori)
// FLIPS: largest difference from the reference: {{[01]}},
// SAME:  on the array: 100.0 % of {{[0-9]+}} multiply-accumulates, 1 of 1 tails
// SAME:  output identical to the reference
// AGAIN: output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#sum = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#two = affine_map<(d0, d1) -> (d0, d1)>

// Padding is the zero point: what f32 has as 0.
// CHECK-LABEL: func.func @windows(
// CHECK:         tensor.pad %{{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:           tensor.yield %[[ZERO_POINT:.*]] : i8
// CHECK-NOT:     pooling
// CHECK:         return
// Sums of f32 would round.
// EXACT-LABEL: func.func @windows(
// EXACT:         linalg.pooling_nchw_sum {{.*}}fadiff.on_host = {{.*}}requantize=hardware
func.func @windows(%x: tensor<1x32x12x12xi8>) -> tensor<1x32x12x12xi8> {
  %s = arith.constant 0.03 : f32
  %z = arith.constant 3.0 : f32
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 9.0 : f32
  %out = arith.constant 0.02 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x32x12x12xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x32x12x12xi8>) outs(%e : tensor<1x32x12x12xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    %d = arith.subf %f, %z : f32
    %m = arith.mulf %d, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x32x12x12xf32>
  %p = tensor.pad %real low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x32x12x12xf32> to tensor<1x32x14x14xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %sums = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x32x14x14xf32>, tensor<3x3xf32>) outs(%f : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %i = tensor.empty() : tensor<1x32x12x12xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums : tensor<1x32x12x12xf32>) outs(%i : tensor<1x32x12x12xi8>) {
  ^bb0(%a: f32, %o: i8):
    %mean = arith.divf %a, %count : f32
    %y = arith.divf %mean, %out : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x32x12x12xi8>
  return %q : tensor<1x32x12x12xi8>
}

// CHECK-LABEL: func.func @unsigned(
// CHECK-NOT:     pooling
// CHECK:         return
func.func @unsigned(%x: tensor<2x16x16x32xi8>) -> tensor<2x8x8x32xi8> {
  %s = arith.constant 0.03 : f32
  %z = arith.constant 131.0 : f32
  %middle = arith.constant 128.0 : f32
  %zero = arith.constant 0.0 : f32
  %out = arith.constant 0.1 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<2x16x16x32xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x16x32xi8>) outs(%e : tensor<2x16x16x32xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.uitofp %a : i8 to f32
    %d = arith.subf %f, %z : f32
    %m = arith.mulf %d, %s : f32
    linalg.yield %m : f32
  } -> tensor<2x16x16x32xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %fe = tensor.empty() : tensor<2x8x8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  %sums = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%real, %w : tensor<2x16x16x32xf32>, tensor<2x2xf32>) outs(%f : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  %i = tensor.empty() : tensor<2x8x8x32xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums : tensor<2x8x8x32xf32>) outs(%i : tensor<2x8x8x32xi8>) {
  ^bb0(%a: f32, %o: i8):
    %y = arith.divf %a, %out : f32
    %r = math.roundeven %y : f32
    %moved = arith.addf %r, %middle : f32
    %h = arith.maximumf %moved, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptoui %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x8x8x32xi8>
  return %q : tensor<2x8x8x32xi8>
}

// By a power of two nothing rounds.
// CHECK-LABEL: func.func @image(
// CHECK:         linalg.matmul
// CHECK:         return
// EXACT-LABEL: func.func @image(
// EXACT:         linalg.matmul
// EXACT:         return
func.func @image(%x: tensor<1x64x8x8xi8>) -> tensor<1x64xi8> {
  %s = arith.constant 0.03125 : f32
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 64.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x64x8x8xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x64x8x8xi8>) outs(%e : tensor<1x64x8x8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    %m = arith.mulf %f, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x64x8x8xf32>
  %se = tensor.empty() : tensor<1x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%se : tensor<1x64xf32>) -> tensor<1x64xf32>
  %sums = linalg.generic {indexing_maps = [#map, #sum], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%real : tensor<1x64x8x8xf32>) outs(%f : tensor<1x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<1x64xf32>
  %i = tensor.empty() : tensor<1x64xi8>
  %q = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<1x64xf32>) outs(%i : tensor<1x64xi8>) {
  ^bb0(%a: f32, %o: i8):
    %mean = arith.divf %a, %count : f32
    %y = arith.divf %mean, %s : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x64xi8>
  return %q : tensor<1x64xi8>
}

// CHECK-LABEL: func.func @again(
// CHECK-NOT:     sitofp
// CHECK:         tensor.pad %arg0
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      tensor.yield %c-7_i8
// CHECK-NOT:     fptosi
// CHECK:         return
func.func @again(%x: tensor<1x4x6x8xi8>) -> tensor<1x6x6x8xi8> {
  %s = arith.constant 0.0123 : f32
  %z = arith.constant -7.0 : f32
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x4x6x8xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x6x8xi8>) outs(%e : tensor<1x4x6x8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    %d = arith.subf %f, %z : f32
    %m = arith.mulf %d, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x4x6x8xf32>
  %p = tensor.pad %real low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x4x6x8xf32> to tensor<1x6x6x8xf32>
  %i = tensor.empty() : tensor<1x6x6x8xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x6x6x8xf32>) outs(%i : tensor<1x6x6x8xi8>) {
  ^bb0(%a: f32, %o: i8):
    %y = arith.divf %a, %s : f32
    %r = math.roundeven %y : f32
    %moved = arith.addf %r, %z : f32
    %h = arith.maximumf %moved, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x6x6x8xi8>
  return %q : tensor<1x6x6x8xi8>
}

// The least byte would be another one.
// CHECK-LABEL: func.func @changed(
// CHECK:         arith.sitofp
// CHECK:         arith.fptosi
func.func @changed(%x: tensor<1x4x6x8xi8>) -> tensor<1x4x6x8xi8> {
  %s = arith.constant 0.0123 : f32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x4x6x8xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x6x8xi8>) outs(%e : tensor<1x4x6x8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    %m = arith.mulf %f, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x4x6x8xf32>
  %i = tensor.empty() : tensor<1x4x6x8xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%real : tensor<1x4x6x8xf32>) outs(%i : tensor<1x4x6x8xi8>) {
  ^bb0(%a: f32, %o: i8):
    %y = arith.divf %a, %s : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x4x6x8xi8>
  return %q : tensor<1x4x6x8xi8>
}
