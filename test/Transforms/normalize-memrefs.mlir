// What stays on memrefs has no results: no pattern looks at them, and all of it
// stays as it was.

// RUN: fadiff-opt %s --fadiff-raise-memrefs --fadiff-import --fadiff-normalize | FileCheck %s
// RUN: fadiff-opt %s --fadiff-raise-memrefs --fadiff-import --fadiff-attach-target=target=gemmini-fp32 --fadiff-normalize | FileCheck %s

// CHECK-LABEL: func.func @in_parallel(
// CHECK:         scf.parallel
// CHECK:           linalg.transpose ins(%{{.*}} : memref<4x16xf32, strided<[16, 1], offset: ?>>) outs(%{{.*}} : memref<16x4xf32>) permutation = [1, 0]
// CHECK:           linalg.transpose ins(%{{.*}} : memref<16x4xf32>) outs(%{{.*}} : memref<4x16xf32>)
// CHECK:           linalg.broadcast ins(%{{.*}} : memref<4xf32>)
// CHECK:           linalg.fill ins(%{{.*}} : f32)
// CHECK:           linalg.matmul ins(%{{.*}}, %{{.*}} : memref<4x16xf32, strided<[16, 1], offset: ?>>, memref<16x4xf32>)
// CHECK:           linalg.pooling_nhwc_max {{.*}} ins(%{{.*}} : memref<1x4x4x8xf32>
func.func @in_parallel(%a: memref<32x16xf32>, %b: memref<32x16xf32>,
                       %c: memref<32x32xf32>, %bias: memref<4xf32>,
                       %image: memref<1x4x4x8xf32>, %pooled: memref<1x2x2x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c32, %c32) step (%c4, %c4) {
    %cs = memref.subview %c[%i, %j] [4, 4] [1, 1] : memref<32x32xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
    %as = memref.subview %a[%i, 0] [4, 16] [1, 1] : memref<32x16xf32> to memref<4x16xf32, strided<[16, 1], offset: ?>>
    %bs = memref.subview %b[%j, 0] [4, 16] [1, 1] : memref<32x16xf32> to memref<4x16xf32, strided<[16, 1], offset: ?>>
    %t = memref.alloc() : memref<16x4xf32>
    linalg.transpose ins(%bs : memref<4x16xf32, strided<[16, 1], offset: ?>>) outs(%t : memref<16x4xf32>) permutation = [1, 0]
    %tt = memref.alloc() : memref<4x16xf32>
    linalg.transpose ins(%t : memref<16x4xf32>) outs(%tt : memref<4x16xf32>) permutation = [1, 0]
    linalg.broadcast ins(%bias : memref<4xf32>) outs(%cs : memref<4x4xf32, strided<[32, 1], offset: ?>>) dimensions = [0]
    %f = memref.alloc() : memref<4x4xf32>
    linalg.fill ins(%zero : f32) outs(%f : memref<4x4xf32>)
    linalg.matmul ins(%as, %t : memref<4x16xf32, strided<[16, 1], offset: ?>>, memref<16x4xf32>) outs(%cs : memref<4x4xf32, strided<[32, 1], offset: ?>>)
    %window = memref.alloc() : memref<2x2xf32>
    linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%image, %window : memref<1x4x4x8xf32>, memref<2x2xf32>) outs(%pooled : memref<1x2x2x8xf32>)
    scf.reduce
  }
  return
}
