// A window of 3 x 3 that reaches below the image: of the tile's three lines two
// are made, and only these get the bias behind their first sums.

// RUN: fadiff-run %s --target=gemmini-small --check | FileCheck %s

// CHECK: DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal

module attributes {fadiff.target = #fadiff.target<"gemmini-small">} {
  func.func @main(%x: tensor<1x4x7x29xi8>, %w: tensor<1x1x29x5xi8>, %b: tensor<5xi32>) -> tensor<1x1x1x5xi8> {
    %0 = tensor.empty() : tensor<1x1x1x5xi8>
    %1 = fadiff.loop_nest ins(%x, %w, %b : tensor<1x4x7x29xi8>, tensor<1x1x29x5xi8>, tensor<5xi32>) outs(%0 : tensor<1x1x1x5xi8>) {
    ^bb0(%i: !fadiff.dram<1x4x7x29xi8>, %j: !fadiff.dram<1x1x29x5xi8>, %k: !fadiff.dram<5xi32>, %l: !fadiff.dram<1x1x1x5xi8>):
      %weights = fadiff.alloc 0 : <scratchpad, 87>
      %input = fadiff.alloc 87 : <scratchpad, 18>
      %sums = fadiff.alloc 0 : <accumulator, 18>
      fadiff.stage "conv" workload(<[K = 5, C = 29, P = 2, Q = 4], stride = [2, 2], input = [4, 7], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 0.0015 : f32, relu, pool = <size = 3, stride = 2, pad = [0, 0], outputs = [1, 1]>>) array[16, 2] mapping(<dram [], scratchpad [K:2], accumulator [C:2 Q:3 K:2], registers [P:3], array [16 x 2]>) {
        fadiff.load weights %j into %weights : <1x1x29x5xi8>, <scratchpad, 87>
        fadiff.load input %i into %input : <1x4x7x29xi8>, <scratchpad, 18>
        fadiff.for K step 4 at scratchpad {
          fadiff.init %sums bias %k : <accumulator, 18> bias !fadiff.dram<5xi32>
          fadiff.for C step 16 at accumulator {
            fadiff.for Q step 1 at accumulator {
              fadiff.for K step 2 at accumulator {
                fadiff.compute %input, %weights into %sums : <scratchpad, 18>, <scratchpad, 87>, <accumulator, 18>
              }
            }
          }
          fadiff.store %sums to %l : <accumulator, 18>, !fadiff.dram<1x1x1x5xi8>
        }
      }
    } -> tensor<1x1x1x5xi8>
    return %1 : tensor<1x1x1x5xi8>
  }
}
