// RUN: fadiff-opt %s --fadiff-static-shapes="shapes=8x?,16x4 entry=given" | FileCheck %s
// RUN: fadiff-opt %s --fadiff-static-shapes="shapes=8x16,16x4 entry=given" --fadiff-schedule="target=gemmini-fp32 optimizer=heuristic" | FileCheck %s --check-prefix=NEST
// RUN: fadiff-run %s --entry=given --shapes=8x16,16x4 --target=gemmini-fp32 --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-run %s --entry=tosa --shapes=2x8x8x3 --target=gemmini-fp32 --check | FileCheck %s --check-prefix=TOSA

// What is left open is found where the operation says it.
// CHECK-LABEL: func.func @given(
// CHECK-SAME: tensor<8x?xf32>, {{.*}}: tensor<16x4xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<8x16xf32>, tensor<16x4xf32>) outs({{.*}} : tensor<8x4xf32>)
// CHECK: return {{.*}} : tensor<8x4xf32>
// NEST: fadiff.loop_nest
// RAN: 1 groups
// RAN: output 0: tensor<8x4xf32>
// RAN: {{output identical|largest difference of floats}}
// TOSA: 1 groups
// TOSA: output 0: tensor<2x8x8x5xf32>
// TOSA: {{output identical|largest difference of floats}}

// RUN: not fadiff-opt %s --fadiff-static-shapes=shapes=1x2 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not fadiff-opt %s --fadiff-static-shapes="shapes=1x2,3 entry=given" 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not fadiff-opt %s --fadiff-static-shapes="shapes=1x2,3x-1 entry=given" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not fadiff-opt %s --fadiff-static-shapes="shapes=1x2,2x4,4 entry=given" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not fadiff-opt %s --fadiff-static-shapes="shapes=2,3 entry=number" 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not fadiff-opt %s --fadiff-static-shapes="shapes=3x8x8x4 entry=tosa" 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: not fadiff-opt %s --fadiff-static-shapes="shapes=4 entry=called" 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not fadiff-run %s --entry=given --target=gemmini-fp32 2>&1 | FileCheck %s --check-prefix=OPEN

// WHICH: which function is to be run is open
// RANK: [[# @LINE + 8]]:1: error: shapes: argument #1 of '@given' is 'tensor<?x4xf32>'; wanted 2 extents, found '3'
// NUMBER: error: shapes: argument #1 of '@given' is 'tensor<?x4xf32>'; wanted extents from 0 or '?', found '-1' in '3x-1'
// COUNT: error: shapes: wanted at most 2, one for each argument of '@given', found 3 in '1x2,2x4,4'
// SCALAR: error: shapes: argument #1 of '@number' is 'f32'; wanted nothing in its place, found '3'
// STATIC: error: shapes: argument #0 of '@tosa' is 'tensor<?x?x?x3xf32>'; wanted 3 where '3x8x8x4' has 4
// CALLED: error: shapes: '@called' is called; give shapes to the function that calls it
// OPEN: has extents that the network leaves open: {{.*}}; make its shape static, give it with --shapes, or give a file that has them (--inputs)

func.func @given(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
func.func @tosa(%x: tensor<?x?x?x3xf32>) -> tensor<?x?x?x5xf32> {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<5x1x1x3xf32>}> : () -> tensor<5x1x1x3xf32>
  %b = "tosa.const"() <{values = dense<0.25> : tensor<5xf32>}> : () -> tensor<5xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x3xf32>, tensor<5x1x1x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x5xf32>
  return %0 : tensor<?x?x?x5xf32>
}
func.func @number(%a: tensor<?xf32>, %b: f32) {
  return
}
func.func @called(%a: tensor<?xf32>) {
  return
}
func.func @calls(%a: tensor<?xf32>) {
  call @called(%a) : (tensor<?xf32>) -> ()
  return
}
