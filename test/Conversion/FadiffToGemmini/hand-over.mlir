// Two layers of a group: the first one's int8 output goes from the accumulator
// to scratchpad row 24, 3 rows per block of 4 channels, where the second one
// reads it. No DRAM in between.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @hand_over(
// CHECK:         gemmini.region 0 "a+b"
// CHECK:         %[[Y:.*]] = memref.extract_aligned_pointer_as_index %arg3
// What both stages agree on is configured once.
// CHECK-NEXT:    gemmini.config_ex ws
// CHECK-NEXT:    gemmini.config_ld id = 0 stride = 4 block_stride = 3
// The weights that stay come first; they are of the second layer.
// CHECK-NEXT:    gemmini.member 1
// CHECK-NEXT:    gemmini.config_ld id = 1 stride = 4 block_stride = 6
// CHECK-NEXT:    scf.for
// CHECK:           gemmini.mvin2
// CHECK-NOT:     gemmini.config_ex
// CHECK:         gemmini.member 0
// CHECK-NEXT:    gemmini.config_ld id = 1 stride = 6 block_stride = 4
// CHECK-NEXT:    gemmini.config_st stride = 4 scale = 2.500000e-01
// A block of channels is handed over once the array is done with it.
// CHECK:         scf.for %{{.*}} = %c0 to %c6 step %c4 {
// CHECK:           gemmini.mvin2 %{{.*}} rows %c4 cols %c6
// CHECK:           gemmini.mvin %{{.*}} rows %c3 cols %c4
// CHECK:           gemmini.compute_preloaded
// CHECK-NOT:       gemmini.mvout %
// CHECK:           %[[TOROW:.*]] = arith.addi %{{.*}}, %c24
// CHECK:           %[[TO:.*]] = gemmini.spad_addr %[[TOROW]]
// CHECK:           gemmini.mvout_spad %{{.*}} to %[[TO]] rows %c3 cols
// CHECK:         }
// CHECK-NOT:     gemmini.config_ex
// CHECK:         gemmini.member 1
// CHECK:         gemmini.config_st stride = 16{{$}}
// CHECK-NOT:     gemmini.mvin
// CHECK:         scf.for %[[C:.*]] = %c0 to %c6 step %c4 {
// CHECK:           %[[INROW:.*]] = arith.addi %{{.*}}, %c24
// CHECK:           %[[INPUT:.*]] = gemmini.spad_addr %[[INROW]]
// CHECK:           gemmini.compute_preloaded %[[INPUT]]
// CHECK:           gemmini.mvout %{{.*}} rows %c3 cols %c4
// CHECK:         gemmini.fence

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {

func.func @hand_over(%x: memref<3x4xi8>, %v: memref<4x6xi8>, %w: memref<6x4xi8>, %y: memref<3x4xi32>) {
  fadiff.loop_nest ins(%x, %v, %w : memref<3x4xi8>, memref<4x6xi8>, memref<6x4xi8>) outs(%y : memref<3x4xi32>) tile [N = 3, P = 1, Q = 1] {
  ^bb0(%X: !fadiff.dram<3x4xi8>, %V: !fadiff.dram<4x6xi8>, %W: !fadiff.dram<6x4xi8>, %Y: !fadiff.dram<3x4xi32>):
    %vt = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %wt = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 6>
    %i = fadiff.alloc 16 : !fadiff.buffer<scratchpad, 3>
    %h = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 6>
    %o1 = fadiff.alloc 0 : !fadiff.buffer<accumulator, 6>
    %o2 = fadiff.alloc 8 : !fadiff.buffer<accumulator, 3>
    fadiff.stage "b" workload(<[N = 3, K = 4, C = 6], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<6x4xi8>, !fadiff.buffer<scratchpad, 6>
    }
    fadiff.stage "a" workload(<[N = 3, K = 6, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 0.25 : f32>) array [4, 4] {
      fadiff.load weights %V into %vt : !fadiff.dram<4x6xi8>, !fadiff.buffer<scratchpad, 8>
      fadiff.load input %X into %i : !fadiff.dram<3x4xi8>, !fadiff.buffer<scratchpad, 3>
      fadiff.init %o1 : !fadiff.buffer<accumulator, 6>
      fadiff.for K step 4 at accumulator {
        fadiff.compute %i, %vt into %o1 : !fadiff.buffer<scratchpad, 3>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 6>
      }
      fadiff.store %o1 to %h : !fadiff.buffer<accumulator, 6>, !fadiff.buffer<scratchpad, 6>
    }
    fadiff.stage "b" workload(<[N = 3, K = 4, C = 6], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.init %o2 : !fadiff.buffer<accumulator, 3>
      fadiff.for C step 4 at accumulator {
        fadiff.compute %h, %wt into %o2 : !fadiff.buffer<scratchpad, 6>, !fadiff.buffer<scratchpad, 6>, !fadiff.buffer<accumulator, 3>
      }
      fadiff.store %o2 to %Y : !fadiff.buffer<accumulator, 3>, !fadiff.dram<3x4xi32>
    }
  }
  return
}
}
