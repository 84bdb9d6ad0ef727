// RUN: fadiff-opt %s --fadiff-form-layers -split-input-file -verify-diagnostics
// RUN: not fadiff-opt %s --fadiff-form-layers -split-input-file -o %t.never 2>/dev/null
// RUN: not ls %t.never

// Nothing to do is most likely a mistake.
// expected-error @+1 {{nothing to schedule: wanted at least one int8 convolution or matrix product on tensors, found none; pass allow-empty to accept this}}
module {}

// -----

// A network in f32: the note says why not.
module {
  func.func @float(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
    %zero = arith.constant dense<0.0> : tensor<4x16xf32>
    // expected-error @+2 {{nothing to schedule}}
    // expected-note @+1 {{not scheduled: its element types are f32 * f32 -> f32; the array takes i8 * i8 -> i32}}
    %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
}

// -----

// No candidate at all: the error stands at the function.
module {
  func.func private @elsewhere()
  // expected-error @+1 {{nothing to schedule}}
  func.func @none(%x: tensor<4xi8>) -> tensor<4xi8> {
    return %x : tensor<4xi8>
  }
}

// -----

// A reason that several candidates have is given once.
module {
  func.func @three(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %zero = arith.constant dense<0.0> : tensor<4x4xf32>
    // expected-error @+2 {{nothing to schedule}}
    // expected-note @+1 {{not scheduled: its element types are f32 * f32 -> f32; the array takes i8 * i8 -> i32; the same holds for 2 more; what would help: a machine that works in f32, such as target=gemmini-fp32, or a network quantised to int8}}
    %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.matmul ins(%x, %0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = linalg.matmul ins(%x, %1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}

// -----

// Bufferized too early.
module {
  func.func @memrefs(%x: memref<4x8xi8>, %w: memref<8x16xi8>, %y: memref<4x16xi32>) {
    // expected-error @+2 {{nothing to schedule}}
    // expected-note @+1 {{not scheduled: it works on memrefs; fadiff-raise-memrefs brings it to tensors unless its output overlaps another operand}}
    linalg.matmul ins(%x, %w : memref<4x8xi8>, memref<8x16xi8>) outs(%y : memref<4x16xi32>)
    return
  }
}

// -----

module {
  func.func @dynamic(%x: tensor<?x8xi8>, %w: tensor<8x16xi8>, %y: tensor<?x16xi32>) -> tensor<?x16xi32> {
    // expected-error @+2 {{nothing to schedule}}
    // expected-note @+1 {{not scheduled: a schedule needs static extents, found tensor<?x8xi8>, tensor<8x16xi8>, tensor<?x16xi32>; make the shapes static, or give those of the arguments with fadiff-static-shapes}}
    %0 = linalg.matmul ins(%x, %w : tensor<?x8xi8>, tensor<8x16xi8>) outs(%y : tensor<?x16xi32>) -> tensor<?x16xi32>
    return %0 : tensor<?x16xi32>
  }
}
