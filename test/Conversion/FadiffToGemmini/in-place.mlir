// Three layers of a group on a machine whose array reads the accumulator: sums
// are handed over where they lie. With 128 accumulator rows, 'b' reads 'a' in
// rows 48 to 127 and leaves its own in rows 0 to 35.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-materialize --fadiff-verify-schedule -o %t.nests
// RUN: FileCheck %s --input-file=%t.nests
// RUN: fadiff-opt %t.nests --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s --check-prefix=CODE

// The window of 'b' is 5 x 8 pixels, padding included, of 2 blocks. What 'c' reads
// is 3 x 6, and its own sums, a row of pixels at a time, lie in between.
// CHECK-LABEL: func.func @chain(
// CHECK:         %[[A:.*]] = fadiff.alloc 48 : <accumulator, 80>
// CHECK-NEXT:    %[[B:.*]] = fadiff.alloc 0 : <accumulator, 36>
// CHECK-NEXT:    %[[C:.*]] = fadiff.alloc 36 : <accumulator, 6>
// CHECK:         fadiff.for P step 3 at dram {
// CHECK-NEXT:      fadiff.stage "a"
// CHECK:             fadiff.init %[[A]] bias
// CHECK:             fadiff.compute %{{.*}}, %{{.*}} into %[[A]] : <scratchpad, 24>, <scratchpad, 8>, <accumulator, 80>
// CHECK-NEXT:        fadiff.store %[[A]] to %[[A]] : <accumulator, 80>, !fadiff.buffer<accumulator, 80>
// CHECK:           fadiff.stage "b"
// CHECK:             fadiff.compute %[[A]], %{{.*}} into %[[B]] : <accumulator, 80>, <scratchpad, 54>, <accumulator, 36>
// CHECK:             fadiff.store %[[B]] to %[[B]]
// CHECK:           fadiff.stage "c"
// CHECK:             fadiff.compute %[[B]], %{{.*}} into %[[C]]
// CHECK:             fadiff.store %[[C]] to %arg{{[0-9]+}} : <accumulator, 6>, !fadiff.dram<6x6x8xi8>

// CODE-LABEL: func.func @chain(
// 'a' reads no sums, so it finds what 'c' has set.
// CODE:         gemmini.config_ex ws scale = 2.500000e-01
// CODE:         gemmini.config_st stride = 8 scale = 1.250000e-01
// CODE-NOT:     gemmini.config_ex
// CODE:         scf.for %{{.*}} = %c0 to %c6 step %c3 {
// The bias fills the whole window of a block, 40 rows.
// CODE:           scf.for %{{.*}} = %c0 to %c40 step %c4 {
// CODE:             gemmini.mvin3 %{{.*}} to %{{.*}} rows %c4 cols
// CODE:           gemmini.preload {{.*}} : !gemmini.addr<spad>, !gemmini.addr<acc>
// CODE:           gemmini.compute_preloaded {{.*}} : !gemmini.addr<spad>, !gemmini.addr<spad>
// CODE-NOT:       gemmini.mvout
// Its scale and ReLU are those with which 'b' reads.
// CODE:           gemmini.config_ex ws activation = relu scale = 5.000000e-01
// Padding becomes zeros, one block at a time.
// CODE:           gemmini.config_ld id = 0 stride = 1 block_stride = 40
// CODE:           %[[ROW:.*]] = gemmini.acc_addr
// CODE-NEXT:      gemmini.mvin zero to %[[ROW]] rows %{{.*}} cols %{{.*}} : !gemmini.addr<acc>
// CODE:           gemmini.compute_preloaded {{.*}} : !gemmini.addr<acc>, !gemmini.addr<spad>
// CODE-NOT:       gemmini.mvout
// CODE:           gemmini.config_ex ws scale = 2.500000e-01
// CODE:           gemmini.compute_preloaded {{.*}} : !gemmini.addr<acc>, !gemmini.addr<spad>
// CODE:           gemmini.mvout
// CODE-NOT:     gemmini.config_ex
// CODE:         gemmini.fence

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 512, accumulator_bytes = 2048, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @chain(%x: tensor<6x6x4xi8>, %v: tensor<4x6xi8>, %b: tensor<6xi32>, %d: tensor<3x3x6xi8>, %w: tensor<6x8xi8>) -> tensor<6x6x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 3, Q = 6] {
    %0 = fadiff.layer "a" ins(%x, %v, %b : tensor<6x6x4xi8>, tensor<4x6xi8>, tensor<6xi32>)
        workload(<[K = 6, C = 4, P = 6, Q = 6], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 0.5 : f32, relu>)
        mapping(<dram [P:2], scratchpad [K:2], accumulator [P:4], registers [Q:6], array [4 x 4]>) {
    ^bb0(%p: tensor<6x6x4xi8>, %q: tensor<4x6xi8>, %r: tensor<6xi32>):
      %e = tensor.empty() : tensor<6x6x6xi8>
      fadiff.yield %e : tensor<6x6x6xi8>
    } -> tensor<6x6x6xi8>
    %1 = fadiff.layer "b" ins(%0, %d : tensor<6x6x6xi8>, tensor<3x3x6xi8>)
        workload(<[G = 6, P = 6, Q = 6, R = 3, S = 3], pad = [1, 1], layouts = "HWG" "RSG" "PQG">)
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
