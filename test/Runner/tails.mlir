// Every spelling of the read-out that becomes part of a layer computes the same
// on the accelerator. The scale is a power of two, so that sums lie on ties of
// the rounding, and large enough to saturate.

// RUN: fadiff-opt %s --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s

// All of it is on the accelerator.
// LAYERS-COUNT-6: fadiff.layer {{.*}} epilogue(<scale = {{.*}}>) {
// LAYERS:         return

// CHECK: output 0: tensor<9x20xi8> {{.*}} saturated {{[1-9]}}
// CHECK: output 1: tensor<9x20xi8> {{.*}} saturated {{[1-9]}}
// CHECK: output 2: tensor<9x20xi8> {{.*}} saturated {{[1-9]}}
// CHECK: output 3: tensor<9x20xi8> {{.*}} saturated {{[1-9]}}
// CHECK: output 4: tensor<9x20xi8> {{.*}} saturated {{[1-9]}}
// CHECK: output 5: tensor<9x20xi8> {{.*}} saturated {{[1-9]}}
// CHECK: output identical to the reference

#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<9x10xi8>, %w: tensor<10x20xi8>) -> (tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>) {
  %c0 = arith.constant 0 : i32
  %z8 = arith.constant 0 : i8
  %imin = arith.constant -128 : i32
  %imax = arith.constant 127 : i32
  %scale = arith.constant 0.0078125 : f32
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<9x20xi32>
  %e8 = tensor.empty() : tensor<9x20xi8>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<9x20xi32>) -> tensor<9x20xi32>
  %s0 = linalg.matmul ins(%x, %w : tensor<9x10xi8>, tensor<10x20xi8>) outs(%f : tensor<9x20xi32>) -> tensor<9x20xi32> loc("plain")
  %q0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s0 : tensor<9x20xi32>) outs(%e8 : tensor<9x20xi8>) {
  ^bb0(%in: i32, %out: i8):
    %1 = arith.sitofp %in : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<9x20xi8>
  %s1 = linalg.matmul ins(%x, %w : tensor<9x10xi8>, tensor<10x20xi8>) outs(%f : tensor<9x20xi32>) -> tensor<9x20xi32> loc("relu_on_sum")
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s1 : tensor<9x20xi32>) outs(%e8 : tensor<9x20xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.maxsi %in, %c0 : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<9x20xi8>
  %s2 = linalg.matmul ins(%x, %w : tensor<9x10xi8>, tensor<10x20xi8>) outs(%f : tensor<9x20xi32>) -> tensor<9x20xi32> loc("relu_on_float")
  %q2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s2 : tensor<9x20xi32>) outs(%e8 : tensor<9x20xi8>) {
  ^bb0(%in: i32, %out: i8):
    %1 = arith.sitofp %in : i32 to f32
    %0 = arith.maximumf %1, %zero : f32
    %2 = arith.mulf %0, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<9x20xi8>
  %s3 = linalg.matmul ins(%x, %w : tensor<9x10xi8>, tensor<10x20xi8>) outs(%f : tensor<9x20xi32>) -> tensor<9x20xi32> loc("relu_on_int8")
  %q3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s3 : tensor<9x20xi32>) outs(%e8 : tensor<9x20xi8>) {
  ^bb0(%in: i32, %out: i8):
    %1 = arith.sitofp %in : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i32
    %5 = arith.maxsi %4, %imin : i32
    %6 = arith.minsi %5, %imax : i32
    %7 = arith.trunci %6 : i32 to i8
    %8 = arith.maxsi %7, %z8 : i8
    linalg.yield %8 : i8
  } -> tensor<9x20xi8>
  %s4 = linalg.matmul ins(%x, %w : tensor<9x10xi8>, tensor<10x20xi8>) outs(%f : tensor<9x20xi32>) -> tensor<9x20xi32> loc("from_zero")
  %q4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s4 : tensor<9x20xi32>) outs(%e8 : tensor<9x20xi8>) {
  ^bb0(%in: i32, %out: i8):
    %1 = arith.sitofp %in : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<9x20xi8>
  %s5 = linalg.matmul ins(%x, %w : tensor<9x10xi8>, tensor<10x20xi8>) outs(%f : tensor<9x20xi32>) -> tensor<9x20xi32> loc("no_scale")
  %q5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s5 : tensor<9x20xi32>) outs(%e8 : tensor<9x20xi8>) {
  ^bb0(%in: i32, %out: i8):
    %1 = arith.sitofp %in : i32 to f32
    %3 = math.roundeven %1 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<9x20xi8>
  return %q0, %q1, %q2, %q3, %q4, %q5 : tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>, tensor<9x20xi8>
}
