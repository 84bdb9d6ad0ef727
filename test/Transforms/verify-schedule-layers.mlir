// RUN: fadiff-opt %s --fadiff-verify-schedule -split-input-file -verify-diagnostics

// Mappings that are no program of a machine with a 4 x 4 array, 64 scratchpad and
// 16 accumulator rows. Each rule of Schedule/Verify.cpp has its unit test; here
// is that the pass asks.

// expected-error @+1 {{wanted a module attribute 'fadiff.target'; run fadiff-attach-target first}}
module {
  func.func @fc(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
    %y = fadiff.layer "fc" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
        workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [C:4 K:2], registers [N:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<4x8xi8>
      fadiff.yield %e : tensor<4x8xi8>
    } -> tensor<4x8xi8>
    return %y : tensor<4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @fc(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
    // expected-error @+1 {{layer "fc" has no mapping}}
    %y = fadiff.layer "fc" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
        workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<4x8xi8>
      fadiff.yield %e : tensor<4x8xi8>
    } -> tensor<4x8xi8>
    return %y : tensor<4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @fc(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
    // expected-error @+1 {{layer 'fc': rule 'coverage' at dram: wanted factors whose product is at least C = 16, found 12; raise a factor of this dim}}
    %y = fadiff.layer "fc" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
        workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [C:3 K:2], registers [N:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<4x8xi8>
      fadiff.yield %e : tensor<4x8xi8>
    } -> tensor<4x8xi8>
    return %y : tensor<4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @fc(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
    // expected-error @+1 {{layer 'fc': rule 'array-rows' at registers: wanted 1 to 4 rows, found 5; the array has that many; put the rest of the factor into a temporal loop}}
    %y = fadiff.layer "fc" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
        workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [C:4 K:2], registers [N:4], array [5 x 4]>) {
    ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<4x8xi8>
      fadiff.yield %e : tensor<4x8xi8>
    } -> tensor<4x8xi8>
    return %y : tensor<4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @fc(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
    // expected-error @+1 {{layer 'fc': rule 'array-columns' at registers: wanted 1 to 4 columns, found 8}}
    %y = fadiff.layer "fc" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
        workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [C:4 K:2], registers [N:4], array [4 x 8]>) {
    ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<4x8xi8>
      fadiff.yield %e : tensor<4x8xi8>
    } -> tensor<4x8xi8>
    return %y : tensor<4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @fc(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>) -> tensor<4x8xi8> {
    // expected-error @+1 {{layer 'fc': rule 'register-loops' at registers: wanted C = 1, found C = 4; weights are held while rows stream: only N, P and Q loop there}}
    %y = fadiff.layer "fc" ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>)
        workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [K:2], registers [N:4 C:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<4x8xi8>
      fadiff.yield %e : tensor<4x8xi8>
    } -> tensor<4x8xi8>
    return %y : tensor<4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @fc(%x: tensor<64x16xi8>, %w: tensor<16x8xi8>) -> tensor<64x8xi8> {
    // expected-error @+1 {{layer 'fc': rule 'scratchpad-capacity' at scratchpad: wanted at most 64 rows, found 288 (input 256, weights 32); make the tile smaller}}
    %y = fadiff.layer "fc" ins(%x, %w : tensor<64x16xi8>, tensor<16x8xi8>)
        workload(<[N = 64, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [C:4 K:2], registers [N:64], array [4 x 4]>) {
    ^bb0(%a: tensor<64x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<64x8xi8>
      fadiff.yield %e : tensor<64x8xi8>
    } -> tensor<64x8xi8>
    return %y : tensor<64x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @fc(%x: tensor<64x16xi8>, %w: tensor<16x8xi8>) -> tensor<64x8xi8> {
    // expected-error @+1 {{layer 'fc': rule 'accumulator-capacity' at accumulator: wanted at most 16 rows, found 32; make the N, P, Q or output channel tile smaller}}
    %y = fadiff.layer "fc" ins(%x, %w : tensor<64x16xi8>, tensor<16x8xi8>)
        workload(<[N = 64, K = 8, C = 16], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [N:4 C:4], scratchpad [], accumulator [K:2], registers [N:16], array [4 x 4]>) {
    ^bb0(%a: tensor<64x16xi8>, %b: tensor<16x8xi8>):
      %e = tensor.empty() : tensor<64x8xi8>
      fadiff.yield %e : tensor<64x8xi8>
    } -> tensor<64x8xi8>
    return %y : tensor<64x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @group(%x: tensor<4x4x8xi8>, %v: tensor<8x6xi8>, %w: tensor<6x8xi8>) -> tensor<4x4x8xi8> {
    %g = fadiff.fusion_group tile [N = 1, P = 2, Q = 4] {
      // expected-error @+1 {{layer 'first': rule 'group-tile' at scratchpad: wanted P = 2, what a tile of 'second' needs, found P = 1; members' tiles follow from the last's}}
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
          mapping(<dram [P:2 K:2], scratchpad [], accumulator [C:2], registers [P:2 Q:4], array [4 x 4]>) {
      ^bb0(%a: tensor<4x4x6xi8>, %b: tensor<6x8xi8>):
        %e = tensor.empty() : tensor<4x4x8xi8>
        fadiff.yield %e : tensor<4x4x8xi8>
      } -> tensor<4x4x8xi8>
      fadiff.yield %1 : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    return %g : tensor<4x4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @group_tile(%x: tensor<4x4x8xi8>, %v: tensor<8x6xi8>, %w: tensor<6x8xi8>) -> tensor<4x4x8xi8> {
    // expected-error @+1 {{has tile [N = 1, P = 1, Q = 4], but the mapping of its last layer "second" has [N = 1, P = 2, Q = 4]; write the same in both}}
    %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] {
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
          mapping(<dram [P:2 K:2], scratchpad [], accumulator [C:2], registers [P:2 Q:4], array [4 x 4]>) {
      ^bb0(%a: tensor<4x4x6xi8>, %b: tensor<6x8xi8>):
        %e = tensor.empty() : tensor<4x4x8xi8>
        fadiff.yield %e : tensor<4x4x8xi8>
      } -> tensor<4x4x8xi8>
      fadiff.yield %1 : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    return %g : tensor<4x4x8xi8>
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
// With the skip of the group's input beside the tiles of the middle layer.
func.func @skip_too_large(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [2] {
    // expected-error @+1 {{layer 'a': rule 'group-capacity' at scratchpad: wanted at most 64 rows, found 72 for the group of 3; use a smaller tile, fewer resident weights or a shorter group, or leave residuals in dram}}
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %2 = fadiff.layer "c" ins(%1, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%x : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>, %c: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %2 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
// From DRAM it fits.
func.func @skip_in_dram(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %2 = fadiff.layer "c" ins(%1, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%x : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>, %c: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %2 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
func.func @skip_on_another_machine(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [1] {
    // expected-error @+1 {{layer 'a': rule 'group-hand-over' at scratchpad: wanted a machine that hands tiles over on chip, found hand_over of 'tiny' is none; fuse nothing on this machine}}
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

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @skip_from_elsewhere(%x: tensor<4x4x8xi8>, %r: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [1] {
    // expected-error @+1 {{layer 'b': rule 'group-skip' at scratchpad: wanted a residual that a member up to it reads or makes, found one that is neither; leave the residual in dram}}
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%r : tensor<4x4x8xi8>)
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

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @skip_made_here(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] {
    // expected-error @+1 {{layer 'c': rule 'group-skip' at scratchpad: wanted the residual live, as 'a' of the same group makes it, found one from dram; what stays on chip cannot be read from dram}}
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %2 = fadiff.layer "c" ins(%1, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%0 : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>, %c: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %2 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}
