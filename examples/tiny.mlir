// tiny: written by scripts/generate_networks.py; do not edit.
#map0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(
      %input: tensor<1x15x13x3xi8>,
      %conv1_weight: tensor<3x3x3x10xi8>,
      %conv1_bias: tensor<10xi32>,
      %dw1_weight: tensor<3x3x10xi8>,
      %dw1_bias: tensor<10xi32>,
      %pw1_weight: tensor<1x1x10x21xi8>,
      %pw1_bias: tensor<21xi32>,
      %conv2_weight: tensor<3x3x21x21xi8>,
      %conv2_bias: tensor<21xi32>,
      %conv3_weight: tensor<3x3x21x18xi8>,
      %conv3_bias: tensor<18xi32>,
      %fc_weight: tensor<18x11xi8>,
      %fc_bias: tensor<11xi32>)
      -> tensor<1x11xi8> {
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 0 : i32
    %c2 = arith.constant 1.28405599e-03 : f32
    %c3 = arith.constant -1.280000e+02 : f32
    %c4 = arith.constant 1.270000e+02 : f32
    %c5 = arith.constant -128 : i8
    %c6 = arith.constant 4.39653313e-03 : f32
    %c7 = arith.constant 5.66167617e-03 : f32
    %c8 = arith.constant 1.39702600e-03 : f32
    %c9 = arith.constant 8.16496611e-01 : f32
    %c10 = arith.constant 1.14185002e-03 : f32
    %c11 = arith.constant 6.25000000e-02 : f32
    %c12 = arith.constant 4.35598055e-03 : f32
    %0 = tensor.pad %input low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x15x13x3xi8> to tensor<1x17x15x3xi8>
    %1 = tensor.empty() : tensor<1x15x13x10xi32>
    %2 = linalg.fill ins(%c1 : i32) outs(%1 : tensor<1x15x13x10xi32>) -> tensor<1x15x13x10xi32>
    %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%0, %conv1_weight : tensor<1x17x15x3xi8>, tensor<3x3x3x10xi8>) outs(%2 : tensor<1x15x13x10xi32>) -> tensor<1x15x13x10xi32> loc("conv1")
    %4 = tensor.empty() : tensor<1x15x13x10xi32>
    %5 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %conv1_bias : tensor<1x15x13x10xi32>, tensor<10xi32>) outs(%4 : tensor<1x15x13x10xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x15x13x10xi32>
    %6 = tensor.empty() : tensor<1x15x13x10xi8>
    %7 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x15x13x10xi32>) outs(%6 : tensor<1x15x13x10xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c2 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x15x13x10xi8>
    %8 = tensor.empty() : tensor<1x15x13x10xi8>
    %9 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x15x13x10xi8>) outs(%8 : tensor<1x15x13x10xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x15x13x10xi8>
    %10 = tensor.pad %9 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c5 : i8
    } : tensor<1x15x13x10xi8> to tensor<1x17x15x10xi8>
    %11 = tensor.empty() : tensor<3x3xi8>
    %12 = tensor.empty() : tensor<1x8x7x10xi8>
    %13 = linalg.fill ins(%c5 : i8) outs(%12 : tensor<1x8x7x10xi8>) -> tensor<1x8x7x10xi8>
    %14 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%10, %11 : tensor<1x17x15x10xi8>, tensor<3x3xi8>) outs(%13 : tensor<1x8x7x10xi8>) -> tensor<1x8x7x10xi8>
    %15 = tensor.pad %14 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x8x7x10xi8> to tensor<1x10x9x10xi8>
    %16 = tensor.empty() : tensor<1x8x7x10xi32>
    %17 = linalg.fill ins(%c1 : i32) outs(%16 : tensor<1x8x7x10xi32>) -> tensor<1x8x7x10xi32>
    %18 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%15, %dw1_weight : tensor<1x10x9x10xi8>, tensor<3x3x10xi8>) outs(%17 : tensor<1x8x7x10xi32>) -> tensor<1x8x7x10xi32> loc("dw1")
    %19 = tensor.empty() : tensor<1x8x7x10xi32>
    %20 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %dw1_bias : tensor<1x8x7x10xi32>, tensor<10xi32>) outs(%19 : tensor<1x8x7x10xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x8x7x10xi32>
    %21 = tensor.empty() : tensor<1x8x7x10xi8>
    %22 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x8x7x10xi32>) outs(%21 : tensor<1x8x7x10xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c6 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x8x7x10xi8>
    %23 = tensor.empty() : tensor<1x8x7x10xi8>
    %24 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x8x7x10xi8>) outs(%23 : tensor<1x8x7x10xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x8x7x10xi8>
    %25 = tensor.empty() : tensor<1x8x7x21xi32>
    %26 = linalg.fill ins(%c1 : i32) outs(%25 : tensor<1x8x7x21xi32>) -> tensor<1x8x7x21xi32>
    %27 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%24, %pw1_weight : tensor<1x8x7x10xi8>, tensor<1x1x10x21xi8>) outs(%26 : tensor<1x8x7x21xi32>) -> tensor<1x8x7x21xi32> loc("pw1")
    %28 = tensor.empty() : tensor<1x8x7x21xi32>
    %29 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %pw1_bias : tensor<1x8x7x21xi32>, tensor<21xi32>) outs(%28 : tensor<1x8x7x21xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x8x7x21xi32>
    %30 = tensor.empty() : tensor<1x8x7x21xi8>
    %31 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x8x7x21xi32>) outs(%30 : tensor<1x8x7x21xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c7 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x8x7x21xi8>
    %32 = tensor.empty() : tensor<1x8x7x21xi8>
    %33 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x8x7x21xi8>) outs(%32 : tensor<1x8x7x21xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x8x7x21xi8>
    %34 = tensor.pad %33 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x8x7x21xi8> to tensor<1x10x9x21xi8>
    %35 = tensor.empty() : tensor<1x8x7x21xi32>
    %36 = linalg.fill ins(%c1 : i32) outs(%35 : tensor<1x8x7x21xi32>) -> tensor<1x8x7x21xi32>
    %37 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%34, %conv2_weight : tensor<1x10x9x21xi8>, tensor<3x3x21x21xi8>) outs(%36 : tensor<1x8x7x21xi32>) -> tensor<1x8x7x21xi32> loc("conv2")
    %38 = tensor.empty() : tensor<1x8x7x21xi32>
    %39 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %conv2_bias : tensor<1x8x7x21xi32>, tensor<21xi32>) outs(%38 : tensor<1x8x7x21xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x8x7x21xi32>
    %40 = tensor.empty() : tensor<1x8x7x21xi8>
    %41 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x8x7x21xi32>) outs(%40 : tensor<1x8x7x21xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x8x7x21xi8>
    %42 = tensor.empty() : tensor<1x8x7x21xi32>
    %43 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %33 : tensor<1x8x7x21xi8>, tensor<1x8x7x21xi8>) outs(%42 : tensor<1x8x7x21xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x8x7x21xi32>
    %44 = tensor.empty() : tensor<1x8x7x21xi8>
    %45 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x8x7x21xi32>) outs(%44 : tensor<1x8x7x21xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c9 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x8x7x21xi8>
    %46 = tensor.empty() : tensor<1x8x7x21xi8>
    %47 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x8x7x21xi8>) outs(%46 : tensor<1x8x7x21xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x8x7x21xi8>
    %48 = tensor.pad %47 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x8x7x21xi8> to tensor<1x10x9x21xi8>
    %49 = tensor.empty() : tensor<1x4x4x18xi32>
    %50 = linalg.fill ins(%c1 : i32) outs(%49 : tensor<1x4x4x18xi32>) -> tensor<1x4x4x18xi32>
    %51 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%48, %conv3_weight : tensor<1x10x9x21xi8>, tensor<3x3x21x18xi8>) outs(%50 : tensor<1x4x4x18xi32>) -> tensor<1x4x4x18xi32> loc("conv3")
    %52 = tensor.empty() : tensor<1x4x4x18xi32>
    %53 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %conv3_bias : tensor<1x4x4x18xi32>, tensor<18xi32>) outs(%52 : tensor<1x4x4x18xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x4x4x18xi32>
    %54 = tensor.empty() : tensor<1x4x4x18xi8>
    %55 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x4x4x18xi32>) outs(%54 : tensor<1x4x4x18xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x4x4x18xi8>
    %56 = tensor.empty() : tensor<1x4x4x18xi8>
    %57 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x4x4x18xi8>) outs(%56 : tensor<1x4x4x18xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x4x4x18xi8>
    %58 = tensor.empty() : tensor<4x4xi8>
    %59 = tensor.empty() : tensor<1x1x1x18xi32>
    %60 = linalg.fill ins(%c1 : i32) outs(%59 : tensor<1x1x1x18xi32>) -> tensor<1x1x1x18xi32>
    %61 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%57, %58 : tensor<1x4x4x18xi8>, tensor<4x4xi8>) outs(%60 : tensor<1x1x1x18xi32>) -> tensor<1x1x1x18xi32>
    %62 = tensor.empty() : tensor<1x1x1x18xi8>
    %63 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x1x1x18xi32>) outs(%62 : tensor<1x1x1x18xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c11 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x1x1x18xi8>
    %64 = tensor.collapse_shape %63 [[0], [1, 2, 3]] : tensor<1x1x1x18xi8> into tensor<1x18xi8>
    %65 = tensor.empty() : tensor<1x11xi32>
    %66 = linalg.fill ins(%c1 : i32) outs(%65 : tensor<1x11xi32>) -> tensor<1x11xi32>
    %67 = linalg.matmul ins(%64, %fc_weight : tensor<1x18xi8>, tensor<18x11xi8>) outs(%66 : tensor<1x11xi32>) -> tensor<1x11xi32> loc("fc")
    %68 = tensor.empty() : tensor<1x11xi32>
    %69 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%67, %fc_bias : tensor<1x11xi32>, tensor<11xi32>) outs(%68 : tensor<1x11xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x11xi32>
    %70 = tensor.empty() : tensor<1x11xi8>
    %71 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%69 : tensor<1x11xi32>) outs(%70 : tensor<1x11xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x11xi8>
    return %71 : tensor<1x11xi8>
  }
}
