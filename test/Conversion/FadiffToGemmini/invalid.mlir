// RUN: fadiff-opt %s --fadiff-lower-to-gemmini -split-input-file -verify-diagnostics

// expected-error @+1 {{wanted a module attribute 'fadiff.target'; run fadiff-attach-target first}}
module {
  func.func @no_target(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
    fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
    }
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @tensors(%x: tensor<4x8xi8>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
    // expected-error @+1 {{wanted operands in memory; found 'tensor<4x8xi8>'; bufferize first}}
    %0 = fadiff.loop_nest ins(%x : tensor<4x8xi8>) outs(%y : tensor<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
    } -> tensor<4x16xi32>
    return %0 : tensor<4x16xi32>
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @gaps(%x: memref<4x8xi8, strided<[16, 2]>>, %y: memref<4x16xi32>) {
    // expected-error @+1 {{wanted operands with static strides whose innermost axis has no gaps; found 'memref<4x8xi8, strided<[16, 2]>>'; copy them to a dense buffer}}
    fadiff.loop_nest ins(%x : memref<4x8xi8, strided<[16, 2]>>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
    }
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @unknown(%x: memref<4x8xi8, strided<[?, 1]>>, %y: memref<4x16xi32>) {
    // expected-error @+1 {{wanted operands with static strides whose innermost axis has no gaps; found 'memref<4x8xi8, strided<[?, 1]>>'; copy them to a dense buffer}}
    fadiff.loop_nest ins(%x : memref<4x8xi8, strided<[?, 1]>>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
    }
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @overlap(%x: memref<4x8xi8>, %y: memref<4x16xi32, strided<[15, 1]>>) {
    // expected-error @+1 {{wanted outs without overlap; found 'memref<4x16xi32, strided<[15, 1]>>'; store to a dense buffer}}
    fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32, strided<[15, 1]>>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
    }
    return
  }
}

// -----

// Nothing to lower needs no target.
module {
  func.func @nothing() {
    return
  }
}

// -----

// The nest is verified as by fadiff-verify-schedule, whether that has run or not.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @no_weights(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a buffer into which nothing was loaded or stored before: wanted the stage's weights [N9]}}
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @no_input(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a buffer into which nothing was loaded or stored before: wanted the stage's input [N9]}}
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @no_sums(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a buffer into which nothing was loaded or stored before: wanted a fadiff.init of its sums [N5]}}
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @only_store(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    // expected-error @+1 {{stage "s" must init, compute and store its output tile once each [N5]}}
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
// What one stage stores to DRAM is not there for another one of the nest.
func.func @apart(%x: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<4x4xi8>) {
  // expected-error @+1 {{layer 'b': rule 'group-chain' at dram: wanted an edge from 'a', found none; each member of a group reads one before it [N7]}}
  fadiff.loop_nest ins(%x, %w : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
func.func @nobody_reads(%x: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      // expected-error @+1 {{the last stage must store to DRAM: nothing reads its tile on chip [N17]}}
      fadiff.store %o to %o : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<accumulator, 4>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @inner_stage_only_loads(%x: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        // expected-error @+1 {{inside stage "a" must make what that one reads; move it before that stage [N7]}}
        fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
        }
        fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}
