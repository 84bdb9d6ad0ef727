// What picks elements of a convolution's result, as resizing does, works in the
// layout of that, and what is made of each element is made of those that there
// are before.

// RUN: fadiff-opt %s --fadiff-normalize | FileCheck %s
// RUN: fadiff-run %s --entry=nearest --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=linear --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=wider --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=swapped --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-opt %s --fadiff-normalize -o %t && fadiff-opt %t --fadiff-normalize | diff - %t
// SAME: output identical to the reference

#id = affine_map<(n, k, h, w) -> (n, k, h, w)>

// Bytes are made before rows are doubled.
// CHECK-LABEL: func.func @nearest(
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"
// CHECK:         } -> tensor<1x4x4x16xi32>
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[BYTES:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<1x4x4x16xi32>) outs(%{{.*}} : tensor<1x4x4x16xi8>)
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x8x16xi8>)
// CHECK:           tensor.extract %[[BYTES]][
// CHECK:         linalg.generic {{.*}}"reduction"{{.*}} ins(%[[WIDE]],
func.func @nearest(%x: tensor<1x16x4x4xi8>, %w: tensor<16x16x1x1xi8>) -> tensor<1x16x8x8xi32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<1x16x4x4xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x4x4xi32>) -> tensor<1x16x4x4xi32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x4x4xi8>, tensor<16x16x1x1xi8>) outs(%z : tensor<1x16x4x4xi32>) -> tensor<1x16x4x4xi32>
  %e8 = tensor.empty() : tensor<1x16x8x8xi32>
  %up = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e8 : tensor<1x16x8x8xi32>) {
  ^bb0(%o: i32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %h = arith.floordivsi %2, %two : index
    %v = arith.floordivsi %3, %two : index
    %p = tensor.extract %c[%0, %1, %h, %v] : tensor<1x16x4x4xi32>
    linalg.yield %p : i32
  } -> tensor<1x16x8x8xi32>
  %b = tensor.empty() : tensor<1x16x8x8xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%up : tensor<1x16x8x8xi32>) outs(%b : tensor<1x16x8x8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %step : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %g = arith.minimumf %l, %high : f32
    %i = arith.fptosi %g : f32 to i8
    linalg.yield %i : i8
  } -> tensor<1x16x8x8xi8>
  %z8 = linalg.fill ins(%zero : i32) outs(%e8 : tensor<1x16x8x8xi32>) -> tensor<1x16x8x8xi32>
  %d = linalg.conv_2d_nchw_fchw ins(%q, %w : tensor<1x16x8x8xi8>, tensor<16x16x1x1xi8>) outs(%z8 : tensor<1x16x8x8xi32>) -> tensor<1x16x8x8xi32>
  return %d : tensor<1x16x8x8xi32>
}

// A weighted sum of two elements is no copy of one: what is made of it stays
// behind. The tables are read once for a pixel, not for each of its channels.
// CHECK-LABEL: func.func @linear(
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x8x16xi32>)
// CHECK-DAG:       %[[C:.*]] = linalg.index 3
// CHECK-DAG:       %[[H:.*]] = linalg.index 1
// CHECK-DAG:       %[[W:.*]] = linalg.index 2
// CHECK:           tensor.extract %{{.*}}[%[[W]], %{{.*}}] : tensor<8x2xindex>
// CHECK:           tensor.extract %[[SUMS]][%{{.*}}, %[[H]], %{{.*}}, %[[C]]] : tensor<1x4x4x16xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[WIDE]] : tensor<1x4x8x16xi32>) outs(%{{.*}} : tensor<1x4x8x16xi8>)
// CHECK:         linalg.transpose
func.func @linear(%x: tensor<1x16x4x4xi8>, %w: tensor<16x16x1x1xi8>) -> tensor<1x16x4x8xi8> {
  %places = arith.constant dense<[[0, 0], [0, 1], [0, 1], [1, 2], [1, 2], [2, 3], [2, 3], [3, 3]]> : tensor<8x2xindex>
  %weights = arith.constant dense<[[3, 1], [3, 1], [1, 3], [3, 1], [1, 3], [3, 1], [1, 3], [1, 3]]> : tensor<8x2xi32>
  %zero = arith.constant 0 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %ten = arith.constant 10 : i32
  %e = tensor.empty() : tensor<1x16x4x4xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x4x4xi32>) -> tensor<1x16x4x4xi32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x4x4xi8>, tensor<16x16x1x1xi8>) outs(%z : tensor<1x16x4x4xi32>) -> tensor<1x16x4x4xi32>
  %e8 = tensor.empty() : tensor<1x16x4x8xi32>
  %up = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e8 : tensor<1x16x4x8xi32>) {
  ^bb0(%o: i32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %p0 = tensor.extract %places[%3, %i0] : tensor<8x2xindex>
    %p1 = tensor.extract %places[%3, %i1] : tensor<8x2xindex>
    %w0 = tensor.extract %weights[%3, %i0] : tensor<8x2xi32>
    %w1 = tensor.extract %weights[%3, %i1] : tensor<8x2xi32>
    %a = tensor.extract %c[%0, %1, %2, %p0] : tensor<1x16x4x4xi32>
    %b = tensor.extract %c[%0, %1, %2, %p1] : tensor<1x16x4x4xi32>
    %m = arith.muli %a, %w0 : i32
    %n = arith.muli %b, %w1 : i32
    %s = arith.addi %m, %n : i32
    linalg.yield %s : i32
  } -> tensor<1x16x4x8xi32>
  %bytes = tensor.empty() : tensor<1x16x4x8xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%up : tensor<1x16x4x8xi32>) outs(%bytes : tensor<1x16x4x8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %r = arith.shrsi %a, %ten : i32
    %i = arith.trunci %r : i32 to i8
    linalg.yield %i : i8
  } -> tensor<1x16x4x8xi8>
  return %q : tensor<1x16x4x8xi8>
}

