// Pooled lines of a block of channels leave beside the reduction steps of the next
// block, whose sums have a place of their own; what the windows reach beside the
// image is cleared before. Behind the last line the bias of the block after comes
// into its place.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: %python %S/Inputs/pin.py %t.json '{"L0": {"P": 17, "Q": 25}, "L1": {"R": 3, "S": 3}, "L2": {"K": 4}}' > %t.pinned.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-form-layers --fadiff-apply-schedule=file=%t.pinned.json -o %t.mlir
// RUN: fadiff-run %t.mlir --target=gemmini --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-opt %t.mlir --fadiff-materialize --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// RAN:         written 6144: as predicted
// RAN:         output identical to the reference

// CHECK:         scf.for %[[K:.*]] = %c0 to %c64 step %c16 {
// CHECK:           %[[HAS_BEFORE:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK:           gemmini.compute_preloaded
// Line by line, the first one behind what is cleared.
// CHECK:           %[[LEAVES:.*]] = arith.andi %{{.*}}, %[[HAS_BEFORE]]
// CHECK-NEXT:      scf.if %[[LEAVES]] {
// CHECK:             gemmini.mvin3 zero
// CHECK:             gemmini.mvout %{{.*}} rows %c1
// CHECK:             gemmini.mvin3 %{{.*}} rows
// The last block's.
// CHECK:         gemmini.mvout %{{.*}} rows %c1

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#last = affine_map<(n, h, w, c) -> (c)>
func.func @main(%x: tensor<1x16x24x16xi8>, %v: tensor<3x3x16x64xi8>, %b: tensor<64xi32>) -> tensor<1x8x12x64xi8> {
  %c0 = arith.constant 0 : i32
  %i0 = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %scale1 = arith.constant 2.0e-3 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %i0 : i8
  } : tensor<1x16x24x16xi8> to tensor<1x18x26x16xi8>
  %e1 = tensor.empty() : tensor<1x16x24x64xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x16x24x64xi32>) -> tensor<1x16x24x64xi32>
  %s1 = linalg.conv_2d_nhwc_hwcf ins(%p, %v : tensor<1x18x26x16xi8>, tensor<3x3x16x64xi8>) outs(%f1 : tensor<1x16x24x64xi32>) -> tensor<1x16x24x64xi32> loc("conv")
  %t1 = tensor.empty() : tensor<1x16x24x64xi32>
  %a1 = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1, %b : tensor<1x16x24x64xi32>, tensor<64xi32>) outs(%t1 : tensor<1x16x24x64xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x16x24x64xi32>
  %o1 = tensor.empty() : tensor<1x16x24x64xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a1 : tensor<1x16x24x64xi32>) outs(%o1 : tensor<1x16x24x64xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x16x24x64xi8>
  %m = tensor.pad %q1 low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %least : i8
  } : tensor<1x16x24x64xi8> to tensor<1x17x25x64xi8>
  %taps = tensor.empty() : tensor<3x3xi8>
  %e2 = tensor.empty() : tensor<1x8x12x64xi8>
  %f2 = linalg.fill ins(%least : i8) outs(%e2 : tensor<1x8x12x64xi8>) -> tensor<1x8x12x64xi8>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%m, %taps : tensor<1x17x25x64xi8>, tensor<3x3xi8>) outs(%f2 : tensor<1x8x12x64xi8>) -> tensor<1x8x12x64xi8>
  return %pooled : tensor<1x8x12x64xi8>
}
