// The elementwise operations behind a contraction: what is not exactly
// the accelerator's read-out stays on the host, with the reason as a remark.

// RUN: fadiff-opt %s --fadiff-form-layers=allow-empty --split-input-file --remarks-filter=fadiff --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// Clamp to 100.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.fptosi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @clamp_to_100(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_to_100(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %c100 = arith.constant 100.0 : f32
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
    %5 = arith.minimumf %4, %c100 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Clamp to 126.5: the bound rounds to 126.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.minimumf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @clamp_fraction(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_fraction(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %h = arith.constant 126.5 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.minimumf %2, %h : f32
    %4 = arith.maximumf %low, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// No clamp: the conversion may wrap.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.fptosi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @no_clamp(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @no_clamp(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %6 = arith.fptosi %3 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.fptosi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @no_lower_clamp(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @no_lower_clamp(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
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
    %4 = arith.minimumf %3, %high : f32
    %6 = arith.fptosi %4 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Truncation wraps.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.trunci' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @wrap(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @wrap(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %0 = arith.trunci %a : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// A bound of the scaled value is not one of the unscaled.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.minimumf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @clamp_before_scale(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_before_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %0 = arith.minimumf %1, %high : f32
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

// max(., 0) behind the upper clamp at 0 is constant.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.fptosi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @clamp_to_zero(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @clamp_to_zero(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %f0 = arith.constant 0.0 : f32
  %low = arith.constant -128.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.minimumf %3, %f0 : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// A negative scale turns the order around.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.mulf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @negative_scale(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @negative_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %s = arith.constant -1.0e-3 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.mulf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @zero_scale(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @zero_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %s = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.mulf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @nan_scale(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @nan_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %s = arith.constant 0x7FC00000 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.mulf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @infinite_scale(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @infinite_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %s = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Two scales round twice.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.mulf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @two_scales(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @two_scales(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %0 = arith.mulf %2, %scale : f32
    %3 = math.roundeven %0 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// A scale after the rounding.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.mulf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @late_scale(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @late_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %2 = math.roundeven %1 : f32
    %3 = arith.mulf %2, %scale : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// A scale per channel.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: it reads a second tensor that is not a bias per output channel"
// CHECK-LABEL: func.func @channel_scale(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @channel_scale(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %s: tensor<4x16xf32>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %s : tensor<4x16xi32>, tensor<4x16xf32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %b: f32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %b : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.mulf' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @channel_scale_vector(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @channel_scale_vector(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %s: tensor<16xf32>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %s : tensor<4x16xi32>, tensor<16xf32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %b: f32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %b : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Rounding half away from zero.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'math.round' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @round_away(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @round_away(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %3 = math.round %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Rounding towards zero, by the conversion.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.fptosi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @truncate(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @truncate(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %4 = arith.maximumf %2, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// f64 rounds elsewhere.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.sitofp' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @double(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @double(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %s = arith.constant 1.0e-3 : f64
  %l = arith.constant -128.0 : f64
  %h = arith.constant 127.0 : f64
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f64
    %2 = arith.mulf %1, %s : f64
    %3 = math.roundeven %2 : f64
    %4 = arith.maximumf %3, %l : f64
    %5 = arith.minimumf %4, %h : f64
    %6 = arith.fptosi %5 : f64 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// Unsigned conversions and bounds.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.uitofp' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @unsigned_sum(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @unsigned_sum(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %1 = arith.uitofp %a : i32 to f32
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

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.fptoui' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @unsigned_result(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @unsigned_result(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.maxui' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @unsigned_max(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return
#id = affine_map<(m, n) -> (m, n)>
func.func @unsigned_max(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
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
    %0 = arith.maxui %a, %c0 : i32
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
