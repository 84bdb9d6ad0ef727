// What only moves elements, or takes the largest, moves bytes; sums of two
// layers have one scale; everything else is float between a dequantisation and
// a quantisation.
//
// RUN: fadiff-opt %s --fadiff-quantize="random-samples=2 target=gemmini entry=gate" | FileCheck %s --check-prefix=GATE
// RUN: fadiff-run %s --quantize --quantize-options=random-samples=2 --target=gemmini --entry=gate --summary=none | FileCheck %s --check-prefix=SAME
// RUN: fadiff-opt %s --fadiff-quantize="random-samples=2 target=gemmini" | FileCheck %s
// RUN: fadiff-run %s --quantize --quantize-options=random-samples=2 --target=gemmini --entry=moves --summary=none | FileCheck %s --check-prefix=SAME
// RUN: fadiff-opt %s --fadiff-quantize="random-samples=2 target=gemmini entry=tails" | FileCheck %s --check-prefix=TAILS
// RUN: fadiff-run %s --quantize --quantize-options=random-samples=2 --target=gemmini --entry=tails --summary=none | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --quantize --quantize-options=random-samples=2 --target=gemmini --entry=products --summary=none | FileCheck %s --check-prefix=SAME
// RUN: fadiff-opt %s --fadiff-quantize="random-samples=2 target=gemmini entry=starts" | FileCheck %s --check-prefix=STARTS
// RUN: fadiff-run %s --quantize --quantize-options=random-samples=2 --target=gemmini --entry=starts --summary=none | FileCheck %s --check-prefix=SAME

// SAME: output identical to the reference

#id = affine_map<(a, b) -> (a, b)>
#id3 = affine_map<(a, b, c) -> (a, b, c)>

// CHECK-LABEL: func.func @main
// CHECK: arith.fptosi
// CHECK: tensor.extract_slice {{.*}} tensor<4x8xi8>
// CHECK: linalg.generic {{.*}} tensor<4x4xi8>
// CHECK: tensor.concat dim(1) {{.*}} tensor<4x8xi8>
// CHECK: tensor.pad
// CHECK: tensor<4x8xi8> to tensor<4x10xi8>
// CHECK: arith.sitofp {{.*}} : i8 to f32
// CHECK-NOT: tensor.concat
// CHECK: math.exp
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x10xf32> {
  %0 = func.call @moves(%x) : (tensor<4x8xf32>) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}

func.func @moves(%x: tensor<4x8xf32>) -> tensor<4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[1.0, 0.5, -0.5, 0.25], [0.5, -1.0, 0.5, 1.0], [0.3, 0.1, 0.2, -0.7], [1.0, 1.0, -1.0, -1.0]]> : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %left = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %right = tensor.extract_slice %x[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %a = linalg.matmul ins(%left, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%right, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %p = tensor.pad %c low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<4x10xf32>
  %o = tensor.empty() : tensor<4x10xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x10xf32>) outs(%o : tensor<4x10xf32>) {
  ^bb0(%i: f32, %j: f32):
    %m = math.exp %i : f32
    linalg.yield %m : f32
  } -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}

// ReLU by compare and select is the read-out's; its bound at 1 is what int8
// saturates at. LeakyReLU is none: it follows in float.
// TAILS-LABEL: func.func @tails
// TAILS: arith.muli
// TAILS: arith.sitofp {{.*}} : i32 to f32
// TAILS: arith.constant 0.000000e+00 : f32
// TAILS: arith.maximumf
// TAILS-NOT: arith.select
// TAILS: arith.muli
// TAILS: arith.sitofp {{.*}} : i32 to f32
// TAILS: arith.constant -1.280000e+02 : f32
// TAILS: arith.maximumf
// TAILS: arith.sitofp {{.*}} : i8 to f32
// TAILS: arith.select
func.func @tails(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %slope = arith.constant 0.1 : f32
  %w = arith.constant dense<[[1.0, 0.5, -0.5, 0.25], [0.5, -1.0, 0.5, 1.0], [0.3, 0.1, 0.2, -0.7], [1.0, 1.0, -1.0, -1.0]]> : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%i: f32, %j: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %m = arith.select %c, %i, %zero : f32
    %n = arith.minimumf %m, %one : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  %b = linalg.matmul ins(%r, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %l = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%i: f32, %j: f32):
    %c = arith.cmpf ogt, %i, %zero : f32
    %t = arith.mulf %i, %slope : f32
    %m = arith.select %c, %i, %t : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  return %l : tensor<4x4xf32>
}

// Both factors are computed: both are quantised.
func.func @products(%x: tensor<2x4x8xf32>, %y: tensor<2x8x4xf32>) -> tensor<2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %a = linalg.batch_matmul ins(%x, %y : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%s : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %a : tensor<2x4x4xf32>
}

// Sums that start from another layer's result are a residual sum behind.
// STARTS-LABEL: func.func @starts
// STARTS: arith.muli
// STARTS: arith.muli
// STARTS: arith.extsi
// STARTS: arith.extsi
// STARTS-NEXT: arith.addi
// STARTS-NEXT: linalg.yield
func.func @starts(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[1.0, 0.5, -0.5, 0.25], [0.5, -1.0, 0.5, 1.0], [0.3, 0.1, 0.2, -0.7], [1.0, 1.0, -1.0, -1.0]]> : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%a, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// As in recurrent layers: sums start from a vector that is computed. It is added
// in float, in front of the sigmoid, and the product is of bytes.
// GATE-LABEL: func.func @gate
// GATE: arith.muli
// GATE: arith.fptosi {{.*}} : f32 to i8
// GATE: arith.sitofp {{.*}} : i8 to f32
// GATE: arith.addf
// GATE: math.exp
func.func @gate(%x: tensor<1x8xf32>, %h: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %w = arith.constant dense<[[1.0, 0.5, -0.5, 0.25], [0.5, -1.0, 0.5, 1.0], [0.3, 0.1, 0.2, -0.7], [1.0, 1.0, -1.0, -1.0], [0.1, 0.2, 0.3, 0.4], [1.0, -0.5, 0.5, 0.25], [0.0, 0.0, 0.5, 0.6], [0.7, 0.8, 0.9, -0.1]]> : tensor<8x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x4xf32>) outs(%h : tensor<1x4xf32>) -> tensor<1x4xf32>
  %o = tensor.empty() : tensor<1x4xf32>
  %one = arith.constant 1.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<1x4xf32>) outs(%o : tensor<1x4xf32>) {
  ^bb0(%i: f32, %j: f32):
    %n = arith.negf %i : f32
    %m = math.exp %n : f32
    %d = arith.addf %m, %one : f32
    %q = arith.divf %one, %d : f32
    linalg.yield %q : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
