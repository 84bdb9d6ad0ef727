// What a read-out that can do more takes of a tail: the target's features
// decide. A vector of scales, an integer added behind the rounding, bounds.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-npu --fadiff-form-layers | FileCheck %s --check-prefixes=CHECK,NPU
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-form-layers | FileCheck %s --check-prefixes=CHECK,STOCK
// RUN: fadiff-opt %s --fadiff-form-layers | FileCheck %s --check-prefixes=CHECK,STOCK

#id = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @all(
// NPU:   epilogue(<scale = dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>, zero_point = -3, clamp = [-100, 90]>)
// STOCK: epilogue(<>)
func.func @all(%x: tensor<4x8xi8>, %w: tensor<8x2xi8>) -> tensor<4x2xi8> {
  %c0 = arith.constant 0 : i32
  %scales = arith.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %zp = arith.constant -3.0 : f32
  %low = arith.constant -100.0 : f32
  %high = arith.constant 90.0 : f32
  %e = tensor.empty() : tensor<4x2xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x2xi32>) -> tensor<4x2xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%z : tensor<4x2xi32>) -> tensor<4x2xi32>
  %e8 = tensor.empty() : tensor<4x2xi8>
  %r = linalg.generic {indexing_maps = [#id, #n, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %scales : tensor<4x2xi32>, tensor<2xf32>) outs(%e8 : tensor<4x2xi8>) {
  ^bb0(%a: i32, %s: f32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %zp : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<4x2xi8>
  return %r : tensor<4x2xi8>
}

// A clamp on int8 joins in; from the zero point on it is a ReLU.
// CHECK-LABEL: func.func @clamp_behind(
// NPU:   epilogue(<scale = 2.500000e-01 : f32, relu, zero_point = 7, clamp = [-128, 60]>)
// STOCK: epilogue(<>)
func.func @clamp_behind(%x: tensor<4x8xi8>, %w: tensor<8x2xi8>) -> tensor<4x2xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 0.25 : f32
  %zp = arith.constant 7.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %least = arith.constant 7 : i8
  %most = arith.constant 60 : i8
  %e = tensor.empty() : tensor<4x2xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x2xi32>) -> tensor<4x2xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%z : tensor<4x2xi32>) -> tensor<4x2xi32>
  %e8 = tensor.empty() : tensor<4x2xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x2xi32>) outs(%e8 : tensor<4x2xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %zp : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<4x2xi8>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<4x2xi8>) outs(%e8 : tensor<4x2xi8>) {
  ^bb0(%a: i8, %o: i8):
    %1 = arith.maxsi %a, %least : i8
    %2 = arith.minsi %1, %most : i8
    linalg.yield %2 : i8
  } -> tensor<4x2xi8>
  return %s : tensor<4x2xi8>
}

// What no read-out has: a zero point before the rounding, one that is no
// integer, a clamp in front of the zero point, scales that are no constant.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-4: epilogue(<>)
func.func @others(%x: tensor<4x8xi8>, %w: tensor<8x2xi8>, %given: tensor<2xf32>) -> (tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>) {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 0.25 : f32
  %zp = arith.constant 7.0 : f32
  %half = arith.constant 7.5 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x2xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x2xi32>) -> tensor<4x2xi32>
  %e8 = tensor.empty() : tensor<4x2xi8>
  %sum0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%z : tensor<4x2xi32>) -> tensor<4x2xi32>
  %r0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum0 : tensor<4x2xi32>) outs(%e8 : tensor<4x2xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.addf %2, %zp : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<4x2xi8>
  %sum1 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%z : tensor<4x2xi32>) -> tensor<4x2xi32>
  %r1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum1 : tensor<4x2xi32>) outs(%e8 : tensor<4x2xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %half : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<4x2xi8>
  %sum2 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%z : tensor<4x2xi32>) -> tensor<4x2xi32>
  %r2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum2 : tensor<4x2xi32>) outs(%e8 : tensor<4x2xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.addf %5, %zp : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<4x2xi8>
  %sum3 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%z : tensor<4x2xi32>) -> tensor<4x2xi32>
  %r3 = linalg.generic {indexing_maps = [#id, #n, #id], iterator_types = ["parallel", "parallel"]} ins(%sum3, %given : tensor<4x2xi32>, tensor<2xf32>) outs(%e8 : tensor<4x2xi8>) {
  ^bb0(%a: i32, %s: f32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %5 = arith.maximumf %3, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<4x2xi8>
  return %r0, %r1, %r2, %r3 : tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>
}

// Matrices of a batch share the scales of their columns; to the layer each has
// its own.
// CHECK-LABEL: func.func @batch(
// NPU:   epilogue(<scale = dense<[2.500000e-01, 5.000000e-01, 2.500000e-01, 5.000000e-01, 2.500000e-01, 5.000000e-01]> : tensor<6xf32>>)
// STOCK: epilogue(<>)
#batch = affine_map<(b, m, n) -> (b, m, n)>
#column = affine_map<(b, m, n) -> (n)>
func.func @batch(%x: tensor<3x4x8xi8>, %w: tensor<3x8x2xi8>) -> tensor<3x4x2xi8> {
  %c0 = arith.constant 0 : i32
  %scales = arith.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<3x4x2xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<3x4x2xi32>) -> tensor<3x4x2xi32>
  %sum = linalg.batch_matmul ins(%x, %w : tensor<3x4x8xi8>, tensor<3x8x2xi8>) outs(%z : tensor<3x4x2xi32>) -> tensor<3x4x2xi32>
  %e8 = tensor.empty() : tensor<3x4x2xi8>
  %r = linalg.generic {indexing_maps = [#batch, #column, #batch], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum, %scales : tensor<3x4x2xi32>, tensor<2xf32>) outs(%e8 : tensor<3x4x2xi8>) {
  ^bb0(%a: i32, %s: f32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<3x4x2xi8>
  return %r : tensor<3x4x2xi8>
}
