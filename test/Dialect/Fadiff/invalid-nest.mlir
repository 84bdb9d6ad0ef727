// RUN: fadiff-opt %s -split-input-file -verify-diagnostics

// Loop nests and what stands inside.

func.func @argument_count(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op region must have one argument per operand: wanted 2, found 1}}
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>):
  }
  return
}

// -----

func.func @dynamic(%x: memref<?x8xi8>, %y: memref<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op operands must have static shapes; found 'memref<?x8xi8>'}}
  fadiff.loop_nest ins(%x : memref<?x8xi8>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
  }
  return
}

// -----

func.func @view_type(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op region argument #1 must be '!fadiff.dram<4x16xi32>'; found '!fadiff.dram<4x16xi8>'}}
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi8>):
  }
  return
}

// -----

func.func @view_kind(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op region argument #0 must be '!fadiff.dram<4x8xi8>'; found 'i8'}}
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: i8, %Y: !fadiff.dram<4x16xi32>):
  }
  return
}

// -----

func.func @outs(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op wants one out, and a second one if partial sums spill; found 3}}
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y, %y, %y : memref<4x16xi32>, memref<4x16xi32>, memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>, %Z: !fadiff.dram<4x16xi32>, %U: !fadiff.dram<4x16xi32>):
  }
  return
}

// -----

func.func @no_result(%x: memref<4x8xi8>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op on tensors must have one result per out, on memrefs none; found 0}}
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : tensor<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
  }
  return
}

// -----

func.func @alloc_negative(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    // expected-error @+1 {{'fadiff.alloc' op starts at row 0 or later; found -1}}
    %i = fadiff.alloc -1 : !fadiff.buffer<scratchpad, 8>
  }
  return
}

// -----

func.func @other_op(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    // expected-error @+1 {{'arith.constant' op cannot stand inside a fadiff.loop_nest; wanted only alloc, for, stage, load, init, compute and store of the fadiff dialect}}
    %c = arith.constant 0 : i32
  }
  return
}

// -----

func.func @other_op_deep(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    fadiff.for N step 1 at dram {
      // expected-error @+1 {{'arith.constant' op cannot stand inside a fadiff.loop_nest}}
      %c = arith.constant 0 : i32
    }
  }
  return
}

// -----

func.func @alloc_in_loop(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    fadiff.for N step 1 at dram {
      // expected-error @+1 {{'fadiff.alloc' op expects parent op 'fadiff.loop_nest'}}
      %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    }
  }
  return
}

// -----

func.func @stage_in_stage(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.stage' op inside stage "s" must stand in a loop over C, the channels that it makes for it; found none}}
      fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      }
    }
  }
  return
}

// -----

func.func @stage_in_loop_in_stage(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.for N step 1 at dram {
      // expected-error @+1 {{'fadiff.stage' op inside stage "s" may stand in loops over C only, the channels that it makes for it; found one over N}}
      fadiff.stage "t" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      }
      }
    }
  }
  return
}

// -----

func.func @array(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    // expected-error @+1 {{'fadiff.stage' op array part must be at least [1, 1]; found [0, 4]}}
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [0, 4] {
    }
  }
  return
}

// -----

func.func @step(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    // expected-error @+1 {{'fadiff.for' op step must be at least 1; found 0}}
    fadiff.for N step 0 at dram {
    }
  }
  return
}

// -----

func.func @step_negative(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    // expected-error @+1 {{'fadiff.for' op step must be at least 1; found -3}}
    fadiff.for N step -3 at dram {
    }
  }
  return
}

// -----

func.func @step_nested(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    fadiff.for N step 2 at dram {
      fadiff.for P step 1 at dram {
        // expected-error @+1 {{'fadiff.for' op step 3 is larger than that of the enclosing loop of N, 2}}
        fadiff.for N step 3 at scratchpad {
        }
      }
    }
  }
  return
}

// -----

func.func @no_stage(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    // expected-error @+1 {{'fadiff.load' op must stand inside a fadiff.stage}}
    fadiff.load input %X into %i : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 8>
  }
  return
}

// -----

func.func @load_into_accumulator(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.load' op buffer must lie in the scratchpad; found it in the accumulator}}
      fadiff.load input %X into %o : !fadiff.dram<4x8xi8>, !fadiff.buffer<accumulator, 16>
    }
  }
  return
}

// -----

func.func @load_weights_as_input(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.load' op input must be '!fadiff.dram<4x8xi8>' as the stage's workload says; found '!fadiff.dram<8x16xi8>'}}
      fadiff.load input %W into %i : !fadiff.dram<8x16xi8>, !fadiff.buffer<scratchpad, 8>
    }
  }
  return
}

