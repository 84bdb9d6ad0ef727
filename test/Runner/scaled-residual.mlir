// A residual with a scale above 1 is loaded once as it is and once scaled, before
// the tile that it is added to: not run by run, as one that is loaded once.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-form-layers -o %t.mlir
// RUN: fadiff-run %t.mlir --check | FileCheck %s
// RUN: fadiff-run %t.mlir --check --fuse=off | FileCheck %s
// CHECK: DRAM bytes read {{[0-9]+}}, written {{[0-9]+}}: as predicted
// CHECK: DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECK: output identical to the reference

#in = affine_map<(p, q, k, c) -> (p, q, c)>
#w = affine_map<(p, q, k, c) -> (c, k)>
#out = affine_map<(p, q, k, c) -> (p, q, k)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @main(%x: tensor<12x14x24xi8>, %y: tensor<12x14x40xi8>, %w: tensor<24x40xi8>) -> tensor<12x14x40xi8> {
  %zero = arith.constant 0 : i32
  %once = arith.constant 1 : i32
  %scale = arith.constant 5.0e-3 : f32
  %half = arith.constant 0.5 : f32
  %quarter = arith.constant 0.25 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %i8 = tensor.empty() : tensor<12x14x40xi8>
  %i32 = tensor.empty() : tensor<12x14x40xi32>
  %init = linalg.fill ins(%zero : i32) outs(%i32 : tensor<12x14x40xi32>) -> tensor<12x14x40xi32>
  %sums = linalg.generic {indexing_maps = [#in, #w, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<12x14x24xi8>, tensor<24x40xi8>) outs(%init : tensor<12x14x40xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %m = arith.muli %p, %q : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<12x14x40xi32>
  %bytes = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sums : tensor<12x14x40xi32>) outs(%i8 : tensor<12x14x40xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<12x14x40xi8>
  %added = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%bytes, %y : tensor<12x14x40xi8>, tensor<12x14x40xi8>) outs(%i32 : tensor<12x14x40xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %f = arith.sitofp %b : i8 to f32
    %m = arith.mulf %f, %quarter : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    %v = arith.extsi %n : i8 to i32
    %t = arith.muli %q, %once : i32
    %u = arith.addi %t, %v : i32
    %s = arith.addi %p, %u : i32
    linalg.yield %s : i32
  } -> tensor<12x14x40xi32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%added : tensor<12x14x40xi32>) outs(%i8 : tensor<12x14x40xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %half : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %n = arith.fptosi %h : f32 to i8
    linalg.yield %n : i8
  } -> tensor<12x14x40xi8>
  return %result : tensor<12x14x40xi8>
}
