// Linalg on memrefs becomes linalg on tensors; what is not understood works on
// memory as it did.

// RUN: fadiff-opt %s --fadiff-raise-memrefs -split-input-file | FileCheck %s

// What the result starts from is read, and an argument written once, at the end.
// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME:    %[[A:.*]]: memref<4x8xi8>, %[[B:.*]]: memref<8x4xi8>, %[[C:.*]]: memref<4x4xi32>) {
// CHECK-DAG:     %[[TA:.*]] = bufferization.to_tensor %[[A]] restrict
// CHECK-DAG:     %[[TB:.*]] = bufferization.to_tensor %[[B]] restrict
// CHECK-DAG:     %[[TC:.*]] = bufferization.to_tensor %[[C]] restrict
// CHECK:         %[[R:.*]] = linalg.matmul ins(%[[TA]], %[[TB]] : {{.*}}) outs(%[[TC]] :
// CHECK-NEXT:    bufferization.materialize_in_destination %[[R]] in restrict writable %[[C]]
// CHECK-NEXT:    return
func.func @accumulate(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi32>) {
  linalg.matmul ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi32>)
  return
}

// -----

// Intermediates are no memory any more; weights of a constant global are a
// constant, those of another one are read.
// CHECK-LABEL: func.func @network(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xi8>, %[[Y:.*]]: memref<4x4xi32>)
// CHECK-NOT:     memref.alloc
// CHECK-DAG:     arith.constant dense<3> : tensor<8x8xi8>
// CHECK:         linalg.matmul {{.*}} -> tensor<4x8xi32>
// CHECK:         %[[V:.*]] = memref.get_global @v
// CHECK:         bufferization.to_tensor %[[V]] restrict
// CHECK:         %[[R:.*]] = linalg.matmul {{.*}} -> tensor<4x4xi32>
// CHECK-NOT:     memref
// CHECK:         bufferization.materialize_in_destination %[[R]] in restrict writable %[[Y]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return
memref.global "private" constant @w : memref<8x8xi8> = dense<3>
memref.global "private" @v : memref<8x4xi8> = dense<5>
func.func @network(%x: memref<4x8xi8>, %y: memref<4x4xi32>) {
  %c0 = arith.constant 0 : i32
  %w = memref.get_global @w : memref<8x8xi8>
  %h = memref.alloc() : memref<4x8xi32>
  %h8 = memref.alloc() : memref<4x8xi8>
  linalg.fill ins(%c0 : i32) outs(%h : memref<4x8xi32>)
  linalg.matmul ins(%x, %w : memref<4x8xi8>, memref<8x8xi8>) outs(%h : memref<4x8xi32>)
  linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%h : memref<4x8xi32>) outs(%h8 : memref<4x8xi8>) {
  ^bb0(%i: i32, %o: i8):
    %t = arith.trunci %i : i32 to i8
    linalg.yield %t : i8
  }
  memref.dealloc %h : memref<4x8xi32>
  %v = memref.get_global @v : memref<8x4xi8>
  linalg.fill ins(%c0 : i32) outs(%y : memref<4x4xi32>)
  linalg.matmul ins(%h8, %v : memref<4x8xi8>, memref<8x4xi8>) outs(%y : memref<4x4xi32>)
  memref.dealloc %h8 : memref<4x8xi8>
  return
}

// -----

// %b may be where %y is: it is read again behind the write. What %a held is
// looked at later, so it is copied before.
// CHECK-LABEL: func.func @overlap(
// CHECK-SAME:    %[[A:.*]]: memref<4x4xi32>, %[[B:.*]]: memref<4x4xi32>, %[[Y:.*]]: memref<4x4xi32>, %[[Z:.*]]: memref<4x4xi32>)
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<4x4xi32>
// CHECK:         memref.copy %[[A]], %[[COPY]]
// CHECK:         %[[OLD:.*]] = bufferization.to_tensor %[[COPY]] restrict writable
// CHECK:         %[[S:.*]] = linalg.add ins(%[[OLD]], %[[OLD]] :
// CHECK:         bufferization.materialize_in_destination %[[S]] in restrict writable %[[Y]]
// CHECK:         %[[NEW:.*]] = bufferization.to_tensor %[[B]] restrict
// CHECK:         linalg.add ins(%[[OLD]], %[[NEW]] :
func.func @overlap(%a: memref<4x4xi32>, %b: memref<4x4xi32>, %y: memref<4x4xi32>, %z: memref<4x4xi32>) {
  %t = memref.alloc() : memref<4x4xi32>
  memref.copy %a, %t : memref<4x4xi32> to memref<4x4xi32>
  linalg.add ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%y : memref<4x4xi32>)
  linalg.add ins(%t, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%z : memref<4x4xi32>)
  return
}

// -----

// The same, of arguments that are apart.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @apart(%a: memref<4x4xi32> {llvm.noalias}, %b: memref<4x4xi32> {llvm.noalias}, %y: memref<4x4xi32> {llvm.noalias}, %z: memref<4x4xi32> {llvm.noalias}) {
  %t = memref.alloc() : memref<4x4xi32>
  memref.copy %a, %t : memref<4x4xi32> to memref<4x4xi32>
  linalg.add ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%y : memref<4x4xi32>)
  linalg.add ins(%t, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%z : memref<4x4xi32>)
  return
}

