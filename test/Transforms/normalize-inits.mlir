// What only writes its result starts from a tensor.empty, so that arguments that
// are written over keep no layer on the host.

// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s
// RUN: fadiff-run %s --entry=filled_argument --target=gemmini --check | FileCheck %s --check-prefix=SAME
// SAME: output identical to the reference

// CHECK-LABEL: func.func @filled_argument
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: linalg.fill {{.*}} outs(%[[EMPTY]] :
func.func @filled_argument(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%y : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%f : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// What is read stays.
// CHECK-LABEL: func.func @added_to
// CHECK: linalg.generic {{.*}} outs(%arg1 :
func.func @added_to(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4xi32>) outs(%y : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
