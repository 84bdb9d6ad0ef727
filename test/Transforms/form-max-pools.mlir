// Max pooling of what no layer makes for it alone follows a layer that copies.

// RUN: fadiff-opt %s --fadiff-prepare=target=gemmini | FileCheck %s
// RUN: fadiff-opt %s --fadiff-prepare="target=gemmini convention=timeloop" | FileCheck %s --check-prefix=HOST
// RUN: fadiff-run %s --entry=shared --target=gemmini | FileCheck %s --check-prefix=ARRAY
// RUN: fadiff-run %s --entry=shared --target=gemmini-small | FileCheck %s --check-prefix=ARRAY
// RUN: fadiff-run %s --entry=wide --target=gemmini | FileCheck %s --check-prefix=WIDE
// RUN: fadiff-run %s --entry=wide --target=gemmini-large | FileCheck %s --check-prefix=WIDE
// RUN: fadiff-run %s --entry=strided --target=gemmini | FileCheck %s --check-prefix=ARRAY
// RUN: fadiff-run %s --entry=fewer --target=gemmini | FileCheck %s --check-prefix=WIDE
// RUN: fadiff-run %s --entry=shared --target=gemmini --objective=energy | FileCheck %s --check-prefix=ENERGY

// RUN:       fadiff-opt %s --fadiff-schedule="target=gemmini summary=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUMMARY
// SUMMARY:     stored pooled: pooled

// ARRAY: on the array: 100.0 %
// ARRAY-SAME: on the host: 0 operations
// ARRAY: DRAM bytes read {{[0-9]+}}, written {{[0-9]+}}: as predicted
// ARRAY: output identical to the reference
// WIDE:  on the array: 100.0 %
// WIDE-SAME: on the host: 0 operations
// WIDE:  output identical to the reference
// ENERGY: 1 x linalg.pooling_nhwc_max
// ENERGY: output identical to the reference

// The pixels beyond the borders are less than all that the input may have.
// CHECK-LABEL: func.func @shared(
// CHECK:         %[[COPY:.*]] = fadiff.layer "pooled"
// CHECK-SAME:      pad_value = -128
// CHECK:         %[[POOL:.*]] = linalg.pooling_nhwc_max{{.*}} ins(%[[COPY]],
// CHECK:         return %[[POOL]]
// HOST-LABEL:  func.func @shared(
// HOST-NOT:      fadiff.layer "pooled"
// HOST:          linalg.pooling_nhwc_max
func.func @shared(%x: tensor<1x16x16x32xi8>, %w: tensor<32x32xi8>) -> (tensor<1x16x16x32xi8>, tensor<256x32xi32>) {
  %least = arith.constant -128 : i8
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %least : i8
  } : tensor<1x16x16x32xi8> to tensor<1x18x18x32xi8>
  %t = tensor.empty() : tensor<3x3xi8>
  %e = tensor.empty() : tensor<1x16x16x32xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<1x16x16x32xi8>) -> tensor<1x16x16x32xi8>
  %m = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %t : tensor<1x18x18x32xi8>, tensor<3x3xi8>) outs(%f : tensor<1x16x16x32xi8>) -> tensor<1x16x16x32xi8> loc("pooled")
  %rows = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<1x16x16x32xi8> into tensor<256x32xi8>
  %se = tensor.empty() : tensor<256x32xi32>
  %sf = linalg.fill ins(%zero : i32) outs(%se : tensor<256x32xi32>) -> tensor<256x32xi32>
  %s = linalg.matmul ins(%rows, %w : tensor<256x32xi8>, tensor<32x32xi8>) outs(%sf : tensor<256x32xi32>) -> tensor<256x32xi32>
  return %m, %s : tensor<1x16x16x32xi8>, tensor<256x32xi32>
}

// Windows of 6 x 6, two pixels apart, are of 3 x 3, of 3 x 3 and of 2 x 2.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-3: fadiff.layer
// CHECK-NOT:     fadiff.layer
// CHECK:         linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%{{.*}}, %{{.*}} : tensor<1x16x16x32xi8>, tensor<2x2xi8>)
// CHECK:         return
func.func @wide(%x: tensor<1x20x20x32xi8>) -> tensor<1x8x8x32xi8> {
  %least = arith.constant -128 : i8
  %t = tensor.empty() : tensor<6x6xi8>
  %e = tensor.empty() : tensor<1x8x8x32xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<1x8x8x32xi8>) -> tensor<1x8x8x32xi8>
  %m = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %t : tensor<1x20x20x32xi8>, tensor<6x6xi8>) outs(%f : tensor<1x8x8x32xi8>) -> tensor<1x8x8x32xi8>
  return %m : tensor<1x8x8x32xi8>
}

