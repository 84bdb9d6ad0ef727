// RUN: fadiff-opt %s --fadiff-verify-schedule -split-input-file -verify-diagnostics

// Nests of groups that keep rows, on a machine with a 4 x 4 array, 64 scratchpad
// rows: 3 x 1 after 3 x 1.

// Nothing to say about this one.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @good(%x: memref<6x4x4xi8>, %v: memref<3x1x4x4xi8>, %w: memref<3x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<6x4x4xi8>, memref<3x1x4x4xi8>, memref<3x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %W: !fadiff.dram<3x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 12>
    %i = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 12>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.load input %X into %i : !fadiff.dram<6x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 12>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<6x4x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @columns_inside(%x: memref<6x4x4xi8>, %v: memref<3x1x4x4xi8>, %w: memref<3x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<6x4x4xi8>, memref<3x1x4x4xi8>, memref<3x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %W: !fadiff.dram<3x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 12>
    %i = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 12>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.for P step 1 at dram {
    fadiff.for Q step 2 at dram {
      // expected-error @+1 {{'fadiff.stage' op in a nest that keeps rows must stand right inside the only loop over P around it; found 1 loops over P, and the stage inside one over Q}}
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.load input %X into %i : !fadiff.dram<6x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 12>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<6x4x4xi8>
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
func.func @rows_twice(%x: memref<6x4x4xi8>, %v: memref<3x1x4x4xi8>, %w: memref<3x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<6x4x4xi8>, memref<3x1x4x4xi8>, memref<3x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %W: !fadiff.dram<3x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 12>
    %i = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 12>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.for P step 2 at dram {
    fadiff.for P step 1 at dram {
      // expected-error @+1 {{'fadiff.stage' op in a nest that keeps rows must stand right inside the only loop over P around it; found 2 loops over P, and the stage inside one over P}}
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.load input %X into %i : !fadiff.dram<6x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 12>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<6x4x4xi8>
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
func.func @one_tile(%x: memref<6x4x4xi8>, %v: memref<3x1x4x4xi8>, %w: memref<3x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<6x4x4xi8>, memref<3x1x4x4xi8>, memref<3x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %W: !fadiff.dram<3x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 12>
    %i = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 12>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
      // expected-error @+1 {{'fadiff.stage' op in a nest that keeps rows must stand right inside the only loop over P around it; found 0 loops over P, and the stage inside none}}
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.load input %X into %i : !fadiff.dram<6x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 12>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<6x4x4xi8>
      }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @overlap(%x: memref<6x4x4xi8>, %v: memref<3x1x4x4xi8>, %w: memref<3x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<6x4x4xi8>, memref<3x1x4x4xi8>, memref<3x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %W: !fadiff.dram<3x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 12>
    %i = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 12>
    // expected-note @+1 {{the kept buffer is here}}
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 12>
    // expected-error @+1 {{rows 47 to 50 overlap rows 36 to 47, which stage "b" keeps from tile to tile; place it elsewhere}}
    %other = fadiff.alloc 47 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.load input %X into %i : !fadiff.dram<6x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 12>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<6x4x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @small(%x: memref<6x4x4xi8>, %v: memref<3x1x4x4xi8>, %w: memref<3x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<6x4x4xi8>, memref<3x1x4x4xi8>, memref<3x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %W: !fadiff.dram<3x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 12>
    %i = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.load input %X into %i : !fadiff.dram<6x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        // expected-error @+1 {{the handed-over tile needs 12 rows of the scratchpad; its buffer has 8}}
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 8>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<6x4x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @alone(%x: memref<6x4x4xi8>, %v: memref<3x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  // expected-error @+1 {{'fadiff.loop_nest' op keeps rows for the next tile of a group; wanted two or more stages that compute, found 0}}
  fadiff.loop_nest ins(%x, %v : memref<6x4x4xi8>, memref<3x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @far_ahead(%x: memref<6x4x4xi8>, %v: memref<1000000x1x4x4xi8>, %w: memref<1000000x1x4x4xi8>, %y: memref<6x4x4xi8>) {
  // expected-error @+1 {{'fadiff.loop_nest' op keeps rows over 1000004 tiles, those before the first row included; wanted at most 65536}}
  fadiff.loop_nest ins(%x, %v, %w : memref<6x4x4xi8>, memref<1000000x1x4x4xi8>, memref<1000000x1x4x4xi8>) outs(%y : memref<6x4x4xi8>) tile [N = 1, P = 1, Q = 4] keep_rows {
  ^bb0(%X: !fadiff.dram<6x4x4xi8>, %V: !fadiff.dram<1000000x1x4x4xi8>, %W: !fadiff.dram<1000000x1x4x4xi8>, %Y: !fadiff.dram<6x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 12>
    %i = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 12>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 1000000], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<1000000x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.load input %X into %i : !fadiff.dram<6x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 4>, !fadiff.buffer<scratchpad, 12>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 6, Q = 4, R = 1000000], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<1000000x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 4>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 4>
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 4>, !fadiff.dram<6x4x4xi8>
      }
    }
  }
  return
}
}
