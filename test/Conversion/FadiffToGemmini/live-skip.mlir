// A residual that stays in the scratchpad: the array adds it, as D of the compute
// that begins the sums of a block of channels, from the block's own rows. Those
// after it add nothing, and no move touches it.

// RUN: fadiff-opt %s --fadiff-materialize --fadiff-verify-schedule --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s
// RUN: fadiff-opt %s --fadiff-materialize | FileCheck %s --check-prefix=NEST

// NEST:        fadiff.stage {{.*}} reads [-1] {
// NEST:        fadiff.stage {{.*}} reads [0, -1] {
// NEST:            fadiff.init %{{.*}} skip %

// CHECK-LABEL: func.func @live_skip(
// CHECK:         gemmini.mvout_spad
// The input of the group is in row 32 and those after it, 4 rows to a block.
// CHECK:         scf.for %[[K:.*]] = %c0 to %c8 step %c4 {
// CHECK-NEXT:      scf.for %[[C:.*]] = %c0 to %c8 step %c4 {
// CHECK-NOT:         gemmini.mvin
// CHECK:             %[[BLOCK:.*]] = arith.divui %[[K]], %c4
// CHECK:             %[[LATER:.*]] = arith.cmpi ne, %[[C]], %c0
// CHECK:             %[[NONE:.*]] = gemmini.garbage
// CHECK:             %[[ROWS:.*]] = arith.muli %[[BLOCK]], %c4
// CHECK:             arith.addi %[[ROWS]], %c32
// CHECK:             %[[BEGINS:.*]] = arith.cmpi eq, %[[C]], %c0
// CHECK:             %[[SUMS:.*]] = gemmini.acc_addr %{{.*}} accumulate(%[[LATER]])
// CHECK:             gemmini.preload %{{.*}} to %[[SUMS]] rows %c4 cols %c4
// CHECK:             %[[A:.*]] = gemmini.spad_addr
// CHECK:             %[[SKIP:.*]] = gemmini.spad_addr
// CHECK:             %[[D:.*]] = arith.select %[[BEGINS]], %[[SKIP]], %[[NONE]]
// CHECK:             gemmini.compute_preloaded %[[A]] rows %c4 cols %c4, %[[D]] rows %c4 cols %c4
// CHECK:             gemmini.mvout
// CHECK:         gemmini.fence

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @live_skip(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%x : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>, %c: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}
