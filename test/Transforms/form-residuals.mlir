// A residual addition behind a layer is a layer, too: depthwise, one tap of
// weight 1, its sums starting from the other summand.

// RUN: fadiff-opt %s --fadiff-form-layers=allow-empty --split-input-file --remarks-filter=fadiff --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: fadiff-opt %s --fadiff-form-layers='allow-empty residual=false' --split-input-file | FileCheck %s --check-prefix=OFF

// OFF-NOT: ".add"

// A machine that does not scale what it loads gets no residual with a scale of
// its own; the others are layers as before.
// RUN: fadiff-opt %s --fadiff-attach-target=target=%S/../Inputs/no-load-scale.yaml --fadiff-form-layers=allow-empty --split-input-file --remarks-filter=fadiff --remark-format=emitRemark 2>%t.unscaled | FileCheck %s --check-prefix=UNSCALED
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.unscaled
// UNSCALED:     fadiff.layer "c.add"
// UNSCALED-NOT: residual_scale
// WHY: the sum of two tensors stays on the host: a summand has a scale, but accumulator.load_scale of 'no-load-scale' is none

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// The second summand ends a chain, so it is the input; the first one is the
// residual. Scale and ReLU are the read-out.
// CHECK-LABEL: func.func @block(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x6x7x16xi8>
// CHECK:         %[[CONV:.*]] = fadiff.layer "c"
// CHECK:         %[[ONES:.*]] = arith.constant dense<1> : tensor<1x1x16xi8>
// CHECK:         %[[ADD:.*]] = fadiff.layer "c.add" ins(%[[CONV]], %[[ONES]] : tensor<1x6x7x16xi8>, tensor<1x1x16xi8>) residual(%[[X]] : tensor<1x6x7x16xi8>)
// CHECK-SAME:      workload(<[G = 16, P = 6, Q = 7], layouts = "NHWG" "RSG" "NPQG">)
// CHECK-SAME:      epilogue(<scale = 5.000000e-01 : f32, relu>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: tensor<1x6x7x16xi8>, %{{.*}}: tensor<1x1x16xi8>, %[[B:.*]]: tensor<1x6x7x16xi8>):
// CHECK:           linalg.generic {{.*}} ins(%[[B]], %[[A]] : tensor<1x6x7x16xi8>, tensor<1x6x7x16xi8>)
// CHECK:         return %[[ADD]]
func.func @block(%x: tensor<1x6x7x16xi8>, %w: tensor<1x1x16x16xi8>) -> tensor<1x6x7x16xi8> {
  %zero = arith.constant 0 : i32
  %relu = arith.constant 0 : i8
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %scale = arith.constant 0.5 : f32
  %i32 = tensor.empty() : tensor<1x6x7x16xi32>
  %i8 = tensor.empty() : tensor<1x6x7x16xi8>
  %init = linalg.fill ins(%zero : i32) outs(%i32 : tensor<1x6x7x16xi32>) -> tensor<1x6x7x16xi32>
  %conv = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x7x16xi8>, tensor<1x1x16x16xi8>) outs(%init : tensor<1x6x7x16xi32>) -> tensor<1x6x7x16xi32> loc("c")
  %out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%conv : tensor<1x6x7x16xi32>) outs(%i8 : tensor<1x6x7x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<1x6x7x16xi8>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %out : tensor<1x6x7x16xi8>, tensor<1x6x7x16xi8>) outs(%i32 : tensor<1x6x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %s = arith.addi %p, %q : i32
    linalg.yield %s : i32
  } -> tensor<1x6x7x16xi32>
  %read = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<1x6x7x16xi32>) outs(%i8 : tensor<1x6x7x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    %t = arith.maxsi %n, %relu : i8
    linalg.yield %t : i8
  } -> tensor<1x6x7x16xi8>
  return %read : tensor<1x6x7x16xi8>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Nothing here comes from a layer.
