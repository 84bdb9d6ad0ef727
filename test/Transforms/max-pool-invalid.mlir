// RUN: fadiff-opt %s --fadiff-verify-schedule -split-input-file -verify-diagnostics

// Groups that pool what they hand over, on a machine with a 4 x 4 array: 1 x 1
// after 1 x 1, 2 x 2 pixels pooled to one in between.

// Nothing to say about this one.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @good(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<2x2x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<2x2x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<2x2x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x2x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @one_row_at_a_time(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<2x2x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<2x2x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<2x2x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.for P step 1 at scratchpad {
        // expected-error @+1 {{the tile spans 1 of dim P; outputs that are pooled must be there together: wanted 2, at most 255}}
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
        }
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x2x4xi8>
      }
    }
  }
  return
}
}

// -----

// What goes to DRAM may be pooled, too.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @last(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<2x2x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<2x2x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<2x2x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 1, stride = 1, pad = [0, 0], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x2x4xi8>
      }
    }
  }
  return
}
}

// -----

// By windows that the machine has.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @last_wide(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<1x1x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<1x1x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<1x1x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for N step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
      }
      // expected-error @+1 {{layer 'b': rule 'group-pool' at accumulator: wanted strides of 1 to 3 pixels, as pool.stride of 'tiny' is 3, found 4; let the host pool}}
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 1, stride = 4, pad = [0, 0], outputs = [1, 1]>>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<1x1x4xi8>
      }
    }
  }
  return
}
}

// -----

// The tensor in DRAM is the pooled one.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @last_shape(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<2x2x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<2x2x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<2x2x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 1, pad = [0, 0], outputs = [1, 1]>>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        // expected-error @+1 {{'fadiff.store' op destination must be '!fadiff.dram<1x1x4xi8>' as the stage's workload says; found '!fadiff.dram<2x2x4xi8>'}}
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x2x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @padded(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<2x2x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<2x2x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<2x2x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for P step 1 at dram {
      // expected-error @+1 {{wants windows that start in its outputs, and that stay inside of them if there is no relu: padding is read as sums of zero}}
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, pool = <size = 3, stride = 2, pad = [1, 1], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
      }
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x2x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @behind(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<2x2x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<2x2x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<2x2x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 3, pad = [0, 0], outputs = [3, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
      }
      // expected-error @+1 {{layer 'b': rule 'group-shape' at scratchpad: wanted 3 input rows as 'a' puts out, found 2}}
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x2x4xi8>
      }
    }
  }
  return
}
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @wide(%x: memref<4x4x4xi8>, %v: memref<4x4xi8>, %w: memref<4x4xi8>, %y: memref<2x2x4xi8>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<4x4x4xi8>, memref<4x4xi8>, memref<4x4xi8>) outs(%y : memref<2x2x4xi8>) tile [N = 1, P = 1, Q = 2] {
  ^bb0(%X: !fadiff.dram<4x4x4xi8>, %V: !fadiff.dram<4x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<2x2x4xi8>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 4>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %i = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 12>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 2>
    %s = fadiff.alloc 0 : !fadiff.buffer<accumulator, 12>
    %t = fadiff.alloc 12 : !fadiff.buffer<accumulator, 2>
    fadiff.for P step 1 at dram {
      fadiff.stage "a" workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 4, stride = 2, pad = [0, 0], outputs = [2, 2]>>) array [4, 4] {
        fadiff.load weights %V into %vt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<4x4x4xi8>, !fadiff.buffer<scratchpad, 12>
        fadiff.init %s : !fadiff.buffer<accumulator, 12>
        fadiff.compute %i, %vt into %s : !fadiff.buffer<scratchpad, 12>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 12>
        fadiff.store %s to %h : !fadiff.buffer<accumulator, 12>, !fadiff.buffer<scratchpad, 2>
      }
      // expected-error @+1 {{layer 'a': rule 'group-pool' at accumulator: wanted windows of 1 to 3 pixels, as pool.window of 'tiny' is 3, found 4; let the host pool}}
      fadiff.stage "b" workload(<[K = 4, C = 4, P = 2, Q = 2], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32>) array [4, 4] {
        fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.init %t : !fadiff.buffer<accumulator, 2>
        fadiff.compute %h, %wt into %t : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %t to %Y : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x2x4xi8>
      }
    }
  }
  return
}
}

