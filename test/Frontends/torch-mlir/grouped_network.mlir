// torch-mlir, linalg on tensors: convolutions of groups, which have an axis of
// groups around each of them alone. Channels stay where they lie; a bias, a tail
// and padding are the layer's; several groups of few channels run at once.

// RUN: fadiff-run %s --target=gemmini | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-large --objective=latency | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-attach-target=target=gemmini --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS

// Each of weights, the image at the beginning and the result at the end are all
// that moves.
// CHECK: on the array: 100.0 % of {{[0-9]+}} multiply-accumulates, 7 of 7 tails (100.0 %); on the host: 9 operations
// CHECK: 3 x linalg.generic (index, cmpi, select), {{.*}}: it lays out weights of groups with which the array runs several of them at once
// CHECK: 2 x linalg.transpose, 8064 elements
// CHECK: 4 x linalg.transpose, {{.*}}: a layer multiplies by its columns
// CHECK: as predicted
// CHECK: output identical to the reference

// Four groups of 8 channels, on an array of 16: two of 16.
// LAYERS: fadiff.layer {{.*}}tensor<2x16x3x3x16xi8>, tensor<32xi32>) workload(<[G = 2, K = 16, C = 16, P = 12, Q = 12, R = 3, S = 3], pad = [1, 1], layouts = "NHWGC" "GCRSK" "NPQGK">) epilogue(<scale
// 16 groups of one channel and two filters.
// LAYERS: fadiff.layer {{.*}}workload(<[G = 2, K = 16, C = 8, P = 12, Q = 12, R = 3, S = 3], pad = [1, 1], layouts = "NHWGC" "GCRSK" "NPQGK">) epilogue(<scale
// Eight groups of four channels and one filter.
// LAYERS: fadiff.layer {{.*}}workload(<[G = 2, K = 4, C = 16, P = 6, Q = 6, R = 3, S = 3], stride = [2, 2], pad = [1, 1], input = [12, 12], layouts = "NHWGC" "CRSGK" "NPQGK">) epilogue(<scale
// Two groups that are wide.
// LAYERS: fadiff.layer {{.*}}workload(<[G = 2, K = 24, C = 24, P = 6, Q = 6], layouts = "NHWGC" "GCRSK" "NPQGK">) epilogue(<scale
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @main(%x: tensor<1x16x12x12xi8>, %w1: tensor<32x16x1x1xi8>, %b1: tensor<32xi32>, %w3: tensor<32x8x3x3xi8>, %b3: tensor<32xi32>, %w5: tensor<16x32x1x1xi8>, %b5: tensor<16xi32>, %w7: tensor<32x1x3x3xi8>, %b7: tensor<32xi32>, %w9: tensor<8x4x3x3xi8>, %b9: tensor<8xi32>, %w11: tensor<48x8x1x1xi8>, %b11: tensor<48xi32>, %w13: tensor<48x24x1x1xi8>, %b13: tensor<48xi32>) -> tensor<1x48x6x6xi8> {
  %c0 = arith.constant 0 : i8
  %scale = arith.constant 3.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %v1 = tensor.empty() : tensor<1x32x12x12xi32>
  %v2 = linalg.broadcast ins(%b1 : tensor<32xi32>) outs(%v1 : tensor<1x32x12x12xi32>) dimensions = [0, 2, 3]
  %v3 = linalg.conv_2d_nchw_fchw ins(%x, %w1 : tensor<1x16x12x12xi8>, tensor<32x16x1x1xi8>) outs(%v2 : tensor<1x32x12x12xi32>) -> tensor<1x32x12x12xi32>
  %v4 = tensor.empty() : tensor<1x32x12x12xi8>
  %v5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v3 : tensor<1x32x12x12xi32>) outs(%v4 : tensor<1x32x12x12xi8>) {
  ^bb0(%in: i32, %out: i8):
    %real = arith.sitofp %in : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.maximumf %whole, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x32x12x12xi8>
  %v6 = tensor.pad %v5 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c0 : i8
  } : tensor<1x32x12x12xi8> to tensor<1x32x14x14xi8>
  %v7 = tensor.empty() : tensor<1x32x12x12xi32>
  %v8 = linalg.broadcast ins(%b3 : tensor<32xi32>) outs(%v7 : tensor<1x32x12x12xi32>) dimensions = [0, 2, 3]
  %v10 = tensor.expand_shape %v6 [[0], [1, 2], [3], [4]] output_shape [1, 4, 8, 14, 14] : tensor<1x32x14x14xi8> into tensor<1x4x8x14x14xi8>
  %v11 = tensor.expand_shape %w3 [[0, 1], [2], [3], [4]] output_shape [4, 8, 8, 3, 3] : tensor<32x8x3x3xi8> into tensor<4x8x8x3x3xi8>
  %v12 = tensor.expand_shape %v8 [[0], [1, 2], [3], [4]] output_shape [1, 4, 8, 12, 12] : tensor<1x32x12x12xi32> into tensor<1x4x8x12x12xi32>
  %v13 = linalg.conv_2d_ngchw_gfchw ins(%v10, %v11 : tensor<1x4x8x14x14xi8>, tensor<4x8x8x3x3xi8>) outs(%v12 : tensor<1x4x8x12x12xi32>) -> tensor<1x4x8x12x12xi32>
  %v9 = tensor.collapse_shape %v13 [[0], [1, 2], [3], [4]] : tensor<1x4x8x12x12xi32> into tensor<1x32x12x12xi32>
  %v14 = tensor.empty() : tensor<1x32x12x12xi8>
  %v15 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9 : tensor<1x32x12x12xi32>) outs(%v14 : tensor<1x32x12x12xi8>) {
  ^bb0(%in: i32, %out: i8):
    %real = arith.sitofp %in : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.maximumf %whole, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x32x12x12xi8>
  %v16 = tensor.empty() : tensor<1x16x12x12xi32>
  %v17 = linalg.broadcast ins(%b5 : tensor<16xi32>) outs(%v16 : tensor<1x16x12x12xi32>) dimensions = [0, 2, 3]
  %v18 = linalg.conv_2d_nchw_fchw ins(%v15, %w5 : tensor<1x32x12x12xi8>, tensor<16x32x1x1xi8>) outs(%v17 : tensor<1x16x12x12xi32>) -> tensor<1x16x12x12xi32>
  %v19 = tensor.empty() : tensor<1x16x12x12xi8>
  %v20 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<1x16x12x12xi32>) outs(%v19 : tensor<1x16x12x12xi8>) {
  ^bb0(%in: i32, %out: i8):
    %real = arith.sitofp %in : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.maximumf %whole, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x16x12x12xi8>
  %v21 = tensor.pad %v20 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c0 : i8
  } : tensor<1x16x12x12xi8> to tensor<1x16x14x14xi8>
  %v22 = tensor.empty() : tensor<1x32x12x12xi32>
  %v23 = linalg.broadcast ins(%b7 : tensor<32xi32>) outs(%v22 : tensor<1x32x12x12xi32>) dimensions = [0, 2, 3]
  %v25 = tensor.expand_shape %v21 [[0], [1, 2], [3], [4]] output_shape [1, 16, 1, 14, 14] : tensor<1x16x14x14xi8> into tensor<1x16x1x14x14xi8>
  %v26 = tensor.expand_shape %w7 [[0, 1], [2], [3], [4]] output_shape [16, 2, 1, 3, 3] : tensor<32x1x3x3xi8> into tensor<16x2x1x3x3xi8>
  %v27 = tensor.expand_shape %v23 [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 12, 12] : tensor<1x32x12x12xi32> into tensor<1x16x2x12x12xi32>
  %v28 = linalg.conv_2d_ngchw_gfchw ins(%v25, %v26 : tensor<1x16x1x14x14xi8>, tensor<16x2x1x3x3xi8>) outs(%v27 : tensor<1x16x2x12x12xi32>) -> tensor<1x16x2x12x12xi32>
  %v24 = tensor.collapse_shape %v28 [[0], [1, 2], [3], [4]] : tensor<1x16x2x12x12xi32> into tensor<1x32x12x12xi32>
  %v29 = tensor.empty() : tensor<1x32x12x12xi8>
  %v30 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v24 : tensor<1x32x12x12xi32>) outs(%v29 : tensor<1x32x12x12xi8>) {
  ^bb0(%in: i32, %out: i8):
    %real = arith.sitofp %in : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.maximumf %whole, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x32x12x12xi8>
  %v31 = tensor.pad %v30 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c0 : i8
  } : tensor<1x32x12x12xi8> to tensor<1x32x14x14xi8>
  %v32 = tensor.empty() : tensor<1x8x6x6xi32>
  %v33 = linalg.broadcast ins(%b9 : tensor<8xi32>) outs(%v32 : tensor<1x8x6x6xi32>) dimensions = [0, 2, 3]
  %v35 = tensor.expand_shape %v31 [[0], [1, 2], [3], [4]] output_shape [1, 8, 4, 14, 14] : tensor<1x32x14x14xi8> into tensor<1x8x4x14x14xi8>
  %v36 = tensor.expand_shape %w9 [[0, 1], [2], [3], [4]] output_shape [8, 1, 4, 3, 3] : tensor<8x4x3x3xi8> into tensor<8x1x4x3x3xi8>
  %v37 = tensor.expand_shape %v33 [[0], [1, 2], [3], [4]] output_shape [1, 8, 1, 6, 6] : tensor<1x8x6x6xi32> into tensor<1x8x1x6x6xi32>
  %v38 = linalg.conv_2d_ngchw_gfchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%v35, %v36 : tensor<1x8x4x14x14xi8>, tensor<8x1x4x3x3xi8>) outs(%v37 : tensor<1x8x1x6x6xi32>) -> tensor<1x8x1x6x6xi32>
  %v34 = tensor.collapse_shape %v38 [[0], [1, 2], [3], [4]] : tensor<1x8x1x6x6xi32> into tensor<1x8x6x6xi32>
  %v39 = tensor.empty() : tensor<1x8x6x6xi8>
  %v40 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v34 : tensor<1x8x6x6xi32>) outs(%v39 : tensor<1x8x6x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %real = arith.sitofp %in : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.maximumf %whole, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x8x6x6xi8>
  %v41 = tensor.empty() : tensor<1x48x6x6xi32>
  %v42 = linalg.broadcast ins(%b11 : tensor<48xi32>) outs(%v41 : tensor<1x48x6x6xi32>) dimensions = [0, 2, 3]
  %v43 = linalg.conv_2d_nchw_fchw ins(%v40, %w11 : tensor<1x8x6x6xi8>, tensor<48x8x1x1xi8>) outs(%v42 : tensor<1x48x6x6xi32>) -> tensor<1x48x6x6xi32>
  %v44 = tensor.empty() : tensor<1x48x6x6xi8>
  %v45 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v43 : tensor<1x48x6x6xi32>) outs(%v44 : tensor<1x48x6x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %real = arith.sitofp %in : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.maximumf %whole, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x48x6x6xi8>
  %v46 = tensor.empty() : tensor<1x48x6x6xi32>
  %v47 = linalg.broadcast ins(%b13 : tensor<48xi32>) outs(%v46 : tensor<1x48x6x6xi32>) dimensions = [0, 2, 3]
  %v49 = tensor.expand_shape %v45 [[0], [1, 2], [3], [4]] output_shape [1, 2, 24, 6, 6] : tensor<1x48x6x6xi8> into tensor<1x2x24x6x6xi8>
  %v50 = tensor.expand_shape %w13 [[0, 1], [2], [3], [4]] output_shape [2, 24, 24, 1, 1] : tensor<48x24x1x1xi8> into tensor<2x24x24x1x1xi8>
  %v51 = tensor.expand_shape %v47 [[0], [1, 2], [3], [4]] output_shape [1, 2, 24, 6, 6] : tensor<1x48x6x6xi32> into tensor<1x2x24x6x6xi32>
  %v52 = linalg.conv_2d_ngchw_gfchw ins(%v49, %v50 : tensor<1x2x24x6x6xi8>, tensor<2x24x24x1x1xi8>) outs(%v51 : tensor<1x2x24x6x6xi32>) -> tensor<1x2x24x6x6xi32>
  %v48 = tensor.collapse_shape %v52 [[0], [1, 2], [3], [4]] : tensor<1x2x24x6x6xi32> into tensor<1x48x6x6xi32>
  %v53 = tensor.empty() : tensor<1x48x6x6xi8>
  %v54 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v48 : tensor<1x48x6x6xi32>) outs(%v53 : tensor<1x48x6x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %real = arith.sitofp %in : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.maximumf %whole, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x48x6x6xi8>
  return %v54 : tensor<1x48x6x6xi8>
}
