// Several loops of one kind become one; packed tensors come out as they were.

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize | FileCheck %s
// RUN: fadiff-run %s --entry=mmt4d --target=gemmini --check | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=heads --target=gemmini --check | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=packed --target=gemmini --check | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=batch_reduce --target=gemmini --check | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=strided --target=gemmini --check | FileCheck %s --check-prefix=SAME
// SAME: output identical to the reference

// CHECK-LABEL: func.func @mmt4d
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @mmt4d(%a: tensor<2x3x8x4xi8>, %b: tensor<4x3x8x4xi8>) -> tensor<2x4x8x8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x4x8x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x4x8x8xi32>) -> tensor<2x4x8x8xi32>
  %r = linalg.mmt4d ins(%a, %b : tensor<2x3x8x4xi8>, tensor<4x3x8x4xi8>) outs(%f : tensor<2x4x8x8xi32>) -> tensor<2x4x8x8xi32>
  return %r : tensor<2x4x8x8xi32>
}

// CHECK-LABEL: func.func @heads
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @heads(%a: tensor<3x2x10x12xi8>, %b: tensor<3x2x20x12xi8>) -> tensor<3x2x10x20xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x2x10x20xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x2x10x20xi32>) -> tensor<3x2x10x20xi32>
  %r = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>,
      affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
    ins(%a, %b : tensor<3x2x10x12xi8>, tensor<3x2x20x12xi8>) outs(%f : tensor<3x2x10x20xi32>) -> tensor<3x2x10x20xi32>
  return %r : tensor<3x2x10x20xi32>
}

// CHECK-LABEL: func.func @packed
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %{{.*}} : tensor<10x20xi8>, tensor<20x9xi8>)
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @packed(%a: tensor<10x20xi8>, %b: tensor<20x9xi8>) -> tensor<10x9xi32> {
  %zero8 = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %pa = tensor.empty() : tensor<3x3x4x8xi8>
  %a4 = linalg.pack %a padding_value(%zero8 : i8) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %pa : tensor<10x20xi8> -> tensor<3x3x4x8xi8>
  %pb = tensor.empty() : tensor<2x3x5x8xi8>
  %b4 = linalg.pack %b padding_value(%zero8 : i8) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [5, 8] into %pb : tensor<20x9xi8> -> tensor<2x3x5x8xi8>
  %e = tensor.empty() : tensor<3x2x4x5xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x2x4x5xi32>) -> tensor<3x2x4x5xi32>
  %r = linalg.mmt4d ins(%a4, %b4 : tensor<3x3x4x8xi8>, tensor<2x3x5x8xi8>) outs(%f : tensor<3x2x4x5xi32>) -> tensor<3x2x4x5xi32>
  %o = tensor.empty() : tensor<10x9xi32>
  %u = linalg.unpack %r inner_dims_pos = [0, 1] inner_tiles = [4, 5] into %o : tensor<3x2x4x5xi32> -> tensor<10x9xi32>
  return %u : tensor<10x9xi32>
}

// CHECK-LABEL: func.func @batch_reduce
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]
func.func @batch_reduce(%a: tensor<3x10x12xi8>, %b: tensor<3x12x20xi8>) -> tensor<10x20xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<10x20xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<10x20xi32>) -> tensor<10x20xi32>
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x10x12xi8>, tensor<3x12x20xi8>) outs(%f : tensor<10x20xi32>) -> tensor<10x20xi32>
  return %r : tensor<10x20xi32>
}

// A strided 1x1 convolution without loops for its kernel is a layer as it is.
func.func @strided(%x: tensor<9x9x16xi8>, %w: tensor<16x8xi8>) -> tensor<5x5x8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x5x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x5x8xi32>) -> tensor<5x5x8xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(p, q, k, c) -> (p * 2, q * 2, c)>, affine_map<(p, q, k, c) -> (c, k)>, affine_map<(p, q, k, c) -> (p, q, k)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<9x9x16xi8>, tensor<16x8xi8>) outs(%f : tensor<5x5x8xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x5x8xi32>
  return %r : tensor<5x5x8xi32>
}

// Zero times a float that is not finite is no zero: the padding stays.
// CHECK-LABEL: func.func @one_float_padded
// CHECK: tensor.pad
// CHECK: linalg.matmul {{.*}} tensor<4x8xf32>, tensor<8x6xf32>
func.func @one_float_padded(%a: tensor<4x5xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 0] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x5xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%p, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// Rows minus one number each, as in a softmax: the numbers' axis of one element
// is no loop that could be joined with another.
// CHECK-LABEL: func.func @rows_minus_numbers
// CHECK: arith.subf
// CHECK: return {{.*}} : tensor<2x4x16x16xf32>
func.func @rows_minus_numbers(%a: tensor<8x16x8xf32>, %b: tensor<8x8x16xf32>, %m: tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%f : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %x = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
  %o = tensor.empty() : tensor<2x4x16x16xf32>
  %d = linalg.generic {
    indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>, affine_map<(b, h, i, j) -> (b, h, i, 0)>, affine_map<(b, h, i, j) -> (b, h, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %m : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%o : tensor<2x4x16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %0 = arith.subf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x16x16xf32>
  return %d : tensor<2x4x16x16xf32>
}