// -----

// A layer alone may pool what it stores: its tile is counted in pooled rows.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @alone(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<2x2x4xi8> {
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>)
      mapping(<dram [], scratchpad [], accumulator [], registers [P:4 Q:4], array [4 x 4]>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    %r = tensor.empty() : tensor<2x2x4xi8>
    fadiff.yield %r : tensor<2x2x4xi8>
  } -> tensor<2x2x4xi8>
  return %0 : tensor<2x2x4xi8>
}
}

// -----

// Two pooled rows lie over four.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @alone_rows(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<2x2x4xi8> {
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>)
      mapping(<dram [P:2], scratchpad [], accumulator [], registers [P:2 Q:4], array [4 x 4]>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    %r = tensor.empty() : tensor<2x2x4xi8>
    fadiff.yield %r : tensor<2x2x4xi8>
  } -> tensor<2x2x4xi8>
  return %0 : tensor<2x2x4xi8>
}
}

// -----

// All of them are stored.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @alone_coverage(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<2x2x4xi8> {
  // expected-error @+1 {{layer 'a': rule 'coverage' at dram: wanted factors whose product is at least Q = 2, found 1; raise a factor of this dim}}
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>)
      mapping(<dram [], scratchpad [], accumulator [], registers [P:4 Q:3], array [4 x 4]>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    %r = tensor.empty() : tensor<2x2x4xi8>
    fadiff.yield %r : tensor<2x2x4xi8>
  } -> tensor<2x2x4xi8>
  return %0 : tensor<2x2x4xi8>
}
}

// -----

// The tile is what lies under whole windows.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @alone_tile(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<2x2x4xi8> {
  // expected-error @+1 {{layer 'a': rule 'group-tile' at scratchpad: wanted Q = 2, what lies under pooled outputs, found Q = 3; the tile of a layer that stores pooled outputs holds whole windows}}
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>)
      mapping(<dram [Q:2], scratchpad [], accumulator [], registers [P:4 Q:3], array [4 x 4]>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    %r = tensor.empty() : tensor<2x2x4xi8>
    fadiff.yield %r : tensor<2x2x4xi8>
  } -> tensor<2x2x4xi8>
  return %0 : tensor<2x2x4xi8>
}
}

// -----

// All of it at once.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
func.func @alone_whole(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<2x2x4xi8> {
  // expected-error @+1 {{layer 'a': rule 'group-pool' at accumulator: wanted P = 4, the whole tile, found P = 2; outputs are pooled as they leave the accumulator: iterate P and Q further in, or use a smaller tile}}
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>)
      mapping(<dram [], scratchpad [P:2], accumulator [], registers [P:2 Q:4], array [4 x 4]>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    %r = tensor.empty() : tensor<2x2x4xi8>
    fadiff.yield %r : tensor<2x2x4xi8>
  } -> tensor<2x2x4xi8>
  return %0 : tensor<2x2x4xi8>
}
}

// -----

func.func @axes(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) -> tensor<4x4xi8> {
  // expected-error @+1 {{'fadiff.layer' op pools outputs without the axes P and Q; found layout NK}}
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>)
      workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 1, stride = 1, pad = [0, 0], outputs = [1, 1]>>) {
  ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
    fadiff.yield %a : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return %0 : tensor<4x4xi8>
}

// -----

func.func @result(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<4x4x4xi8> {
  // expected-error @+1 {{'fadiff.layer' op result must be 2x2x4xi8 as the workload says; found 'tensor<4x4x4xi8>'}}
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    fadiff.yield %a : tensor<4x4x4xi8>
  } -> tensor<4x4x4xi8>
  return %0 : tensor<4x4x4xi8>
}

// -----

func.func @outside(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<3x3x4xi8> {
  // expected-error @+1 {{'fadiff.layer' op wants windows that start in its outputs}}
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [3, 3]>>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    %r = tensor.empty() : tensor<3x3x4xi8>
    fadiff.yield %r : tensor<3x3x4xi8>
  } -> tensor<3x3x4xi8>
  return %0 : tensor<3x3x4xi8>
}
