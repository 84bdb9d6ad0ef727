// What fadiff-compile writes: names, types, visibility, and which values are
// given back through pointers.

// REQUIRES: riscv
// RUN: fadiff-compile %s --schedule=allow-empty --emit=c-header --prefix=net- | FileCheck %s --check-prefix=HEADER
// RUN: fadiff-compile %s --schedule=allow-empty --emit=llvm --prefix=net- -O0 | FileCheck %s --check-prefix=LLVM
// RUN: fadiff-compile %s --schedule=allow-empty --emit=asm --prefix=net- | FileCheck %s --check-prefix=ASM
// RUN: fadiff-compile %s --schedule=allow-empty --prefix=net- -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OBJ

// HEADER:      /* compile.mlir, compiled by fadiff-compile for riscv64 and 'gemmini-large'.
// HEADER:       * Needs: aligned_alloc, free.
// HEADER:      #ifndef NET_TWICE_H
// HEADER:      /* @twice
// HEADER-NEXT:  *   arg0      float [2][3]
// HEADER-NEXT:  *   result0   float [2][3]
// HEADER-NEXT:  *   result1   float [2][3]
// HEADER-NEXT:  *   result2   int16_t [2]
// HEADER-NEXT:  */
// HEADER-NEXT: #define NET_TWICE_ARG0_SIZE 6
// HEADER-NEXT: #define NET_TWICE_RESULT0_SIZE 6
// HEADER-NEXT: #define NET_TWICE_RESULT1_SIZE 6
// HEADER-NEXT: #define NET_TWICE_RESULT2_SIZE 2
// HEADER-NEXT: void net_twice(
// HEADER-NEXT:     const float *arg0,
// HEADER-NEXT:     float *result0,
// HEADER-NEXT:     float *result1,
// HEADER-NEXT:     int16_t *result2);
// HEADER:      /* @root.of
// HEADER:      void net_root_of(
// HEADER-NEXT:     const double *arg0,
// HEADER-NEXT:     double *result0);
// HEADER-NOT:  hidden

// Results are written where the caller wants them, the constant and the argument
// too. An allocation that fails stops the program.
// LLVM:       @[[DATA:.*]] = internal constant [2 x i16] [i16 5, i16 -6]
// LLVM:       define void @net_twice(ptr %0, ptr %1, ptr %2, ptr %3)
// LLVM:       define void @net_root_of(ptr %0, ptr %1)
// LLVM:       define internal {{.*}}@hidden(
// LLVM:       call ptr @fadiff_allocate(i64 64, i64
// LLVM:       define internal noalias ptr @fadiff_allocate(i64 %0, i64 %1)
// LLVM:         %[[P:.*]] = call ptr @aligned_alloc(i64 %0, i64 %1)
// LLVM:         call void @llvm.trap()

// Rounding and roots are instructions; no fused multiply-add.
// ASM-NOT: fmadd
// ASM:     fsqrt.d

// OBJ-DAG:  {{U aligned_alloc$}}
// OBJ-DAG:  {{U free$}}
// OBJ-DAG:  {{T net_twice$}}
// OBJ-DAG:  {{T net_root_of$}}
// OBJ-NOT:  {{T hidden}}

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @twice(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi16>) {
  %b = call @hidden(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = arith.constant dense<[5, -6]> : tensor<2xi16>
  return %b, %a, %c : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi16>
}
func.func @root.of(%a: tensor<f64>) -> tensor<f64> {
  %v = tensor.extract %a[] : tensor<f64>
  %r = math.sqrt %v : f64
  %t = tensor.from_elements %r : tensor<f64>
  return %t : tensor<f64>
}
func.func private @hidden(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.mulf %x, %x : f32
    %y = arith.addf %m, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}
