// A window may lie in the padding altogether, where strides reach beyond
// windows or padding is wide. If all windows of a group's tile do, along one
// axis, nothing is wanted of the layer in front: the tile then loads nothing
// for it, neither input nor weights nor bias, as the cost model has it.

// RUN: fadiff-run %s --entry=rows --latency=roofline --check | FileCheck %s --check-prefixes=ROWS,CHECK
// RUN: fadiff-run %s --entry=rows --latency=roofline --check --target=gemmini | FileCheck %s --check-prefixes=ROWS,CHECK
// RUN: fadiff-run %s --entry=bias --latency=roofline --check --target=gemmini-small | FileCheck %s --check-prefixes=BIAS,CHECK
// RUN: fadiff-run %s --entry=columns --latency=roofline --check --target=gemmini-fp32 | FileCheck %s --check-prefixes=COLUMNS,CHECKF
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-large latency=roofline" --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize | FileCheck %s --check-prefix=GEMMINI

// The weights of both layers once, 400 + 16 bytes, and 200 of the input.
// ROWS:    first+second
// ROWS:    DRAM bytes read 616, written 64: as predicted
// BIAS:    first+second
// BIAS:    : as predicted
// COLUMNS: first+second
// COLUMNS: : as predicted
// CHECK:   check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECK:   output identical to the reference
// CHECKF:  check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECKF:  largest difference of floats from the reference

#m = affine_map<(a, b, c, d) -> (a, b, c, d)>
#k = affine_map<(a, b, c, d) -> (d)>

// Of the second layer's two rows of outputs the first one sees row -1, the
// other one row 2.
// GEMMINI-LABEL: func.func @rows
// GEMMINI:         gemmini.mvin2
// GEMMINI-NEXT:    scf.for
// GEMMINI-NOT:       gemmini.mvin
// GEMMINI-NOT:       scf.for
// GEMMINI:           scf.if
// GEMMINI-NEXT:        scf.for
// GEMMINI:               gemmini.mvin2
// GEMMINI:               gemmini.mvout_spad
// GEMMINI:           gemmini.mvout %
func.func @rows(%x: tensor<1x14x5x10xi8>, %w: tensor<5x2x10x4xi8>, %v: tensor<1x1x4xi8>) -> tensor<1x2x2x4xi32> {
  %z = arith.constant 0 : i32
  %z8 = arith.constant 0 : i8
  %s = arith.constant 0.001 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x3x4x4xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x3x4x4xi32>) -> tensor<1x3x4x4xi32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x14x5x10xi8>, tensor<5x2x10x4xi8>) outs(%f : tensor<1x3x4x4xi32>) -> tensor<1x3x4x4xi32> loc("first")
  %g = tensor.empty() : tensor<1x3x4x4xi8>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x3x4x4xi32>) outs(%g : tensor<1x3x4x4xi8>) {
  ^bb0(%i: i32, %o: i8):
    %1 = arith.sitofp %i : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %lo : f32
    %5 = arith.minimumf %4, %hi : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x3x4x4xi8>
  %p = tensor.pad %q low[0, 1, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %d: index, %j: index):
    tensor.yield %z8 : i8
  } : tensor<1x3x4x4xi8> to tensor<1x4x4x4xi8>
  %h = tensor.empty() : tensor<1x2x2x4xi32>
  %l = linalg.fill ins(%z : i32) outs(%h : tensor<1x2x2x4xi32>) -> tensor<1x2x2x4xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<[3, 2]> : tensor<2xi64>} ins(%p, %v : tensor<1x4x4x4xi8>, tensor<1x1x4xi8>) outs(%l : tensor<1x2x2x4xi32>) -> tensor<1x2x2x4xi32> loc("second")
  return %r : tensor<1x2x2x4xi32>
}