// Wider elements, as floats of bytes, are made behind.
// CHECK-LABEL: func.func @wider(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x16xi8>)
// CHECK:           tensor.extract
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x8x16xi8>) outs(%{{.*}} : tensor<1x8x16xf32>)
func.func @wider(%x: tensor<1x4x16xi8>) -> tensor<1x8x16xf32> {
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<1x8x16xi8>
  %up = linalg.generic {indexing_maps = [affine_map<(n, h, c) -> (n, h, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x8x16xi8>) {
  ^bb0(%o: i8):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %h = arith.floordivsi %1, %two : index
    %p = tensor.extract %x[%0, %h, %2] : tensor<1x4x16xi8>
    linalg.yield %p : i8
  } -> tensor<1x8x16xi8>
  %f = tensor.empty() : tensor<1x8x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, c) -> (n, h, c)>, affine_map<(n, h, c) -> (n, h, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%up : tensor<1x8x16xi8>) outs(%f : tensor<1x8x16xf32>) {
  ^bb0(%a: i8, %o: f32):
    %v = arith.sitofp %a : i8 to f32
    linalg.yield %v : f32
  } -> tensor<1x8x16xf32>
  return %y : tensor<1x8x16xf32>
}

// An element that is never picked may be a divisor of zero.
// CHECK-LABEL: func.func @divides(
// CHECK:         tensor.extract
// CHECK:         arith.divsi
func.func @divides(%x: tensor<4x16xi8>) -> tensor<8x16xi8> {
  %two = arith.constant 2 : index
  %most = arith.constant 100 : i8
  %e = tensor.empty() : tensor<8x16xi8>
  %up = linalg.generic {indexing_maps = [affine_map<(h, c) -> (h, c)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x16xi8>) {
  ^bb0(%o: i8):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %h = arith.floordivsi %0, %two : index
    %p = tensor.extract %x[%h, %1] : tensor<4x16xi8>
    linalg.yield %p : i8
  } -> tensor<8x16xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(h, c) -> (h, c)>, affine_map<(h, c) -> (h, c)>], iterator_types = ["parallel", "parallel"]} ins(%up : tensor<8x16xi8>) outs(%e : tensor<8x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %v = arith.divsi %most, %a : i8
    linalg.yield %v : i8
  } -> tensor<8x16xi8>
  return %y : tensor<8x16xi8>
}

// Two axes say where along one of the tensor's: there is no layout to keep.
// CHECK-LABEL: func.func @swapped(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4x16x4xi32>)
// CHECK:           arith.addi
// CHECK:           tensor.extract
func.func @swapped(%x: tensor<8x16xi8>, %w: tensor<16x16xi8>) -> tensor<4x16x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x16xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8x16xi32>) -> tensor<8x16xi32>
  %c = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x16xi8>) outs(%z : tensor<8x16xi32>) -> tensor<8x16xi32>
  %f = tensor.empty() : tensor<4x16x4xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(h, c, i) -> (h, c, i)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%f : tensor<4x16x4xi32>) {
  ^bb0(%o: i32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %at = arith.addi %0, %2 : index
    %p = tensor.extract %c[%at, %1] : tensor<8x16xi32>
    linalg.yield %p : i32
  } -> tensor<4x16x4xi32>
  return %y : tensor<4x16x4xi32>
}
