// The tail of a residual sum is what the machine's read-out can do, as that of a
// contraction: here bounds and a zero point.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-npu --fadiff-form-layers | FileCheck %s --check-prefix=NPU
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-form-layers | FileCheck %s --check-prefix=STOCK
// RUN: fadiff-run %s --target=gemmini-npu --check | FileCheck %s --check-prefix=EQUAL

// NPU: fadiff.layer "fc"
// NPU: fadiff.layer "fc.add" {{.*}} epilogue(<scale = 5.000000e-01 : f32, zero_point = -3, clamp = [-100, 90]>)
// STOCK: fadiff.layer "fc"
// STOCK-NOT: fadiff.layer "fc.add" {{.*}} clamp
// EQUAL: output identical to the reference

#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<6x16xi8>, %w: tensor<16x16xi8>) -> tensor<6x16xi8> {
  %zero = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %zp = arith.constant -3.0 : f32
  %low = arith.constant -100.0 : f32
  %high = arith.constant 90.0 : f32
  %e32 = tensor.empty() : tensor<6x16xi32>
  %e8 = tensor.empty() : tensor<6x16xi8>
  %z = linalg.fill ins(%zero : i32) outs(%e32 : tensor<6x16xi32>) -> tensor<6x16xi32>
  %s = linalg.matmul ins(%x, %w : tensor<6x16xi8>, tensor<16x16xi8>) outs(%z : tensor<6x16xi32>) -> tensor<6x16xi32> loc("fc")
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<6x16xi32>) outs(%e8 : tensor<6x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %half : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %least : f32
    %h = arith.minimumf %l, %most : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<6x16xi8>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %q : tensor<6x16xi8>, tensor<6x16xi8>) outs(%e32 : tensor<6x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i8 to i32
    %t = arith.addi %p, %r : i32
    linalg.yield %t : i32
  } -> tensor<6x16xi32>
  %read = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<6x16xi32>) outs(%e8 : tensor<6x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %half : f32
    %r = math.roundeven %m : f32
    %t = arith.addf %r, %zp : f32
    %l = arith.maximumf %t, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<6x16xi8>
  return %read : tensor<6x16xi8>
}
