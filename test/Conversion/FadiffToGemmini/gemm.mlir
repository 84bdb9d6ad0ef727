// A 4 x 8 by 8 x 6 product on a 4 x 4 array: two blocks of 4 channels in, blocks
// of 4 and 2 columns out. Input rows lie at 0 and, for the second block, at 4
// (block_stride); weights at 8 with 8 rows per column block; sums at 4 and 8.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @gemm(
// CHECK:         gemmini.flush
// CHECK-NEXT:    gemmini.region 0 "gemm"
// CHECK-NEXT:    gemmini.fence
// CHECK-NEXT:    %[[X:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK-NEXT:    %[[W:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK-NEXT:    %[[B:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK-NEXT:    %[[Y:.*]] = memref.extract_aligned_pointer_as_index %arg3
// Bytes between DRAM rows, and rows between column blocks. The bias' stride of 0
// gives every row the same values; a full int32 row leaves.
// CHECK-NEXT:    gemmini.config_ex ws
// CHECK-NEXT:    gemmini.config_ld id = 0 stride = 8 block_stride = 4
// CHECK-NEXT:    gemmini.config_ld id = 1 stride = 6 block_stride = 8
// CHECK-NEXT:    gemmini.config_ld id = 2 stride = 0 block_stride = 4
// CHECK-NEXT:    gemmini.config_st stride = 24{{$}}
// What a compute needs comes right before it, once. Weights: 4 rows of all 6
// columns, before the first column block.
// CHECK-NEXT:    scf.for %[[K:.*]] = %c0 to %c6 step %c4 {
// CHECK-NEXT:      %[[LEFT:.*]] = arith.subi %c6, %[[K]]
// CHECK-NEXT:      %[[COLS:.*]] = arith.minsi %[[LEFT]], %c4
// CHECK-NEXT:      scf.for %[[C:.*]] = %c0 to %c8 step %c4 {
// CHECK-NEXT:        %[[K0:.*]] = arith.cmpi eq, %[[K]], %c0
// CHECK-NEXT:        scf.if %[[K0]] {
// CHECK:               gemmini.mvin2 %{{.*}} rows %c4 cols %c6
// CHECK-NEXT:        }
// CHECK:             %[[NONE:.*]] = gemmini.garbage
// CHECK-NEXT:        %[[WEIGHTS:.*]] = gemmini.spad_addr
// The input in one move of two blocks, before the first of them.
// CHECK-NEXT:        %[[C0:.*]] = arith.cmpi eq, %[[C]], %c0
// CHECK-NEXT:        %[[FIRST:.*]] = arith.andi %[[K0]], %[[C0]]
// CHECK-NEXT:        scf.if %[[FIRST]] {
// CHECK:               gemmini.mvin %{{.*}} rows %c4 cols %c8
// CHECK-NEXT:        }
// The bias of the column block: 4 columns, then 2.
// CHECK-NEXT:        scf.if %[[C0]] {
// CHECK-NEXT:          %[[K4:.*]] = arith.muli %[[K]], %c4
// CHECK-NEXT:          arith.addi %[[B]], %[[K4]]
// CHECK:               gemmini.mvin3 %{{.*}} rows %c4 cols %[[COLS]]
// CHECK-NEXT:        }
// Every compute adds, since the bias is there before the first.
// CHECK:             %[[SUMS:.*]] = gemmini.acc_addr %{{[0-9]+}} accumulate :
// CHECK-NEXT:        gemmini.preload %[[WEIGHTS]] rows %c4 cols %[[COLS]] to %[[SUMS]] rows %c4 cols %[[COLS]]
// CHECK-NEXT:        %[[INPUT:.*]] = gemmini.spad_addr
// CHECK-NEXT:        gemmini.compute_preloaded %[[INPUT]] rows %c4 cols %c4, %[[NONE]] rows %c4 cols %[[COLS]]
// The column block leaves when its sum is complete.
// CHECK-NEXT:        %[[END:.*]] = arith.addi %[[C]], %c4
// CHECK-NEXT:        %[[DONE:.*]] = arith.cmpi eq, %[[END]], %c8
// CHECK:             scf.if %[[DONE]] {
// CHECK:               %[[FROM:.*]] = gemmini.acc_addr %{{[0-9]+}} full_width
// CHECK:               gemmini.mvout %[[FROM]] to %{{.*}} rows %c4 cols
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NOT:     gemmini.config
// CHECK:         gemmini.fence
// CHECK-NEXT:    return

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {

func.func @gemm(%x: memref<4x8xi8>, %w: memref<8x6xi8>, %b: memref<6xi32>, %y: memref<4x6xi32>) {
  fadiff.loop_nest ins(%x, %w, %b : memref<4x8xi8>, memref<8x6xi8>, memref<6xi32>) outs(%y : memref<4x6xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x6xi8>, %B: !fadiff.dram<6xi32>, %Y: !fadiff.dram<4x6xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %wt = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 16>
    %o = fadiff.alloc 4 : !fadiff.buffer<accumulator, 8>
    fadiff.stage "gemm" workload(<[N = 4, K = 6, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<8x6xi8>, !fadiff.buffer<scratchpad, 16>
      fadiff.load input %X into %i : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.init %o bias %B : !fadiff.buffer<accumulator, 8> bias !fadiff.dram<6xi32>
      fadiff.for K step 4 at accumulator {
        fadiff.for C step 4 at accumulator {
          fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
        }
      }
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x6xi32>
    }
  }
  return
}
}
