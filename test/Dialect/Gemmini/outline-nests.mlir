// What issues a nest's commands becomes a function, named after the region;
// memory, fences, and what the core does in between stay.

// RUN: fadiff-opt %s --gemmini-outline-nests | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[A:.*]]: memref<64x16xi8>, %[[N:.*]]: index) {
// CHECK:         gemmini.flush
// CHECK:         gemmini.region
// CHECK-NEXT:    gemmini.fence
// CHECK-NEXT:    %[[T:.*]] = memref.alloc
// CHECK:         call @fadiff_nest_conv1_add(%[[A]], %[[N]])
// CHECK-NEXT:    gemmini.fence
// What the core does is no nest.
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    gemmini.region 1 "fc"
// CHECK-NEXT:    gemmini.fence
// CHECK:         call @fadiff_nest_fc(
// CHECK-NEXT:    gemmini.fence
// CHECK-NEXT:    return

// CHECK-LABEL: func.func private @fadiff_nest_conv1_add(
// CHECK-SAME:      memref<64x16xi8>, %{{.*}}: index) attributes {passthrough = ["noinline"]}
// CHECK-DAG:     arith.constant 0 : index
// CHECK-DAG:     arith.constant 16 : index
// CHECK:         gemmini.config_ld
// CHECK:         scf.for
// CHECK:           gemmini.mvin
// CHECK:         return
// CHECK-LABEL: func.func private @fadiff_nest_fc(

func.func @main(%a: memref<64x16xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %k = arith.constant 16 : i64
  %zero = arith.constant 0 : i8
  gemmini.flush
  gemmini.region 0 "conv1+add"
  gemmini.fence
  %t = memref.alloc() : memref<64x16xi8>
  %p = memref.extract_aligned_pointer_as_index %a : memref<64x16xi8> -> index
  gemmini.config_ld id = 1 stride = 64 block_stride = 16
  scf.for %i = %c0 to %n step %c16 {
    %q = arith.addi %p, %i : index
    %d = arith.index_cast %q : index to i64
    %l = gemmini.spad_addr %i : !gemmini.addr<spad>
    gemmini.mvin2 %d to %l rows %c16 cols %c16 : !gemmini.addr<spad>
  }
  gemmini.fence
  linalg.fill ins(%zero : i8) outs(%t : memref<64x16xi8>)
  gemmini.region 1 "fc"
  gemmini.fence
  gemmini.config_ld id = 1 stride = 64 block_stride = 16
  gemmini.fence
  return
}
