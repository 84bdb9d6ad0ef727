// Between dequantise and quantise a convolution is one of bytes. If nothing
// quantises behind it, its result is a float: the accelerator has no read-out to
// that, and the summary says so. By default it is not a layer, for a reason that
// names what would make it one.

// RUN: not fadiff-run %s --target=gemmini 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: error: nothing to schedule
// EXACT: note: not scheduled: it multiplies dequantised int8 in f32, and its sums round where int8's do not; what would help: requantize=hardware

// RUN: fadiff-run %s --target=gemmini --requantize=hardware --float-tolerance=1e-5 | FileCheck %s --check-prefix=NEAR
// NEAR: on the array: 100.0 % of 41472 multiply-accumulates, 0 of 1 tails (0.0 %)
// NEAR: linalg.generic (sitofp, mulf), 576 elements, {{([0-9]+ cycles, )?}}behind conv:{{[0-9]+}} {{.*}}: its result is a float, and the accelerator writes int8 or the sums in int32; what would help: a result that is quantised to int8 again, or a machine that works in f32
// NEAR: as predicted
// NEAR: largest difference of floats from the reference:

// RUN: fadiff-run %s --target=gemmini-fp32 | FileCheck %s --check-prefix=REAL
// REAL: on the array: 100.0 % of 41472 multiply-accumulates; on the host:
// REAL: as predicted
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x8x8x16xf32>) -> tensor<1x6x6x8xf32> {
  %weights = arith.constant dense<7> : tensor<3x3x16x8xi8>
  %scale = arith.constant 0.05 : f32
  %weightScale = arith.constant 0.01 : f32
  %zeroPoint = arith.constant -3 : i32
  %zeroPointReal = arith.constant -3.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x8x8x16xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x : tensor<1x8x8x16xf32>) outs(%e0 : tensor<1x8x8x16xi8>) {
  ^bb0(%i: f32, %o: i8):
    %0 = arith.divf %i, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zeroPointReal : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x8x8x16xi8>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %dq = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%q : tensor<1x8x8x16xi8>) outs(%e1 : tensor<1x8x8x16xf32>) {
  ^bb0(%i: i8, %o: f32):
    %0 = arith.extsi %i : i8 to i32
    %1 = arith.subi %0, %zeroPoint : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x8x8x16xf32>
  %e2 = tensor.empty() : tensor<3x3x16x8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%weights : tensor<3x3x16x8xi8>) outs(%e2 : tensor<3x3x16x8xf32>) {
  ^bb0(%i: i8, %o: f32):
    %0 = arith.extsi %i : i8 to i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %weightScale : f32
    linalg.yield %2 : f32
  } -> tensor<3x3x16x8xf32>
  %e3 = tensor.empty() : tensor<1x6x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%dq, %w : tensor<1x8x8x16xf32>, tensor<3x3x16x8xf32>) outs(%f : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %y : tensor<1x6x6x8xf32>
}
