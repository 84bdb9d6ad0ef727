// mobilenet_v1: written by scripts/generate_networks.py; do not edit.
#map0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(
      %input: tensor<1x224x224x3xi8>,
      %conv1_weight: tensor<3x3x3x32xi8>,
      %conv1_bias: tensor<32xi32>,
      %dw1_weight: tensor<3x3x32xi8>,
      %dw1_bias: tensor<32xi32>,
      %pw1_weight: tensor<1x1x32x64xi8>,
      %pw1_bias: tensor<64xi32>,
      %dw2_weight: tensor<3x3x64xi8>,
      %dw2_bias: tensor<64xi32>,
      %pw2_weight: tensor<1x1x64x128xi8>,
      %pw2_bias: tensor<128xi32>,
      %dw3_weight: tensor<3x3x128xi8>,
      %dw3_bias: tensor<128xi32>,
      %pw3_weight: tensor<1x1x128x128xi8>,
      %pw3_bias: tensor<128xi32>,
      %dw4_weight: tensor<3x3x128xi8>,
      %dw4_bias: tensor<128xi32>,
      %pw4_weight: tensor<1x1x128x256xi8>,
      %pw4_bias: tensor<256xi32>,
      %dw5_weight: tensor<3x3x256xi8>,
      %dw5_bias: tensor<256xi32>,
      %pw5_weight: tensor<1x1x256x256xi8>,
      %pw5_bias: tensor<256xi32>,
      %dw6_weight: tensor<3x3x256xi8>,
      %dw6_bias: tensor<256xi32>,
      %pw6_weight: tensor<1x1x256x512xi8>,
      %pw6_bias: tensor<512xi32>,
      %dw7_weight: tensor<3x3x512xi8>,
      %dw7_bias: tensor<512xi32>,
      %pw7_weight: tensor<1x1x512x512xi8>,
      %pw7_bias: tensor<512xi32>,
      %dw8_weight: tensor<3x3x512xi8>,
      %dw8_bias: tensor<512xi32>,
      %pw8_weight: tensor<1x1x512x512xi8>,
      %pw8_bias: tensor<512xi32>,
      %dw9_weight: tensor<3x3x512xi8>,
      %dw9_bias: tensor<512xi32>,
      %pw9_weight: tensor<1x1x512x512xi8>,
      %pw9_bias: tensor<512xi32>,
      %dw10_weight: tensor<3x3x512xi8>,
      %dw10_bias: tensor<512xi32>,
      %pw10_weight: tensor<1x1x512x512xi8>,
      %pw10_bias: tensor<512xi32>,
      %dw11_weight: tensor<3x3x512xi8>,
      %dw11_bias: tensor<512xi32>,
      %pw11_weight: tensor<1x1x512x512xi8>,
      %pw11_bias: tensor<512xi32>,
      %dw12_weight: tensor<3x3x512xi8>,
      %dw12_bias: tensor<512xi32>,
      %pw12_weight: tensor<1x1x512x1024xi8>,
      %pw12_bias: tensor<1024xi32>,
      %dw13_weight: tensor<3x3x1024xi8>,
      %dw13_bias: tensor<1024xi32>,
      %pw13_weight: tensor<1x1x1024x1024xi8>,
      %pw13_bias: tensor<1024xi32>,
      %fc_weight: tensor<1024x1000xi8>,
      %fc_bias: tensor<1000xi32>)
      -> tensor<1x1000xi8> {
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 0 : i32
    %c2 = arith.constant 1.28405599e-03 : f32
    %c3 = arith.constant -1.280000e+02 : f32
    %c4 = arith.constant 1.270000e+02 : f32
    %c5 = arith.constant 5.92259225e-03 : f32
    %c6 = arith.constant 3.32712010e-03 : f32
    %c7 = arith.constant 2.38123722e-03 : f32
    %c8 = arith.constant 1.69418426e-03 : f32
    %c9 = arith.constant 1.20169588e-03 : f32
    %c10 = arith.constant 8.51054152e-04 : f32
    %c11 = arith.constant 6.02256914e-04 : f32
    %c12 = arith.constant 2.04081628e-02 : f32
    %0 = tensor.pad %input low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x224x224x3xi8> to tensor<1x226x226x3xi8>
    %1 = tensor.empty() : tensor<1x112x112x32xi32>
    %2 = linalg.fill ins(%c1 : i32) outs(%1 : tensor<1x112x112x32xi32>) -> tensor<1x112x112x32xi32>
    %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %conv1_weight : tensor<1x226x226x3xi8>, tensor<3x3x3x32xi8>) outs(%2 : tensor<1x112x112x32xi32>) -> tensor<1x112x112x32xi32> loc("conv1")
    %4 = tensor.empty() : tensor<1x112x112x32xi32>
    %5 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %conv1_bias : tensor<1x112x112x32xi32>, tensor<32xi32>) outs(%4 : tensor<1x112x112x32xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x112x112x32xi32>
    %6 = tensor.empty() : tensor<1x112x112x32xi8>
    %7 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x112x112x32xi32>) outs(%6 : tensor<1x112x112x32xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c2 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x112x112x32xi8>
    %8 = tensor.empty() : tensor<1x112x112x32xi8>
    %9 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x112x112x32xi8>) outs(%8 : tensor<1x112x112x32xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x112x112x32xi8>
    %10 = tensor.pad %9 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x112x112x32xi8> to tensor<1x114x114x32xi8>
    %11 = tensor.empty() : tensor<1x112x112x32xi32>
    %12 = linalg.fill ins(%c1 : i32) outs(%11 : tensor<1x112x112x32xi32>) -> tensor<1x112x112x32xi32>
    %13 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%10, %dw1_weight : tensor<1x114x114x32xi8>, tensor<3x3x32xi8>) outs(%12 : tensor<1x112x112x32xi32>) -> tensor<1x112x112x32xi32> loc("dw1")
    %14 = tensor.empty() : tensor<1x112x112x32xi32>
    %15 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %dw1_bias : tensor<1x112x112x32xi32>, tensor<32xi32>) outs(%14 : tensor<1x112x112x32xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x112x112x32xi32>
    %16 = tensor.empty() : tensor<1x112x112x32xi8>
    %17 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x112x112x32xi32>) outs(%16 : tensor<1x112x112x32xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x112x112x32xi8>
    %18 = tensor.empty() : tensor<1x112x112x32xi8>
    %19 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x112x112x32xi8>) outs(%18 : tensor<1x112x112x32xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x112x112x32xi8>
    %20 = tensor.empty() : tensor<1x112x112x64xi32>
    %21 = linalg.fill ins(%c1 : i32) outs(%20 : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32>
    %22 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%19, %pw1_weight : tensor<1x112x112x32xi8>, tensor<1x1x32x64xi8>) outs(%21 : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32> loc("pw1")
    %23 = tensor.empty() : tensor<1x112x112x64xi32>
    %24 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %pw1_bias : tensor<1x112x112x64xi32>, tensor<64xi32>) outs(%23 : tensor<1x112x112x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x112x112x64xi32>
    %25 = tensor.empty() : tensor<1x112x112x64xi8>
    %26 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x112x112x64xi32>) outs(%25 : tensor<1x112x112x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c6 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x112x112x64xi8>
    %27 = tensor.empty() : tensor<1x112x112x64xi8>
    %28 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x112x112x64xi8>) outs(%27 : tensor<1x112x112x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x112x112x64xi8>
    %29 = tensor.pad %28 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x112x112x64xi8> to tensor<1x114x114x64xi8>
    %30 = tensor.empty() : tensor<1x56x56x64xi32>
    %31 = linalg.fill ins(%c1 : i32) outs(%30 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32>
    %32 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%29, %dw2_weight : tensor<1x114x114x64xi8>, tensor<3x3x64xi8>) outs(%31 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32> loc("dw2")
    %33 = tensor.empty() : tensor<1x56x56x64xi32>
    %34 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %dw2_bias : tensor<1x56x56x64xi32>, tensor<64xi32>) outs(%33 : tensor<1x56x56x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x64xi32>
    %35 = tensor.empty() : tensor<1x56x56x64xi8>
    %36 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x56x56x64xi32>) outs(%35 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x64xi8>
    %37 = tensor.empty() : tensor<1x56x56x64xi8>
    %38 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x56x56x64xi8>) outs(%37 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x64xi8>
    %39 = tensor.empty() : tensor<1x56x56x128xi32>
    %40 = linalg.fill ins(%c1 : i32) outs(%39 : tensor<1x56x56x128xi32>) -> tensor<1x56x56x128xi32>
    %41 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%38, %pw2_weight : tensor<1x56x56x64xi8>, tensor<1x1x64x128xi8>) outs(%40 : tensor<1x56x56x128xi32>) -> tensor<1x56x56x128xi32> loc("pw2")
    %42 = tensor.empty() : tensor<1x56x56x128xi32>
    %43 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %pw2_bias : tensor<1x56x56x128xi32>, tensor<128xi32>) outs(%42 : tensor<1x56x56x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x128xi32>
    %44 = tensor.empty() : tensor<1x56x56x128xi8>
    %45 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x56x56x128xi32>) outs(%44 : tensor<1x56x56x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c7 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x128xi8>
    %46 = tensor.empty() : tensor<1x56x56x128xi8>
    %47 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x56x56x128xi8>) outs(%46 : tensor<1x56x56x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x128xi8>
    %48 = tensor.pad %47 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x128xi8> to tensor<1x58x58x128xi8>
    %49 = tensor.empty() : tensor<1x56x56x128xi32>
    %50 = linalg.fill ins(%c1 : i32) outs(%49 : tensor<1x56x56x128xi32>) -> tensor<1x56x56x128xi32>
    %51 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%48, %dw3_weight : tensor<1x58x58x128xi8>, tensor<3x3x128xi8>) outs(%50 : tensor<1x56x56x128xi32>) -> tensor<1x56x56x128xi32> loc("dw3")
    %52 = tensor.empty() : tensor<1x56x56x128xi32>
    %53 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %dw3_bias : tensor<1x56x56x128xi32>, tensor<128xi32>) outs(%52 : tensor<1x56x56x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x128xi32>
    %54 = tensor.empty() : tensor<1x56x56x128xi8>
    %55 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x56x56x128xi32>) outs(%54 : tensor<1x56x56x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x128xi8>
    %56 = tensor.empty() : tensor<1x56x56x128xi8>
    %57 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x56x56x128xi8>) outs(%56 : tensor<1x56x56x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x128xi8>
    %58 = tensor.empty() : tensor<1x56x56x128xi32>
    %59 = linalg.fill ins(%c1 : i32) outs(%58 : tensor<1x56x56x128xi32>) -> tensor<1x56x56x128xi32>
    %60 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%57, %pw3_weight : tensor<1x56x56x128xi8>, tensor<1x1x128x128xi8>) outs(%59 : tensor<1x56x56x128xi32>) -> tensor<1x56x56x128xi32> loc("pw3")
    %61 = tensor.empty() : tensor<1x56x56x128xi32>
    %62 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %pw3_bias : tensor<1x56x56x128xi32>, tensor<128xi32>) outs(%61 : tensor<1x56x56x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x128xi32>
    %63 = tensor.empty() : tensor<1x56x56x128xi8>
    %64 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x56x56x128xi32>) outs(%63 : tensor<1x56x56x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x128xi8>
    %65 = tensor.empty() : tensor<1x56x56x128xi8>
    %66 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x56x56x128xi8>) outs(%65 : tensor<1x56x56x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x128xi8>
    %67 = tensor.pad %66 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x128xi8> to tensor<1x58x58x128xi8>
    %68 = tensor.empty() : tensor<1x28x28x128xi32>
    %69 = linalg.fill ins(%c1 : i32) outs(%68 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32>
    %70 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%67, %dw4_weight : tensor<1x58x58x128xi8>, tensor<3x3x128xi8>) outs(%69 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32> loc("dw4")
    %71 = tensor.empty() : tensor<1x28x28x128xi32>
    %72 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %dw4_bias : tensor<1x28x28x128xi32>, tensor<128xi32>) outs(%71 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %73 = tensor.empty() : tensor<1x28x28x128xi8>
    %74 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<1x28x28x128xi32>) outs(%73 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %75 = tensor.empty() : tensor<1x28x28x128xi8>
    %76 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x28x28x128xi8>) outs(%75 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x128xi8>
    %77 = tensor.empty() : tensor<1x28x28x256xi32>
    %78 = linalg.fill ins(%c1 : i32) outs(%77 : tensor<1x28x28x256xi32>) -> tensor<1x28x28x256xi32>
    %79 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%76, %pw4_weight : tensor<1x28x28x128xi8>, tensor<1x1x128x256xi8>) outs(%78 : tensor<1x28x28x256xi32>) -> tensor<1x28x28x256xi32> loc("pw4")
    %80 = tensor.empty() : tensor<1x28x28x256xi32>
    %81 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %pw4_bias : tensor<1x28x28x256xi32>, tensor<256xi32>) outs(%80 : tensor<1x28x28x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x256xi32>
    %82 = tensor.empty() : tensor<1x28x28x256xi8>
    %83 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x28x28x256xi32>) outs(%82 : tensor<1x28x28x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x256xi8>
    %84 = tensor.empty() : tensor<1x28x28x256xi8>
    %85 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x28x28x256xi8>) outs(%84 : tensor<1x28x28x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x256xi8>
    %86 = tensor.pad %85 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x256xi8> to tensor<1x30x30x256xi8>
    %87 = tensor.empty() : tensor<1x28x28x256xi32>
    %88 = linalg.fill ins(%c1 : i32) outs(%87 : tensor<1x28x28x256xi32>) -> tensor<1x28x28x256xi32>
    %89 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%86, %dw5_weight : tensor<1x30x30x256xi8>, tensor<3x3x256xi8>) outs(%88 : tensor<1x28x28x256xi32>) -> tensor<1x28x28x256xi32> loc("dw5")
    %90 = tensor.empty() : tensor<1x28x28x256xi32>
    %91 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89, %dw5_bias : tensor<1x28x28x256xi32>, tensor<256xi32>) outs(%90 : tensor<1x28x28x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x256xi32>
    %92 = tensor.empty() : tensor<1x28x28x256xi8>
    %93 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x28x28x256xi32>) outs(%92 : tensor<1x28x28x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x256xi8>
    %94 = tensor.empty() : tensor<1x28x28x256xi8>
    %95 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93 : tensor<1x28x28x256xi8>) outs(%94 : tensor<1x28x28x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x256xi8>
    %96 = tensor.empty() : tensor<1x28x28x256xi32>
    %97 = linalg.fill ins(%c1 : i32) outs(%96 : tensor<1x28x28x256xi32>) -> tensor<1x28x28x256xi32>
    %98 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%95, %pw5_weight : tensor<1x28x28x256xi8>, tensor<1x1x256x256xi8>) outs(%97 : tensor<1x28x28x256xi32>) -> tensor<1x28x28x256xi32> loc("pw5")
    %99 = tensor.empty() : tensor<1x28x28x256xi32>
    %100 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98, %pw5_bias : tensor<1x28x28x256xi32>, tensor<256xi32>) outs(%99 : tensor<1x28x28x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x256xi32>
    %101 = tensor.empty() : tensor<1x28x28x256xi8>
    %102 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100 : tensor<1x28x28x256xi32>) outs(%101 : tensor<1x28x28x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c9 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x256xi8>
    %103 = tensor.empty() : tensor<1x28x28x256xi8>
    %104 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102 : tensor<1x28x28x256xi8>) outs(%103 : tensor<1x28x28x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x256xi8>
    %105 = tensor.pad %104 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x256xi8> to tensor<1x30x30x256xi8>
    %106 = tensor.empty() : tensor<1x14x14x256xi32>
    %107 = linalg.fill ins(%c1 : i32) outs(%106 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32>
    %108 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%105, %dw6_weight : tensor<1x30x30x256xi8>, tensor<3x3x256xi8>) outs(%107 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32> loc("dw6")
    %109 = tensor.empty() : tensor<1x14x14x256xi32>
    %110 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108, %dw6_bias : tensor<1x14x14x256xi32>, tensor<256xi32>) outs(%109 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %111 = tensor.empty() : tensor<1x14x14x256xi8>
    %112 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110 : tensor<1x14x14x256xi32>) outs(%111 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %113 = tensor.empty() : tensor<1x14x14x256xi8>
    %114 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<1x14x14x256xi8>) outs(%113 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x256xi8>
    %115 = tensor.empty() : tensor<1x14x14x512xi32>
    %116 = linalg.fill ins(%c1 : i32) outs(%115 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %117 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%114, %pw6_weight : tensor<1x14x14x256xi8>, tensor<1x1x256x512xi8>) outs(%116 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("pw6")
    %118 = tensor.empty() : tensor<1x14x14x512xi32>
    %119 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117, %pw6_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%118 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %120 = tensor.empty() : tensor<1x14x14x512xi8>
    %121 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<1x14x14x512xi32>) outs(%120 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c9 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %122 = tensor.empty() : tensor<1x14x14x512xi8>
    %123 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121 : tensor<1x14x14x512xi8>) outs(%122 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %124 = tensor.pad %123 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %125 = tensor.empty() : tensor<1x14x14x512xi32>
    %126 = linalg.fill ins(%c1 : i32) outs(%125 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %127 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%124, %dw7_weight : tensor<1x16x16x512xi8>, tensor<3x3x512xi8>) outs(%126 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("dw7")
    %128 = tensor.empty() : tensor<1x14x14x512xi32>
    %129 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %dw7_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%128 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %130 = tensor.empty() : tensor<1x14x14x512xi8>
    %131 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129 : tensor<1x14x14x512xi32>) outs(%130 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %132 = tensor.empty() : tensor<1x14x14x512xi8>
    %133 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131 : tensor<1x14x14x512xi8>) outs(%132 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %134 = tensor.empty() : tensor<1x14x14x512xi32>
    %135 = linalg.fill ins(%c1 : i32) outs(%134 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %136 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%133, %pw7_weight : tensor<1x14x14x512xi8>, tensor<1x1x512x512xi8>) outs(%135 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("pw7")
    %137 = tensor.empty() : tensor<1x14x14x512xi32>
    %138 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136, %pw7_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%137 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %139 = tensor.empty() : tensor<1x14x14x512xi8>
    %140 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138 : tensor<1x14x14x512xi32>) outs(%139 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %141 = tensor.empty() : tensor<1x14x14x512xi8>
    %142 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<1x14x14x512xi8>) outs(%141 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %143 = tensor.pad %142 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %144 = tensor.empty() : tensor<1x14x14x512xi32>
    %145 = linalg.fill ins(%c1 : i32) outs(%144 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %146 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%143, %dw8_weight : tensor<1x16x16x512xi8>, tensor<3x3x512xi8>) outs(%145 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("dw8")
    %147 = tensor.empty() : tensor<1x14x14x512xi32>
    %148 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146, %dw8_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%147 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %149 = tensor.empty() : tensor<1x14x14x512xi8>
    %150 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%148 : tensor<1x14x14x512xi32>) outs(%149 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %151 = tensor.empty() : tensor<1x14x14x512xi8>
    %152 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<1x14x14x512xi8>) outs(%151 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %153 = tensor.empty() : tensor<1x14x14x512xi32>
    %154 = linalg.fill ins(%c1 : i32) outs(%153 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %155 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%152, %pw8_weight : tensor<1x14x14x512xi8>, tensor<1x1x512x512xi8>) outs(%154 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("pw8")
    %156 = tensor.empty() : tensor<1x14x14x512xi32>
    %157 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155, %pw8_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%156 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %158 = tensor.empty() : tensor<1x14x14x512xi8>
    %159 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%157 : tensor<1x14x14x512xi32>) outs(%158 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %160 = tensor.empty() : tensor<1x14x14x512xi8>
    %161 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%159 : tensor<1x14x14x512xi8>) outs(%160 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %162 = tensor.pad %161 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %163 = tensor.empty() : tensor<1x14x14x512xi32>
    %164 = linalg.fill ins(%c1 : i32) outs(%163 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %165 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%162, %dw9_weight : tensor<1x16x16x512xi8>, tensor<3x3x512xi8>) outs(%164 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("dw9")
    %166 = tensor.empty() : tensor<1x14x14x512xi32>
    %167 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165, %dw9_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%166 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %168 = tensor.empty() : tensor<1x14x14x512xi8>
    %169 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%167 : tensor<1x14x14x512xi32>) outs(%168 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %170 = tensor.empty() : tensor<1x14x14x512xi8>
    %171 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%169 : tensor<1x14x14x512xi8>) outs(%170 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %172 = tensor.empty() : tensor<1x14x14x512xi32>
    %173 = linalg.fill ins(%c1 : i32) outs(%172 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %174 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%171, %pw9_weight : tensor<1x14x14x512xi8>, tensor<1x1x512x512xi8>) outs(%173 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("pw9")
    %175 = tensor.empty() : tensor<1x14x14x512xi32>
    %176 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%174, %pw9_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%175 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %177 = tensor.empty() : tensor<1x14x14x512xi8>
    %178 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%176 : tensor<1x14x14x512xi32>) outs(%177 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %179 = tensor.empty() : tensor<1x14x14x512xi8>
    %180 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%178 : tensor<1x14x14x512xi8>) outs(%179 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %181 = tensor.pad %180 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %182 = tensor.empty() : tensor<1x14x14x512xi32>
    %183 = linalg.fill ins(%c1 : i32) outs(%182 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %184 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%181, %dw10_weight : tensor<1x16x16x512xi8>, tensor<3x3x512xi8>) outs(%183 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("dw10")
    %185 = tensor.empty() : tensor<1x14x14x512xi32>
    %186 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%184, %dw10_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%185 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %187 = tensor.empty() : tensor<1x14x14x512xi8>
    %188 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%186 : tensor<1x14x14x512xi32>) outs(%187 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %189 = tensor.empty() : tensor<1x14x14x512xi8>
    %190 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%188 : tensor<1x14x14x512xi8>) outs(%189 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %191 = tensor.empty() : tensor<1x14x14x512xi32>
    %192 = linalg.fill ins(%c1 : i32) outs(%191 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %193 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%190, %pw10_weight : tensor<1x14x14x512xi8>, tensor<1x1x512x512xi8>) outs(%192 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("pw10")
    %194 = tensor.empty() : tensor<1x14x14x512xi32>
    %195 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%193, %pw10_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%194 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %196 = tensor.empty() : tensor<1x14x14x512xi8>
    %197 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%195 : tensor<1x14x14x512xi32>) outs(%196 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %198 = tensor.empty() : tensor<1x14x14x512xi8>
    %199 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%197 : tensor<1x14x14x512xi8>) outs(%198 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %200 = tensor.pad %199 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %201 = tensor.empty() : tensor<1x14x14x512xi32>
    %202 = linalg.fill ins(%c1 : i32) outs(%201 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %203 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%200, %dw11_weight : tensor<1x16x16x512xi8>, tensor<3x3x512xi8>) outs(%202 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("dw11")
    %204 = tensor.empty() : tensor<1x14x14x512xi32>
    %205 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%203, %dw11_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%204 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %206 = tensor.empty() : tensor<1x14x14x512xi8>
    %207 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%205 : tensor<1x14x14x512xi32>) outs(%206 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %208 = tensor.empty() : tensor<1x14x14x512xi8>
    %209 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%207 : tensor<1x14x14x512xi8>) outs(%208 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %210 = tensor.empty() : tensor<1x14x14x512xi32>
    %211 = linalg.fill ins(%c1 : i32) outs(%210 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %212 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%209, %pw11_weight : tensor<1x14x14x512xi8>, tensor<1x1x512x512xi8>) outs(%211 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("pw11")
    %213 = tensor.empty() : tensor<1x14x14x512xi32>
    %214 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%212, %pw11_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%213 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %215 = tensor.empty() : tensor<1x14x14x512xi8>
    %216 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%214 : tensor<1x14x14x512xi32>) outs(%215 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %217 = tensor.empty() : tensor<1x14x14x512xi8>
    %218 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%216 : tensor<1x14x14x512xi8>) outs(%217 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %219 = tensor.pad %218 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %220 = tensor.empty() : tensor<1x7x7x512xi32>
    %221 = linalg.fill ins(%c1 : i32) outs(%220 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32>
    %222 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%219, %dw12_weight : tensor<1x16x16x512xi8>, tensor<3x3x512xi8>) outs(%221 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32> loc("dw12")
    %223 = tensor.empty() : tensor<1x7x7x512xi32>
    %224 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%222, %dw12_bias : tensor<1x7x7x512xi32>, tensor<512xi32>) outs(%223 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %225 = tensor.empty() : tensor<1x7x7x512xi8>
    %226 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%224 : tensor<1x7x7x512xi32>) outs(%225 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %227 = tensor.empty() : tensor<1x7x7x512xi8>
    %228 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%226 : tensor<1x7x7x512xi8>) outs(%227 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x512xi8>
    %229 = tensor.empty() : tensor<1x7x7x1024xi32>
    %230 = linalg.fill ins(%c1 : i32) outs(%229 : tensor<1x7x7x1024xi32>) -> tensor<1x7x7x1024xi32>
    %231 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%228, %pw12_weight : tensor<1x7x7x512xi8>, tensor<1x1x512x1024xi8>) outs(%230 : tensor<1x7x7x1024xi32>) -> tensor<1x7x7x1024xi32> loc("pw12")
    %232 = tensor.empty() : tensor<1x7x7x1024xi32>
    %233 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%231, %pw12_bias : tensor<1x7x7x1024xi32>, tensor<1024xi32>) outs(%232 : tensor<1x7x7x1024xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x1024xi32>
    %234 = tensor.empty() : tensor<1x7x7x1024xi8>
    %235 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%233 : tensor<1x7x7x1024xi32>) outs(%234 : tensor<1x7x7x1024xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x1024xi8>
    %236 = tensor.empty() : tensor<1x7x7x1024xi8>
    %237 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%235 : tensor<1x7x7x1024xi8>) outs(%236 : tensor<1x7x7x1024xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x1024xi8>
    %238 = tensor.pad %237 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x7x7x1024xi8> to tensor<1x9x9x1024xi8>
    %239 = tensor.empty() : tensor<1x7x7x1024xi32>
    %240 = linalg.fill ins(%c1 : i32) outs(%239 : tensor<1x7x7x1024xi32>) -> tensor<1x7x7x1024xi32>
    %241 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%238, %dw13_weight : tensor<1x9x9x1024xi8>, tensor<3x3x1024xi8>) outs(%240 : tensor<1x7x7x1024xi32>) -> tensor<1x7x7x1024xi32> loc("dw13")
    %242 = tensor.empty() : tensor<1x7x7x1024xi32>
    %243 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%241, %dw13_bias : tensor<1x7x7x1024xi32>, tensor<1024xi32>) outs(%242 : tensor<1x7x7x1024xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x1024xi32>
    %244 = tensor.empty() : tensor<1x7x7x1024xi8>
    %245 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%243 : tensor<1x7x7x1024xi32>) outs(%244 : tensor<1x7x7x1024xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x1024xi8>
    %246 = tensor.empty() : tensor<1x7x7x1024xi8>
    %247 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245 : tensor<1x7x7x1024xi8>) outs(%246 : tensor<1x7x7x1024xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x1024xi8>
    %248 = tensor.empty() : tensor<1x7x7x1024xi32>
    %249 = linalg.fill ins(%c1 : i32) outs(%248 : tensor<1x7x7x1024xi32>) -> tensor<1x7x7x1024xi32>
    %250 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%247, %pw13_weight : tensor<1x7x7x1024xi8>, tensor<1x1x1024x1024xi8>) outs(%249 : tensor<1x7x7x1024xi32>) -> tensor<1x7x7x1024xi32> loc("pw13")
    %251 = tensor.empty() : tensor<1x7x7x1024xi32>
    %252 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%250, %pw13_bias : tensor<1x7x7x1024xi32>, tensor<1024xi32>) outs(%251 : tensor<1x7x7x1024xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x1024xi32>
    %253 = tensor.empty() : tensor<1x7x7x1024xi8>
    %254 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%252 : tensor<1x7x7x1024xi32>) outs(%253 : tensor<1x7x7x1024xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c11 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x1024xi8>
    %255 = tensor.empty() : tensor<1x7x7x1024xi8>
    %256 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%254 : tensor<1x7x7x1024xi8>) outs(%255 : tensor<1x7x7x1024xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x1024xi8>
    %257 = tensor.empty() : tensor<7x7xi8>
    %258 = tensor.empty() : tensor<1x1x1x1024xi32>
    %259 = linalg.fill ins(%c1 : i32) outs(%258 : tensor<1x1x1x1024xi32>) -> tensor<1x1x1x1024xi32>
    %260 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%256, %257 : tensor<1x7x7x1024xi8>, tensor<7x7xi8>) outs(%259 : tensor<1x1x1x1024xi32>) -> tensor<1x1x1x1024xi32>
    %261 = tensor.empty() : tensor<1x1x1x1024xi8>
    %262 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%260 : tensor<1x1x1x1024xi32>) outs(%261 : tensor<1x1x1x1024xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x1x1x1024xi8>
    %263 = tensor.collapse_shape %262 [[0], [1, 2, 3]] : tensor<1x1x1x1024xi8> into tensor<1x1024xi8>
    %264 = tensor.empty() : tensor<1x1000xi32>
    %265 = linalg.fill ins(%c1 : i32) outs(%264 : tensor<1x1000xi32>) -> tensor<1x1000xi32>
    %266 = linalg.matmul ins(%263, %fc_weight : tensor<1x1024xi8>, tensor<1024x1000xi8>) outs(%265 : tensor<1x1000xi32>) -> tensor<1x1000xi32> loc("fc")
    %267 = tensor.empty() : tensor<1x1000xi32>
    %268 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%266, %fc_bias : tensor<1x1000xi32>, tensor<1000xi32>) outs(%267 : tensor<1x1000xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x1000xi32>
    %269 = tensor.empty() : tensor<1x1000xi8>
    %270 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%268 : tensor<1x1000xi32>) outs(%269 : tensor<1x1000xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c11 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x1000xi8>
    return %270 : tensor<1x1000xi8>
  }
}
