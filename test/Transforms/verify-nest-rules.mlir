// RUN: fadiff-opt %s --fadiff-verify-schedule -verify-diagnostics

// One wrong nest, or more, for each rule of docs/Lowering.md, section "What a
// nest must satisfy"; those on rows, sums, hand-overs and pools that have files
// of their own are in verify-schedule-nests, in-place-invalid, max-pool-invalid
// and kept-rows-invalid. On a machine with a 4 x 4 array.

module attributes {fadiff.target = #fadiff.target<"tiny", scratchpad_bytes = 1024, accumulator_bytes = 1024>} {

// Nothing to say about this one, which the others are made from.
func.func @good(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N1: what computes nothing only loads.

func.func @loop_around_load(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{stands in stage "s", which computes nothing; wanted nothing but loads there [N1]}}
      fadiff.for C step 4 at dram {
        fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      }
    }
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N2: loops over tiles.

func.func @two_tile_loops(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.for N step 4 at dram {
      // expected-error @+1 {{is a second loop over tiles of N; wanted one, whose step is the tile [N2]}}
      fadiff.for N step 2 at dram {
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
      }
    }
  }
  return
}

func.func @beside_the_loop(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.for N step 4 at dram {
    }
    // expected-error @+1 {{must stand inside of all loops over tiles, beside the other stages that compute [N2]}}
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @second_nest(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.for N step 4 at dram {
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
    }
    // expected-error @+1 {{is a second loop over tiles beside the first; wanted one nest of loops around all stages [N2]}}
    fadiff.for P step 4 at dram {
    }
  }
  return
}

// N3: each operand is what the layers say.

func.func @input_as_weights(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      // expected-error @+1 {{its weights is operand #0 of the nest; wanted #1: the input, for each stage its weights, its bias and its residual, the result, partial sums [N3]}}
      fadiff.load weights %X into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @weights_as_input(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{the input is operand #1 of the nest; wanted #0}}
      fadiff.load input %W into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @bias_left_out(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %b: memref<8xi32>, %y: memref<8x8xi8>) {
  // expected-error @+1 {{operand #2 is read by no stage; wanted each read, in order [N3]}}
  fadiff.loop_nest ins(%x, %w, %b : memref<8x8xi8>, memref<8x8xi8>, memref<8xi32>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %B: !fadiff.dram<8xi32>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @result_over_input(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      // expected-error @+1 {{the result is operand #0 of the nest; wanted #2}}
      fadiff.store %o to %X : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @no_partial_sums(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>, %p: memref<8x8xi32>) {
  // expected-error @+1 {{operand #3 holds no partial sums; wanted one result, as none spill [N3]}}
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y, %p : memref<8x8xi8>, memref<8x8xi32>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>, %P: !fadiff.dram<8x8xi32>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N4: stages that load for others.

func.func @other_blocks(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 32>
    %o = fadiff.alloc 0 : <accumulator, 16>
    // expected-error @+1 {{loads for stage "s" with another workload or part of the array; wanted the same on both, as tiles lie by them [N4]}}
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 2] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 32>
    }
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 32>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @loads_late(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
    // expected-error @+1 {{must stand before stage "s", which reads what it loads [N4]}}
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
    }
  }
  return
}

func.func @loads_for_nobody(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{loads what no stage reads; wanted a load that a stage without one of its own gets [N4]}}
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
    }
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @loads_twice(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-note @+1 {{the first one is here}}
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      // expected-error @+1 {{loads again what stage "s" gets; wanted one load [N4]}}
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
    }
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @input_outside_of_tiles(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    // expected-error @+1 {{must stand before stage "s", which reads what it loads, inside of the same loops over tiles [N4]}}
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
    }
    fadiff.for N step 4 at dram {
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
    }
  }
  return
}

// N5: each op once.

func.func @second_load(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      // expected-error @+1 {{stage "s" has a second fadiff.load of its weights; wanted one [N5]}}
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N6: one chain of loops down to the compute.

func.func @load_after(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a buffer into which nothing was loaded or stored before: wanted the copy before it [N6]}}
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      // expected-note @+1 {{the copy is here}}
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @idle_loop(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      // expected-error @+1 {{holds no compute of stage "s"; wanted every loop around the one compute of its stage [N6]}}
      fadiff.for C step 4 at accumulator {
      }
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N7: the layers, and who reads what.

func.func @floats(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %y: memref<8x8xf32>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%X: !fadiff.dram<8x8xf32>, %W: !fadiff.dram<8x8xf32>, %Y: !fadiff.dram<8x8xf32>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    // expected-error @+1 {{layer 's': rule 'element-bytes' at dram: wanted 1 as in 'tiny', found 4; input and weights must be of the array's type [N7]}}
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xf32>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xf32>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xf32>
    }
  }
  return
}

