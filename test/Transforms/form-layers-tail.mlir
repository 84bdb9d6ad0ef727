// The elementwise operations behind a contraction: what the accelerator's
// read-out computes goes into the layer, in every spelling. What is not exactly
// that is in
// form-layers-tail-scale.mlir and form-layers-tail-bias.mlir.

// RUN: fadiff-opt %s --fadiff-form-layers=allow-empty --split-input-file | FileCheck %s

// Clamp behind the rounding.
// CHECK-LABEL: func.func @clamp_after(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_after(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Clamp in front of it: at whole numbers the same.
// CHECK-LABEL: func.func @clamp_before(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_before(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.maximumf %low, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// One bound on either side.
// CHECK-LABEL: func.func @clamp_split(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_split(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.minnumf %2, %high : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maxnumf %4, %low : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Clamp as int32, and truncate.
// CHECK-LABEL: func.func @clamp_integer(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_integer(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i32
    %5 = arith.maxsi %4, %min : i32
    %6 = arith.minsi %5, %max : i32
    %7 = arith.trunci %6 : i32 to i8
    linalg.yield %7 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// No scale is a scale of 1.
// CHECK-LABEL: func.func @no_scale(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.000000e+00 : f32>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @no_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %3 = math.roundeven %1 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Clamping from 0 is ReLU as well.
// CHECK-LABEL: func.func @clamp_from_zero(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32, relu>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_from_zero(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %f0 = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %f0 : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// So is the maximum of the sum,
// CHECK-LABEL: func.func @relu_on_sum(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32, relu>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @relu_on_sum(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %0 = arith.maxsi %a, %c0 : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// of the sum as f32, before the scale,
// CHECK-LABEL: func.func @relu_on_float(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32, relu>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @relu_on_float(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %0 = arith.maximumf %1, %f0 : f32
    %2 = arith.mulf %0, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// after it,
// CHECK-LABEL: func.func @relu_on_scaled(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32, relu>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @relu_on_scaled(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %0 = arith.maximumf %2, %f0 : f32
    %3 = math.roundeven %0 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// and of the int8.
// CHECK-LABEL: func.func @relu_on_int8(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32, relu>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @relu_on_int8(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %zero8 = arith.constant 0 : i8
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    %7 = arith.maxsi %6, %zero8 : i8
    linalg.yield %7 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Bounds of int8 itself change nothing.
// CHECK-LABEL: func.func @vacuous_clamp(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @vacuous_clamp(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %min = arith.constant -128 : i8
  %max = arith.constant 127 : i8
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    %7 = arith.maxsi %6, %min : i8
    %8 = arith.minsi %7, %max : i8
    linalg.yield %8 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// An operation each.
// CHECK-LABEL: func.func @one_by_one(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32, relu>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
func.func @one_by_one(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %zero8 = arith.constant 0 : i8
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i32, %o: f32):
    %1 = arith.sitofp %a : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x16xf32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.mulf %scale, %a : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x16xf32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: f32, %o: i8):
    %3 = math.roundeven %a : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x16xi8>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %3 = arith.maxsi %a, %zero8 : i8
    linalg.yield %3 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// A bias per column, read along the columns,
// CHECK-LABEL: func.func @bias_map(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1, %arg2 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @bias_map(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// broadcast before it is added,
// CHECK-LABEL: func.func @bias_broadcast(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1, %arg2 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK-NEXT:  return %[[R]]
func.func @bias_broadcast(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %0 = linalg.broadcast ins(%bias : tensor<16xi32>) outs(%e : tensor<4x16xi32>) dimensions = [0]
  %r = linalg.add ins(%0, %sum : tensor<4x16xi32>, tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// added in place,
// CHECK-LABEL: func.func @bias_in_place(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1, %arg2 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @bias_in_place(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel"]} ins(%bias : tensor<16xi32>) outs(%sum : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %o, %a : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// or as what the sum starts from; with the rest in one operation.
// CHECK-LABEL: func.func @bias_init(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1, %arg2 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32>)
// CHECK:         linalg.broadcast ins(%{{.*}} : tensor<16xi32>)
// CHECK:         linalg.matmul
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return
#id = affine_map<(m, n) -> (m, n)>
func.func @bias_init(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi8> {
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.broadcast ins(%bias : tensor<16xi32>) outs(%e : tensor<4x16xi32>) dimensions = [0]
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// All of it in one operation.
// CHECK-LABEL: func.func @bias_and_rest(
// CHECK:       %[[R:.*]] = fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1, %arg2 :
// CHECK-SAME:    epilogue(<scale = 1.250000e-03 : f32, relu>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi8>
// CHECK-NEXT:  return %[[R]]
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @bias_and_rest(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %b: i32, %o: i8):
    %7 = arith.addi %b, %a : i32
    %0 = arith.maxsi %7, %c0 : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}
