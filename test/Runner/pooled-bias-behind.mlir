// Sums under pooled windows have two places, and bias that is added behind the
// first steps is added to all rows of a place, with those of windows that reach
// beside the image, which nobody has summed up. So both are cleared first.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini -o %t.mlir
// RUN: fadiff-run %t.mlir --check | FileCheck %s
// CHECK: DRAM bytes read 57848, written 12544:
// CHECK: DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// RUN: fadiff-opt %t.mlir --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize | FileCheck %s --check-prefix=CLEARED
// CLEARED: scf.for %[[ROW:.*]] = %c0 to %c435 step %c16
// CLEARED:   gemmini.acc_addr %[[ROW]]
// CLEARED:   gemmini.mvin3 zero
// CLEARED: scf.for %[[ROW:.*]] = %c0 to %c435 step %c16
// CLEARED:   %[[OTHER:.*]] = arith.addi %[[ROW]], %c435
// CLEARED:   gemmini.acc_addr %[[OTHER]]
// CLEARED:   gemmini.mvin3 zero

func.func @main(%x: tensor<1x56x28x21xi8>, %w: tensor<7x21x64xi8>, %b: tensor<64xi32>) -> tensor<1x14x14x64xi8> {
  %empty = tensor.empty() : tensor<1x14x14x64xi8>
  %result = fadiff.loop_nest ins(%x, %w, %b : tensor<1x56x28x21xi8>, tensor<7x21x64xi8>, tensor<64xi32>) outs(%empty : tensor<1x14x14x64xi8>) {
  ^bb0(%input: !fadiff.dram<1x56x28x21xi8>, %weights: !fadiff.dram<7x21x64xi8>, %bias: !fadiff.dram<64xi32>, %output: !fadiff.dram<1x14x14x64xi8>):
    %0 = fadiff.alloc 0 : <scratchpad, 588>
    %1 = fadiff.alloc 588 : <scratchpad, 1890>
    %2 = fadiff.alloc 0 : <accumulator, 435>
    fadiff.stage "conv" workload(<[K = 64, C = 21, P = 28, Q = 28, R = 7], stride = [2, 1], pad = [3, 0], input = [56, 28], layouts = "NHWC" "RCK" "NPQK">) epilogue(<scale = 0.003 : f32, relu, pool = <size = 3, stride = 2, pad = [1, 1], outputs = [14, 14]>>) array[16, 16] mapping(<dram [P:1 Q:2], scratchpad [K:4], accumulator [C:2 R:7], registers [P:29 Q:15], array [16 x 16]>) {
      fadiff.load weights %weights into %0 : <7x21x64xi8>, <scratchpad, 588>
    }
    fadiff.for P step 14 at dram {
      fadiff.for Q step 7 at dram {
        fadiff.stage "conv" workload(<[K = 64, C = 21, P = 28, Q = 28, R = 7], stride = [2, 1], pad = [3, 0], input = [56, 28], layouts = "NHWC" "RCK" "NPQK">) epilogue(<scale = 0.003 : f32, relu, pool = <size = 3, stride = 2, pad = [1, 1], outputs = [14, 14]>>) array[16, 16] mapping(<dram [P:1 Q:2], scratchpad [K:4], accumulator [C:2 R:7], registers [P:29 Q:15], array [16 x 16]>) {
          fadiff.load input %input into %1 : <1x56x28x21xi8>, <scratchpad, 1890>
          fadiff.for K step 16 at scratchpad {
            fadiff.init %2 bias %bias : <accumulator, 435> bias !fadiff.dram<64xi32>
            fadiff.for C step 16 at accumulator {
              fadiff.for R step 1 at accumulator {
                fadiff.compute %1, %0 into %2 : <scratchpad, 1890>, <scratchpad, 588>, <accumulator, 435>
              }
            }
            fadiff.store %2 to %output : <accumulator, 435>, !fadiff.dram<1x14x14x64xi8>
          }
        }
      }
    }
  } -> tensor<1x14x14x64xi8>
  return %result : tensor<1x14x14x64xi8>
}
