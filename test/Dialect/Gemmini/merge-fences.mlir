// Which fences are left, and which must be.

// RUN: fadiff-opt %s --gemmini-merge-fences | FileCheck %s

// Two nests after each other: one fence, and the region still begins behind one.
// CHECK-LABEL: @consecutive
// CHECK-NEXT:    gemmini.fence
// CHECK-NEXT:    mvin
// CHECK-NEXT:    mvout
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index
// CHECK-NEXT:    gemmini.fence
// CHECK-NEXT:    gemmini.region 1 "two"
// CHECK-NEXT:    mvin
// CHECK-NEXT:    mvout
// CHECK-NEXT:    gemmini.fence
func.func @consecutive(%in: i64, %out: i64, %a: !gemmini.addr<spad>, %n: index) -> (memref<8xi8>, index) {
  gemmini.fence
  gemmini.mvin %in to %a rows %n cols %n : !gemmini.addr<spad>
  gemmini.mvout %a to %out rows %n cols %n : !gemmini.addr<spad>
  gemmini.fence
  %m = memref.alloc() : memref<8xi8>
  %p = memref.extract_aligned_pointer_as_index %m : memref<8xi8> -> index
  gemmini.region 1 "two"
  gemmini.fence
  gemmini.mvin %out to %a rows %n cols %n : !gemmini.addr<spad>
  gemmini.mvout %a to %in rows %n cols %n : !gemmini.addr<spad>
  gemmini.fence
  return %m, %p : memref<8xi8>, index
}

// The core reads, writes, or calls: both stay.
// CHECK-LABEL: @reads
// CHECK-COUNT-2: gemmini.fence
func.func @reads(%m: memref<8xi8>, %i: index) -> i8 {
  gemmini.fence
  %v = memref.load %m[%i] : memref<8xi8>
  gemmini.fence
  return %v : i8
}
// CHECK-LABEL: @writes
// CHECK-COUNT-2: gemmini.fence
func.func @writes(%m: memref<8xi8>, %i: index, %v: i8) {
  gemmini.fence
  memref.store %v, %m[%i] : memref<8xi8>
  gemmini.fence
  return
}
func.func private @host()
// CHECK-LABEL: @calls
// CHECK-COUNT-2: gemmini.fence
func.func @calls() {
  gemmini.fence
  func.call @host() : () -> ()
  gemmini.fence
  return
}
// CHECK-LABEL: @unknown
// CHECK-COUNT-2: gemmini.fence
func.func @unknown(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gemmini.fence
  scf.for %i = %c0 to %n step %c1 {
    func.call @host() : () -> ()
  }
  gemmini.fence
  return
}
// As does the accelerator in a loop: partial sums.
// CHECK-LABEL: @loop
// CHECK-COUNT-3: gemmini.fence
func.func @loop(%in: i64, %a: !gemmini.addr<spad>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gemmini.fence
  scf.for %i = %c0 to %n step %c1 {
    gemmini.fence
    gemmini.mvin %in to %a rows %n cols %n : !gemmini.addr<spad>
    gemmini.mvout %a to %in rows %n cols %n : !gemmini.addr<spad>
  }
  gemmini.fence
  return
}

// What is freed may be what is given out, with the allocator's list still on
// its way to memory.
// CHECK-LABEL: @reused
// CHECK-COUNT-3: gemmini.fence
func.func @reused(%old: memref<8xi8>, %a: !gemmini.addr<acc>, %n: index) -> memref<8xi8> {
  gemmini.fence
  memref.dealloc %old : memref<8xi8>
  %m = memref.alloc() : memref<8xi8>
  %p = memref.extract_aligned_pointer_as_index %m : memref<8xi8> -> index
  %q = arith.index_cast %p : index to i64
  gemmini.fence
  gemmini.mvout %a to %q rows %n cols %n : !gemmini.addr<acc>
  gemmini.fence
  return %m : memref<8xi8>
}
// CHECK-LABEL: @reused_later
// CHECK-COUNT-3: gemmini.fence
func.func @reused_later(%old: memref<8xi8>, %a: !gemmini.addr<acc>, %n: index) -> memref<8xi8> {
  gemmini.fence
  memref.dealloc %old : memref<8xi8>
  gemmini.fence
  %m = memref.alloc() : memref<8xi8>
  %p = memref.extract_aligned_pointer_as_index %m : memref<8xi8> -> index
  %q = arith.index_cast %p : index to i64
  gemmini.mvout %a to %q rows %n cols %n : !gemmini.addr<acc>
  gemmini.fence
  return %m : memref<8xi8>
}
// Without an allocation nobody can use it again.
// CHECK-LABEL: @only_freed
// CHECK-NEXT:    gemmini.fence
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    gemmini.mvin
// CHECK-NEXT:    gemmini.fence
func.func @only_freed(%old: memref<8xi8>, %in: i64, %a: !gemmini.addr<spad>, %n: index) {
  gemmini.fence
  memref.dealloc %old : memref<8xi8>
  gemmini.fence
  gemmini.mvin %in to %a rows %n cols %n : !gemmini.addr<spad>
  gemmini.fence
  return
}
