// Extents that are open where a contraction stands and known where its function
// is called, or that the user gives.

// RUN: fadiff-opt %s --split-input-file --fadiff-static-shapes | FileCheck %s

// The calls are inlined, one inside of another, and the private function goes.
// CHECK-LABEL: func.func @kernel(
// CHECK: linalg.matmul ins({{.*}} : memref<?x?xf32>, memref<?x?xf32>)
// CHECK-NOT: @filled
// CHECK-LABEL: func.func @main()
// CHECK-NOT: call
// CHECK: memref.alloc() : memref<4x8xf32>
// CHECK: linalg.matmul ins({{.*}} : memref<4x8xf32>, memref<8x2xf32>) outs({{.*}} : memref<4x2xf32>)
// CHECK: return {{.*}} : f32
module {
  func.func @kernel(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
    linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    return
  }
  func.func private @filled(%m: index, %n: index, %x: f32) -> memref<?x?xf32> {
    %0 = memref.alloc(%m, %n) : memref<?x?xf32>
    linalg.fill ins(%x : f32) outs(%0 : memref<?x?xf32>)
    return %0 : memref<?x?xf32>
  }
  func.func @main() -> f32 {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %x = arith.constant 1.0 : f32
    %a = call @filled(%c4, %c8, %x) : (index, index, f32) -> memref<?x?xf32>
    %b = call @filled(%c8, %c2, %x) : (index, index, f32) -> memref<?x?xf32>
    %c = call @filled(%c4, %c2, %x) : (index, index, f32) -> memref<?x?xf32>
    call @kernel(%a, %b, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
    %r = memref.load %c[%c0, %c0] : memref<?x?xf32>
    return %r : f32
  }
}

// -----

// A module without open extents keeps its calls; functions that call each other
// do not end in a circle.
// CHECK-LABEL: func.func @static
// CHECK: call @callee
module {
  func.func private @callee(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
    return %a : tensor<4x4xf32>
  }
  func.func @static(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = call @callee(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

// CHECK-LABEL: func.func @ping
// CHECK-LABEL: func.func @pong
module {
  func.func @ping(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
    %0 = linalg.dot ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<f32>) -> tensor<f32>
    %1 = call @pong(%a, %b, %0) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func @pong(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
    %0 = call @ping(%a, %b, %c) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
