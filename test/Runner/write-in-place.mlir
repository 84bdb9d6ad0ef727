// What a concatenation joins is made and read where it lies in the result.

// RUN: fadiff-opt %s --fadiff-write-in-place | FileCheck %s

#map = affine_map<(d0, d1) -> (d0, d1)>

// One of the parts has another reader, which reads it there.
// CHECK-LABEL: func.func @parts(
// CHECK:         %[[ALL:.*]] = memref.alloc() : memref<4x24xi8>
// CHECK:         %[[A:.*]] = memref.subview %[[ALL]][0, 0] [4, 8] [1, 1]
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[A]] :
// CHECK:         %[[B:.*]] = memref.subview %[[ALL]][0, 8] [4, 16] [1, 1]
// CHECK:         linalg.generic {{.*}} ins(%[[A]], %{{.*}}) outs(%[[B]] :
// CHECK-NOT:     memref.copy
// CHECK:         return %[[ALL]]
func.func @parts(%x: memref<4x16xi8>, %v: i8) -> memref<4x24xi8> {
  %a = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<4x8xi8>)
  %b = memref.alloc() : memref<4x16xi8>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1 mod 8)>, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%a, %x : memref<4x8xi8>, memref<4x16xi8>) outs(%b : memref<4x16xi8>) {
  ^bb0(%i: i8, %j: i8, %o: i8):
    %s = arith.addi %i, %j : i8
    linalg.yield %s : i8
  }
  %all = memref.alloc() : memref<4x24xi8>
  %left = memref.subview %all[0, 0] [4, 8] [1, 1] : memref<4x24xi8> to memref<4x8xi8, strided<[24, 1]>>
  memref.copy %a, %left : memref<4x8xi8> to memref<4x8xi8, strided<[24, 1]>>
  %right = memref.subview %all[0, 8] [4, 16] [1, 1] : memref<4x24xi8> to memref<4x16xi8, strided<[24, 1], offset: 8>>
  memref.copy %b, %right : memref<4x16xi8> to memref<4x16xi8, strided<[24, 1], offset: 8>>
  return %all : memref<4x24xi8>
}

// A part of a part.
// CHECK-LABEL: func.func @nested(
// CHECK:         %[[ALL:.*]] = memref.alloc() : memref<4x32xi8>
// CHECK:         %[[BOTH:.*]] = memref.subview %[[ALL]][0, 8] [4, 24] [1, 1]
// CHECK:         %[[A:.*]] = memref.subview %[[BOTH]][0, 16] [4, 8] [1, 1]
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[A]] :
// CHECK-NOT:     memref.copy %[[A]]
// CHECK:         return %[[ALL]]
func.func @nested(%x: memref<4x16xi8>, %y: memref<4x8xi8>, %v: i8) -> memref<4x32xi8> {
  %a = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<4x8xi8>)
  %both = memref.alloc() : memref<4x24xi8>
  %1 = memref.subview %both[0, 0] [4, 16] [1, 1] : memref<4x24xi8> to memref<4x16xi8, strided<[24, 1]>>
  memref.copy %x, %1 : memref<4x16xi8> to memref<4x16xi8, strided<[24, 1]>>
  %2 = memref.subview %both[0, 16] [4, 8] [1, 1] : memref<4x24xi8> to memref<4x8xi8, strided<[24, 1], offset: 16>>
  memref.copy %a, %2 : memref<4x8xi8> to memref<4x8xi8, strided<[24, 1], offset: 16>>
  %all = memref.alloc() : memref<4x32xi8>
  %3 = memref.subview %all[0, 0] [4, 8] [1, 1] : memref<4x32xi8> to memref<4x8xi8, strided<[32, 1]>>
  memref.copy %y, %3 : memref<4x8xi8> to memref<4x8xi8, strided<[32, 1]>>
  %4 = memref.subview %all[0, 8] [4, 24] [1, 1] : memref<4x32xi8> to memref<4x24xi8, strided<[32, 1], offset: 8>>
  memref.copy %both, %4 : memref<4x24xi8> to memref<4x24xi8, strided<[32, 1], offset: 8>>
  return %all : memref<4x32xi8>
}

// A part that is written to afterwards is no longer what was copied; one whose
// place was written to before would be written over; and the same part cannot
// lie in two places.
// CHECK-LABEL: func.func @written_after(
// CHECK:         memref.copy
func.func @written_after(%v: i8, %w: i8) -> (memref<4x16xi8>, memref<4x8xi8>) {
  %a = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<4x8xi8>)
  %all = memref.alloc() : memref<4x16xi8>
  %left = memref.subview %all[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  memref.copy %a, %left : memref<4x8xi8> to memref<4x8xi8, strided<[16, 1]>>
  linalg.fill ins(%w : i8) outs(%a : memref<4x8xi8>)
  %b = memref.alloc() : memref<4x8xi8>
  memref.copy %a, %b : memref<4x8xi8> to memref<4x8xi8>
  return %all, %b : memref<4x16xi8>, memref<4x8xi8>
}

// CHECK-LABEL: func.func @written_before(
// CHECK:         memref.copy
func.func @written_before(%v: i8, %w: i8) -> memref<4x16xi8> {
  %a = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<4x8xi8>)
  %all = memref.alloc() : memref<4x16xi8>
  linalg.fill ins(%w : i8) outs(%all : memref<4x16xi8>)
  %left = memref.subview %all[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  memref.copy %a, %left : memref<4x8xi8> to memref<4x8xi8, strided<[16, 1]>>
  return %all : memref<4x16xi8>
}

// CHECK-LABEL: func.func @twice(
// CHECK:         memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @twice(%v: i8) -> memref<4x16xi8> {
  %a = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<4x8xi8>)
  %all = memref.alloc() : memref<4x16xi8>
  %left = memref.subview %all[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  memref.copy %a, %left : memref<4x8xi8> to memref<4x8xi8, strided<[16, 1]>>
  %right = memref.subview %all[0, 8] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
  memref.copy %a, %right : memref<4x8xi8> to memref<4x8xi8, strided<[16, 1], offset: 8>>
  return %all : memref<4x16xi8>
}

// Someone sees the buffer in another way, or the place is written to again while
// there still are readers of the part.
// CHECK-LABEL: func.func @seen(
// CHECK:         memref.copy
func.func @seen(%v: i8) -> (memref<4x16xi8>, memref<32xi8>) {
  %a = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<4x8xi8>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x8xi8> into memref<32xi8>
  %all = memref.alloc() : memref<4x16xi8>
  %left = memref.subview %all[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  memref.copy %a, %left : memref<4x8xi8> to memref<4x8xi8, strided<[16, 1]>>
  return %all, %flat : memref<4x16xi8>, memref<32xi8>
}

// CHECK-LABEL: func.func @overwritten(
// CHECK:         memref.copy
func.func @overwritten(%v: i8, %w: i8) -> (memref<4x16xi8>, memref<4x8xi8>) {
  %a = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<4x8xi8>)
  %all = memref.alloc() : memref<4x16xi8>
  %left = memref.subview %all[0, 0] [4, 8] [1, 1] : memref<4x16xi8> to memref<4x8xi8, strided<[16, 1]>>
  memref.copy %a, %left : memref<4x8xi8> to memref<4x8xi8, strided<[16, 1]>>
  linalg.fill ins(%w : i8) outs(%all : memref<4x16xi8>)
  %b = memref.alloc() : memref<4x8xi8>
  memref.copy %a, %b : memref<4x8xi8> to memref<4x8xi8>
  return %all, %b : memref<4x16xi8>, memref<4x8xi8>
}
