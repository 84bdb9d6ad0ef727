// A 48 x 64 by 64 x 96 product on a 16 x 16 array, in tiles of 2 x 4 by 4 x 2
// blocks: the loops over tiles stay, what is inside is one loop_ws.

// RUN: fadiff-opt %s --fadiff-lower-to-gemmini --canonicalize --cse --remarks-filter=fadiff --remark-format=emitRemark 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// CHECK-LABEL: func.func @loop(
// CHECK:         %[[X:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK-NEXT:    %[[W:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK-NEXT:    %[[Y:.*]] = memref.extract_aligned_pointer_as_index %arg2
// Strides of the moves; blocks lie one after the other.
// CHECK-NEXT:    gemmini.config_ex ws
// CHECK-NEXT:    gemmini.config_ld id = 0 stride = 64 block_stride = 16
// CHECK-NEXT:    gemmini.config_ld id = 1 stride = 96 block_stride = 16
// CHECK-NEXT:    gemmini.config_st stride = 384
// CHECK-NEXT:    scf.for %[[N:.*]] = %c0 to %c48 step %c32 {
// CHECK-NEXT:      %[[LEFT:.*]] = arith.subi %c48, %[[N]]
// CHECK-NEXT:      %[[ROWS:.*]] = arith.minsi %[[LEFT]], %c32
// CHECK-NEXT:      scf.for %[[K:.*]] = %c0 to %c96 step %c32 {
// Blocks of rows, and what the last one lacks.
// CHECK-NEXT:        %[[UP:.*]] = arith.addi %[[ROWS]], %c15
// CHECK-NEXT:        %[[I:.*]] = arith.divui %[[UP]], %c16
// CHECK-NEXT:        %[[FULL:.*]] = arith.muli %[[I]], %c16
// CHECK-NEXT:        %[[PAD:.*]] = arith.subi %[[FULL]], %[[ROWS]]
// CHECK-NEXT:        %[[OFF:.*]] = arith.muli %[[N]], %c64
// CHECK-NEXT:        %[[FROM:.*]] = arith.addi %[[X]], %[[OFF]]
// The input comes with the first tile of columns and stays for the others; tiles
// of rows take turns with the halves.
// CHECK:             %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %c0
// CHECK-NEXT:        arith.remui
// CHECK-NEXT:        %[[HALF:.*]] = arith.addi %{{.*}}, %c1
// Weights come with every tile: their turn is that of row * 3 + column.
// CHECK-NEXT:        %[[ROW3:.*]] = arith.muli %{{.*}}, %c3
// CHECK-NEXT:        %[[COL:.*]] = arith.divui %[[K]], %c32
// CHECK-NEXT:        %[[NUMBER:.*]] = arith.addi %[[ROW3]], %[[COL]]
// CHECK-NEXT:        %[[TURN:.*]] = arith.remui %[[NUMBER]], %c2
// CHECK-NEXT:        %[[WHALF:.*]] = arith.addi %[[TURN]], %c1
// CHECK:             %[[A:.*]] = arith.index_cast %[[FROM]]
// CHECK-NEXT:        %[[AORKEPT:.*]] = arith.select %[[FIRST]], %[[A]], %c0_i64
// CHECK:             gemmini.loop_ws blocks[%[[I]], %c2, %c4] pads[%[[PAD]], %c0, %c0] a(%[[AORKEPT]] stride = 64 half %[[HALF]]) b(%{{.*}} stride = 96 half %[[WHALF]]) d(%c0_i64 stride = 0) c(%{{.*}} stride = 96) accumulate(%false) full_c
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    gemmini.fence

// Loops that are not the mapping's are emitted as they are.
// CHECK-LABEL: func.func @other(
// CHECK-NOT:     gemmini.loop_ws
// CHECK:         gemmini.preload
// REMARK: warning: {{.*}}is marked for loop_ws, which cannot run it, and is emitted without: the nest's loops are not those of its mapping
// REMARK: NotByLoop{{.*}}layer 'other' is not run by loop_ws: the nest's loops are not those of its mapping

// So are rows that are not one distance apart, or columns that are.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT:     gemmini.loop_ws
// CHECK:         gemmini.preload
// REMARK: warning: {{.*}}is marked for loop_ws, which cannot run it, and is emitted without: channels are not the innermost axis of all tensors
// REMARK: NotByLoop{{.*}}layer 'columns' is not run by loop_ws: channels are not the innermost axis of all tensors

