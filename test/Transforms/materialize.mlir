// Nests from mappings written by hand, on the machine of
// hardware/tiny.yaml (4 x 4 array, 64 scratchpad and 16 accumulator rows).

// RUN: fadiff-opt %s --fadiff-attach-target=target=tiny --fadiff-materialize -o %t.nests
// RUN: FileCheck %s --input-file=%t.nests
// RUN: fadiff-opt %t.nests --fadiff-verify-schedule | FileCheck %s

// Everything on chip at once: each operand is fetched once, the sums stay. A
// loop of one trip is not there.
// CHECK-LABEL: func.func @resident(
// CHECK:         %[[OUT:.*]] = tensor.empty() : tensor<4x8xi8>
// CHECK:         %[[R:.*]] = fadiff.loop_nest ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(%[[OUT]] : tensor<4x8xi8>) {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: {{.*}}, %[[W:.*]]: {{.*}}, %[[B:.*]]: {{.*}}, %[[Y:.*]]: {{.*}}):
// CHECK-NEXT:      %[[I:.*]] = fadiff.alloc 0 : <scratchpad, 16>
// CHECK-NEXT:      %[[WT:.*]] = fadiff.alloc 16 : <scratchpad, 32>
// CHECK-NEXT:      %[[A:.*]] = fadiff.alloc 0 : <accumulator, 8>
// CHECK-NEXT:      fadiff.stage "resident" {{.*}} array[4, 4] mapping(
// CHECK-NEXT:        fadiff.load weights %[[W]] into %[[WT]]
// CHECK-NEXT:        fadiff.load input %[[X]] into %[[I]]
// CHECK-NEXT:        fadiff.init %[[A]] bias %[[B]]
// CHECK-NEXT:        fadiff.for C step 4 at accumulator {
// CHECK-NEXT:          fadiff.for K step 4 at accumulator {
// CHECK-NEXT:            fadiff.compute %[[I]], %[[WT]] into %[[A]]
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        fadiff.store %[[A]] to %[[Y]] : <accumulator, 8>, !fadiff.dram<4x8xi8>
// CHECK-NEXT:      }
// CHECK:         return %[[R]]
func.func @resident(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>, %bias: tensor<8xi32>) -> tensor<4x8xi8> {
  %y = fadiff.layer "resident" ins(%x, %w, %bias : tensor<4x16xi8>, tensor<16x8xi8>, tensor<8xi32>)
      workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
      epilogue(<scale = 1.0 : f32>)
      mapping(<dram [N:1], scratchpad [], accumulator [C:4 K:2], registers [N:4], array [4 x 4]>) {
  ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>, %c: tensor<8xi32>):
    %e = tensor.empty() : tensor<4x8xi8>
    fadiff.yield %e : tensor<4x8xi8>
  } -> tensor<4x8xi8>
  return %y : tensor<4x8xi8>
}

// An operand is fetched inside the innermost DRAM loop that changes it, and no
// further in: the input not for every K.
// CHECK-LABEL: func.func @placement(
// CHECK:           fadiff.stage "placement"
// CHECK-NEXT:        fadiff.for N step 2 at dram {
// CHECK-NEXT:          fadiff.load input
// CHECK-NEXT:          fadiff.for K step 4 at dram {
// CHECK-NEXT:            fadiff.load weights
// CHECK-NEXT:            fadiff.init {{.*}} : <accumulator, 2>
// CHECK-NEXT:            fadiff.for C step 8 at scratchpad {
// CHECK-NEXT:              fadiff.for C step 4 at accumulator {
// CHECK-NEXT:                fadiff.compute
// CHECK:                 }
// CHECK-NEXT:            }
// CHECK-NEXT:            fadiff.store
func.func @placement(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
  %y = fadiff.layer "placement" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
      workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
      epilogue(<scale = 1.0 : f32>)
      mapping(<dram [N:2 K:2], scratchpad [C:2], accumulator [C:2], registers [N:2], array [4 x 4]>) {
  ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
    %e = tensor.empty() : tensor<4x8xi8>
    fadiff.yield %e : tensor<4x8xi8>
  } -> tensor<4x8xi8>
  return %y : tensor<4x8xi8>
}