// Nothing to say about this one, and the next.
func.func @two(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [-1] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [0] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @skip(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [-1] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [0, -1] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o skip %i : <accumulator, 16> skip !fadiff.buffer<scratchpad, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N8: the tiles that a stage declares to read are those that it reads.

func.func @other_input(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [-1] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    // expected-error @+1 {{declares to read the nest's input, but its buffer holds what stage "a" makes [N8]}}
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [-1] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @skip_left_out(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [-1] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    // expected-error @+1 {{declares to read 2 tiles, but reads 1: an input, and a residual if it is on chip [N8]}}
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [0, -1] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @no_such_stage(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [-1] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    // expected-error @+1 {{declares to read what stage 7 makes; the nest has 2 [N8]}}
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] reads [7] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N9: buffers hold what is read.

func.func @weights_of_another(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      // expected-note @+1 {{it was filled here}}
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a buffer that holds another kind of tile than it takes there: wanted the stage's weights [N9]}}
          fadiff.compute %h, %s into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @sums_of_another(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      // expected-note @+1 {{it begins another one here}}
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{adds to a buffer that the stage's fadiff.init does not begin; wanted the same [N9]}}
          fadiff.compute %h, %t into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @loads_what_is_there(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{loads the input of stage "b", which gets it on chip; wanted no load of its own [N9]}}
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N10: what the array takes at once.

func.func @groups(%x: memref<2x8x4xi8>, %w: memref<2x4x4xi8>, %y: memref<2x8x4xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<2x8x4xi8>, memref<2x4x4xi8>) outs(%y : memref<2x8x4xi8>) {
  ^bb0(%X: !fadiff.dram<2x8x4xi8>, %W: !fadiff.dram<2x4x4xi8>, %Y: !fadiff.dram<2x8x4xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, G = 2, K = 4, C = 4], layouts = "GNC" "GCK" "GNK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{the box spans 2 of dim G; groups that are not depthwise run one after the other: loop over G around it [N10]}}
      fadiff.load weights %W into %t : <2x4x4xi8>, <scratchpad, 16>
      fadiff.for G step 1 at dram {
        fadiff.load input %X into %i : <2x8x4xi8>, <scratchpad, 16>
        fadiff.init %o : <accumulator, 16>
        fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<2x8x4xi8>
      }
    }
  }
  return
}

// N11: loops cut tiles between blocks.

func.func @part_of_input_block(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      // expected-error @+1 {{cuts the input tile in steps of 3 of dim C; its rows hold 4: wanted a multiple [N11]}}
      fadiff.for C step 3 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @two_weight_blocks(%x: memref<4x10x4xi8>, %w: memref<4x2x3x4xi8>, %y: memref<4x8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<4x10x4xi8>, memref<4x2x3x4xi8>) outs(%y : memref<4x8x8xi8>) {
  ^bb0(%X: !fadiff.dram<4x10x4xi8>, %W: !fadiff.dram<4x2x3x4xi8>, %Y: !fadiff.dram<4x8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 40>
    %t = fadiff.alloc 64 : <scratchpad, 24>
    %o = fadiff.alloc 0 : <accumulator, 64>
    fadiff.stage "s" workload(<[K = 8, C = 4, P = 4, Q = 8, S = 3], input = [4, 10], layouts = "HWC" "SCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <4x10x4xi8>, <scratchpad, 40>
      // expected-error @+1 {{loads 8 of 8 columns, of weights in blocks of 4; wanted one whole block, of whole blocks of the array's 4 columns [N11]}}
      fadiff.load weights %W into %t : <4x2x3x4xi8>, <scratchpad, 24>
      fadiff.init %o : <accumulator, 64>
      fadiff.for K step 4 at accumulator {
        fadiff.for S step 1 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 40>, <scratchpad, 24>, <accumulator, 64>
        }
      }
      fadiff.store %o to %Y : <accumulator, 64>, !fadiff.dram<4x8x8xi8>
    }
  }
  return
}

func.func @part_of_weight_block(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      // expected-error @+1 {{cuts the weight tile in steps of 2 of dim K; its rows hold 4: wanted a multiple [N11]}}
      fadiff.for K step 2 at dram {
        fadiff.init %o : <accumulator, 16>
        fadiff.for C step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
        fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
      }
    }
  }
  return
}

func.func @part_of_output_block(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        // expected-error @+1 {{cuts the output tile in steps of 2 of dim K; its rows hold 4: wanted a multiple [N11]}}
        fadiff.for K step 2 at accumulator {
          fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @diagonal(%x: memref<2x2x8xi8>, %w: memref<8x4xi8>, %y: memref<2x2x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<2x2x8xi8>, memref<8x4xi8>) outs(%y : memref<2x2x8xi8>) {
  ^bb0(%X: !fadiff.dram<2x2x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<2x2x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[G = 8, P = 2, Q = 2], input = [2, 2], layouts = "HWG" "G" "PQG">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{cuts the block-diagonal weights in steps of 2 of dim G; its rows hold 4: wanted a multiple [N11]}}
      fadiff.for G step 2 at dram {
        fadiff.load weights %W into %t : <8x4xi8>, <scratchpad, 16>
        fadiff.load input %X into %i : <2x2x8xi8>, <scratchpad, 16>
        fadiff.init %o : <accumulator, 16>
        fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<2x2x8xi8>
      }
    }
  }
  return
}

// N12: and steps into whole steps.

func.func @steps(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for N step 3 at scratchpad {
        // expected-error @+1 {{cuts steps of 3 of dim N in steps of 2; wanted a divisor, so that all but the last are alike [N12]}}
        fadiff.for N step 2 at accumulator {
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N13: rows of what is handed over are full.

func.func @narrow_rows(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 128 : <scratchpad, 32>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 32>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 2] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 32>
      fadiff.init %n : <accumulator, 32>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 2 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 32>, <accumulator, 32>
        }
      }
      // expected-error @+1 {{hands over a tile, with 2 channels to a row; wanted 4 [N13]}}
      fadiff.store %n to %h : <accumulator, 32>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

func.func @half_rows(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [2, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 2 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a tile with 4 channels to a row, but takes 2 at once; wanted as many [N13]}}
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N14: tiles fit into their buffers.

func.func @small(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 15>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{the input tile needs 16 rows of the scratchpad; its buffer has 15 [N14]}}
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 15>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 15>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N15: what is needed at once lies apart, in one buffer or in two.

func.func @weights_that_stay(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    // expected-error @+2 {{shares rows with another buffer that is needed at the same time; wanted rows of its own [N15]}}
    // expected-note @+1 {{the other one is here}}
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
    }
    fadiff.for N step 4 at dram {
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %s into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
    }
  }
  return
}

// N16: sums are begun and closed.

func.func @spill_on_one_side(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>, %p: memref<8x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y, %p : memref<8x8xi8>, memref<8x8xi32>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>, %P: !fadiff.dram<8x8xi32>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.for C step 4 at dram {
        fadiff.init %o spill %P : <accumulator, 16> spill !fadiff.dram<8x8xi32>
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
        // expected-error @+1 {{and its fadiff.init must both have a spill operand or neither [N16]}}
        fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
      }
    }
  }
  return
}

