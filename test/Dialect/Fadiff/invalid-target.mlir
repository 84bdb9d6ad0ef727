// RUN: fadiff-opt %s -split-input-file -verify-diagnostics

// The limits of one machine: side 4, 64 scratchpad rows, 16 accumulator rows.

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @scratchpad_rows(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
    fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
      %i = fadiff.alloc 56 : !fadiff.buffer<scratchpad, 8>
      // expected-error @+1 {{'fadiff.alloc' op of 8 rows from row 57 ends past the scratchpad of target 'tiny', which has 64 rows}}
      %j = fadiff.alloc 57 : !fadiff.buffer<scratchpad, 8>
    }
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @accumulator_rows(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
    fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
      %i = fadiff.alloc 0 : !fadiff.buffer<accumulator, 16>
      // expected-error @+1 {{'fadiff.alloc' op of 16 rows from row 1 ends past the accumulator of target 'tiny', which has 16 rows}}
      %j = fadiff.alloc 1 : !fadiff.buffer<accumulator, 16>
    }
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @overflow(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
    fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
      // expected-error @+1 {{'fadiff.alloc' op of 8 rows from row 9223372036854775807 ends past the scratchpad of target 'tiny', which has 64 rows}}
      %j = fadiff.alloc 9223372036854775807 : !fadiff.buffer<scratchpad, 8>
    }
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @array_rows(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
    fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
      // expected-error @+1 {{'fadiff.stage' op uses [5, 4] of an array of [4, 4] in target 'tiny'}}
      fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [5, 4] {
      }
    }
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @array_columns(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %b: memref<16xi32>, %y: memref<4x16xi32>) {
    fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x16xi8>, memref<16xi32>) outs(%y : memref<4x16xi32>) {
    ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>, %Y: !fadiff.dram<4x16xi32>):
      // expected-error @+1 {{'fadiff.stage' op uses [4, 5] of an array of [4, 4] in target 'tiny'}}
      fadiff.stage "s" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 5] {
      }
    }
    return
  }
}