// Factors need not divide: steps are tiles, the last is shorter.
// CHECK-LABEL: func.func @uneven(
// CHECK:             fadiff.for N step 3 at dram {
// CHECK:               fadiff.for K step 3 at accumulator {
// CHECK-NEXT:            fadiff.for C step 4 at accumulator {
func.func @uneven(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
  %y = fadiff.layer "uneven" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
      workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
      epilogue(<scale = 1.0 : f32>)
      mapping(<dram [N:2], scratchpad [], accumulator [K:3 C:4], registers [N:3], array [4 x 3]>) {
  ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
    %e = tensor.empty() : tensor<4x8xi8>
    fadiff.yield %e : tensor<4x8xi8>
  } -> tensor<4x8xi8>
  return %y : tensor<4x8xi8>
}

// Sums that are left before they are complete go to DRAM as int32.
// CHECK-LABEL: func.func @spilled(
// CHECK-DAG:     %[[OUT:.*]] = tensor.empty() : tensor<4x8xi8>
// CHECK-DAG:     %[[SUMS:.*]] = tensor.empty() : tensor<4x8xi32>
// CHECK:         %[[R:.*]]:2 = fadiff.loop_nest {{.*}} outs(%[[OUT]], %[[SUMS]] :
// CHECK-NEXT:    ^bb0({{.*}}, %[[Y:.*]]: !fadiff.dram<4x8xi8>, %[[S:.*]]: !fadiff.dram<4x8xi32>):
// CHECK:           fadiff.for C step 8 at dram {
// CHECK-NEXT:        fadiff.load input
// CHECK-NEXT:        fadiff.for K step 4 at dram {
// CHECK-NEXT:          fadiff.load weights
// CHECK-NEXT:          fadiff.init %[[A:.*]] spill %[[S]]
// CHECK-NEXT:          fadiff.for C step 4 at accumulator {
// CHECK-NEXT:            fadiff.compute
// CHECK-NEXT:          }
// CHECK-NEXT:          fadiff.store %[[A]] to %[[Y]] spill %[[S]]
// CHECK:         return %[[R]]#0
func.func @spilled(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
  %y = fadiff.layer "spilled" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
      workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
      epilogue(<scale = 1.0 : f32>)
      mapping(<dram [C:2 K:2], scratchpad [], accumulator [C:2], registers [N:4], array [4 x 4]>) {
  ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
    %e = tensor.empty() : tensor<4x8xi8>
    fadiff.yield %e : tensor<4x8xi8>
  } -> tensor<4x8xi8>
  return %y : tensor<4x8xi8>
}

// With the reductions innermost in DRAM they need not.
// CHECK-LABEL: func.func @not_spilled(
// CHECK:         %{{.*}} = fadiff.loop_nest {{.*}} outs(%{{.*}} : tensor<4x8xi8>) {
// CHECK:           fadiff.for K step 4 at dram {
// CHECK-NEXT:        fadiff.init %{{.*}} : <accumulator, 4>
// CHECK-NEXT:        fadiff.for C step 8 at dram {
// CHECK-NEXT:          fadiff.load weights
// CHECK-NEXT:          fadiff.load input
func.func @not_spilled(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
  %y = fadiff.layer "not_spilled" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
      workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
      epilogue(<scale = 1.0 : f32>)
      mapping(<dram [K:2 C:2], scratchpad [], accumulator [C:2], registers [N:4], array [4 x 4]>) {
  ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
    %e = tensor.empty() : tensor<4x8xi8>
    fadiff.yield %e : tensor<4x8xi8>
  } -> tensor<4x8xi8>
  return %y : tensor<4x8xi8>
}

