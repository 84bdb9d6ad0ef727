// A program that allocates what it works on: the kernel's extents are open where
// it stands, and known where it is called. The kernel by itself wants --shapes.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// RUN: fadiff-run %s --entry=kernel --shapes=6x16,16x10,6x10 --target=gemmini-fp32 --check | FileCheck %s --check-prefix=KERNEL
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-fp32 optimizer=heuristic" | FileCheck %s --check-prefix=NEST

// CHECK: on the array: 100.0 % of 288 multiply-accumulates
// CHECK: 1 groups
// CHECK: output 0: tensor<6x4xf32> {{.*}}min 24 max 24
// CHECK: proves little: all elements are 24
// KERNEL: on the array: 100.0 % of 960 multiply-accumulates
// KERNEL: output 0: tensor<6x10xf32>
// KERNEL: {{output identical|largest difference of floats}}
// NEST-LABEL: func.func @kernel(%{{.*}}: memref<?x?xf32>
// NEST-NOT: fadiff.loop_nest
// NEST-LABEL: func.func @main
// NEST: fadiff.loop_nest

func.func private @printMemrefF32(memref<*xf32>)
func.func @kernel(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
func.func @filled(%m: index, %n: index, %x: f32) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %0[%i, %j] : memref<?x?xf32>
    }
  }
  return %0 : memref<?x?xf32>
}
func.func @main() {
  %m = arith.constant 6 : index
  %n = arith.constant 4 : index
  %k = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = call @filled(%m, %k, %one) : (index, index, f32) -> memref<?x?xf32>
  %b = call @filled(%k, %n, %two) : (index, index, f32) -> memref<?x?xf32>
  %c = call @filled(%m, %n, %zero) : (index, index, f32) -> memref<?x?xf32>
  call @kernel(%a, %b, %c) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  %p = memref.cast %c : memref<?x?xf32> to memref<*xf32>
  call @printMemrefF32(%p) : (memref<*xf32>) -> ()
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  memref.dealloc %c : memref<?x?xf32>
  return
}