// Behind a layer that others read, too, and with other padding on each side.
// CHECK-LABEL: func.func @strided(
// CHECK-COUNT-2: fadiff.layer
// CHECK:         linalg.pooling_nhwc_max
func.func @strided(%x: tensor<2x15x18x24xi8>, %w: tensor<24x48xi8>) -> (tensor<2x8x9x48xi8>, tensor<540x48xi8>) {
  %least = arith.constant -128 : i8
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<2x15x18x24xi8> into tensor<540x24xi8>
  %se = tensor.empty() : tensor<540x48xi32>
  %sf = linalg.fill ins(%zero : i32) outs(%se : tensor<540x48xi32>) -> tensor<540x48xi32>
  %s = linalg.matmul ins(%rows, %w : tensor<540x24xi8>, tensor<24x48xi8>) outs(%sf : tensor<540x48xi32>) -> tensor<540x48xi32>
  %qe = tensor.empty() : tensor<540x48xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<540x48xi32>) outs(%qe : tensor<540x48xi8>) {
  ^bb0(%a: i32, %o: i8):
    %wide = arith.sitofp %a : i32 to f32
    %y = arith.mulf %wide, %scale : f32
    %r = math.roundeven %y : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<540x48xi8>
  %i = tensor.expand_shape %q [[0, 1, 2], [3]] output_shape [2, 15, 18, 48] : tensor<540x48xi8> into tensor<2x15x18x48xi8>
  %p = tensor.pad %i low[0, 1, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %least : i8
  } : tensor<2x15x18x48xi8> to tensor<2x17x19x48xi8>
  %t = tensor.empty() : tensor<3x3xi8>
  %e = tensor.empty() : tensor<2x8x9x48xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<2x8x9x48xi8>) -> tensor<2x8x9x48xi8>
  %m = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %t : tensor<2x17x19x48xi8>, tensor<3x3xi8>) outs(%f : tensor<2x8x9x48xi8>) -> tensor<2x8x9x48xi8>
  return %m, %q : tensor<2x8x9x48xi8>, tensor<540x48xi8>
}

// The core is done before a copy would have come in; and windows that are not
// square, or have gaps, are none of the machine's.
// CHECK-LABEL: func.func @host(
// CHECK-NOT:     fadiff.layer
// CHECK:         return
func.func @host(%x: tensor<1x9x9x64xi8>, %small: tensor<1x3x3x8xi8>) -> (tensor<1x1x1x8xi8>, tensor<1x7x8x64xi8>, tensor<1x5x5x64xi8>) {
  %least = arith.constant -128 : i8
  %t1 = tensor.empty() : tensor<3x3xi8>
  %e1 = tensor.empty() : tensor<1x1x1x8xi8>
  %f1 = linalg.fill ins(%least : i8) outs(%e1 : tensor<1x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  %m1 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%small, %t1 : tensor<1x3x3x8xi8>, tensor<3x3xi8>) outs(%f1 : tensor<1x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  %t2 = tensor.empty() : tensor<3x2xi8>
  %e2 = tensor.empty() : tensor<1x7x8x64xi8>
  %f2 = linalg.fill ins(%least : i8) outs(%e2 : tensor<1x7x8x64xi8>) -> tensor<1x7x8x64xi8>
  %m2 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %t2 : tensor<1x9x9x64xi8>, tensor<3x2xi8>) outs(%f2 : tensor<1x7x8x64xi8>) -> tensor<1x7x8x64xi8>
  %t3 = tensor.empty() : tensor<3x3xi8>
  %e3 = tensor.empty() : tensor<1x5x5x64xi8>
  %f3 = linalg.fill ins(%least : i8) outs(%e3 : tensor<1x5x5x64xi8>) -> tensor<1x5x5x64xi8>
  %m3 = linalg.pooling_nhwc_max {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %t3 : tensor<1x9x9x64xi8>, tensor<3x3xi8>) outs(%f3 : tensor<1x5x5x64xi8>) -> tensor<1x5x5x64xi8>
  return %m1, %m2, %m3 : tensor<1x1x1x8xi8>, tensor<1x7x8x64xi8>, tensor<1x5x5x64xi8>
}

// Fewer windows than the image has room for.
// CHECK-LABEL: func.func @fewer(
// CHECK:         fadiff.layer
// CHECK:         linalg.pooling_nhwc_max {{.*}} -> tensor<1x4x5x32xi8>
func.func @fewer(%x: tensor<1x20x20x32xi8>) -> tensor<1x4x5x32xi8> {
  %least = arith.constant -128 : i8
  %t = tensor.empty() : tensor<3x3xi8>
  %e = tensor.empty() : tensor<1x4x5x32xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<1x4x5x32xi8>) -> tensor<1x4x5x32xi8>
  %m = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %t : tensor<1x20x20x32xi8>, tensor<3x3xi8>) outs(%f : tensor<1x4x5x32xi8>) -> tensor<1x4x5x32xi8>
  return %m : tensor<1x4x5x32xi8>
}
