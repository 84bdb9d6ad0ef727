// A network on memrefs as an object file: C gets a pointer that is not const for
// each buffer that is written, and one for each number.

// REQUIRES: riscv
// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-compile %t/net.mlir --target=gemmini-small --entry=step --prefix=net_ -o %t/net.o
// RUN: fadiff-compile %t/net.mlir --target=gemmini-small --entry=step --prefix=net_ --emit=c-header -o %t/net.h
// RUN: FileCheck %s --input-file=%t/net.h
// CHECK:      reads its arguments and writes
// CHECK-NEXT: its results and the arguments that are not const; what it writes must not
// CHECK:      void net_step(
// CHECK-NEXT:     const int8_t *arg0,
// CHECK-NEXT:     const int32_t *arg1,
// CHECK-NEXT:     int32_t *arg2,
// CHECK-NEXT:     int32_t *result0);
// CHECK-NOT:  net_
// RUN: fadiff-compile %t/net.mlir --target=gemmini-small --prefix=net_ --emit=c-header | FileCheck %s --check-prefix=ALL
// ALL:      void net_add(
// ALL-NEXT:     const int32_t *arg0,
// ALL-NEXT:     const int32_t *arg1,
// ALL-NEXT:     int32_t *result0);
// ALL:      void net_nothing(
// ALL-NEXT:     void);

//--- net.mlir
memref.global "private" constant @w : memref<64x32xi8> = dense<-3>
memref.global "private" @v : memref<64x32xi8> = dense<5>
func.func @step(%x: memref<48x64xi8>, %start: i32, %sums: memref<48x32xi32>) -> i32 {
  %w = memref.get_global @w : memref<64x32xi8>
  %v = memref.get_global @v : memref<64x32xi8>
  %t = memref.alloc() : memref<48x32xi32>
  linalg.fill ins(%start : i32) outs(%t : memref<48x32xi32>)
  linalg.matmul ins(%x, %w : memref<48x64xi8>, memref<64x32xi8>) outs(%t : memref<48x32xi32>)
  linalg.matmul ins(%x, %v : memref<48x64xi8>, memref<64x32xi8>) outs(%sums : memref<48x32xi32>)
  linalg.add ins(%t, %sums : memref<48x32xi32>, memref<48x32xi32>) outs(%sums : memref<48x32xi32>)
  memref.dealloc %t : memref<48x32xi32>
  %c2 = arith.constant 2 : index
  %r = memref.load %sums[%c2, %c2] : memref<48x32xi32>
  return %r : i32
}
// Called with numbers from here, with pointers from C.
func.func @add(%x: i32, %y: i32) -> i32 {
  %s = arith.addi %x, %y : i32
  return %s : i32
}
func.func @nothing() {
  %c1 = arith.constant 1 : i32
  %0 = call @add(%c1, %c1) : (i32, i32) -> i32
  return
}
