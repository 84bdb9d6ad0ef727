// Operands with distances of their own between rows: windows that overlap, a part
// of a larger array that starts at an offset, known or not.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// Three windows of two columns of two channels, every column; then the middle of
// a larger result.
// CHECK-LABEL: func.func @windows(
// CHECK-SAME:      %[[X:.*]]: memref<3x4xi8, strided<[2, 1]>>, %[[W:.*]]: memref<4x4xi8>, %[[Y:.*]]: memref<3x4xi32, strided<[10, 1], offset: 13>>)
// CHECK-DAG:     %[[AT:.*]] = arith.constant 52 : index
// CHECK:         memref.extract_aligned_pointer_as_index %[[X]]
// CHECK:         %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         %[[PART:.*]] = arith.addi %[[BASE]], %[[AT]]
// CHECK:         gemmini.config_ld id = 0 stride = 2 block_stride
// CHECK:         gemmini.config_st stride = 40{{$}}
// CHECK:         gemmini.mvin %{{.*}} to %{{.*}} rows %c3 cols %c4
// CHECK:         %[[TO:.*]] = arith.index_cast %[[PART]]
// CHECK:         gemmini.mvout %{{.*}} to %[[TO]] rows %c3 cols %c4

// CHECK-LABEL: func.func @anywhere(
// CHECK-SAME:      %[[X:.*]]: memref<3x4xi8, strided<[8, 1], offset: ?>>
// CHECK-DAG:     %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-DAG:     %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[START:.*]] = arith.addi %[[BASE]], %[[OFFSET]]
// CHECK:         gemmini.config_ld id = 0 stride = 8 block_stride
// CHECK:         %[[FROM:.*]] = arith.index_cast %[[START]]
// CHECK:         gemmini.mvin %[[FROM]] to %{{.*}} rows %c3 cols %c4

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {

func.func @windows(%x: memref<3x4xi8, strided<[2, 1]>>, %w: memref<4x4xi8>, %y: memref<3x4xi32, strided<[10, 1], offset: 13>>) {
  fadiff.loop_nest ins(%x, %w : memref<3x4xi8, strided<[2, 1]>>, memref<4x4xi8>) outs(%y : memref<3x4xi32, strided<[10, 1], offset: 13>>) {
  ^bb0(%X: !fadiff.dram<3x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<3x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 3>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 3>
    fadiff.stage "windows" workload(<[K = 4, C = 4, Q = 3], input = [1, 3], layouts = "WC" "CK" "QK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<3x4xi8>, !fadiff.buffer<scratchpad, 3>
      fadiff.init %o : !fadiff.buffer<accumulator, 3>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 3>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 3>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 3>, !fadiff.dram<3x4xi32>
    }
  }
  return
}

func.func @anywhere(%x: memref<3x4xi8, strided<[8, 1], offset: ?>>, %w: memref<4x4xi8>, %y: memref<3x4xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<3x4xi8, strided<[8, 1], offset: ?>>, memref<4x4xi8>) outs(%y : memref<3x4xi32>) {
  ^bb0(%X: !fadiff.dram<3x4xi8>, %W: !fadiff.dram<4x4xi8>, %Y: !fadiff.dram<3x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 3>
    %wt = fadiff.alloc 4 : !fadiff.buffer<scratchpad, 4>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 3>
    fadiff.stage "anywhere" workload(<[N = 3, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<4x4xi8>, !fadiff.buffer<scratchpad, 4>
      fadiff.load input %X into %i : !fadiff.dram<3x4xi8>, !fadiff.buffer<scratchpad, 3>
      fadiff.init %o : !fadiff.buffer<accumulator, 3>
      fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 3>, !fadiff.buffer<scratchpad, 4>, !fadiff.buffer<accumulator, 3>
      fadiff.store %o to %Y : !fadiff.buffer<accumulator, 3>, !fadiff.dram<3x4xi32>
    }
  }
  return
}
}