func.func @spill_in_a_group(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>, %p: memref<8x8xi32>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y, %p : memref<8x8xi8>, memref<8x8xi32>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>, %P: !fadiff.dram<8x8xi32>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      // expected-error @+1 {{keeps partial sums in DRAM; wanted complete ones, as the nest has several stages [N16]}}
      fadiff.init %o spill %P : <accumulator, 16> spill !fadiff.dram<8x8xi32>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y spill %P : <accumulator, 16>, !fadiff.dram<8x8xi8> spill !fadiff.dram<8x8xi32>
    }
  }
  return
}

// N17: the stage's sums leave, to where they are wanted.

func.func @other_sums(%x: memref<8x8xi8>, %v: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<8x8xi8>, memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %V: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %s = fadiff.alloc 64 : <scratchpad, 16>
    %t = fadiff.alloc 80 : <scratchpad, 16>
    %h = fadiff.alloc 96 : <scratchpad, 16>
    %n = fadiff.alloc 16 : <accumulator, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    fadiff.stage "a" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %V into %s : <8x8xi8>, <scratchpad, 16>
      fadiff.init %n : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %s into %n : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %n to %h : <accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      // expected-note @+1 {{it begins another one here}}
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %h, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      // expected-error @+1 {{closes a buffer that the stage's fadiff.init does not begin; wanted the same [N17]}}
      fadiff.store %n to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

// N19: a mapping for loop_ws is legal.

func.func @loop_ws(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %y: memref<8x8xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%y : memref<8x8xi8>) {
  ^bb0(%X: !fadiff.dram<8x8xi8>, %W: !fadiff.dram<8x8xi8>, %Y: !fadiff.dram<8x8xi8>):
    %i = fadiff.alloc 0 : <scratchpad, 16>
    %t = fadiff.alloc 64 : <scratchpad, 16>
    %o = fadiff.alloc 0 : <accumulator, 16>
    // expected-error @+1 {{is marked for loop_ws with a mapping that is not legal: layer 's': rule 'coverage' at dram: wanted factors whose product is at least C = 8, found 4; raise a factor of this dim [N19]}}
    fadiff.stage "s" workload(<[N = 8, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] mapping(<dram [], scratchpad [], accumulator [K:2], registers [N:8], array [4 x 4]>) loop_ws {
      fadiff.load input %X into %i : <8x8xi8>, <scratchpad, 16>
      fadiff.load weights %W into %t : <8x8xi8>, <scratchpad, 16>
      fadiff.init %o : <accumulator, 16>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %t into %o : <scratchpad, 16>, <scratchpad, 16>, <accumulator, 16>
        }
      }
      fadiff.store %o to %Y : <accumulator, 16>, !fadiff.dram<8x8xi8>
    }
  }
  return
}

}
