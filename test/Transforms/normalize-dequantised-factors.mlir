// An image times a factor per channel, as squeeze and excitation has it, is a
// depthwise layer of one tap whose weights the network computes.

// RUN: fadiff-opt %s --fadiff-normalize=requantize=hardware | FileCheck %s
// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s --check-prefix=EXACT
// RUN: fadiff-run %s --entry=factors --target=gemmini --requantize=hardware --tolerance=1 | FileCheck %s --check-prefix=NEAR
// RUN: fadiff-run %s --entry=last --target=gemmini-small | FileCheck %s --check-prefix=SAME
// NEAR: on the array: 100.0 % of {{[0-9]+}} multiply-accumulates, 1 of 1 tails
// NEAR: largest difference from the reference: {{[01]}},
// SAME: on the array: 100.0 % of {{[0-9]+}} multiply-accumulates, 1 of 1 tails
// SAME: output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#second = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>
#one = affine_map<(d0) -> (d0)>
#pixel = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>

// CHECK-LABEL: func.func @factors(
// CHECK-DAG:     %[[IMAGE:.*]] = linalg.transpose ins(%arg0 : tensor<1x32x12x12xi8>)
// CHECK-DAG:     %[[TAPS:.*]] = tensor.expand_shape %{{.*}} : tensor<32xi8> into tensor<1x1x32xi8>
// CHECK:         linalg.depthwise_conv_2d_nhwc_hwc
// CHECK-SAME:      tensor<1x12x12x32xi8>, tensor<1x1x32xi8>
// CHECK:         return
// EXACT-LABEL: func.func @factors(
// EXACT-NOT:     depthwise
// EXACT:         fadiff.on_host = {{.*}}requantize=hardware
// EXACT:           arith.mulf %in, %in{{.*}} : f32
func.func @factors(%x: tensor<1x32x12x12xi8>, %f: tensor<1x32x1x1xi8>) -> tensor<1x32x12x12xi8> {
  %s = arith.constant 0.03 : f32
  %t = arith.constant 0.007 : f32
  %out = arith.constant 0.02 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x32x12x12xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x32x12x12xi8>) outs(%e : tensor<1x32x12x12xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %m = arith.mulf %w, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x32x12x12xf32>
  %fe = tensor.empty() : tensor<1x32x1x1xf32>
  %factors = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%f : tensor<1x32x1x1xi8>) outs(%fe : tensor<1x32x1x1xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %m = arith.mulf %w, %t : f32
    linalg.yield %m : f32
  } -> tensor<1x32x1x1xf32>
  %scaled = linalg.generic {indexing_maps = [#second, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%factors, %real : tensor<1x32x1x1xf32>, tensor<1x32x12x12xf32>) outs(%e : tensor<1x32x12x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x32x12x12xf32>
  %i = tensor.empty() : tensor<1x32x12x12xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled : tensor<1x32x12x12xf32>) outs(%i : tensor<1x32x12x12xi8>) {
  ^bb0(%a: f32, %o: i8):
    %y = arith.divf %a, %out : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x32x12x12xi8>
  return %q : tensor<1x32x12x12xi8>
}

// Powers of two round nowhere.
// EXACT-LABEL: func.func @last(
// EXACT:         linalg.depthwise_conv_2d_nhwc_hwc
func.func @last(%x: tensor<1x12x12x32xi8>, %f: tensor<32xi8>) -> tensor<1x12x12x32xi8> {
  %s = arith.constant 0.03125 : f32
  %t = arith.constant 0.0078125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x12x12x32xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x12x12x32xi8>) outs(%e : tensor<1x12x12x32xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %m = arith.mulf %w, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x12x12x32xf32>
  %fe = tensor.empty() : tensor<32xf32>
  %factors = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%f : tensor<32xi8>) outs(%fe : tensor<32xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %m = arith.mulf %w, %t : f32
    linalg.yield %m : f32
  } -> tensor<32xf32>
  %scaled = linalg.generic {indexing_maps = [#map, #last, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%real, %factors : tensor<1x12x12x32xf32>, tensor<32xf32>) outs(%e : tensor<1x12x12x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x12x12x32xf32>
  %i = tensor.empty() : tensor<1x12x12x32xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled : tensor<1x12x12x32xf32>) outs(%i : tensor<1x12x12x32xi8>) {
  ^bb0(%a: f32, %o: i8):
    %y = arith.divf %a, %s : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x12x12x32xi8>
  return %q : tensor<1x12x12x32xi8>
}

// Factors per pixel, and those with a zero point, are no weights.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     depthwise
// CHECK:         return
func.func @others(%x: tensor<1x12x12x32xi8>, %f: tensor<1x1x12x32xi8>, %g: tensor<32xi8>) -> (tensor<1x12x12x32xf32>, tensor<1x12x12x32xf32>) {
  %s = arith.constant 0.03125 : f32
  %z = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<1x12x12x32xf32>
  %real = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x12x12x32xi8>) outs(%e : tensor<1x12x12x32xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %m = arith.mulf %w, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x12x12x32xf32>
  %fe = tensor.empty() : tensor<1x1x12x32xf32>
  %factors = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%f : tensor<1x1x12x32xi8>) outs(%fe : tensor<1x1x12x32xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %m = arith.mulf %w, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x1x12x32xf32>
  %scaled = linalg.generic {indexing_maps = [#map, #pixel, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%real, %factors : tensor<1x12x12x32xf32>, tensor<1x1x12x32xf32>) outs(%e : tensor<1x12x12x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x12x12x32xf32>
  %ge = tensor.empty() : tensor<32xf32>
  %moved = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%g : tensor<32xi8>) outs(%ge : tensor<32xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %d = arith.subf %w, %z : f32
    %m = arith.mulf %d, %s : f32
    linalg.yield %m : f32
  } -> tensor<32xf32>
  %other = linalg.generic {indexing_maps = [#map, #last, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%real, %moved : tensor<1x12x12x32xf32>, tensor<32xf32>) outs(%e : tensor<1x12x12x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x12x12x32xf32>
  return %scaled, %other : tensor<1x12x12x32xf32>, tensor<1x12x12x32xf32>
}
