// Layers write where a concatenation wants their results, and others read them
// there: what is predicted for the core is what is left to copy.

// RUN: fadiff-opt %s --inline --symbol-dce --fadiff-normalize | FileCheck %s --check-prefix=SHARED
// RUN: fadiff-opt %s --inline --symbol-dce --fadiff-schedule=target=gemmini --fadiff-bufferize | FileCheck %s
// RUN: fadiff-run %s --entry=dense --target=gemmini | FileCheck %s --check-prefix=DENSE
// RUN: fadiff-run %s --entry=dense --target=gemmini-small | FileCheck %s --check-prefix=DENSE
// RUN: fadiff-run %s --entry=dense --target=gemmini-large --loop-ws=on | FileCheck %s --check-prefix=DENSE
// RUN: fadiff-run %s --entry=argument --target=gemmini | FileCheck %s --check-prefix=ARGUMENT
// RUN: fadiff-run %s --entry=flat --target=gemmini | FileCheck %s --check-prefix=FLAT

// DENSE:     on the array: 100.0 % {{.*}}; on the host: 0 operations
// DENSE:     DRAM bytes read {{[0-9]+}}, written {{[0-9]+}}: as predicted
// DENSE:     output identical to the reference
// RUN: fadiff-run %s --entry=gathered --target=gemmini | FileCheck %s --check-prefix=GATHERED
// GATHERED:  1 x tensor.concat
// GATHERED:  output identical to the reference
// RUN: fadiff-run %s --entry=thin --target=gemmini | FileCheck %s --check-prefix=THIN
// THIN:      1 x tensor.concat
// THIN:      output identical to the reference
// FLAT:      on the host: 0 operations
// FLAT:      output identical to the reference
// ARGUMENT:  1 x tensor.concat, 8192 elements
// ARGUMENT:  output identical to the reference

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A dense block: the second concatenation begins with all of the first one.
// SHARED-LABEL: func.func @dense(
// SHARED:         %[[TWO:.*]] = tensor.concat dim(3) %{{.*}}, %{{.*}} : (tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>) -> tensor<1x16x16x32xi8>
// SHARED:         tensor.concat dim(3) %[[TWO]], %{{.*}} : (tensor<1x16x16x32xi8>, tensor<1x16x16x16xi8>)
// CHECK-LABEL: func.func @dense(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @dense(%x: tensor<1x16x16x16xi8>, %w0: tensor<3x3x16x16xi8>, %w1: tensor<3x3x16x16xi8>, %w2: tensor<3x3x32x16xi8>, %w3: tensor<1x1x48x24xi8>) -> tensor<1x16x16x24xi8> {
  %a = call @layer16(%x, %w0) : (tensor<1x16x16x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8>
  %b = call @layer16(%a, %w1) : (tensor<1x16x16x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8>
  %ab = tensor.concat dim(3) %a, %b : (tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>) -> tensor<1x16x16x32xi8>
  %c = call @layer32(%ab, %w2) : (tensor<1x16x16x32xi8>, tensor<3x3x32x16xi8>) -> tensor<1x16x16x16xi8>
  %abc = tensor.concat dim(3) %a, %b, %c : (tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>) -> tensor<1x16x16x48xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x16x16x24xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x24xi32>) -> tensor<1x16x16x24xi32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%abc, %w3 : tensor<1x16x16x48xi8>, tensor<1x1x48x24xi8>) outs(%f : tensor<1x16x16x24xi32>) -> tensor<1x16x16x24xi32>
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %i = tensor.empty() : tensor<1x16x16x24xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x16x16x24xi32>) outs(%i : tensor<1x16x16x24xi8>) {
  ^bb0(%v: i32, %o: i8):
    %wide = arith.sitofp %v : i32 to f32
    %y = arith.mulf %wide, %scale : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %z = arith.fptosi %l : f32 to i8
    linalg.yield %z : i8
  } -> tensor<1x16x16x24xi8>
  return %q : tensor<1x16x16x24xi8>
}

