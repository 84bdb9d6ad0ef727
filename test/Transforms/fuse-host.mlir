// What stays on the host is one loop where that loads and stores less.

// RUN: fadiff-opt %s --fadiff-fuse-host --cse --canonicalize | FileCheck %s
// RUN: fadiff-run %s --entry=norm --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=twice --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=square --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=columns --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=product --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// SAME: output identical to the reference

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// The bytes are scaled where they are summed up, and stored for what reads the
// sums; what is normalised is quantised in the same loop.
// CHECK-LABEL: func.func @norm(
// CHECK:         %[[FIRST:.*]]:2 = linalg.generic
// CHECK-SAME:      ["parallel", "reduction"]
// CHECK:           arith.sitofp
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:           linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK:         linalg.generic
// CHECK-SAME:      ["parallel", "parallel"]{{.*}} ins(%[[FIRST]]#0, %[[FIRST]]#1 :
// CHECK:           arith.subf
// CHECK:           arith.fptosi
// CHECK-NOT:     linalg.generic
func.func @norm(%in: tensor<16x32xi8>) -> tensor<16x32xi8> {
  %step = arith.constant 0.37 : f32
  %part = arith.constant 0.03125 : f32
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<16x32xi8>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    linalg.yield %scaled : f32
  } -> tensor<16x32xf32>
  %s = tensor.empty() : tensor<16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<16xf32>) -> tensor<16xf32>
  %sums = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x32xf32>) outs(%z : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %sum = arith.addf %o, %a : f32
    linalg.yield %sum : f32
  } -> tensor<16xf32>
  %c = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : tensor<16x32xf32>, tensor<16xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %mean = arith.mulf %b, %part : f32
    %centred = arith.subf %a, %mean : f32
    linalg.yield %centred : f32
  } -> tensor<16x32xf32>
  %i = tensor.empty() : tensor<16x32xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<16x32xf32>) outs(%i : tensor<16x32xi8>) {
  ^bb0(%a: f32, %o: i8):
    %r = math.roundeven %a : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<16x32xi8>
  return %q : tensor<16x32xi8>
}

// Read again further down: a second result.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic
// CHECK:         %[[TURNED:.*]] = linalg.transpose ins(%[[BOTH]]#0
// CHECK:         return %[[BOTH]]#1, %[[TURNED]]
func.func @twice(%in: tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<32x16xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %one : f32
    linalg.yield %y : f32
  } -> tensor<16x32xf32>
  %z = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.divf %one, %a : f32
    linalg.yield %y : f32
  } -> tensor<16x32xf32>
  %t = tensor.empty() : tensor<32x16xf32>
  %turned = linalg.transpose ins(%x : tensor<16x32xf32>) outs(%t : tensor<32x16xf32>) permutation = [1, 0]
  return %z, %turned : tensor<16x32xf32>, tensor<32x16xf32>
}

// An operation that reads it at two places is left alone.
// CHECK-LABEL: func.func @square(
// CHECK-COUNT-2: linalg.generic
func.func @square(%in: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %one : f32
    linalg.yield %y : f32
  } -> tensor<32x32xf32>
  %z = linalg.generic {indexing_maps = [#map, #turned, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %y = arith.mulf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<32x32xf32>
  return %z : tensor<32x32xf32>
}

// The sum of a column is not in a register while a row is walked.
// CHECK-LABEL: func.func @columns(
// CHECK-COUNT-2: linalg.generic
func.func @columns(%in: tensor<16x32xf32>) -> tensor<32xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %one : f32
    linalg.yield %y : f32
  } -> tensor<16x32xf32>
  %s = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<32xf32>) -> tensor<32xf32>
  %sums = linalg.generic {indexing_maps = [#map, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<16x32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %sum = arith.addf %o, %a : f32
    linalg.yield %sum : f32
  } -> tensor<32xf32>
  return %sums : tensor<32xf32>
}

// Each element of a product's factor is read many times.
// CHECK-LABEL: func.func @product(
// CHECK-COUNT-2: linalg.generic
func.func @product(%in: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %one : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %y = arith.mulf %a, %b : f32
    %sum = arith.addf %o, %y : f32
    linalg.yield %sum : f32
  } -> tensor<16x16xf32>
  return %p : tensor<16x16xf32>
}
