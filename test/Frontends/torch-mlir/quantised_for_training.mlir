// Torch's export of a network quantised for training: f32 convolutions between
// quantise and dequantise, per tensor, f32 biases. With requantize=hardware they
// are int8 layers whose sums are read out to int8; by default they stay in f32,
// with a remark.

// RUN: fadiff-run %s --target=gemmini-small --requantize=hardware --tolerance=1 --check | FileCheck %s
// CHECK: as predicted
// CHECK: largest difference from the reference: {{[01]}}, allowed: 1
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize=requantize=hardware --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}}epilogue(<scale = {{.*}}relu>)
// LAYERS: fadiff.layer {{.*}}epilogue(<scale =
// LAYERS-NOT: fadiff.layer
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers=allow-empty --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: {{.*}}Requantise{{.*}}'linalg.conv_2d_nchw_fchw' stays in f32: it multiplies dequantised int8, but its sums round in f32 and int8's do not; requantize=hardware makes it an int8 layer

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @main(%x: tensor<1x4x8x8xi8>) -> tensor<1x5x4x4xi8> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %s0 = arith.constant 0.031 : f32
  %s1 = arith.constant 0.047244094 : f32
  %s2 = arith.constant 0.083 : f32
  %ws0 = arith.constant 0.0061 : f32
  %ws1 = arith.constant 0.0053 : f32
  %zp0 = arith.constant 0 : i32
  %z1 = arith.constant 0.0 : f32
  %z2 = arith.constant 3.0 : f32
  %w0q = arith.constant dense<[[[[32, -62, 62], [-36, 76, 49], [114, 88, 62]], [[39, 109, 8], [-120, 88, -8], [71, 114, -64]], [[39, -114, 103], [-87, -99, -32], [-7, 95, -64]], [[-30, 12, -101], [19, -64, -124], [60, -72, -23]]], [[[-56, -81, 107], [95, 69, -28], [-87, 68, 77]], [[-109, -92, 31], [31, -14, -95], [-94, -127, 121]], [[96, -126, -74], [71, -72, 118], [124, -85, 96]], [[-85, -53, -47], [119, -77, 11], [97, 46, 33]]], [[[-75, -81, 113], [120, 49, -77], [120, 120, 101]], [[-29, -51, -122], [-35, -21, -85], [112, -90, -60]], [[-111, -43, -50], [82, 27, 23], [-127, 25, 46]], [[54, -41, -111], [-48, -37, 82], [-49, -4, 51]]], [[[-47, -80, -4], [-7, 53, -82], [-113, -62, 122]], [[113, -122, 116], [64, -36, 89], [-24, -123, 13]], [[74, -20, -34], [-31, 21, 88], [-125, -12, -116]], [[54, -81, 32], [117, 117, -77], [-97, 66, -65]]], [[[110, 82, 114], [-9, -39, 4], [-37, 101, 7]], [[-63, 71, -9], [-100, 23, 64], [72, 77, -33]], [[93, -52, -118], [-17, 115, 123], [-104, -74, -40]], [[4, 29, -35], [108, -90, -40], [-57, 109, 52]]], [[[12, -104, -48], [48, -46, -49], [-82, 77, -107]], [[33, -89, 57], [49, -48, -4], [-86, 57, -115]], [[-107, 125, 26], [9, 109, -24], [-119, -67, 62]], [[25, -39, 84], [-63, -11, 39], [-20, -90, -113]]]]> : tensor<6x4x3x3xi8>
  %b0 = arith.constant dense<[0.9581, 0.2766, 0.6033, -0.3316, -0.5859, 0.9626]> : tensor<6xf32>
  %w1q = arith.constant dense<[[[[17]], [[116]], [[-94]], [[34]], [[102]], [[74]]], [[[-22]], [[-100]], [[-84]], [[-16]], [[-32]], [[-89]]], [[[-112]], [[89]], [[-20]], [[-52]], [[-91]], [[-11]]], [[[109]], [[31]], [[91]], [[-84]], [[122]], [[6]]], [[[-11]], [[118]], [[-3]], [[49]], [[59]], [[-46]]]]> : tensor<5x6x1x1xi8>
  %b1 = arith.constant dense<[-0.0419, -0.4180, -0.1924, -0.7070, -0.2460]> : tensor<5xf32>
  %dx_e = tensor.empty() : tensor<1x4x8x8xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x8x8xi8>) outs(%dx_e : tensor<1x4x8x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zp0 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s0 : f32
    linalg.yield %3 : f32
  } -> tensor<1x4x8x8xf32>
  %px = tensor.pad %dx low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %w0_e = tensor.empty() : tensor<6x4x3x3xf32>
  %w0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w0q : tensor<6x4x3x3xi8>) outs(%w0_e : tensor<6x4x3x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %2 = arith.sitofp %in : i8 to f32
    %3 = arith.mulf %2, %ws0 : f32
    linalg.yield %3 : f32
  } -> tensor<6x4x3x3xf32>
  %c0_e = tensor.empty() : tensor<1x6x4x4xf32>
  %c0_b = linalg.broadcast ins(%b0 : tensor<6xf32>) outs(%c0_e : tensor<1x6x4x4xf32>) dimensions = [0, 2, 3]
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%px, %w0 : tensor<1x4x10x10xf32>, tensor<6x4x3x3xf32>) outs(%c0_b : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %r0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c0 : tensor<1x6x4x4xf32>) outs(%c0_e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x4x4xf32>
  %q0_e = tensor.empty() : tensor<1x6x4x4xi8>
  %q0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r0 : tensor<1x6x4x4xf32>) outs(%q0_e : tensor<1x6x4x4xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s1 : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z1 : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x6x4x4xi8>
  %d0_e = tensor.empty() : tensor<1x6x4x4xf32>
  %d0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q0 : tensor<1x6x4x4xi8>) outs(%d0_e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %2 = arith.sitofp %in : i8 to f32
    %3 = arith.mulf %2, %s1 : f32
    linalg.yield %3 : f32
  } -> tensor<1x6x4x4xf32>
  %w1_e = tensor.empty() : tensor<5x6x1x1xf32>
  %w1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w1q : tensor<5x6x1x1xi8>) outs(%w1_e : tensor<5x6x1x1xf32>) {
  ^bb0(%in: i8, %out: f32):
    %2 = arith.sitofp %in : i8 to f32
    %3 = arith.mulf %2, %ws1 : f32
    linalg.yield %3 : f32
  } -> tensor<5x6x1x1xf32>
  %c1_e = tensor.empty() : tensor<1x5x4x4xf32>
  %c1_b = linalg.broadcast ins(%b1 : tensor<5xf32>) outs(%c1_e : tensor<1x5x4x4xf32>) dimensions = [0, 2, 3]
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%d0, %w1 : tensor<1x6x4x4xf32>, tensor<5x6x1x1xf32>) outs(%c1_b : tensor<1x5x4x4xf32>) -> tensor<1x5x4x4xf32>
  %q1_e = tensor.empty() : tensor<1x5x4x4xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c1 : tensor<1x5x4x4xf32>) outs(%q1_e : tensor<1x5x4x4xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %s2 : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %z2 : f32
    %3 = arith.maximumf %2, %lo : f32
    %4 = arith.minimumf %3, %hi : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x5x4x4xi8>
  return %q1 : tensor<1x5x4x4xi8>
}