// Rows -1 and 1 of two, the padding being in the gap of a stride. Weights stay,
// the bias would come again.
func.func @bias(%x: tensor<2x8x27x7xi8>, %w: tensor<5x1x7xi8>, %b: tensor<7xi32>, %v: tensor<1x4x7x17xi8>) -> tensor<2x2x3x17xi32> {
  %z = arith.constant 0 : i32
  %z8 = arith.constant 0 : i8
  %s = arith.constant 0.004 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %xp = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%a: index, %i: index, %d: index, %j: index):
    tensor.yield %z8 : i8
  } : tensor<2x8x27x7xi8> to tensor<2x8x28x7xi8>
  %e = tensor.empty() : tensor<2x2x10x7xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x2x10x7xi32>) -> tensor<2x2x10x7xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<3> : tensor<2xi64>} ins(%xp, %w : tensor<2x8x28x7xi8>, tensor<5x1x7xi8>) outs(%f : tensor<2x2x10x7xi32>) -> tensor<2x2x10x7xi32> loc("first")
  %t = linalg.generic {indexing_maps = [#m, #k, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<2x2x10x7xi32>, tensor<7xi32>) outs(%e : tensor<2x2x10x7xi32>) {
  ^bb0(%i: i32, %j: i32, %o: i32):
    %1 = arith.addi %i, %j : i32
    linalg.yield %1 : i32
  } -> tensor<2x2x10x7xi32>
  %g = tensor.empty() : tensor<2x2x10x7xi8>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t : tensor<2x2x10x7xi32>) outs(%g : tensor<2x2x10x7xi8>) {
  ^bb0(%i: i32, %o: i8):
    %1 = arith.sitofp %i : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %lo : f32
    %5 = arith.minimumf %4, %hi : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<2x2x10x7xi8>
  %p = tensor.pad %q low[0, 1, 2, 0] high[0, 1, 0, 0] {
  ^bb0(%a: index, %i: index, %d: index, %j: index):
    tensor.yield %z8 : i8
  } : tensor<2x2x10x7xi8> to tensor<2x4x12x7xi8>
  %h = tensor.empty() : tensor<2x2x3x17xi32>
  %l = linalg.fill ins(%z : i32) outs(%h : tensor<2x2x3x17xi32>) -> tensor<2x2x3x17xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} ins(%p, %v : tensor<2x4x12x7xi8>, tensor<1x4x7x17xi8>) outs(%l : tensor<2x2x3x17xi32>) -> tensor<2x2x3x17xi32> loc("second")
  return %r : tensor<2x2x3x17xi32>
}

// Columns 0 and 3 of three, in f32 and in place.
func.func @columns(%x: tensor<3x4x7x49xf32>, %w: tensor<4x4x49xf32>, %v: tensor<4x1x49x17xf32>) -> tensor<3x4x2x17xf32> {
  %z = arith.constant 0.0 : f32
  %xp = tensor.pad %x low[0, 10, 4, 0] high[0, 8, 4, 0] {
  ^bb0(%a: index, %i: index, %d: index, %j: index):
    tensor.yield %z : f32
  } : tensor<3x4x7x49xf32> to tensor<3x22x15x49xf32>
  %e = tensor.empty() : tensor<3x5x3x49xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x5x3x49xf32>) -> tensor<3x5x3x49xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[3, 2]> : tensor<2xi64>, strides = dense<3> : tensor<2xi64>} ins(%xp, %w : tensor<3x22x15x49xf32>, tensor<4x4x49xf32>) outs(%f : tensor<3x5x3x49xf32>) -> tensor<3x5x3x49xf32> loc("first")
  %p = tensor.pad %c low[0, 2, 0, 0] high[0, 3, 1, 0] {
  ^bb0(%a: index, %i: index, %d: index, %j: index):
    tensor.yield %z : f32
  } : tensor<3x5x3x49xf32> to tensor<3x10x4x49xf32>
  %h = tensor.empty() : tensor<3x4x2x17xf32>
  %l = linalg.fill ins(%z : f32) outs(%h : tensor<3x4x2x17xf32>) -> tensor<3x4x2x17xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 3]> : tensor<2xi64>} ins(%p, %v : tensor<3x10x4x49xf32>, tensor<4x1x49x17xf32>) outs(%l : tensor<3x4x2x17xf32>) -> tensor<3x4x2x17xf32> loc("second")
  return %r : tensor<3x4x2x17xf32>
}
