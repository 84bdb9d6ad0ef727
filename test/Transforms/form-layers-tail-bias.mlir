// The elementwise operations behind a contraction: what is not exactly
// the accelerator's read-out stays on the host, with the reason as a remark.

// RUN: fadiff-opt %s --fadiff-form-layers=allow-empty --split-input-file --remarks-filter=fadiff --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// A bias behind the ReLU.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.addi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @late_bias(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @late_bias(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.maxsi %a, %c0 : i32
    %1 = arith.addi %0, %b : i32
    linalg.yield %1 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// A second bias.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.addi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @second_bias(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1, %arg2 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @second_bias(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %p = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// Twice the bias.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.addi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @doubled_bias(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @doubled_bias(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    %1 = arith.addi %0, %b : i32
    linalg.yield %1 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// The bias minus the sum.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'arith.subi' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @bias_minus_sum(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @bias_minus_sum(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %b, %a : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// A bias per row.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: it reads a second tensor that is not a bias per output channel"
// CHECK-LABEL: func.func @row_bias(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @row_bias(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<4xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<4xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.add' stays on the host: it reads a second tensor that is not a bias per output channel"
// CHECK-LABEL: func.func @row_bias_broadcast(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.add
// CHECK:       return %
func.func @row_bias_broadcast(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<4xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %0 = linalg.broadcast ins(%bias : tensor<4xi32>) outs(%e : tensor<4x16xi32>) dimensions = [1]
  %r = linalg.add ins(%sum, %0 : tensor<4x16xi32>, tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// A broadcast that computes is none.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.add' stays on the host: it reads a second tensor that is not a bias per output channel"
// CHECK-LABEL: func.func @computed_bias(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.add
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @computed_bias(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel"]} ins(%bias : tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %1 = arith.addi %a, %a : i32
    linalg.yield %1 : i32
  } -> tensor<4x16xi32>
  %r = linalg.add ins(%sum, %0 : tensor<4x16xi32>, tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// A residual.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.add' stays on the host: it reads a second tensor that is not a bias per output channel"
// CHECK-LABEL: func.func @residual(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.add
// CHECK:       return %
func.func @residual(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.add ins(%sum, %bias : tensor<4x16xi32>, tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: it reads more than one other tensor"
// CHECK-LABEL: func.func @ternary(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @ternary(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>, %bias2: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #col, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias, %bias2 : tensor<4x16xi32>, tensor<16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    %1 = arith.addi %0, %c : i32
    linalg.yield %1 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// Read across: another element's sum.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: it permutes or broadcasts the sum"
// CHECK-LABEL: func.func @permuted(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#mod = affine_map<(m, n) -> (m, (n + 1) mod 16)>
func.func @permuted(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#mod, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    linalg.yield %a : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.reduce' stays on the host: it is not elementwise"
// CHECK-LABEL: func.func @reduced(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.reduce
// CHECK:       return %
func.func @reduced(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %v = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%v : tensor<4xi32>) -> tensor<4xi32>
  %s = linalg.reduce ins(%sum : tensor<4x16xi32>) outs(%f : tensor<4xi32>) dimensions = [1] (%a: i32, %o: i32) {
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  }
  %r = linalg.broadcast ins(%s : tensor<4xi32>) outs(%e : tensor<4x16xi32>) dimensions = [1]
  return %r : tensor<4x16xi32>
}

// -----

// The body yields something else.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: it does not yield what it computes from the sum"
// CHECK-LABEL: func.func @ignored(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
func.func @ignored(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.maxsi %a, %c0 : i32
    linalg.yield %a : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// The index counts.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: 'linalg.generic' stays on the host: 'linalg.index' is not part of the read-out sum + bias, * scale, round to even, saturate to int8, relu at this point"
// CHECK-LABEL: func.func @index(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
func.func @index(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.addi %a, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// The sum is read twice: it must leave the accelerator as it is.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: the value there has more than one reader"
// CHECK-LABEL: func.func @two_readers(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic {{.*}} attrs = {fadiff.on_host = {reason = "the value there has more than one reader"}}
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
func.func @two_readers(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %e8 = tensor.empty() : tensor<4x16xi8>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<4x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %sum : tensor<4x16xi8>, tensor<4x16xi32>) outs(%e8 : tensor<4x16xi8>) {
  ^bb0(%a: i8, %b: i32, %o: i8):
    %0 = arith.trunci %b : i32 to i8
    %1 = arith.xori %a, %0 : i8
    linalg.yield %1 : i8
  } -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}

// -----

// So does one operation that reads it twice.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: the value there has more than one reader"
// CHECK-LABEL: func.func @in_place_twice(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
func.func @in_place_twice(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%sum : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// What has two readers behind the bias ends there.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: the value there has more than one reader"
// CHECK-LABEL: func.func @two_readers_of_biased(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1, %arg2 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @two_readers_of_biased(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %p = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.addi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x16xi32>) outs(%p : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// ReLU without a scale: the accelerator applies it to int8 only.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: what follows is no whole read-out to int8"
// CHECK-LABEL: func.func @relu_only(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
func.func @relu_only(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.maxsi %a, %c0 : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// A result in f32.
// REMARK: Analysis] Tail | Category:fadiff | Remark="layer '{{(conv|depthwise|matmul):[0-9]+}}' ends before its consumer: its result is a float, and the accelerator writes int8 or the sums in int32"
// CHECK-LABEL: func.func @dequantised(
// CHECK:       fadiff.layer "{{(conv|depthwise|matmul):[0-9]+}}" ins(%arg0, %arg1 :
// CHECK-SAME:    epilogue(<>)
// CHECK:         fadiff.yield
// CHECK-NEXT:  } -> tensor<4x16xi32>
// CHECK:       linalg.generic
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
func.func @dequantised(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xf32> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %ef = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %bias : tensor<4x16xi32>, tensor<16xi32>) outs(%ef : tensor<4x16xf32>) {
  ^bb0(%a: i32, %b: i32, %o: f32):
    %0 = arith.addi %a, %b : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// An operand that the accelerator does not have keeps the whole on the host, even
// where it is never read.
// REMARK: Missed] OnHost | Category:fadiff | Remark="'linalg.matmul' stays on the host: 'linalg.generic' reads a value that is neither an operand of the layer nor a constant"
// CHECK-LABEL: func.func @captured(
// CHECK-NOT:   fadiff.layer
// CHECK:       return %
#id = affine_map<(m, n) -> (m, n)>
func.func @captured(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %t: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 1.250000e-03 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<4x16xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%z : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x16xi32>) outs(%t : tensor<4x16xi8>) {
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
