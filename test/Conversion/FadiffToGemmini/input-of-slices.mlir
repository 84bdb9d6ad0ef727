// Layer "a" makes two slices of four channels, and both read all of its input. It
// comes with the first: 16 of its 32 channels with the passes that read them, the
// others, twelve pieces of a line each, behind the four computes of these, three
// at once. Nothing is loaded in front of the loop over slices.

// RUN: fadiff-opt %s --fadiff-materialize --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @slices(
// CHECK-NOT:     gemmini.mvin %
// CHECK:         scf.for %[[SLICE:.*]] = %c0 to %c8 step %c4 {
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[SLICE]], %c0
// CHECK:           scf.for %[[C:.*]] = %c0 to %c32 step %c4 {
// CHECK:             scf.for %[[I:.*]] = %c0 to %c48 step %c4 {
// CHECK:               %[[START:.*]] = arith.cmpi eq, %[[C]], %c0
// CHECK:               %[[BRINGS:.*]] = arith.andi %[[START]], %[[FIRST]]
// CHECK-NEXT:          scf.if %[[BRINGS]] {
// CHECK:                 gemmini.mvin %{{.*}} rows %c4 cols %c16
// CHECK:               gemmini.preload
// CHECK:             %[[LEFT:.*]] = arith.cmpi slt, %{{.*}}, %c12
// CHECK-NEXT:        %[[DUE:.*]] = arith.andi %[[LEFT]], %[[FIRST]]
// CHECK-NEXT:        scf.if %[[DUE]] {
// CHECK-NEXT:          scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:                 gemmini.mvin %
// CHECK:           gemmini.member 1
// CHECK-NOT:     gemmini.mvin %

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 4096, accumulator_bytes = 2048>
module attributes {fadiff.target = #tiny} {
func.func @slices(%x: tensor<12x4x32xi8>, %w: tensor<32x8xi8>, %v: tensor<8x4xi8>) -> tensor<12x4x4xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 12, Q = 4] input_slices [0, 4] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<12x4x32xi8>, tensor<32x8xi8>)
        workload(<[K = 8, C = 32, P = 12, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [K:2], scratchpad [], accumulator [C:8], registers [Q:4 P:12], array [4 x 4]>) {
    ^bb0(%a: tensor<12x4x32xi8>, %b: tensor<32x8xi8>):
      %e = tensor.empty() : tensor<12x4x8xi8>
      fadiff.yield %e : tensor<12x4x8xi8>
    } -> tensor<12x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %v : tensor<12x4x8xi8>, tensor<8x4xi8>)
        workload(<[K = 4, C = 8, P = 12, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [C:2], scratchpad [], accumulator [], registers [Q:4 P:12], array [4 x 4]>) {
    ^bb0(%a: tensor<12x4x8xi8>, %b: tensor<8x4xi8>):
      %e = tensor.empty() : tensor<12x4x4xi8>
      fadiff.yield %e : tensor<12x4x4xi8>
    } -> tensor<12x4x4xi8>
    fadiff.yield %1 : tensor<12x4x4xi8>
  } -> tensor<12x4x4xi8>
  return %g : tensor<12x4x4xi8>
}
}
