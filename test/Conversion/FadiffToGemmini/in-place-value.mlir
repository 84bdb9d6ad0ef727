// Padding with a zero point of -3 where sums are handed over in place: the array
// reads the sum -6 as -3, as it scales by 0.5.

// RUN: fadiff-opt %s --fadiff-materialize --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s
// RUN: sed -e 's/scale = 0.5 : f32>/scale = 0.5 : f32, relu>/' %s > %t.relu.mlir
// RUN: not fadiff-opt %t.relu.mlir --fadiff-materialize --fadiff-verify-schedule 2>&1 | FileCheck %s --check-prefix=RELU
// RUN: sed -e 's/scale = 0.5 : f32>/scale = 7.0 : f32>/' %s > %t.scale.mlir
// RUN: not fadiff-opt %t.scale.mlir --fadiff-materialize --fadiff-verify-schedule 2>&1 | FileCheck %s --check-prefix=RELU

// CHECK:       memref.global "private" constant @fadiff_padding_32_minus_6 : memref<16xi32> = dense<-6>
// CHECK-NOT:   memref.global
// CHECK-LABEL: func.func @chain(
// CHECK:         memref.get_global @fadiff_padding_32_minus_6
// CHECK:         gemmini.config_ex ws scale = 5.000000e-01
// One row of it goes to all rows of a run.
// CHECK:         gemmini.config_ld id = 0 stride = 0 block_stride = 40
// CHECK:         %[[ROW:.*]] = gemmini.acc_addr
// CHECK:         gemmini.mvin %{{.*}} to %[[ROW]] rows %{{.*}} cols %{{.*}} : !gemmini.addr<acc>
// CHECK-NOT:     gemmini.mvin zero

// RELU: error: leaves sums for a stage whose padding is -3, which no sum is read as; wanted a scale of up to 1 and no relu, or a store to DRAM [N20]

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 512, accumulator_bytes = 2048, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @chain(%x: tensor<6x6x4xi8>, %v: tensor<4x6xi8>, %b: tensor<6xi32>, %d: tensor<3x3x6xi8>, %w: tensor<6x8xi8>) -> tensor<6x6x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 3, Q = 6] {
    %0 = fadiff.layer "a" ins(%x, %v, %b : tensor<6x6x4xi8>, tensor<4x6xi8>, tensor<6xi32>)
        workload(<[K = 6, C = 4, P = 6, Q = 6], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 0.5 : f32>)
        mapping(<dram [P:2], scratchpad [K:2], accumulator [P:4], registers [Q:6], array [4 x 4]>) {
    ^bb0(%p: tensor<6x6x4xi8>, %q: tensor<4x6xi8>, %r: tensor<6xi32>):
      %e = tensor.empty() : tensor<6x6x6xi8>
      fadiff.yield %e : tensor<6x6x6xi8>
    } -> tensor<6x6x6xi8>
    %1 = fadiff.layer "b" ins(%0, %d : tensor<6x6x6xi8>, tensor<3x3x6xi8>)
        workload(<[G = 6, P = 6, Q = 6, R = 3, S = 3], pad = [1, 1], pad_value = -3, layouts = "HWG" "RSG" "PQG">)
        epilogue(<scale = 0.25 : f32>)
        mapping(<dram [P:2], scratchpad [G:2], accumulator [P:3 R:3 S:3], registers [Q:6], array [1 x 4]>) {
    ^bb0(%p: tensor<6x6x6xi8>, %q: tensor<3x3x6xi8>):
      %e = tensor.empty() : tensor<6x6x6xi8>
      fadiff.yield %e : tensor<6x6x6xi8>
    } -> tensor<6x6x6xi8>
    %2 = fadiff.layer "c" ins(%1, %w : tensor<6x6x6xi8>, tensor<6x8xi8>)
        workload(<[K = 8, C = 6, P = 6, Q = 6], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 0.125 : f32>)
        mapping(<dram [P:2], scratchpad [K:2 P:3], accumulator [C:2], registers [Q:6], array [4 x 4]>) {
    ^bb0(%p: tensor<6x6x6xi8>, %q: tensor<6x8xi8>):
      %e = tensor.empty() : tensor<6x6x8xi8>
      fadiff.yield %e : tensor<6x6x8xi8>
    } -> tensor<6x6x8xi8>
    fadiff.yield %2 : tensor<6x6x8xi8>
  } -> tensor<6x6x8xi8>
  return %g : tensor<6x6x8xi8>
}
}
