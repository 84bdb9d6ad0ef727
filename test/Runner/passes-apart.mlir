// A 1x1 layer between depthwise ones, of 16 reduction steps. What it hands over
// leaves line by line, 14 pixels each, in the last step only: in the others
// passes take 32 pixels, so that the array does not wait for the next weights
// while a short one streams. Two blocks of weights and two chunks of bias would
// take the DMA longer than a step, so the bias comes with every other one.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: %python %S/Inputs/pin.py %t.json '{"L0": {"P": 14, "Q": 14}, "L1": {"R": 3, "S": 3}, "L2": {"G": 16}}' '{"L0": {"P": 14, "Q": 14}, "L1": {"K": 2}, "L2": {"C": 2}, "L3": {"C": 8}}' '{"L0": {"P": 14, "Q": 14}, "L1": {"R": 3, "S": 3}, "L2": {"G": 2}}' > %t.pinned.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-large --fadiff-form-layers --fadiff-apply-schedule=file=%t.pinned.json -o %t.mlir
// RUN: fadiff-run %t.mlir --target=gemmini-large --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-opt %t.mlir --fadiff-materialize --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// RAN:         first+pointwise+second
// RAN:         written 12544: as predicted
// RAN:         scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.000, cycles 1.0{{[0-3]}}
// RAN:         output identical to the reference

// CHECK:       gemmini.member 1
// CHECK:         scf.for %[[K:.*]] = %c0 to %c64 step %c32 {
// In the last step.
// CHECK:           scf.if
// CHECK:             scf.for %{{.*}} = %c0 to %c14 step %c1 {
// CHECK:               gemmini.compute_accumulated %{{.*}} rows %c14 cols %c32
// CHECK:               gemmini.mvout_spad %{{.*}} rows %c14 cols
// CHECK:           } else {
// CHECK:             scf.for %{{.*}} = %c0 to %c196 step %c32 {
// CHECK-NOT:           gemmini.mvout_spad
// CHECK:               gemmini.compute_accumulated
// CHECK-NOT:           gemmini.mvout_spad
// Seven chunks of bias.
// CHECK:           %[[NUMBER:.*]] = arith.divui %{{.*}}, %c2 : index
// CHECK:           %[[REST:.*]] = arith.remui %{{.*}}, %c2 : index
// CHECK:           %[[IS_TURN:.*]] = arith.cmpi eq, %[[REST]], %c0 : index
// CHECK:           %[[IS_LEFT:.*]] = arith.cmpi slt, %[[NUMBER]], %c7 : index
// CHECK:           arith.andi %[[IS_LEFT]], %[[IS_TURN]]
// CHECK:           gemmini.mvin3

#map0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
module {
  func.func @main(%x: tensor<1x14x14x512xi8>, %w0: tensor<3x3x512xi8>, %b0: tensor<512xi32>, %w1: tensor<1x1x512x64xi8>, %b1: tensor<64xi32>, %w2: tensor<3x3x64xi8>, %b2: tensor<64xi32>) -> tensor<1x14x14x64xi8> {
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 0 : i32
    %c2 = arith.constant 1.28405599e-03 : f32
    %c3 = arith.constant -1.280000e+02 : f32
    %c4 = arith.constant 1.270000e+02 : f32
    %v1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %v2 = tensor.empty() : tensor<1x14x14x512xi32>
    %v3 = linalg.fill ins(%c1 : i32) outs(%v2 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %v4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v1, %w0 : tensor<1x16x16x512xi8>, tensor<3x3x512xi8>) outs(%v3 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("first")
    %v5 = tensor.empty() : tensor<1x14x14x512xi32>
    %v6 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4, %b0 : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%v5 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %v7 = tensor.empty() : tensor<1x14x14x512xi8>
    %v8 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v6 : tensor<1x14x14x512xi32>) outs(%v7 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c2 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %v9 = tensor.empty() : tensor<1x14x14x64xi32>
    %v10 = linalg.fill ins(%c1 : i32) outs(%v9 : tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi32>
    %v11 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v8, %w1 : tensor<1x14x14x512xi8>, tensor<1x1x512x64xi8>) outs(%v10 : tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi32> loc("pointwise")
    %v12 = tensor.empty() : tensor<1x14x14x64xi32>
    %v13 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v11, %b1 : tensor<1x14x14x64xi32>, tensor<64xi32>) outs(%v12 : tensor<1x14x14x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x64xi32>
    %v14 = tensor.empty() : tensor<1x14x14x64xi8>
    %v15 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<1x14x14x64xi32>) outs(%v14 : tensor<1x14x14x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c2 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x64xi8>
    %v16 = tensor.pad %v15 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x64xi8> to tensor<1x16x16x64xi8>
    %v17 = tensor.empty() : tensor<1x14x14x64xi32>
    %v18 = linalg.fill ins(%c1 : i32) outs(%v17 : tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi32>
    %v19 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v16, %w2 : tensor<1x16x16x64xi8>, tensor<3x3x64xi8>) outs(%v18 : tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi32> loc("second")
    %v20 = tensor.empty() : tensor<1x14x14x64xi32>
    %v21 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v19, %b2 : tensor<1x14x14x64xi32>, tensor<64xi32>) outs(%v20 : tensor<1x14x14x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x64xi32>
    %v22 = tensor.empty() : tensor<1x14x14x64xi8>
    %v23 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v21 : tensor<1x14x14x64xi32>) outs(%v22 : tensor<1x14x14x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c2 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x64xi8>
    return %v23 : tensor<1x14x14x64xi8>
  }
}