// -----

// A call finds in memory what it would have found, and may change it.
// CHECK-LABEL: func.func @call(
// CHECK-SAME:    %[[X:.*]]: memref<4x4xi32>)
// CHECK:         %[[M:.*]] = memref.alloc()
// CHECK:         %[[S:.*]] = linalg.add
// CHECK:         bufferization.materialize_in_destination %[[S]] in restrict writable %[[M]]
// CHECK:         call @change(%[[M]])
// CHECK:         %[[T:.*]] = bufferization.to_tensor %[[M]] restrict
// CHECK:         %[[R:.*]] = linalg.add ins(%[[T]], %[[T]]
// CHECK:         bufferization.materialize_in_destination %[[R]] in restrict writable %[[X]]
func.func private @change(memref<4x4xi32>)
func.func @call(%x: memref<4x4xi32>) {
  %m = memref.alloc() : memref<4x4xi32>
  linalg.add ins(%x, %x : memref<4x4xi32>, memref<4x4xi32>) outs(%m : memref<4x4xi32>)
  call @change(%m) : (memref<4x4xi32>) -> ()
  linalg.add ins(%m, %m : memref<4x4xi32>, memref<4x4xi32>) outs(%x : memref<4x4xi32>)
  return
}

// -----

// Views of tensors are slices and reshapes; a loop's body is raised by itself,
// and looks at its part of the buffer only.
// CHECK-LABEL: func.func @views(
// CHECK-SAME:    %[[X:.*]]: memref<4x16xi32>, %[[Y:.*]]: memref<8x8xi32>)
// CHECK:         scf.for
// CHECK:           %[[ROW:.*]] = memref.subview %[[X]]
// CHECK:           %[[T:.*]] = bufferization.to_tensor %[[ROW]] restrict
// CHECK:           %[[S:.*]] = linalg.add ins(%[[T]], %[[T]] :
// CHECK:           bufferization.materialize_in_destination %[[S]] in restrict writable %[[ROW]]
// CHECK:         %[[ALL:.*]] = bufferization.to_tensor %[[X]] restrict
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[ALL]]
// CHECK:         %[[SQUARE:.*]] = tensor.expand_shape %[[FLAT]]
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[SQUARE]][0, 4] [8, 4] [1, 1]
// CHECK:         %[[R:.*]] = linalg.add ins(%[[PART]], %[[PART]]
// CHECK:         tensor.insert_slice %[[R]] into %{{.*}}[0, 4] [8, 4] [1, 1]
func.func @views(%x: memref<4x16xi32>, %y: memref<8x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i0 = arith.constant 0 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %row = memref.subview %x[%i, 0] [1, 16] [1, 1] : memref<4x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
    linalg.add ins(%row, %row : memref<1x16xi32, strided<[16, 1], offset: ?>>, memref<1x16xi32, strided<[16, 1], offset: ?>>) outs(%row : memref<1x16xi32, strided<[16, 1], offset: ?>>)
  }
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x16xi32> into memref<64xi32>
  %square = memref.expand_shape %flat [[0, 1]] output_shape [8, 8] : memref<64xi32> into memref<8x8xi32>
  %part = memref.subview %square[0, 4] [8, 4] [1, 1] : memref<8x8xi32> to memref<8x4xi32, strided<[8, 1], offset: 4>>
  %out = memref.subview %y[0, 4] [8, 4] [1, 1] : memref<8x8xi32> to memref<8x4xi32, strided<[8, 1], offset: 4>>
  linalg.fill ins(%i0 : i32) outs(%y : memref<8x8xi32>)
  linalg.add ins(%part, %part : memref<8x4xi32, strided<[8, 1], offset: 4>>, memref<8x4xi32, strided<[8, 1], offset: 4>>) outs(%out : memref<8x4xi32, strided<[8, 1], offset: 4>>)
  return
}

// -----

// Nothing stands for a sum that runs over its own input, nor for iterations
// that run side by side.
// CHECK-LABEL: func.func @stays(
// CHECK-NOT:     bufferization
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : memref<4x4xi32>, memref<4x4xi32>)
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : memref<4x4xi32>, memref<4x4xi32>)
// CHECK:         scf.forall
// CHECK:           linalg.add ins(%{{.*}} : memref<4x4xi32>, memref<4x4xi32>)
// CHECK-NOT:     bufferization
func.func @stays(%x: memref<4x4xi32>) {
  linalg.matmul ins(%x, %x : memref<4x4xi32>, memref<4x4xi32>) outs(%x : memref<4x4xi32>)
  %y = memref.reinterpret_cast %x to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<4x4xi32> to memref<4x4xi32>
  linalg.matmul ins(%y, %y : memref<4x4xi32>, memref<4x4xi32>) outs(%x : memref<4x4xi32>)
  scf.forall (%i) in (4) {
    linalg.add ins(%x, %x : memref<4x4xi32>, memref<4x4xi32>) outs(%x : memref<4x4xi32>)
  }
  return
}