// -----

func.func @load_input_as_weights(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.load' op weights must be '!fadiff.dram<8x16xi8>' as the stage's workload says; found '!fadiff.dram<4x8xi8>'}}
      fadiff.load weights %X into %i : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 8>
    }
  }
  return
}

// -----

func.func @blocked_weights(%w: memref<3x8x2x3x8xi8>, %y: memref<4x4x16xi32>) {
  fadiff.loop_nest ins(%w : memref<3x8x2x3x8xi8>) outs(%y : memref<4x4x16xi32>) {
  ^bb0(%W: !fadiff.dram<3x8x2x3x8xi8>, %Y: !fadiff.dram<4x4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 288>
    fadiff.stage "s" workload(<[K = 24, C = 8, P = 4, Q = 4, R = 3, S = 3], input = [6, 6], layouts = "HWC" "RSCK" "PQK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.load' op weights must be '!fadiff.dram<3x8x3x3x8xi8>' as the stage's workload says; found '!fadiff.dram<3x8x2x3x8xi8>'}}
      fadiff.load weights %W into %i : !fadiff.dram<3x8x2x3x8xi8>, !fadiff.buffer<scratchpad, 288>
    }
  }
  return
}

// -----

func.func @parts_of_weight_blocks(%w: memref<3x8x2x3x8xi8>, %y: memref<4x4x16xi32>) {
  fadiff.loop_nest ins(%w : memref<3x8x2x3x8xi8>) outs(%y : memref<4x4x16xi32>) {
  ^bb0(%W: !fadiff.dram<3x8x2x3x8xi8>, %Y: !fadiff.dram<4x4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 288>
    fadiff.stage "s" workload(<[K = 20, C = 8, P = 4, Q = 4, R = 3, S = 3], input = [6, 6], layouts = "HWC" "RSCK" "PQK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.load' op weights lie in blocks of 8 columns; wanted a divisor of K = 20}}
      fadiff.load weights %W into %i : !fadiff.dram<3x8x2x3x8xi8>, !fadiff.buffer<scratchpad, 288>
    }
  }
  return
}

// -----

func.func @blocks_of_one_channel(%w: memref<3x3x8x8xi8>, %y: memref<4x4xi32>) {
  fadiff.loop_nest ins(%w : memref<3x3x8x8xi8>) outs(%y : memref<4x4xi32>) {
  ^bb0(%W: !fadiff.dram<3x3x8x8xi8>, %Y: !fadiff.dram<4x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 72>
    fadiff.stage "s" workload(<[C = 8, P = 4, Q = 4, R = 3, S = 3], input = [6, 6], layouts = "HWC" "RSC" "PQ">) epilogue(<>) array [4, 1] {
      // expected-error @+1 {{'fadiff.load' op weights must be '!fadiff.dram<3x3x8xi8>' as the stage's workload says; found '!fadiff.dram<3x3x8x8xi8>'}}
      fadiff.load weights %W into %i : !fadiff.dram<3x3x8x8xi8>, !fadiff.buffer<scratchpad, 72>
    }
  }
  return
}

// -----

func.func @depthwise_weights(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    fadiff.stage "s" workload(<[G = 16, P = 4, Q = 4, R = 3, S = 3], input = [6, 6], layouts = "HWG" "RSG" "PQG">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.load' op weights must be '!fadiff.dram<3x16x3x4xi8>' as the stage's workload says; found '!fadiff.dram<8x16xi8>'}}
      fadiff.load weights %W into %i : !fadiff.dram<8x16xi8>, !fadiff.buffer<scratchpad, 8>
    }
  }
  return
}

// -----

func.func @init_in_scratchpad(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.init' op tile must lie in the accumulator; found it in the scratchpad}}
      fadiff.init %i : !fadiff.buffer<scratchpad, 8>
    }
  }
  return
}

// -----

func.func @init_bias(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %b8: memref<8xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b, %b8 : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>, memref<8xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %B8: !fadiff.dram<8xi32>, %Y: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.init' op bias must be '!fadiff.dram<16xi32>' as the stage's workload says; found '!fadiff.dram<8xi32>'}}
      fadiff.init %o bias %B8 : !fadiff.buffer<accumulator, 16> bias !fadiff.dram<8xi32>
    }
  }
  return
}

// -----

func.func @init_spill(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.init' op spill must be '!fadiff.dram<4x16xi32>' as the stage's workload says; found '!fadiff.dram<16xi32>'}}
      fadiff.init %o spill %B : !fadiff.buffer<accumulator, 16> spill !fadiff.dram<16xi32>
    }
  }
  return
}

// -----

