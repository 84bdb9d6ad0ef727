// Contractions that read the same tensor, fused into one operation: a layer for
// each, and its requantisation as tail. What reads another result stays whole.

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s --check-prefix=RAN

// CHECK: fadiff.layer "qkv#1"
// CHECK: } -> tensor<8x16xi32>
// CHECK: fadiff.layer "qkv"
// CHECK: } -> tensor<8x16xi8>
// CHECK-NOT: fadiff.layer
// CHECK: linalg.generic {{.*}}ins({{.*}}tensor<8x16xi8>, tensor<16x16xi8>) outs({{.*}}tensor<8x16xi32>, tensor<8x16xi32>)
// RAN: 2 groups
// RAN: output identical to the reference

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<8x16xi8>, %q: tensor<16x16xi8>, %k: tensor<16x16xi8>) -> (tensor<8x16xi8>, tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8x16xi32>) -> tensor<8x16xi32>
  %0:2 = linalg.generic {indexing_maps = [#x, #w, #w, #y, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %q, %k : tensor<8x16xi8>, tensor<16x16xi8>, tensor<16x16xi8>) outs(%f, %f : tensor<8x16xi32>, tensor<8x16xi32>) {
  ^bb0(%in: i8, %in1: i8, %in2: i8, %out: i32, %out1: i32):
    %1 = arith.extsi %in : i8 to i32
    %2 = arith.extsi %in1 : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %out, %3 : i32
    %5 = arith.extsi %in2 : i8 to i32
    %6 = arith.muli %1, %5 : i32
    %7 = arith.addi %out1, %6 : i32
    linalg.yield %4, %7 : i32, i32
  } -> (tensor<8x16xi32>, tensor<8x16xi32>) loc("qkv")
  %e8 = tensor.empty() : tensor<8x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0#0 : tensor<8x16xi32>) outs(%e8 : tensor<8x16xi8>) {
  ^bb0(%in: i32, %out: i8):
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %1 = arith.maxsi %in, %lo : i32
    %2 = arith.minsi %1, %hi : i32
    %3 = arith.trunci %2 : i32 to i8
    linalg.yield %3 : i8
  } -> tensor<8x16xi8>
  %s:2 = linalg.generic {indexing_maps = [#x, #w, #y, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %q : tensor<8x16xi8>, tensor<16x16xi8>) outs(%f, %f : tensor<8x16xi32>, tensor<8x16xi32>) {
  ^bb0(%in: i8, %in1: i8, %out: i32, %out1: i32):
    %1 = arith.extsi %in : i8 to i32
    %2 = arith.extsi %in1 : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %out, %3 : i32
    %5 = arith.maxsi %out1, %out : i32
    linalg.yield %4, %5 : i32, i32
  } -> (tensor<8x16xi32>, tensor<8x16xi32>)
  return %r, %0#1, %s#0, %s#1 : tensor<8x16xi8>, tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>
}