// An argument stays where it is, and is copied.
// Read in the body of another operation, where nobody knows what is read.
// CHECK-LABEL: func.func @gathered(
// CHECK:         return
func.func @gathered(%x: tensor<1x16x16x16xi8>, %w0: tensor<3x3x16x16xi8>, %w1: tensor<3x3x16x16xi8>) -> tensor<1x16x16x32xi8> {
  %a = call @layer16(%x, %w0) : (tensor<1x16x16x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8>
  %b = call @layer16(%a, %w1) : (tensor<1x16x16x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8>
  %ab = tensor.concat dim(3) %a, %b : (tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>) -> tensor<1x16x16x32xi8>
  %zero = arith.constant 0 : index
  %fifteen = arith.constant 15 : index
  %e = tensor.empty() : tensor<1x16x16x32xi8>
  %turned = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x16x16x32xi8>) {
  ^bb0(%o: i8):
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %c = linalg.index 3 : index
    %last = arith.subi %fifteen, %h : index
    %v = tensor.extract %ab[%zero, %last, %w, %c] : tensor<1x16x16x32xi8>
    linalg.yield %v : i8
  } -> tensor<1x16x16x32xi8>
  return %turned : tensor<1x16x16x32xi8>
}

// CHECK-LABEL: func.func @argument(
// CHECK-COUNT-1: memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @argument(%x: tensor<1x16x16x16xi8>, %w0: tensor<3x3x16x16xi8>) -> tensor<1x16x16x32xi8> {
  %a = call @layer16(%x, %w0) : (tensor<1x16x16x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8>
  %ax = tensor.concat dim(3) %a, %x : (tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>) -> tensor<1x16x16x32xi8>
  return %ax : tensor<1x16x16x32xi8>
}

// What reshapes all of it comes behind whoever reads a part.
// CHECK-LABEL: func.func @flat(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @flat(%x: tensor<1x16x16x16xi8>, %w0: tensor<3x3x16x16xi8>, %w1: tensor<3x3x16x16xi8>) -> tensor<256x32xi8> {
  %a = call @layer16(%x, %w0) : (tensor<1x16x16x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8>
  %b = call @layer16(%a, %w1) : (tensor<1x16x16x16xi8>, tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8>
  %ab = tensor.concat dim(3) %a, %b : (tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>) -> tensor<1x16x16x32xi8>
  %rows = tensor.collapse_shape %ab [[0, 1, 2], [3]] : tensor<1x16x16x32xi8> into tensor<256x32xi8>
  return %rows : tensor<256x32xi8>
}

// One channel of two would be a row with gaps.
func.func @thin(%x: tensor<8x16xi8>, %w: tensor<16x1xi8>) -> tensor<8x2xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8x1xi32>) -> tensor<8x1xi32>
  %s = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x1xi8>) outs(%f : tensor<8x1xi32>) -> tensor<8x1xi32>
  %both = tensor.concat dim(1) %s, %s : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  return %both : tensor<8x2xi32>
}

func.func private @layer16(%x: tensor<1x16x16x16xi8>, %w: tensor<3x3x16x16xi8>) -> tensor<1x16x16x16xi8> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %none : i8
  } : tensor<1x16x16x16xi8> to tensor<1x18x18x16xi8>
  %e = tensor.empty() : tensor<1x16x16x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x18x18x16xi8>, tensor<3x3x16x16xi8>) outs(%f : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %q = call @quantise(%s) : (tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi8>
  return %q : tensor<1x16x16x16xi8>
}

func.func private @layer32(%x: tensor<1x16x16x32xi8>, %w: tensor<3x3x32x16xi8>) -> tensor<1x16x16x16xi8> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %none : i8
  } : tensor<1x16x16x32xi8> to tensor<1x18x18x32xi8>
  %e = tensor.empty() : tensor<1x16x16x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x18x18x32xi8>, tensor<3x3x32x16xi8>) outs(%f : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %q = call @quantise(%s) : (tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi8>
  return %q : tensor<1x16x16x16xi8>
}

func.func private @quantise(%s: tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi8> {
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %i = tensor.empty() : tensor<1x16x16x16xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x16x16x16xi32>) outs(%i : tensor<1x16x16x16xi8>) {
  ^bb0(%v: i32, %o: i8):
    %wide = arith.sitofp %v : i32 to f32
    %y = arith.mulf %wide, %scale : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %z = arith.fptosi %l : f32 to i8
    linalg.yield %z : i8
  } -> tensor<1x16x16x16xi8>
  return %q : tensor<1x16x16x16xi8>
}