// A depthwise layer's weights become rows of block-diagonal tiles, one column
// per channel, wherever the channels stand.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         tensor.empty() : tensor<6x3x3x4xi8>
// CHECK:         %[[ROWS:.*]] = linalg.generic
// CHECK-NEXT:    ^bb0(%[[WEIGHT:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT:      %[[G:.*]] = linalg.index 0 : index
// CHECK-NEXT:      %[[J:.*]] = linalg.index 3 : index
// CHECK-NEXT:      %[[COLS:.*]] = arith.constant 4 : index
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-NEXT:      %[[MOD:.*]] = arith.remui %[[G]], %[[COLS]]
// CHECK-NEXT:      %[[ON:.*]] = arith.cmpi eq, %[[J]], %[[MOD]]
// CHECK-NEXT:      arith.select %[[ON]], %[[WEIGHT]], %[[ZERO]]
// CHECK:         fadiff.loop_nest ins(%{{.*}}, %[[ROWS]] : tensor<4x4x6xi8>, tensor<6x3x3x4xi8>)
// CHECK:           fadiff.stage "depthwise" {{.*}} array[4, 4]
func.func @depthwise(%x: tensor<4x4x6xi8>, %w: tensor<6x3x3xi8>) -> tensor<4x4x6xi8> {
  %y = fadiff.layer "depthwise" ins(%x, %w : tensor<4x4x6xi8>, tensor<6x3x3xi8>)
      workload(<[G = 6, P = 4, Q = 4, R = 3, S = 3], pad = [1, 1], layouts = "HWG" "GRS" "PQG">)
      epilogue(<scale = 1.0 : f32>)
      mapping(<dram [P:4 G:2], scratchpad [], accumulator [R:3 S:3], registers [Q:4], array [1 x 4]>) {
  ^bb0(%a: tensor<4x4x6xi8>, %b: tensor<6x3x3xi8>):
    %e = tensor.empty() : tensor<4x4x6xi8>
    fadiff.yield %e : tensor<4x4x6xi8>
  } -> tensor<4x4x6xi8>
  return %y : tensor<4x4x6xi8>
}

