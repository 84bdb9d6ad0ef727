// What a layer hands over to a window with padding leaves line by line beside the
// reduction steps of the next block of channels, whose sums have a place of their
// own; the last block leaves with its passes. Behind the lines comes the bias of
// the block after. What ends a line of the window's padding and begins the next
// one is cleared at once.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: %python %S/Inputs/pin.py %t.json '{"L0": {"P": 14, "Q": 14}, "L1": {"R": 3, "S": 3}, "L2": {"K": 4}}' '{"L0": {"P": 14, "Q": 14}, "L1": {"R": 3, "S": 3}, "L2": {"G": 4}}' > %t.pinned.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-large --fadiff-form-layers --fadiff-apply-schedule=file=%t.pinned.json -o %t.mlir
// RUN: fadiff-run %t.mlir --target=gemmini-large --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-opt %t.mlir --fadiff-materialize --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// RAN:         conv+depthwise
// RAN:         written 25088: as predicted
// RAN:         scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.000, cycles {{1.0[0-2]|0.99}}
// RAN:         output identical to the reference

// Behind all weights.
// CHECK:         gemmini.member 0
// CHECK:         gemmini.member 0
// CHECK:         scf.for %[[K:.*]] = %c0 to %c128 step %c32 {
// CHECK-DAG:       %[[HAS_BEFORE:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK-DAG:       %[[NEXT:.*]] = arith.addi %[[K]], %c32
// CHECK-DAG:       %[[IS_LAST:.*]] = arith.cmpi sge, %[[NEXT]], %c128
// CHECK-DAG:       %[[HAS_NEXT:.*]] = arith.cmpi slt, %[[NEXT]], %c128
// CHECK:           gemmini.compute_accumulated
// CHECK:           arith.andi %[[IS_LAST]],
// CHECK:           gemmini.mvout_spad %{{.*}} rows %c14 cols %c32
// Two lines behind each of seven steps.
// CHECK:           %[[IS_DUE:.*]] = arith.cmpi slt, %{{.*}}, %c7
// CHECK:           arith.andi %[[IS_DUE]], %[[HAS_BEFORE]]
// CHECK:           scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
// CHECK:             gemmini.mvout_spad %{{.*}} rows %c14 cols %c32
// CHECK:           arith.andi %{{.*}}, %[[HAS_NEXT]]
// CHECK:           gemmini.mvin3
// The line above with what begins the first one, and so below; two between.
// CHECK:         gemmini.member 1
// CHECK:         gemmini.mvin zero to %{{.*}} rows %c17 cols %c64
// CHECK:         gemmini.mvin zero to %{{.*}} rows %c17 cols %c64
// CHECK:         scf.for %{{.*}} = %c0 to %c13 step %c1 {
// CHECK:           gemmini.mvin zero to %{{.*}} rows %c2 cols %c64

#map0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
module {
func.func @main(%input: tensor<1x14x14x32xi8>, %w0: tensor<3x3x32x128xi8>, %b0: tensor<128xi32>, %w1: tensor<3x3x128xi8>, %b1: tensor<128xi32>) -> tensor<1x14x14x128xi8> {
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 0 : i32
    %c5 = arith.constant 5.5e-04 : f32
    %c3 = arith.constant -1.280000e+02 : f32
    %c4 = arith.constant 1.270000e+02 : f32
    %p0 = tensor.pad %input low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x32xi8> to tensor<1x16x16x32xi8>
    %e0 = tensor.empty() : tensor<1x14x14x128xi32>
    %f0 = linalg.fill ins(%c1 : i32) outs(%e0 : tensor<1x14x14x128xi32>) -> tensor<1x14x14x128xi32>
    %m0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p0, %w0 : tensor<1x16x16x32xi8>, tensor<3x3x32x128xi8>) outs(%f0 : tensor<1x14x14x128xi32>) -> tensor<1x14x14x128xi32> loc("conv")
    %s0 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m0, %b0 : tensor<1x14x14x128xi32>, tensor<128xi32>) outs(%e0 : tensor<1x14x14x128xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x128xi32>
    %g0 = tensor.empty() : tensor<1x14x14x128xi8>
    %r0 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0 : tensor<1x14x14x128xi32>) outs(%g0 : tensor<1x14x14x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x128xi8>
    %a0 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r0 : tensor<1x14x14x128xi8>) outs(%g0 : tensor<1x14x14x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x128xi8>
    %p1 = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x128xi8> to tensor<1x16x16x128xi8>
    %e1 = tensor.empty() : tensor<1x14x14x128xi32>
    %f1 = linalg.fill ins(%c1 : i32) outs(%e1 : tensor<1x14x14x128xi32>) -> tensor<1x14x14x128xi32>
    %m1 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p1, %w1 : tensor<1x16x16x128xi8>, tensor<3x3x128xi8>) outs(%f1 : tensor<1x14x14x128xi32>) -> tensor<1x14x14x128xi32> loc("depthwise")
    %s1 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m1, %b1 : tensor<1x14x14x128xi32>, tensor<128xi32>) outs(%e1 : tensor<1x14x14x128xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x128xi32>
    %g1 = tensor.empty() : tensor<1x14x14x128xi8>
    %r1 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x14x14x128xi32>) outs(%g1 : tensor<1x14x14x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x128xi8>
    %a1 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r1 : tensor<1x14x14x128xi8>) outs(%g1 : tensor<1x14x14x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x128xi8>
    return %a1 : tensor<1x14x14x128xi8>
}
}
