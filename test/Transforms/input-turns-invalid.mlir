// RUN: fadiff-opt %s --fadiff-verify-schedule -split-input-file -verify-diagnostics

// Nests whose input has two places, on a machine with a 4 x 4 array and 64
// scratchpad rows: 1 x 1 after 1 x 1, in two tiles.

// Nothing to say about this one.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @good(%x: memref<4x4x4xi8>, %v: memref<1x1x4x4xi8>, %w: memref<1x1x4x4xi8>, %y: memref<4x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<1x1x4x4xi8>, memref<1x1x4x4xi8>) outs(%y : memref<4x4x4xi8>) tile [N = 1, P = 2, Q = 4] input_turns {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<1x1x4x4xi8>, %W: !fadiff.dram<1x1x4x4xi8>, %Y: !fadiff.dram<4x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 16>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.for P step 2 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 16>
      }
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 8>
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 8>
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x4x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @in_its_reader(%x: memref<4x4x4xi8>, %v: memref<1x1x4x4xi8>, %w: memref<1x1x4x4xi8>, %y: memref<4x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<1x1x4x4xi8>, memref<1x1x4x4xi8>) outs(%y : memref<4x4x4xi8>) tile [N = 1, P = 2, Q = 4] input_turns {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<1x1x4x4xi8>, %W: !fadiff.dram<1x1x4x4xi8>, %Y: !fadiff.dram<4x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 16>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.for P step 2 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        // expected-error @+1 {{must bring in whole tiles, of which there are several, in a stage of its own, as the nest's input takes turns; found it in the stage that reads the input}}
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 16>
        fadiff.load weights %V into %vt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 8>
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 8>
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x4x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @one_tile(%x: memref<4x4x4xi8>, %v: memref<1x1x4x4xi8>, %w: memref<1x1x4x4xi8>, %y: memref<4x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<1x1x4x4xi8>, memref<1x1x4x4xi8>) outs(%y : memref<4x4x4xi8>) tile [N = 1, P = 4, Q = 4] input_turns {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<1x1x4x4xi8>, %W: !fadiff.dram<1x1x4x4xi8>, %Y: !fadiff.dram<4x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 24>
    %h = fadiff.alloc 32 : !fadiff.buffer<scratchpad, 16>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
    fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      // expected-error @+1 {{must bring in whole tiles, of which there are several, in a stage of its own, as the nest's input takes turns; found no loop around the stages}}
      fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 24>
    }
    fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 16>
      fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 24>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 16>
      fadiff.store %o to %h : !fadiff.buffer<accumulator, 16>, !fadiff.buffer<scratchpad, 16>
    }
    fadiff.stage "b" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.init %o : !fadiff.buffer<accumulator, 16>
      fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 16>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 16>, !fadiff.dram<4x4x4xi8>
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @one_place(%x: memref<4x4x4xi8>, %v: memref<1x1x4x4xi8>, %w: memref<1x1x4x4xi8>, %y: memref<4x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<1x1x4x4xi8>, memref<1x1x4x4xi8>) outs(%y : memref<4x4x4xi8>) tile [N = 1, P = 2, Q = 4] input_turns {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<1x1x4x4xi8>, %W: !fadiff.dram<1x1x4x4xi8>, %Y: !fadiff.dram<4x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 8>
    %h = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.for P step 2 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        // expected-error @+1 {{the input tile needs 16 rows of the scratchpad; its buffer has 8}}
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 8>
      }
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 8>
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 8>
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x4x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @ring_without_lines_for_the_next_tile(%x: memref<4x4x4xi8>, %v: memref<3x1x4x4xi8>, %w: memref<1x1x4x4xi8>, %y: memref<4x4x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<3x1x4x4xi8>, memref<1x1x4x4xi8>) outs(%y : memref<4x4x4xi8>) tile [N = 1, P = 2, Q = 4] keep_rows input_turns {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<3x1x4x4xi8>, %W: !fadiff.dram<1x1x4x4xi8>, %Y: !fadiff.dram<4x4x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 12>
    %wt = fadiff.alloc 12 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 20>
    %h = fadiff.alloc 36 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 8>
    fadiff.for P step 2 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        // Four lines for this tile's windows, two for what is new of the next.
        // expected-error @+1 {{the input tile needs 24 rows of the scratchpad; its buffer has 20 [N14]}}
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 20>
      }
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4, R = 3], pad = [1, 0], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<3x1x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.for R step 1 at accumulator {
          fadiff.compute %i, %vt into %o : !fadiff.buffer<scratchpad, 20>, !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<accumulator, 8>
        }
        fadiff.store %o to %h : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<1x1x4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %o : !fadiff.buffer<accumulator, 8>
        fadiff.compute %h, %wt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 8>
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x4x4xi8>
      }
    }
  }
  return
}
}