func.func @compute_input(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.compute' op reads the sums that it adds to; wanted those of an earlier stage}}
      fadiff.compute %o, %i into %o : !fadiff.buffer<accumulator, 16>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 16>
    }
  }
  return
}

// -----

func.func @compute_weights(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.compute' op weights must lie in the scratchpad; found it in the accumulator}}
      fadiff.compute %i, %o into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 16>, !fadiff.buffer<accumulator, 16>
    }
  }
  return
}

// -----

func.func @compute_sums(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.compute' op sums must lie in the accumulator; found it in the scratchpad}}
      fadiff.compute %i, %i into %i : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 8>
    }
  }
  return
}

// -----

func.func @store_from_scratchpad(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.store' op tile must lie in the accumulator; found it in the scratchpad}}
      fadiff.store %i to %Y : !fadiff.buffer<scratchpad, 8>, !fadiff.dram<4x16xi32>
    }
  }
  return
}

// -----

func.func @store_to_accumulator(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    %p = fadiff.alloc 16 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.store' op destination must lie in the scratchpad; found it in the accumulator}}
      fadiff.store %o to %p : !fadiff.buffer<accumulator, 16>, !fadiff.buffer<accumulator, 16>
    }
  }
  return
}

// -----

func.func @store_in_place_and_spill(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %s: memref<4x16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x8xi8>, memref<8x16xi8>) outs(%y, %s : memref<4x16xi32>, memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %Y: !fadiff.dram<4x16xi32>, %S: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.store' op stays in the accumulator and has partial sums in DRAM; wanted one or the other}}
      fadiff.store %o to %o spill %S : !fadiff.buffer<accumulator, 16>, !fadiff.buffer<accumulator, 16> spill !fadiff.dram<4x16xi32>
    }
  }
  return
}

// -----

func.func @store_shape(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.store' op destination must be '!fadiff.dram<4x16xi32>' as the stage's workload says; found '!fadiff.dram<16xi32>'}}
      fadiff.store %o to %B : !fadiff.buffer<accumulator, 16>, !fadiff.dram<16xi32>
    }
  }
  return
}

// -----

func.func @store_scaled(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{'fadiff.store' op destination must be '!fadiff.dram<4x16xi8>' as the stage's workload says; found '!fadiff.dram<4x16xi32>'}}
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 16>, !fadiff.dram<4x16xi32>
    }
  }
  return
}

// -----

func.func @store_spill(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.store' op spill must be '!fadiff.dram<4x16xi32>' as the stage's workload says; found '!fadiff.dram<16xi32>'}}
      fadiff.store %o to %Y spill %B : !fadiff.buffer<accumulator, 16>, !fadiff.dram<4x16xi32> spill !fadiff.dram<16xi32>
    }
  }
  return
}

// -----

func.func @alloc_parent() {
  // expected-error @+1 {{'fadiff.alloc' op expects parent op 'fadiff.loop_nest'}}
  %0 = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
  return
}

// -----

func.func @for_parent() {
  // expected-error @+1 {{'fadiff.for' op expects parent op to be one of 'fadiff.loop_nest, fadiff.for, fadiff.stage'}}
  fadiff.for N step 1 at dram {
  }
  return
}

// -----

func.func @loop_without_mapping(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    // expected-error @+1 {{'fadiff.stage' op loop_ws wants the mapping that it follows from; found none}}
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] loop_ws {
    }
  }
  return
}
// -----

func.func @loop_with_argument(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
    // expected-error @+1 {{'fadiff.for' op region takes no arguments; found 1}}
    fadiff.for N step 1 at dram {
    ^bb0(%V: !fadiff.dram<8x16xi8>):
    }
  }
  return
}

// -----

func.func @no_input(%y: memref<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op wants an input; found none}}
  "fadiff.loop_nest"(%y) <{operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%Y: !fadiff.dram<4x16xi32>):
  }) : (memref<4x16xi32>) -> ()
  return
}

// -----

// What the nest itself asks of its stages waits until these are known to be
// well formed.
func.func @kept_rows_of_what(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32>) keep_rows {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
    %t = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{'fadiff.init' op operand #1 must be an operand of a loop nest as it lies in DRAM, but got '!fadiff.buffer<scratchpad, 8>'}}
      fadiff.init %o bias %t : !fadiff.buffer<accumulator, 8> bias !fadiff.buffer<scratchpad, 8>
      fadiff.compute %t, %t into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 8>
    }
  }
  return
}

// -----

func.func @turned(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
  // expected-error @+1 {{'fadiff.loop_nest' op is of turned images, as a group that keeps columns is; wanted keep_rows, too}}
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32>) turned {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
  }
  return
}
