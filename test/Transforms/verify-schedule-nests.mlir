// RUN: fadiff-opt %s --fadiff-verify-schedule -split-input-file -verify-diagnostics

// Loop nests whose operations are well formed each, but which compute something
// else together, on a machine with a 4 x 4 array.

// Nothing to say about this one.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @good(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
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
func.func @empty(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  // expected-error @+1 {{has no fadiff.stage: nothing would be computed}}
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @loop_outside(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    // expected-error @+1 {{a loop around stages must run over N, P or Q, which all layers share; found K}}
    fadiff.for K step 4 at dram {
      fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
        fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
        fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.for C step 4 at accumulator {
          fadiff.for K step 4 at accumulator {
            fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
          }
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @no_store(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    // expected-error @+1 {{stage "s" must init, compute and store its output tile once each}}
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @no_compute(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    // expected-error @+1 {{stage "s" must init, compute and store its output tile once each}}
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @no_init(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
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
          // expected-error @+1 {{reads a buffer into which nothing was loaded or stored before}}
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
func.func @second_init(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      // expected-error @+1 {{stage "s" has a second fadiff.init}}
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
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
func.func @second_store(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
      // expected-error @+1 {{stage "s" has a second fadiff.store}}
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @second_compute(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
          // expected-error @+1 {{stage "s" has a second fadiff.compute}}
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
func.func @box_rows(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for K step 4 at accumulator {
        // expected-error @+1 {{the box spans 16 of dim C; the array takes 4 at once; loop over the rest around it}}
        fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
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
func.func @box_columns(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 5 at accumulator {
          // expected-error @+1 {{the box spans 5 of dim K; the array takes 4 at once}}
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
func.func @box_narrow_array(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 32>
    %wt = fadiff.alloc 32 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [2, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{the box spans 4 of dim C; the array takes 2 at once}}
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
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
func.func @weights_not_loaded(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
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
          // expected-error @+1 {{reads a buffer into which nothing was loaded or stored before}}
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
func.func @swapped(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-note @+1 {{it was filled here}}
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a buffer that holds another kind of tile than it takes there}}
          fadiff.compute %wt, %i into %o : !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
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
func.func @copy_has_ended(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        // expected-note @+1 {{the copy is here}}
        fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      }
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          // expected-error @+1 {{reads a buffer whose copy ended with a loop before this point}}
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
func.func @weight_rows(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 31>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      // expected-error @+1 {{the weight tile needs 32 rows of the scratchpad; its buffer has 31}}
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 31>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @input_rows(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 15>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{the input tile needs 16 rows of the scratchpad; its buffer has 15}}
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 15>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @output_rows(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 7>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      // expected-error @+1 {{the output tile needs 8 rows of the accumulator; its buffer has 7}}
      fadiff.init %o : !fadiff.buffer<accumulator, 7>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @store_elsewhere(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
        // expected-error @+1 {{must close the output tile where its fadiff.init opened it, with the computes in between}}
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @store_first(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      // expected-error @+1 {{must close the output tile where its fadiff.init opened it, with the computes in between}}
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @sums_left(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.for C step 4 at accumulator {
        // expected-error @+1 {{the output tile is left before the loop over C has summed it up; init and store need a spill operand for partial sums}}
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
func.func @no_hand_over(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    %h = fadiff.alloc 48 : !fadiff.buffer<scratchpad, 8>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
      // expected-error @+1 {{target 'tiny' cannot copy from the accumulator to the scratchpad; store to DRAM}}
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @hand_over_rows(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    %h = fadiff.alloc 48 : !fadiff.buffer<scratchpad, 7>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
      // expected-error @+1 {{the handed-over tile needs 8 rows of the scratchpad; its buffer has 7}}
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 7>
    }
    fadiff.stage "t" workload(<[N = 4, K = 8, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 7>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x8xi32>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @hand_over_to_nobody(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %W: !fadiff.dram<16x8xi8>, %Y: !fadiff.dram<4x8xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 16>
    %wt = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 32>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    %h = fadiff.alloc 48 : !fadiff.buffer<scratchpad, 7>
    fadiff.stage "s" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load input %X into %i : !fadiff.dram<4x16xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load weights %W into %wt : !fadiff.dram<16x8xi8>, !fadiff.buffer<scratchpad, 32>
      fadiff.init %o : !fadiff.buffer<accumulator, 8>
      fadiff.for C step 4 at accumulator {
        fadiff.for K step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 32>, !fadiff.buffer<accumulator, 8>
        }
      }
      // expected-error @+1 {{the last stage must store to DRAM: nothing reads its tile on chip}}
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 7>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @pixels(%x: memref<4x16xi8>, %y: memref<4x8xi32>) {
  fadiff.loop_nest ins(%x : memref<4x16xi8>) outs(%y : memref<4x8xi32>) {
  ^bb0(%X: !fadiff.dram<4x16xi8>, %Y: !fadiff.dram<4x8xi32>):
    fadiff.stage "a" workload(<[N = 4, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
    }
    // expected-error @+1 {{layer 'b': rule 'group-shape' at scratchpad: wanted N = 4 as in 'a', found N = 3; producer and consumer walk the same batch}}
    fadiff.stage "b" workload(<[N = 3, K = 8, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
// A skip that is there and fits.
func.func @skip(%x: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %v = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %v : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o skip %i : !fadiff.buffer<accumulator, 4> skip !fadiff.buffer<scratchpad, 4>
      fadiff.compute %h, %v into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
// Its rows are needed until it is added.
func.func @skip_under_weights(%x: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    // expected-note @+1 {{the other one is here}}
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    // expected-error @+1 {{shares rows with another buffer that is needed at the same time; wanted rows of its own}}
    %v = fadiff.alloc 2 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %v : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o skip %i : !fadiff.buffer<accumulator, 4> skip !fadiff.buffer<scratchpad, 4>
      fadiff.compute %h, %v into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @skip_of_weights(%x: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<4x4xi8>) {
  // expected-error @+1 {{layer 'b': rule 'group-skip' at scratchpad: wanted a residual that a member up to it reads or makes, found one that is neither; leave the residual in dram}}
  fadiff.loop_nest ins(%x, %w : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %v = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %v : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o skip %wt : !fadiff.buffer<accumulator, 4> skip !fadiff.buffer<scratchpad, 4>
      fadiff.compute %h, %v into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @skip_of_a_part(%x: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %v = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.for K step 4 at dram {
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
      }
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %v : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      // expected-error @+1 {{starts its sums from a buffer that holds no whole tile that a stage reads or makes}}
      fadiff.init %o skip %i : !fadiff.buffer<accumulator, 4> skip !fadiff.buffer<scratchpad, 4>
      fadiff.compute %h, %v into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @skip_of_other_blocks(%x: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %w : memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %v = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 8>
    %h = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "a" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 4>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
    }
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 2] {
      fadiff.load weights %W into %v : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 8>
      // expected-error @+1 {{starts its sums from a tile with 4 channels to a row, but the stage has 2 columns; wanted as many}}
      fadiff.init %o skip %i : !fadiff.buffer<accumulator, 4> skip !fadiff.buffer<scratchpad, 4>
      fadiff.compute %h, %v into %o : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

// Nothing to say about this one either: "a" makes slices of what "b" reads.

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @slices(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) input_slices [0, 4] {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    %o2 = fadiff.alloc 4 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.init %o1 : !fadiff.buffer<accumulator, 4>
          fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
          fadiff.store %o1 to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
        }
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}

// -----

// What a nest says of slices is what its loops do.

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @other_slices(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) input_slices [0, 8] {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    %o2 = fadiff.alloc 4 : !fadiff.buffer<accumulator, 4>
    // expected-error @+1 {{gets 8 channels at a time by input_slices of the nest (0: all), but its loops around the stage inside walk 4; wanted the same [N7]}}
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.init %o1 : !fadiff.buffer<accumulator, 4>
          fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
          fadiff.store %o1 to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
        }
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
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
func.func @undeclared_slices(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    %o2 = fadiff.alloc 4 : !fadiff.buffer<accumulator, 4>
    // expected-error @+1 {{gets 0 channels at a time by input_slices of the nest (0: all), but its loops around the stage inside walk 4; wanted the same [N7]}}
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.init %o1 : !fadiff.buffer<accumulator, 4>
          fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
          fadiff.store %o1 to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
        }
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
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
func.func @few_slices(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  // expected-error @+1 {{has 1 input_slices; wanted one for each of 2 stages [N7]}}
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) input_slices [4] {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    %o2 = fadiff.alloc 4 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.init %o1 : !fadiff.buffer<accumulator, 4>
          fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
          fadiff.store %o1 to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
        }
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
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
func.func @sums_share_rows(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) input_slices [0, 4] {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 8>
    // expected-note @+1 {{the other one is here}}
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    // expected-error @+1 {{shares rows with another buffer that is needed at the same time; wanted rows of its own}}
    %o2 = fadiff.alloc 2 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.init %o1 : !fadiff.buffer<accumulator, 4>
          fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
          fadiff.store %o1 to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
        }
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
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
func.func @slice_of_another_trip(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) input_slices [0, 4] {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    %o2 = fadiff.alloc 4 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        // expected-note @+1 {{the copy is here}}
        fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.init %o1 : !fadiff.buffer<accumulator, 4>
          fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
          fadiff.store %o1 to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
        }
      }
      fadiff.for C step 4 at accumulator {
        // expected-error @+1 {{reads a buffer whose copy ended with a loop before this point}}
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
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
func.func @slice_for_another(%x: memref<4x4xi8>, %v: memref<4x8xi8>, %w: memref<8x4xi8>, %y: memref<4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4xi8>, memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi8>) input_slices [0, 4] {
  ^bb0(%X: !fadiff.dram<4x4xi8>, %V: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<4x4xi8>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %vt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %h = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 8>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    %o2 = fadiff.alloc 4 : !fadiff.buffer<accumulator, 4>
    %j = fadiff.alloc 20 : !fadiff.buffer<scratchpad, 4>
    fadiff.stage "b" workload(<[N = 4, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o2 : !fadiff.buffer<accumulator, 4>
      fadiff.for C step 4 at dram {
        // expected-error @+1 {{inside stage "b" must make what that one reads; move it before that stage}}
        fadiff.stage "a" workload(<[N = 4, K = 8, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
          fadiff.load weights %V into %vt : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.load input %X into %i : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
          fadiff.init %o1 : !fadiff.buffer<accumulator, 4>
          fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 4>
          fadiff.store %o1 to %j : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 4>
        }
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<4x4xi8>
    }
  }
  return
}
}
