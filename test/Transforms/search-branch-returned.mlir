// The sum of two layers' results is read as a residual by the next sum, and
// returned: it is no side branch that a group could keep for itself.

// RUN: fadiff-run %s --target=gemmini-large --latency=roofline --max-evaluations=500 --seed=1 | FileCheck %s
// CHECK: on the array: 100.0 % {{.*}}; on the host: 0 operations
// CHECK: output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func private @half(%a: tensor<2x6x9x40xi8>, %b: tensor<2x6x9x40xi8>) -> tensor<2x6x9x40xi8> {
  %e = tensor.empty() : tensor<2x6x9x40xi32>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %b : tensor<2x6x9x40xi8>, tensor<2x6x9x40xi8>) outs(%e : tensor<2x6x9x40xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %s = arith.addi %p, %q : i32
    linalg.yield %s : i32
  } -> tensor<2x6x9x40xi32>
  %scale = arith.constant 0.5 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %i = tensor.empty() : tensor<2x6x9x40xi8>
  %half = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<2x6x9x40xi32>) outs(%i : tensor<2x6x9x40xi8>) {
  ^bb0(%x: i32, %o: i8):
    %f = arith.sitofp %x : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %b8 = arith.fptosi %h : f32 to i8
    linalg.yield %b8 : i8
  } -> tensor<2x6x9x40xi8>
  return %half : tensor<2x6x9x40xi8>
}

func.func @main(%a: tensor<2x6x9x40xi8>, %b: tensor<2x6x9x40xi8>, %c: tensor<2x6x9x40xi8>) -> (tensor<2x6x9x40xi8>, tensor<2x6x9x40xi8>) {
  %first = call @half(%a, %b) : (tensor<2x6x9x40xi8>, tensor<2x6x9x40xi8>) -> tensor<2x6x9x40xi8>
  %side = call @half(%first, %c) : (tensor<2x6x9x40xi8>, tensor<2x6x9x40xi8>) -> tensor<2x6x9x40xi8>
  %both = call @half(%first, %side) : (tensor<2x6x9x40xi8>, tensor<2x6x9x40xi8>) -> tensor<2x6x9x40xi8>
  return %side, %both : tensor<2x6x9x40xi8>, tensor<2x6x9x40xi8>
}
