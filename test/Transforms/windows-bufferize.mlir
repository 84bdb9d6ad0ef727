// Windows in memory: a view of the source, which nobody writes through.

// RUN: fadiff-opt %s --fadiff-bufferize | FileCheck %s

// Kernel rows of 3 columns, every second one: 9 elements every 6.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME:      %[[X:.*]]: memref<4x10x3xi8>
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [4, 4, 9], strides: [30, 6, 1] : memref<4x10x3xi8> to memref<4x4x9xi8, strided<[30, 6, 1]>>
// CHECK-NOT:     memref.copy
// CHECK:         fadiff.loop_nest ins(%[[VIEW]], %{{.*}} : memref<4x4x9xi8, strided<[30, 6, 1]>>, memref<9x5xi8>)
func.func @layer(%x: tensor<4x10x3xi8>, %w: tensor<9x5xi8>) -> tensor<4x4x5xi32> {
  %0 = fadiff.windows %x taps 3 stride 2 : tensor<4x10x3xi8> to tensor<4x4x9xi8>
  %e = tensor.empty() : tensor<4x4x5xi32>
  %y = fadiff.loop_nest ins(%0, %w : tensor<4x4x9xi8>, tensor<9x5xi8>) outs(%e : tensor<4x4x5xi32>) {
  ^bb0(%X: !fadiff.dram<4x4x9xi8>, %W: !fadiff.dram<9x5xi8>, %Y: !fadiff.dram<4x4x5xi32>):
  } -> tensor<4x4x5xi32>
  return %y : tensor<4x4x5xi32>
}

// From the second column on.
// CHECK-LABEL: func.func @from(
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [3], sizes: [4, 4, 9], strides: [30, 6, 1] : memref<4x10x3xi8> to memref<4x4x9xi8, strided<[30, 6, 1], offset: 3>>
func.func @from(%x: tensor<4x10x3xi8>, %i: index) -> i8 {
  %0 = fadiff.windows %x from 1 taps 3 stride 2 : tensor<4x10x3xi8> to tensor<4x4x9xi8>
  %1 = tensor.extract %0[%i, %i, %i] : tensor<4x4x9xi8>
  return %1 : i8
}

// Columns with gaps in between are no windows until they are together.
// CHECK-LABEL: func.func @slice(
// CHECK:         memref.copy %{{.*}}, %[[DENSE:.*]] : memref<4x10x3xi8, strided<[60, 5, 1], offset: 6>> to memref<4x10x3xi8>
// CHECK:         memref.reinterpret_cast %[[DENSE]] to offset: [0], sizes: [4, 4, 9], strides: [30, 6, 1]
func.func @slice(%x: tensor<4x12x5xi8>, %i: index) -> i8 {
  %0 = tensor.extract_slice %x[0, 1, 1] [4, 10, 3] [1, 1, 1] : tensor<4x12x5xi8> to tensor<4x10x3xi8>
  %1 = fadiff.windows %0 taps 3 stride 2 : tensor<4x10x3xi8> to tensor<4x4x9xi8>
  %2 = tensor.extract %1[%i, %i, %i] : tensor<4x4x9xi8>
  return %2 : i8
}

// A write to one window must not be seen in the next, nor in the source.
// CHECK-LABEL: func.func @written(
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast
// CHECK:         memref.copy %[[VIEW]], %[[OWN:.*]] : memref<4x9xi8, strided<[6, 1]>> to memref<4x9xi8>
// CHECK:         memref.store %{{.*}}, %[[OWN]]
func.func @written(%x: tensor<10x3xi8>, %v: i8, %i: index) -> tensor<4x9xi8> {
  %0 = fadiff.windows %x taps 3 stride 2 : tensor<10x3xi8> to tensor<4x9xi8>
  %1 = tensor.insert %v into %0[%i, %i] : tensor<4x9xi8>
  return %1 : tensor<4x9xi8>
}

// Nor one to the source in windows that are read later.
// CHECK-LABEL: func.func @source_written(
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast
// CHECK:         memref.copy %[[VIEW]], %[[OWN:.*]] : memref<4x9xi8, strided<[6, 1]>> to memref<4x9xi8>
// CHECK:         linalg.fill
// CHECK:         memref.load %[[OWN]]
func.func @source_written(%v: i8, %u: i8, %i: index) -> (i8, i8) {
  %e = tensor.empty() : tensor<10x3xi8>
  %x = linalg.fill ins(%v : i8) outs(%e : tensor<10x3xi8>) -> tensor<10x3xi8>
  %0 = fadiff.windows %x taps 3 stride 2 : tensor<10x3xi8> to tensor<4x9xi8>
  %y = linalg.fill ins(%u : i8) outs(%x : tensor<10x3xi8>) -> tensor<10x3xi8>
  %1 = tensor.extract %0[%i, %i] : tensor<4x9xi8>
  %2 = tensor.extract %y[%i, %i] : tensor<10x3xi8>
  return %1, %2 : i8, i8
}