module attributes {fadiff.target = #fadiff.target<"gemmini-small">} {
  func.func @loop(%x: memref<48x64xi8>, %w: memref<64x96xi8>, %y: memref<48x96xi32>) {
    fadiff.loop_nest ins(%x, %w : memref<48x64xi8>, memref<64x96xi8>) outs(%y : memref<48x96xi32>) {
    ^bb0(%dx: !fadiff.dram<48x64xi8>, %dw: !fadiff.dram<64x96xi8>, %dy: !fadiff.dram<48x96xi32>):
      %i = fadiff.alloc 0 : <scratchpad, 128>
      %j = fadiff.alloc 128 : <scratchpad, 128>
      %o = fadiff.alloc 0 : <accumulator, 64>
      fadiff.stage "loop" workload(<[N = 48, K = 96, C = 64], layouts = "NC" "CK" "NK">) epilogue(<>) array[16, 16] mapping(<dram [N:2 K:3], scratchpad [], accumulator [K:2 C:4], registers [N:32], array [16 x 16]>) loop_ws {
        fadiff.for N step 32 at dram {
          fadiff.load input %dx into %i : <48x64xi8>, <scratchpad, 128>
          fadiff.for K step 32 at dram {
            fadiff.load weights %dw into %j : <64x96xi8>, <scratchpad, 128>
            fadiff.init %o : <accumulator, 64>
            fadiff.for K step 16 at accumulator {
              fadiff.for C step 16 at accumulator {
                fadiff.compute %i, %j into %o : <scratchpad, 128>, <scratchpad, 128>, <accumulator, 64>
              }
            }
            fadiff.store %o to %dy : <accumulator, 64>, !fadiff.dram<48x96xi32>
          }
        }
      }
    }
    return
  }
  func.func @other(%x: memref<48x64xi8>, %w: memref<64x96xi8>, %y: memref<48x96xi32>) {
    fadiff.loop_nest ins(%x, %w : memref<48x64xi8>, memref<64x96xi8>) outs(%y : memref<48x96xi32>) {
    ^bb0(%dx: !fadiff.dram<48x64xi8>, %dw: !fadiff.dram<64x96xi8>, %dy: !fadiff.dram<48x96xi32>):
      %i = fadiff.alloc 0 : <scratchpad, 128>
      %j = fadiff.alloc 128 : <scratchpad, 128>
      %o = fadiff.alloc 0 : <accumulator, 64>
      fadiff.stage "other" workload(<[N = 48, K = 96, C = 64], layouts = "NC" "CK" "NK">) epilogue(<>) array[16, 16] mapping(<dram [N:2 K:3], scratchpad [], accumulator [K:2 C:4], registers [N:32], array [16 x 16]>) loop_ws {
        fadiff.for N step 16 at dram {
          fadiff.load input %dx into %i : <48x64xi8>, <scratchpad, 128>
          fadiff.for K step 32 at dram {
            fadiff.load weights %dw into %j : <64x96xi8>, <scratchpad, 128>
            fadiff.init %o : <accumulator, 64>
            fadiff.for K step 16 at accumulator {
              fadiff.for C step 16 at accumulator {
                fadiff.compute %i, %j into %o : <scratchpad, 128>, <scratchpad, 128>, <accumulator, 64>
              }
            }
            fadiff.store %o to %dy : <accumulator, 64>, !fadiff.dram<48x96xi32>
          }
        }
      }
    }
    return
  }
  func.func @columns(%x: memref<48x64xi8>, %w: memref<96x64xi8>, %y: memref<48x96xi32>) {
    fadiff.loop_nest ins(%x, %w : memref<48x64xi8>, memref<96x64xi8>) outs(%y : memref<48x96xi32>) {
    ^bb0(%dx: !fadiff.dram<48x64xi8>, %dw: !fadiff.dram<96x64xi8>, %dy: !fadiff.dram<48x96xi32>):
      %i = fadiff.alloc 0 : <scratchpad, 128>
      %j = fadiff.alloc 128 : <scratchpad, 128>
      %o = fadiff.alloc 0 : <accumulator, 64>
      fadiff.stage "columns" workload(<[N = 48, K = 96, C = 64], layouts = "NC" "KC" "NK">) epilogue(<>) array[16, 16] mapping(<dram [N:2 K:3], scratchpad [], accumulator [K:2 C:4], registers [N:32], array [16 x 16]>) loop_ws {
        fadiff.for N step 32 at dram {
          fadiff.load input %dx into %i : <48x64xi8>, <scratchpad, 128>
          fadiff.for K step 32 at dram {
            fadiff.load weights %dw into %j : <96x64xi8>, <scratchpad, 128>
            fadiff.init %o : <accumulator, 64>
            fadiff.for K step 16 at accumulator {
              fadiff.for C step 16 at accumulator {
                fadiff.compute %i, %j into %o : <scratchpad, 128>, <scratchpad, 128>, <accumulator, 64>
              }
            }
            fadiff.store %o to %dy : <accumulator, 64>, !fadiff.dram<48x96xi32>
          }
        }
      }
    }
    return
  }
}
