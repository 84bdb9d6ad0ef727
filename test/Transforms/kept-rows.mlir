// A group that keeps rows: 3 x 1 after 3 x 1, one row per tile, on the machine
// of hardware/tiny.yaml (4 x 4 array, 64 scratchpad and 16 accumulator
// rows). Every row is loaded and made once.

// RUN: fadiff-opt %s --fadiff-attach-target=target=tiny -o %t.mapped
// RUN: fadiff-opt %t.mapped | FileCheck %s --check-prefix=GROUP
// RUN: fadiff-opt %t.mapped --fadiff-materialize --fadiff-verify-schedule -o %t.nests
// RUN: FileCheck %s --input-file=%t.nests
// RUN: fadiff-opt %t.nests --empty-tensor-to-alloc-tensor --one-shot-bufferize="bufferize-function-boundaries" --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s --check-prefix=LOWERED
// RUN: fadiff-translate --fadiff-schedule-to-json %t.nests | FileCheck %s --check-prefix=JSON

// GROUP: fadiff.fusion_group tile [N = 1, P = 1, Q = 4] keep_rows {

// Weights that stay, then the rings of three lines, one for what is loaded.
// CHECK:         fadiff.loop_nest {{.*}} tile [N = 1, P = 1, Q = 4] keep_rows {
// CHECK:           fadiff.alloc 0 : <scratchpad, 12>
// CHECK-NEXT:      fadiff.alloc 12 : <scratchpad, 12>
// CHECK-NEXT:      %[[I:.*]] = fadiff.alloc 24 : <scratchpad, 12>
// CHECK-NEXT:      %[[H:.*]] = fadiff.alloc 36 : <scratchpad, 12>
// CHECK:           fadiff.for P step 1 at dram {
// CHECK-NEXT:        fadiff.stage "first"
// CHECK-NEXT:          fadiff.load input %{{.*}} into %[[I]]
// CHECK:               fadiff.store %{{.*}} to %[[H]]
// CHECK:             fadiff.stage "second"

// The first layer is one row ahead: 7 tiles for 6 rows, from row -1 on.
// LOWERED-LABEL: func.func @kept(
// LOWERED:         scf.for %[[TILE:.*]] = %c0 to %c7 step %c1 {
// LOWERED-NEXT:      %[[X:.*]] = arith.addi %[[TILE]], %c-1
// LOWERED-NEXT:      gemmini.member 0
// LOWERED-NEXT:      %[[LOW:.*]] = arith.maxsi %[[X]], %c0
// LOWERED-NEXT:      %[[SECOND:.*]] = arith.minsi %[[LOW]], %c6
// LOWERED:           %[[FROM:.*]] = arith.remui %[[SECOND]], %c3
// A stage with nothing to make is skipped.
// LOWERED:           scf.if
// LOWERED:             arith.remui %{{.*}}, %c3
// Lines that are there already are not loaded.
// LOWERED:             %[[NEXT:.*]] = arith.maxsi
// LOWERED:             scf.for %[[I:.*]] = %c0 to
// LOWERED-NEXT:          %[[LINE:.*]] = arith.addi %[[NEXT]], %[[I]]
// LOWERED:               gemmini.mvin %{{.*}} rows %c4 cols %c4
// A row goes where its number says, modulo three.
// LOWERED:             %[[TO:.*]] = arith.addi %[[FROM]], %{{.*}}
// LOWERED-NEXT:        %[[BEFORE:.*]] = arith.cmpi slt, %[[TO]], %c3
// LOWERED-NEXT:        %[[AGAIN:.*]] = arith.subi %[[TO]], %c3
// LOWERED-NEXT:        arith.select %[[BEFORE]], %[[TO]], %[[AGAIN]]
// LOWERED:             gemmini.mvout_spad
// LOWERED:           scf.if
// LOWERED-NOT:         gemmini.mvin %
// LOWERED:             gemmini.compute_preloaded
// LOWERED:             gemmini.mvout %

// JSON: "keep_rows": true,

func.func @kept(%x: tensor<6x4x4xi8>, %v: tensor<3x1x4x4xi8>, %w: tensor<3x1x4x4xi8>) -> tensor<6x4x4xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] keep_rows {
    %0 = fadiff.layer "first" ins(%x, %v : tensor<6x4x4xi8>, tensor<3x1x4x4xi8>)
        workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:6], scratchpad [], accumulator [R:3], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<6x4x4xi8>, %b: tensor<3x1x4x4xi8>):
      %e = tensor.empty() : tensor<6x4x4xi8>
      fadiff.yield %e : tensor<6x4x4xi8>
    } -> tensor<6x4x4xi8>
    %1 = fadiff.layer "second" ins(%0, %w : tensor<6x4x4xi8>, tensor<3x1x4x4xi8>)
        workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:6], scratchpad [], accumulator [R:3], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<6x4x4xi8>, %b: tensor<3x1x4x4xi8>):
      %e = tensor.empty() : tensor<6x4x4xi8>
      fadiff.yield %e : tensor<6x4x4xi8>
    } -> tensor<6x4x4xi8>
    fadiff.yield %1 : tensor<6x4x4xi8>
  } -> tensor<6x4x4xi8>
  return %g : tensor<6x4x4xi8>
}
