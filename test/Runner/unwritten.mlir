// Outputs that depend on memory that nobody has written are no result to compare
// with: that is what is said, not that the program is wrong.

// RUN: not fadiff-run %s --target=gemmini-fp32 2>&1 | FileCheck %s
// CHECK: unwritten.mlir:[[#@LINE+2]]:1: error: the outputs depend on memory that the network allocates and never writes, so there is nothing to compare with; fill what it reads first

func.func @main(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %w = memref.alloc() : memref<4x4xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  memref.store %z, %w[%c0, %c0] : memref<4x4xf32>
  linalg.matmul ins(%x, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  memref.dealloc %w : memref<4x4xf32>
  return
}
