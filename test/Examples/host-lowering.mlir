// The stages of the host lowering.

// RUN: fadiff-run --emit=bufferized %s | FileCheck %s --check-prefix=BUFFERS
// RUN: fadiff-run --emit=loops %s | FileCheck %s --check-prefix=LOOPS
// RUN: fadiff-run --emit=llvm %s | FileCheck %s --check-prefix=LLVM
// RUN: fadiff-run --reference-only --print-values %s | FileCheck %s --check-prefix=VALUES

#rows = affine_map<(d0, d1) -> (d0, d1)>
#sums = affine_map<(d0, d1) -> (d0)>
#row = affine_map<(d0) -> (d0)>

// Identity layouts at the boundary; the argument %acc is an operand that is
// written, so it must be copied.
// BUFFERS-LABEL: func.func @main(
// BUFFERS-SAME:      %{{.*}}: memref<5x6xi8>, %{{.*}}: memref<6x7xi8>, %{{.*}}: memref<7x6xi8>,
// BUFFERS-SAME:      %[[ACC:[a-z0-9]*]]: memref<5x7xi32>)
// BUFFERS-NOT:   bufferization.
// BUFFERS-NOT:   fadiff.fill
// BUFFERS:       %[[SUM:.*]] = memref.alloc() {{.*}} : memref<5x7xi32>
// BUFFERS:       memref.copy %[[ACC]], %[[SUM]]
// BUFFERS:       linalg.matmul ins({{.*}}) outs(%[[SUM]] :
// A buffer is freed right after its last use.
// BUFFERS:       %[[TEMP:.*]] = memref.alloc() {{.*}} : memref<5xf32>
// BUFFERS:       linalg.generic {{.*}} outs(%[[TEMP]] :
// BUFFERS:       linalg.generic {{.*}} ins(%[[TEMP]] :
// BUFFERS:       memref.dealloc %[[TEMP]]
// BUFFERS:       linalg.matmul indexing_maps
// BUFFERS:       return

// Two equal matrix products: one function.
// LOOPS-LABEL: func.func @main(
// LOOPS:         call @[[COPY:fadiff_host_[a-z_]+_x[_0-9]*]](
// LOOPS:         call @[[MATMUL:fadiff_host_[a-z_]+_x[_0-9]*]](
// LOOPS:         call @[[FILL:fadiff_host_[a-z_]+_x[_0-9]*]](
// LOOPS:         call @[[SUM:fadiff_host_[a-z_]+_x[_0-9]*]](
// LOOPS:         call @[[ROOT:fadiff_host_[a-z_]+_x[_0-9]*]](
// LOOPS:         call @[[COPY]](
// LOOPS:         call @[[MATMUL]](
// LOOPS:         call @{{.*}}(
// LOOPS:         call @[[TRANSPOSED:fadiff_host_[a-z_]+_x[_0-9]*]](
// LOOPS-NOT:     call
// LOOPS:         return

// Row, reduction, column: the contiguous dimension of weights and output is
// innermost. The result is freshly allocated, so nothing else can alias it.
// LOOPS:       func.func private @[[MATMUL]](%{{.*}}: memref<5x6xi8>, %{{.*}}: memref<6x7xi8>, %{{.*}}: memref<5x7xi32> {llvm.noalias})
// LOOPS-SAME:    llvm.bareptr, passthrough = ["noinline"]
// LOOPS:         scf.for {{.*}} to %c5
// LOOPS-NEXT:      scf.for {{.*}} to %c6
// LOOPS-NEXT:        scf.for {{.*}} to %c7

// A sum over the contiguous dimension keeps it innermost.
// LOOPS:       func.func private @[[SUM]](
// LOOPS:         scf.for %[[ROW:.*]] = {{.*}} to %c5
// LOOPS-NEXT:      scf.for %[[COLUMN:.*]] = {{.*}} to %c7
// LOOPS-NEXT:        memref.load %{{.*}}[%[[ROW]], %[[COLUMN]]]

// So does a product whose right-hand side is stored transposed.
// LOOPS:       func.func private @[[TRANSPOSED]](
// LOOPS:         scf.for {{.*}} to %c5
// LOOPS-NEXT:      scf.for {{.*}} to %c7
// LOOPS-NEXT:        scf.for {{.*}} to %c6

// No operation asks for reassociation or contraction, and only the entry has a
// C interface.
// LLVM-NOT:    fastmath
// LLVM:        llvm.func @main(
// LLVM-NOT:    fastmath
// LLVM:        llvm.func @_mlir_ciface_main(
// LLVM-NOT:    _mlir_ciface
// LLVM:        llvm.intr.roundeven({{.*}}) : (f32) -> f32

// 6 * 2 * 3 = 36 is added to the argument twice, from 10 each time; 7 * 46 =
// 322 is a row's sum, and its root 17.94.
// VALUES: values 0: 46 46
// VALUES: values 1: 46 46
// VALUES: values 2: 36 36
// VALUES: values 3: 18 18 18 18 18

func.func @main(
    %a: tensor<5x6xi8> {fadiff.fill = "uniform(2, 2)"},
    %b: tensor<6x7xi8> {fadiff.fill = "uniform(3, 3)"},
    %t: tensor<7x6xi8> {fadiff.fill = "uniform(3, 3)"},
    %acc: tensor<5x7xi32> {fadiff.fill = "uniform(10, 10)"})
    -> (tensor<5x7xi32>, tensor<5x7xi32>, tensor<5x7xi32>, tensor<5xf32>) {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %first = linalg.matmul ins(%a, %b : tensor<5x6xi8>, tensor<6x7xi8>)
      outs(%acc : tensor<5x7xi32>) -> tensor<5x7xi32>

  %e0 = tensor.empty() : tensor<5xf32>
  %start = linalg.fill ins(%none : f32) outs(%e0 : tensor<5xf32>) -> tensor<5xf32>
  %sums = linalg.generic {indexing_maps = [#rows, #sums],
      iterator_types = ["parallel", "reduction"]}
      ins(%first : tensor<5x7xi32>) outs(%start : tensor<5xf32>) {
  ^bb0(%in: i32, %out: f32):
    %wide = arith.sitofp %in : i32 to f32
    %sum = arith.addf %out, %wide : f32
    linalg.yield %sum : f32
  } -> tensor<5xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %roots = linalg.generic {indexing_maps = [#row, #row],
      iterator_types = ["parallel"]}
      ins(%sums : tensor<5xf32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %root = math.sqrt %in : f32
    %rounded = math.roundeven %root : f32
    linalg.yield %rounded : f32
  } -> tensor<5xf32>

  %second = linalg.matmul ins(%a, %b : tensor<5x6xi8>, tensor<6x7xi8>)
      outs(%acc : tensor<5x7xi32>) -> tensor<5x7xi32>

  %e2 = tensor.empty() : tensor<5x7xi32>
  %cleared = linalg.fill ins(%zero : i32) outs(%e2 : tensor<5x7xi32>) -> tensor<5x7xi32>
  %third = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %t : tensor<5x6xi8>, tensor<7x6xi8>)
      outs(%cleared : tensor<5x7xi32>) -> tensor<5x7xi32>
  return %first, %second, %third, %roots
      : tensor<5x7xi32>, tensor<5x7xi32>, tensor<5x7xi32>, tensor<5xf32>
}
