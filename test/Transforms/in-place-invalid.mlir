// RUN: fadiff-opt %s --fadiff-verify-schedule -split-input-file -verify-diagnostics

// Sums that stay in the accumulator for the next stage, of nests and of groups.

// Nothing to say about this one.
#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @good(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    %o2 = fadiff.alloc 12 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o1 : !fadiff.buffer<accumulator, 8>
      fadiff.for K step 4 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
      }
      fadiff.store %o1 to %o1 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<accumulator, 8>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %o1, %wt into %o2 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @machine(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    %o2 = fadiff.alloc 12 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o1 : !fadiff.buffer<accumulator, 8>
      fadiff.for K step 4 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
      }
      // expected-error @+1 {{target 'tiny' cannot read operands from the accumulator; store to DRAM}}
      fadiff.store %o1 to %o1 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<accumulator, 8>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %o1, %wt into %o2 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", accumulator_bytes = 512, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @columns(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    %o2 = fadiff.alloc 16 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 2] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o1 : !fadiff.buffer<accumulator, 16>
      fadiff.for K step 2 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 16>
      }
      // expected-error @+1 {{leaves sums for the next stage, with 2 channels to a row; wanted 4}}
      fadiff.store %o1 to %o1 : !fadiff.buffer<accumulator, 16>, !fadiff.buffer<accumulator, 16>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %o1, %wt into %o2 : !fadiff.buffer<accumulator, 16>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @rows(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    %o2 = fadiff.alloc 12 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o1 : !fadiff.buffer<accumulator, 8>
      fadiff.for K step 4 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
      }
      fadiff.store %o1 to %o1 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<accumulator, 8>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [2, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 2 at accumulator {
        // expected-error @+1 {{reads sums with 4 channels to a row, but takes 2 at once; wanted as many}}
        fadiff.compute %o1, %wt into %o2 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @too_few(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 7>
    %o2 = fadiff.alloc 12 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      // expected-error @+1 {{the output tile needs 8 rows of the accumulator; its buffer has 7}}
      fadiff.init %o1 : !fadiff.buffer<accumulator, 7>
      fadiff.for K step 4 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 7>
      }
          fadiff.store %o1 to %o1 : !fadiff.buffer<accumulator, 7>, !fadiff.buffer<accumulator, 7>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %o1, %wt into %o2 : !fadiff.buffer<accumulator, 7>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @parts(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    %o2 = fadiff.alloc 12 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.for N step 2 at scratchpad {
      fadiff.init %o1 : !fadiff.buffer<accumulator, 8>
      fadiff.for K step 4 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
      }
      // expected-error @+1 {{leaves sums of 2 of dim N for the next stage; wanted all 4 of the tile}}
      fadiff.store %o1 to %o1 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<accumulator, 8>
      }
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %o1, %wt into %o2 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @overlap(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 8>
    // expected-note @+1 {{the other one is here}}
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    // expected-error @+1 {{shares rows with another buffer that is needed at the same time; wanted rows of its own}}
    %o2 = fadiff.alloc 6 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o1 : !fadiff.buffer<accumulator, 8>
      fadiff.for K step 4 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
      }
      fadiff.store %o1 to %o1 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<accumulator, 8>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %o1, %wt into %o2 : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 1024, accumulator_bytes = 512, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @fits(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 2, Q = 4] {
    %a = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %b = fadiff.layer "b" ins(%a, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %c = fadiff.layer "c" ins(%b, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [P:2], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %c : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}

// -----

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 1024, accumulator_bytes = 496, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @accumulator(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 2, Q = 4] {
    // expected-error @+1 {{layer 'b': rule 'group-accumulator' at accumulator: wanted at most 31 rows, found 32 (handed over 32, own sums 0); use a smaller tile of the group, or smaller ones of its last member's sums}}
    %a = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %b = fadiff.layer "b" ins(%a, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %c = fadiff.layer "c" ins(%b, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [P:2], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %c : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}

// -----

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 1024, accumulator_bytes = 512, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @sums(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 2, Q = 4] {
    // expected-error @+1 {{layer 'a': rule 'group-sums' at accumulator: wanted P = 2, the whole tile, found P = 1; sums that are handed over stay in the accumulator: loop over the tile's pixels there or in the registers}}
    %a = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [P:2], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %b = fadiff.layer "b" ins(%a, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %c = fadiff.layer "c" ins(%b, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [P:2], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %c : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}

// -----

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 1024, accumulator_bytes = 512, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @kept(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 2, Q = 4] keep_rows {
    // expected-error @+1 {{layer 'a': rule 'group-keep' at accumulator: wanted a machine that copies accumulator to scratchpad, found hand_over of 'tiny' is accumulator_operand; keep no rows on this machine}}
    %a = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %b = fadiff.layer "b" ins(%a, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %c = fadiff.layer "c" ins(%b, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [P:2], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %c : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}

// -----

#tiny = #fadiff.target<"tiny", scratchpad_bytes = 1024, accumulator_bytes = 512, hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @skip(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  %g = fadiff.fusion_group tile [N = 1, P = 2, Q = 4] live_skips [2] {
    // expected-error @+1 {{layer 'c': rule 'group-skip' at accumulator: wanted a residual from outside of the group, found one that 'a' hands over in the accumulator; as hand_over of 'tiny' is accumulator_operand, the array scales all that it reads there alike: put the layers into different groups}}
    %a = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %b = fadiff.layer "b" ins(%a, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [], accumulator [P:2 K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %c = fadiff.layer "c" ins(%b, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%a : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:2], scratchpad [P:2], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%p: tensor<4x4x8xi8>, %q: tensor<8x8xi8>, %r: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %c : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}
}
