// A chain whose group keeps rows: some rows per tile, windows of two layers
// overlap. What is new of the next tile comes into those of the input ring's
// seven lines that nobody reads. Every row of the image is loaded once and every
// row made once; the same bytes as predicted, the same outputs as on the host.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-small | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: %python %S/Inputs/pin.py %t.json '{"L0": {"P": 2, "Q": 12}, "L1": {"R": 3, "S": 3}, "L3": {"P": 29}}' '{"L0": {"Q": 12}, "L1": {"P": 2}, "L3": {"P": 29}}' '{"L0": {"Q": 12}, "L1": {"P": 2, "R": 3, "S": 3}, "L3": {"P": 29}}' > %t.pinned.json
// RUN: sed -e '/"input_turns"/d' -e 's/"keep_rows": true/"input_turns": true, "keep_rows": true/' %t.pinned.json > %t.turns.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-small --fadiff-form-layers --fadiff-apply-schedule=file=%t.turns.json -o %t.mlir
// RUN: fadiff-opt %t.mlir --fadiff-materialize | FileCheck %s --check-prefix=NEST
// RUN: fadiff-run %t.mlir --target=gemmini-small --check | FileCheck %s

// NEST:      fadiff.loop_nest {{.*}} tile [N = 1, P = 2, Q = 12] keep_rows input_turns
// NEST:        %[[RING:.*]] = fadiff.alloc 304 : <scratchpad, 84>
// NEST:        fadiff.load input %{{.*}} into %[[RING]]
// CHECK:     dw1+pw2+dw3
// CHECK:     : as predicted
// CHECK:     check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECK:     output identical to the reference

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x57x12x16xi8>, %v1: tensor<3x3x16xi8>, %w1: tensor<1x1x16x16xi8>, %v2: tensor<3x3x16xi8>) -> tensor<1x57x12x16xi8> {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0 : i8
  %scale = arith.constant 4.0e-3 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %e1 = tensor.empty() : tensor<1x57x12x16xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x57x12x16xi32>) -> tensor<1x57x12x16xi32>
  %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %pad : i8
  } : tensor<1x57x12x16xi8> to tensor<1x59x14x16xi8>
  %s1 = linalg.depthwise_conv_2d_nhwc_hwc ins(%p1, %v1 : tensor<1x59x14x16xi8>, tensor<3x3x16xi8>) outs(%f1 : tensor<1x57x12x16xi32>) -> tensor<1x57x12x16xi32> loc("dw1")
  %o1 = tensor.empty() : tensor<1x57x12x16xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x57x12x16xi32>) outs(%o1 : tensor<1x57x12x16xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x57x12x16xi8>
  %e2 = tensor.empty() : tensor<1x57x12x16xi32>
  %f2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<1x57x12x16xi32>) -> tensor<1x57x12x16xi32>
  %s2 = linalg.conv_2d_nhwc_hwcf ins(%q1, %w1 : tensor<1x57x12x16xi8>, tensor<1x1x16x16xi8>) outs(%f2 : tensor<1x57x12x16xi32>) -> tensor<1x57x12x16xi32> loc("pw2")
  %o2 = tensor.empty() : tensor<1x57x12x16xi8>
  %q2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s2 : tensor<1x57x12x16xi32>) outs(%o2 : tensor<1x57x12x16xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x57x12x16xi8>
  %e3 = tensor.empty() : tensor<1x57x12x16xi32>
  %f3 = linalg.fill ins(%c0 : i32) outs(%e3 : tensor<1x57x12x16xi32>) -> tensor<1x57x12x16xi32>
  %p3 = tensor.pad %q2 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %pad : i8
  } : tensor<1x57x12x16xi8> to tensor<1x59x14x16xi8>
  %s3 = linalg.depthwise_conv_2d_nhwc_hwc ins(%p3, %v2 : tensor<1x59x14x16xi8>, tensor<3x3x16xi8>) outs(%f3 : tensor<1x57x12x16xi32>) -> tensor<1x57x12x16xi32> loc("dw3")
  %o3 = tensor.empty() : tensor<1x57x12x16xi8>
  %q3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s3 : tensor<1x57x12x16xi32>) outs(%o3 : tensor<1x57x12x16xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x57x12x16xi8>
  return %q3 : tensor<1x57x12x16xi8>
}