// CHECK-LABEL: func.func @arguments(
// CHECK-NOT:     fadiff.layer
// REMARK: [Analysis] Residual | Category:fadiff | Remark="the sum of two tensors stays on the host: no summand is read by it alone and comes from a layer
func.func @arguments(%x: tensor<4x16xi8>, %y: tensor<4x16xi8>) -> tensor<4x16xi32> {
  %i32 = tensor.empty() : tensor<4x16xi32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x16xi8>, tensor<4x16xi8>) outs(%i32 : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %s = arith.addi %q, %p : i32
    linalg.yield %s : i32
  } -> tensor<4x16xi32>
  return %sum : tensor<4x16xi32>
}

// -----

#in = affine_map<(p, q, k, c) -> (p, q, c)>
#w = affine_map<(p, q, k, c) -> (c, k)>
#out = affine_map<(p, q, k, c) -> (p, q, k)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// The residual has a scale above 1: it is loaded once as it is and once scaled.
// More than 15 times as it is nothing loads.
// CHECK-LABEL: func.func @scaled(
// CHECK:         fadiff.layer "c.add" {{.*}} residual(%{{.*}} : tensor<6x7x16xi8>)
// CHECK-SAME:      epilogue(<residual_scale = 2.500000e-01 : f32, residual_whole = 1, scale = 5.000000e-01 : f32>)
// CHECK:         fadiff.layer "d"
// CHECK-NOT:     fadiff.layer "d.add"
func.func @scaled(%x: tensor<6x7x16xi8>, %w: tensor<16x16xi8>) -> (tensor<6x7x16xi8>, tensor<6x7x16xi8>) {
  %zero = arith.constant 0 : i32
  %once = arith.constant 1 : i32
  %often = arith.constant 16 : i32
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %i8 = tensor.empty() : tensor<6x7x16xi8>
  %i32 = tensor.empty() : tensor<6x7x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%i32 : tensor<6x7x16xi32>) -> tensor<6x7x16xi32>
  %c0 = linalg.generic {indexing_maps = [#in, #w, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<6x7x16xi8>, tensor<16x16xi8>) outs(%init : tensor<6x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %m = arith.muli %p, %q : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<6x7x16xi32> loc("c")
  %c1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c0 : tensor<6x7x16xi32>) outs(%i8 : tensor<6x7x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %half : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<6x7x16xi8>
  %c2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c1, %x : tensor<6x7x16xi8>, tensor<6x7x16xi8>) outs(%i32 : tensor<6x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %t = arith.muli %q, %once : i32
    %f = arith.sitofp %b : i8 to f32
    %m = arith.mulf %f, %quarter : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    %v = arith.extsi %n : i8 to i32
    %u = arith.addi %t, %v : i32
    %s = arith.addi %p, %u : i32
    linalg.yield %s : i32
  } -> tensor<6x7x16xi32>
  %c3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c2 : tensor<6x7x16xi32>) outs(%i8 : tensor<6x7x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %half : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<6x7x16xi8>
  %d0 = linalg.generic {indexing_maps = [#in, #w, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<6x7x16xi8>, tensor<16x16xi8>) outs(%init : tensor<6x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %m = arith.muli %p, %q : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<6x7x16xi32> loc("d")
  %d1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d0 : tensor<6x7x16xi32>) outs(%i8 : tensor<6x7x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %half : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<6x7x16xi8>
  %d2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d1, %x : tensor<6x7x16xi8>, tensor<6x7x16xi8>) outs(%i32 : tensor<6x7x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %t = arith.muli %q, %often : i32
    %f = arith.sitofp %b : i8 to f32
    %m = arith.mulf %f, %quarter : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    %v = arith.extsi %n : i8 to i32
    %u = arith.addi %t, %v : i32
    %s = arith.addi %p, %u : i32
    linalg.yield %s : i32
  } -> tensor<6x7x16xi32>
  %d3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d2 : tensor<6x7x16xi32>) outs(%i8 : tensor<6x7x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %half : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<6x7x16xi8>
  return %c3, %d3 : tensor<6x7x16xi8>, tensor<6x7x16xi8>
}
