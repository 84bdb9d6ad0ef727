// Contractions of dequantised int8 become int8 contractions: by default where
// that is the same, with requantize=hardware always.

// RUN: fadiff-opt %s --split-input-file --fadiff-normalize | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: fadiff-opt %s --split-input-file --fadiff-normalize=requantize=hardware | FileCheck %s --check-prefixes=CHECK,NEAR
// An array that works in f32 computes them as they are.
// RUN: fadiff-opt %s --split-input-file --fadiff-attach-target=target=gemmini-fp32 --fadiff-normalize=requantize=hardware | FileCheck %s --check-prefix=REAL
// REAL-NOT: arith.muli

#id = affine_map<(m, n) -> (m, n)>

// Scales are powers of two and no sum reaches 2^24: f32 does not round. The
// bias is a multiple of 1/8 * 1/4.
// CHECK-LABEL: @powers_of_two
// CHECK-DAG: arith.constant dense<[48, -32]> : tensor<2xi32>
// CHECK: ins(%arg0, %{{.*}} : tensor<3x4xi8>, tensor<4x2xi8>) outs(%{{.*}} : tensor<3x2xi32>)
// CHECK: %[[S:.*]] = arith.sitofp
// CHECK-NEXT: arith.constant 3.125000e-02 : f32
// CHECK-NEXT: arith.mulf %[[S]]
// CHECK-NEXT: linalg.yield
func.func @powers_of_two(%x: tensor<3x4xi8>, %w: tensor<4x2xi8>) -> tensor<3x2xf32> {
  %s = arith.constant 0.125 : f32
  %t = arith.constant 0.25 : f32
  %b = arith.constant dense<[1.5, -1.0]> : tensor<2xf32>
  %ex = tensor.empty() : tensor<3x4xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %dw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x2xi8>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %t, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %init = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<3x2xf32>) dimensions = [0]
  %y = linalg.matmul ins(%dx, %dw : tensor<3x4xf32>, tensor<4x2xf32>) outs(%init : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

// A scale per output channel, a zero point, padding with what it stands for, and
// a transpose in between. The bias of 0.1 is no multiple: it stays in f32.
// CHECK-LABEL: @convolution
// EXACT: tensor.pad {{.*}}
// EXACT: f32
// EXACT: linalg.conv_2d_nhwc_hwcf
// NEAR-DAG: %[[P:.*]] = arith.constant 5 : i8
// NEAR-DAG: arith.constant dense<[{{3[.]0.*}}, {{6[.]0.*}}]> : tensor<2xf32>
// NEAR: tensor.pad
// NEAR: tensor.yield %[[P]] : i8
// NEAR: ins({{.*}} : tensor<1x4x4x2xi8>, tensor<3x3x2x2xi8>) outs({{.*}} : tensor<1x2x2x2xi32>)
// NEAR-NOT: arith.subi
// NEAR: arith.sitofp
// NEAR: arith.mulf
// NEAR: arith.addf
func.func @convolution(%x: tensor<1x2x2x2xi8>, %w: tensor<3x3x2x2xi8>) -> tensor<1x2x2x2xf32> {
  %s = arith.constant 0.1 : f32
  %t = arith.constant dense<[0.3, 0.6]> : tensor<2xf32>
  %zp = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %b = arith.constant 0.1 : f32
  %ex = tensor.empty() : tensor<1x2x2x2xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x2x2xi8>) outs(%ex : tensor<1x2x2x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zp : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<1x2x2x2xf32>
  %ew = tensor.empty() : tensor<3x3x2x2xf32>
  %dw = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %t : tensor<3x3x2x2xi8>, tensor<2xf32>) outs(%ew : tensor<3x3x2x2xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %1 = arith.sitofp %in : i8 to f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<3x3x2x2xf32>
  %px = tensor.pad %dx low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x2x2x2xf32> to tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%b : f32) outs(%ex : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%px, %dw : tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>) outs(%f : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// Weights that were dequantised to a constant, and an unsigned input.
// CHECK-LABEL: @constant_weights
// CHECK-DAG: arith.constant dense<{{\[\[}}127, -64], [1, 0], [-3, 100]]> : tensor<3x2xi8>
// CHECK: arith.xori
// CHECK: outs({{.*}} : tensor<4x2xi32>)
func.func @constant_weights(%x: tensor<4x3xi8>) -> tensor<4x2xf32> {
  %s = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[31.75, -16.0], [0.25, 0.0], [-0.75, 25.0]]> : tensor<3x2xf32>
  %ex = tensor.empty() : tensor<4x3xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x3xi8>) outs(%ex : tensor<4x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%dx, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// None of these: weights that are no multiples of one number, a scale per row of
// the input, padding with other than zero.
// CHECK-LABEL: @not_quantised
// CHECK-NOT: arith.muli
func.func @not_quantised(%x: tensor<2x2xi8>, %s: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) {
  %one = arith.constant 1.0 : f32
  %rows = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %any = arith.constant dense<[[0.1, 0.2], [0.37, 0.001]]> : tensor<2x2xf32>
  %good = arith.constant dense<[[1.0, 2.0], [3.0, 127.0]]> : tensor<2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %zero4 = arith.constant dense<0.0> : tensor<4x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x2xi8>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<2x2xf32>
  %rx = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %rows : tensor<2x2xi8>, tensor<2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%in: i8, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %r : f32
    linalg.yield %1 : f32
  } -> tensor<2x2xf32>
  %px = tensor.pad %dx low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<2x2xf32> to tensor<4x2xf32>
  %0 = linalg.matmul ins(%dx, %any : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.matmul ins(%rx, %good : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = linalg.matmul ins(%px, %good : tensor<4x2xf32>, tensor<2x2xf32>) outs(%zero4 : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// A constant of f32 with a scale for each column (2^-3, 2^-12), as of weights that
// were dequantised when the model was read. A column of zeros has any.
// CHECK-LABEL: @constant_per_channel
// CHECK-DAG: arith.constant dense<{{\[\[}}127, 127, 0], [3, -5, 0]]> : tensor<2x3xi8>
// CHECK-DAG: arith.constant dense<[1.562500e-02, 3.05175781E-5, 1.562500e-02]> : tensor<3xf32>
// CHECK-DAG: outs(%{{.*}} : tensor<3x3xi32>)
func.func @constant_per_channel(%x: tensor<3x2xi8>) -> tensor<3x3xf32> {
  %s = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[15.875, 0.031005859375, 0.0], [0.375, -0.001220703125, 0.0]]> : tensor<2x3xf32>
  %ex = tensor.empty() : tensor<3x2xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x2xi8>) outs(%ex : tensor<3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %y = linalg.matmul ins(%dx, %w : tensor<3x2xf32>, tensor<2x3xf32>) outs(%init : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// Scales along the summed axis are none of output channels.
// CHECK-LABEL: @constant_per_row
// CHECK: linalg.matmul {{.*}} tensor<2x3xf32>
func.func @constant_per_row(%x: tensor<3x2xi8>) -> tensor<3x3xf32> {
  %s = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[15.875, 0.375, 1.125], [0.031005859375, -0.001220703125, 0.000732421875]]> : tensor<2x3xf32>
  %ex = tensor.empty() : tensor<3x2xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x2xi8>) outs(%ex : tensor<3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %y = linalg.matmul ins(%dx, %w : tensor<3x2xf32>, tensor<2x3xf32>) outs(%init : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// -----

#id4 = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (n)>

// A scale for each channel stays with its axis where others go, as exporters
// reshape the weights of a depthwise convolution, and where it is split into
// groups and filters. The largest weight need not tell the scale of the others:
// these are 127, -101, 3, 55, -77 and 11 times 0.010449827.
// CHECK-LABEL: @scales_of_reshaped_weights
// NEAR: ins({{.*}} : tensor<1x5x5x4xi8>, tensor<3x3x4xi8>) outs({{.*}} : tensor<1x3x3x4xi32>)
// NEAR: ins({{.*}} : tensor<1x5x5x4xi8>, tensor<2x2x3x3x2xi8>) outs({{.*}} : tensor<1x3x3x4xi32>)
// NEAR: arith.constant dense<{{\[\[}}127], [-101], [3], [55], [-77], [11]]> : tensor<6x1xi8>
// NEAR: ins({{.*}} : tensor<3x6xi8>, tensor<6x1xi8>) outs({{.*}} : tensor<3x1xi32>)
func.func @scales_of_reshaped_weights(%x: tensor<1x4x5x5xi8>, %w: tensor<4x1x3x3xi8>, %g: tensor<4x2x3x3xi8>, %m: tensor<3x6xi8>) -> (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>, tensor<3x1xf32>) {
  %s = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %scales = arith.constant dense<[0.25, 0.5, 0.75, 1.0]> : tensor<4xf32>
  %ex = tensor.empty() : tensor<1x4x5x5xf32>
  %dx = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x5x5xi8>) outs(%ex : tensor<1x4x5x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x5x5xf32>
  %ew = tensor.empty() : tensor<4x1x3x3xf32>
  %dw = linalg.generic {indexing_maps = [#id4, #channel, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<4x1x3x3xi8>, tensor<4xf32>) outs(%ew : tensor<4x1x3x3xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x1x3x3xf32>
  %eg = tensor.empty() : tensor<4x2x3x3xf32>
  %dg = linalg.generic {indexing_maps = [#id4, #channel, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g, %scales : tensor<4x2x3x3xi8>, tensor<4xf32>) outs(%eg : tensor<4x2x3x3xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x2x3x3xf32>
  %e = tensor.empty() : tensor<1x4x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %flat = tensor.collapse_shape %dw [[0], [1, 2], [3]] : tensor<4x1x3x3xf32> into tensor<4x3x3xf32>
  %y0 = linalg.depthwise_conv_2d_nchw_chw ins(%dx, %flat : tensor<1x4x5x5xf32>, tensor<4x3x3xf32>) outs(%f : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %xg = tensor.expand_shape %dx [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 5, 5] : tensor<1x4x5x5xf32> into tensor<1x2x2x5x5xf32>
  %wg = tensor.expand_shape %dg [[0, 1], [2], [3], [4]] output_shape [2, 2, 2, 3, 3] : tensor<4x2x3x3xf32> into tensor<2x2x2x3x3xf32>
  %fg = tensor.expand_shape %f [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 3, 3] : tensor<1x4x3x3xf32> into tensor<1x2x2x3x3xf32>
  %yg = linalg.conv_2d_ngchw_gfchw ins(%xg, %wg : tensor<1x2x2x5x5xf32>, tensor<2x2x2x3x3xf32>) outs(%fg : tensor<1x2x2x3x3xf32>) -> tensor<1x2x2x3x3xf32>
  %y1 = tensor.collapse_shape %yg [[0], [1, 2], [3], [4]] : tensor<1x2x2x3x3xf32> into tensor<1x4x3x3xf32>
  %em = tensor.empty() : tensor<3x6xf32>
  %dm = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<3x6xi8>) outs(%em : tensor<3x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x6xf32>
  %column = arith.constant dense<[[0x3FA9DF54], [0xBF87186A], [0x3D006850], [0x3F132231], [0xBF4DFCAB], [0x3DEB69E8]]> : tensor<6x1xf32>
  %e2 = tensor.empty() : tensor<3x1xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3x1xf32>) -> tensor<3x1xf32>
  %y2 = linalg.matmul ins(%dm, %column : tensor<3x6xf32>, tensor<6x1xf32>) outs(%f2 : tensor<3x1xf32>) -> tensor<3x1xf32>
  return %y0, %y1, %y2 : tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>, tensor<3x1xf32>
}
