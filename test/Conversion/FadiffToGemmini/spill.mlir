// The reduction loop lies outside the output tile: partial sums leave as int32
// and come back; only the last visit goes through the read-out.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @spill(
// CHECK:         %[[Y:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK:         %[[S:.*]] = memref.extract_aligned_pointer_as_index %arg3
// CHECK:         scf.for %[[C:.*]] = %c0 to %c8 step %c4 {
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[C]], %c0
// CHECK-NEXT:      scf.if %[[FIRST]] {
// CHECK-NEXT:      } else {
// The sums must have arrived in DRAM before they are read back.
// CHECK-NEXT:        gemmini.fence
// CHECK-NEXT:        gemmini.config_ld id = 2 stride = 16 block_stride = 4
// CHECK-NEXT:        %[[FROM:.*]] = arith.index_cast %[[S]]
// CHECK-NEXT:        %[[TO:.*]] = gemmini.acc_addr %c0 : !gemmini.addr<acc>
// CHECK-NEXT:        gemmini.mvin3 %[[FROM]] to %[[TO]] rows %c2 cols %c4
// CHECK-NEXT:      }
// CHECK:           gemmini.mvin2
// Without a bias the first visit overwrites, the others add.
// CHECK-NEXT:      %[[ADD:.*]] = arith.cmpi ne, %[[C]], %c0
// CHECK:           gemmini.mvin %
// CHECK:           gemmini.acc_addr %c0 accumulate(%[[ADD]])
// CHECK:           gemmini.compute_preloaded
// CHECK-NEXT:      %[[END:.*]] = arith.addi %[[C]], %c4
// CHECK-NEXT:      %[[LAST:.*]] = arith.cmpi eq, %[[END]], %c8
// CHECK-NEXT:      scf.if %[[LAST]] {
// CHECK-NEXT:        gemmini.config_st stride = 4 activation = relu scale = 5.000000e-01
// CHECK-NEXT:        %[[FROM:.*]] = gemmini.acc_addr %c0 : !gemmini.addr<acc>
// CHECK-NEXT:        %[[TO:.*]] = arith.index_cast %[[Y]]
// CHECK-NEXT:        gemmini.mvout %[[FROM]] to %[[TO]] rows %c2 cols %c4
// CHECK-NEXT:      } else {
// CHECK-NEXT:        gemmini.config_st stride = 16{{$}}
// CHECK-NEXT:        %[[FROM:.*]] = gemmini.acc_addr %c0 full_width
// CHECK-NEXT:        %[[TO:.*]] = arith.index_cast %[[S]]
// CHECK-NEXT:        gemmini.mvout %[[FROM]] to %[[TO]] rows %c2 cols %c4
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    gemmini.fence

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {

func.func @spill(%x: memref<2x8xi8>, %w: memref<8x4xi8>, %y: memref<2x4xi8>, %s: memref<2x4xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<2x8xi8>, memref<8x4xi8>) outs(%y, %s : memref<2x4xi8>, memref<2x4xi32>) {
  ^bb0(%X: !fadiff.dram<2x8xi8>, %W: !fadiff.dram<8x4xi8>, %Y: !fadiff.dram<2x4xi8>, %S: !fadiff.dram<2x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 2>
    %wt = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 2>
    fadiff.stage "spill" workload(<[N = 2, K = 4, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 0.5 : f32, relu>) array [4, 4] {
      fadiff.for C step 4 at dram {
        fadiff.load weights %W into %wt : !fadiff.dram<8x4xi8>, !fadiff.buffer<scratchpad, 4>
        fadiff.load input %X into %i : !fadiff.dram<2x8xi8>, !fadiff.buffer<scratchpad, 2>
        fadiff.init %o spill %S : !fadiff.buffer<accumulator, 2> spill !fadiff.dram<2x4xi32>
        fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 2>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 2>
        fadiff.store %o to %Y spill %S : !fadiff.buffer<accumulator, 2>, !fadiff.dram<2x4xi8> spill !fadiff.dram<2x4xi32>
      }
    }
  }
  return
}
}