// A group: weights that stay are fetched before the tile loops, those that do
// not fit stream inside. What the first layer makes is the second one's input
// and never leaves the chip.
// CHECK-LABEL: func.func @group(
// CHECK:         fadiff.loop_nest {{.*}} tile [N = 1, P = 1, Q = 4] cost(<energy = 1.000000e+00 pJ
// CHECK-NEXT:    ^bb0(%[[X:.*]]: !fadiff.dram<4x4x8xi8>, %[[W1:.*]]: !fadiff.dram<8x6xi8>, %[[W2:.*]]: !fadiff.dram<6x8xi8>, %[[Y:.*]]: !fadiff.dram<4x4x8xi8>):
// CHECK-NEXT:      %[[WT1:.*]] = fadiff.alloc 0 : <scratchpad, 16>
// CHECK-NEXT:      %[[I:.*]] = fadiff.alloc 16 : <scratchpad, 8>
// CHECK-NEXT:      %[[A1:.*]] = fadiff.alloc 0 : <accumulator, 8>
// CHECK-NEXT:      %[[H:.*]] = fadiff.alloc 56 : <scratchpad, 8>
// CHECK-NEXT:      %[[WT2:.*]] = fadiff.alloc 16 : <scratchpad, 6>
// CHECK-NEXT:      %[[A2:.*]] = fadiff.alloc 12 : <accumulator, 4>
// CHECK-NEXT:      fadiff.stage "first"
// CHECK-NEXT:        fadiff.load weights %[[W1]] into %[[WT1]]
// CHECK-NEXT:      }
// CHECK-NEXT:      fadiff.for P step 1 at dram {
// CHECK-NEXT:        fadiff.stage "first" {{.*}} reads [-1] {
// CHECK-NEXT:          fadiff.load input %[[X]] into %[[I]]
// CHECK-NEXT:          fadiff.init %[[A1]]
// CHECK:               fadiff.compute %[[I]], %[[WT1]] into %[[A1]]
// CHECK:               fadiff.store %[[A1]] to %[[H]] : <accumulator, 8>, !fadiff.buffer<scratchpad, 8>
// CHECK-NEXT:        }
// CHECK-NEXT:        fadiff.stage "second" {{.*}} reads [0] {
// CHECK-NEXT:          fadiff.for K step 4 at dram {
// CHECK-NEXT:            fadiff.load weights %[[W2]] into %[[WT2]]
// CHECK-NEXT:            fadiff.init %[[A2]]
// CHECK-NOT:             fadiff.load
// CHECK:                 fadiff.compute %[[H]], %[[WT2]] into %[[A2]]
// CHECK:                 fadiff.store %[[A2]] to %[[Y]]
func.func @group(%x: tensor<4x4x8xi8>, %v: tensor<8x6xi8>, %w: tensor<6x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4]
      cost(<energy = 1.0 pJ, cycles = 2.0, dram_read = 3 B, dram_write = 4 B, by "somebody">) {
    %0 = fadiff.layer "first" ins(%x, %v : tensor<4x4x8xi8>, tensor<8x6xi8>)
        workload(<[K = 6, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x6xi8>):
      %e = tensor.empty() : tensor<4x4x6xi8>
      fadiff.yield %e : tensor<4x4x6xi8>
    } -> tensor<4x4x6xi8>
    %1 = fadiff.layer "second" ins(%0, %w : tensor<4x4x6xi8>, tensor<6x8xi8>)
        workload(<[K = 8, C = 6, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4 K:2], scratchpad [], accumulator [C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x6xi8>, %b: tensor<6x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}

// The innermost loop over pixels is part of the compute, whose weights stay.
// CHECK-LABEL: func.func @pixels(
// CHECK:           fadiff.for C step 4 at accumulator {
// CHECK-NEXT:        fadiff.for K step 4 at accumulator {
// CHECK-NEXT:          fadiff.compute
func.func @pixels(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
  %y = fadiff.layer "pixels" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
      workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
      epilogue(<scale = 1.0 : f32>)
      mapping(<dram [], scratchpad [], accumulator [C:4 K:2 N:2], registers [N:2], array [4 x 4]>) {
  ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
    %e = tensor.empty() : tensor<4x8xi8>
    fadiff.yield %e : tensor<4x8xi8>
  } -> tensor<4x8xi8>
  return %y : tensor<4x8xi8>
}

// Slices of channels: the loop over them is the reader's, around the stage that
// makes them. The input that all of them are made of is loaded before. What one
// needs of the scratchpad and the accumulator lies beside what the other does.
// CHECK-LABEL: func.func @slices(
// CHECK:         ^bb0(%[[X:.*]]: !fadiff.dram<4x4x8xi8>, %[[W:.*]]: !fadiff.dram<8x8xi8>, %[[V:.*]]: !fadiff.dram<8x8xi8>, %[[Y:.*]]: !fadiff.dram<4x4x8xi8>):
// CHECK-DAG:       %[[I:.*]] = fadiff.alloc 0 : <scratchpad, 8>
// CHECK-DAG:       %[[WB:.*]] = fadiff.alloc 8 : <scratchpad, 8>
// CHECK-DAG:       %[[VB:.*]] = fadiff.alloc 16 : <scratchpad, 8>
// CHECK-DAG:       %[[H:.*]] = fadiff.alloc 60 : <scratchpad, 4>
// CHECK-DAG:       %[[A:.*]] = fadiff.alloc 0 : <accumulator, 4>
// CHECK-DAG:       %[[B:.*]] = fadiff.alloc 8 : <accumulator, 8>
// CHECK:           fadiff.for P step 1 at dram {
// CHECK-NEXT:        fadiff.stage "a"
// CHECK-NEXT:          fadiff.load input %[[X]] into %[[I]]
// CHECK-NEXT:        }
// CHECK-NEXT:        fadiff.stage "b"
// CHECK-NEXT:          fadiff.init %[[B]]
// CHECK-NEXT:          fadiff.for C step 4 at dram {
// CHECK-NEXT:            fadiff.stage "a"
// CHECK-NEXT:              fadiff.load weights %[[W]] into %[[WB]]
// CHECK-NEXT:              fadiff.init %[[A]]
// CHECK-NEXT:              fadiff.for C step 4 at accumulator {
// CHECK-NEXT:                fadiff.compute %[[I]], %[[WB]] into %[[A]]
// CHECK-NEXT:              }
// CHECK-NEXT:              fadiff.store %[[A]] to %[[H]]
// CHECK-NEXT:            }
// CHECK-NEXT:            fadiff.load weights %[[V]] into %[[VB]]
// CHECK-NEXT:            fadiff.for K step 4 at accumulator {
// CHECK-NEXT:              fadiff.compute %[[H]], %[[VB]] into %[[B]]
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:          fadiff.store %[[B]] to %[[Y]]
func.func @slices(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>, %v: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] input_slices [0, 4] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4 K:2], scratchpad [], accumulator [C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %v : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4 C:2], scratchpad [], accumulator [K:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}

// The group's input stays where it was loaded until the last layer adds it: the
// tiles in between lie on top of it or at the other end.
// CHECK-LABEL: func.func @live_skip(
// CHECK:         ^bb0(%[[X:.*]]: !fadiff.dram<4x4x8xi8>, %{{.*}}: !fadiff.dram<8x8xi8>, %{{.*}}: !fadiff.dram<8x8xi8>, %[[Y:.*]]: !fadiff.dram<4x4x8xi8>):
// CHECK:           %[[I:.*]] = fadiff.alloc 32 : <scratchpad, 8>
// CHECK:           %[[H:.*]] = fadiff.alloc 56 : <scratchpad, 8>
// CHECK:           fadiff.for P step 1 at dram {
// CHECK-NEXT:        fadiff.stage "a"
// CHECK-NEXT:          fadiff.load input %[[X]] into %[[I]]
// CHECK-NEXT:          fadiff.init %{{.*}} : <accumulator, 8>
// CHECK:               fadiff.compute %[[I]],
// CHECK:               fadiff.store %{{.*}} to %[[H]] :
// CHECK:             fadiff.stage "b"
// CHECK-NEXT:          fadiff.init %[[SUMS:.*]] skip %[[I]] : <accumulator, 8> skip !fadiff.buffer<scratchpad, 8>
// CHECK:               fadiff.compute %[[H]], %{{.*}} into %[[SUMS]]
// CHECK:               fadiff.store %[[SUMS]] to %[[Y]]
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

// A side branch reads the same tile, which is loaded before as what 'main' needs;
// what it makes stays until it is added.
// CHECK-LABEL: func.func @branch(
// CHECK:         ^bb0(%[[X:.*]]: !fadiff.dram<4x4x8xi8>,
// CHECK:           %[[I:.*]] = fadiff.alloc 16 : <scratchpad, 8>
// CHECK:           %[[SKIP:.*]] = fadiff.alloc 56 : <scratchpad, 8>
// CHECK:           %[[H:.*]] = fadiff.alloc 48 : <scratchpad, 8>
// CHECK:           fadiff.for P step 1 at dram {
// CHECK-NEXT:        fadiff.stage "main"
// CHECK-NEXT:          fadiff.load input %[[X]] into %[[I]]
// CHECK-NEXT:        }
// CHECK-NEXT:        fadiff.stage "side"
// CHECK-NOT:           fadiff.load input
// CHECK:                 fadiff.compute %[[I]],
// CHECK:                 fadiff.store %{{.*}} to %[[SKIP]] :
// CHECK:             fadiff.stage "main"
// CHECK-NEXT:          fadiff.init
// CHECK:               fadiff.compute %[[I]],
// CHECK:               fadiff.store %{{.*}} to %[[H]] :
// CHECK:             fadiff.stage "add"
// CHECK:                 fadiff.init %{{.*}} skip %[[SKIP]] :
// CHECK:                 fadiff.compute %[[H]],
func.func @branch(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [2] {
    %0 = fadiff.layer "side" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4 K:2], scratchpad [], accumulator [C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "main" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %2 = fadiff.layer "add" ins(%1, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%0 : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4 K:2], scratchpad [], accumulator [C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>, %c: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %2 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
