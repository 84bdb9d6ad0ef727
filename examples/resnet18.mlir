// resnet18: written by scripts/generate_networks.py; do not edit.
#map0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(
      %input: tensor<1x224x224x3xi8>,
      %conv1_weight: tensor<7x7x3x64xi8>,
      %conv1_bias: tensor<64xi32>,
      %layer1_0_conv1_weight: tensor<3x3x64x64xi8>,
      %layer1_0_conv1_bias: tensor<64xi32>,
      %layer1_0_conv2_weight: tensor<3x3x64x64xi8>,
      %layer1_0_conv2_bias: tensor<64xi32>,
      %layer1_1_conv1_weight: tensor<3x3x64x64xi8>,
      %layer1_1_conv1_bias: tensor<64xi32>,
      %layer1_1_conv2_weight: tensor<3x3x64x64xi8>,
      %layer1_1_conv2_bias: tensor<64xi32>,
      %layer2_0_conv1_weight: tensor<3x3x64x128xi8>,
      %layer2_0_conv1_bias: tensor<128xi32>,
      %layer2_0_conv2_weight: tensor<3x3x128x128xi8>,
      %layer2_0_conv2_bias: tensor<128xi32>,
      %layer2_0_downsample_weight: tensor<1x1x64x128xi8>,
      %layer2_0_downsample_bias: tensor<128xi32>,
      %layer2_1_conv1_weight: tensor<3x3x128x128xi8>,
      %layer2_1_conv1_bias: tensor<128xi32>,
      %layer2_1_conv2_weight: tensor<3x3x128x128xi8>,
      %layer2_1_conv2_bias: tensor<128xi32>,
      %layer3_0_conv1_weight: tensor<3x3x128x256xi8>,
      %layer3_0_conv1_bias: tensor<256xi32>,
      %layer3_0_conv2_weight: tensor<3x3x256x256xi8>,
      %layer3_0_conv2_bias: tensor<256xi32>,
      %layer3_0_downsample_weight: tensor<1x1x128x256xi8>,
      %layer3_0_downsample_bias: tensor<256xi32>,
      %layer3_1_conv1_weight: tensor<3x3x256x256xi8>,
      %layer3_1_conv1_bias: tensor<256xi32>,
      %layer3_1_conv2_weight: tensor<3x3x256x256xi8>,
      %layer3_1_conv2_bias: tensor<256xi32>,
      %layer4_0_conv1_weight: tensor<3x3x256x512xi8>,
      %layer4_0_conv1_bias: tensor<512xi32>,
      %layer4_0_conv2_weight: tensor<3x3x512x512xi8>,
      %layer4_0_conv2_bias: tensor<512xi32>,
      %layer4_0_downsample_weight: tensor<1x1x256x512xi8>,
      %layer4_0_downsample_bias: tensor<512xi32>,
      %layer4_1_conv1_weight: tensor<3x3x512x512xi8>,
      %layer4_1_conv1_bias: tensor<512xi32>,
      %layer4_1_conv2_weight: tensor<3x3x512x512xi8>,
      %layer4_1_conv2_bias: tensor<512xi32>,
      %fc_weight: tensor<512x1000xi8>,
      %fc_bias: tensor<1000xi32>)
      -> tensor<1x1000xi8> {
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 0 : i32
    %c2 = arith.constant 5.51914796e-04 : f32
    %c3 = arith.constant -1.280000e+02 : f32
    %c4 = arith.constant 1.270000e+02 : f32
    %c5 = arith.constant -128 : i8
    %c6 = arith.constant 5.73619734e-04 : f32
    %c7 = arith.constant 8.02520895e-04 : f32
    %c8 = arith.constant 7.10669041e-01 : f32
    %c9 = arith.constant 6.34914555e-04 : f32
    %c10 = arith.constant 7.45426655e-01 : f32
    %c11 = arith.constant 6.22645661e-04 : f32
    %c12 = arith.constant 5.67862648e-04 : f32
    %c13 = arith.constant 1.85556139e-03 : f32
    %c14 = arith.constant 7.07106769e-01 : f32
    %c15 = arith.constant 8.16496611e-01 : f32
    %c16 = arith.constant 4.63593547e-04 : f32
    %c17 = arith.constant 4.01679281e-04 : f32
    %c18 = arith.constant 1.38564990e-03 : f32
    %c19 = arith.constant 3.27886170e-04 : f32
    %c20 = arith.constant 2.84079579e-04 : f32
    %c21 = arith.constant 9.81838210e-04 : f32
    %c22 = arith.constant 2.04081628e-02 : f32
    %c23 = arith.constant 6.94987597e-04 : f32
    %0 = tensor.pad %input low[0, 3, 3, 0] high[0, 3, 3, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x224x224x3xi8> to tensor<1x230x230x3xi8>
    %1 = tensor.empty() : tensor<1x112x112x64xi32>
    %2 = linalg.fill ins(%c1 : i32) outs(%1 : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32>
    %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %conv1_weight : tensor<1x230x230x3xi8>, tensor<7x7x3x64xi8>) outs(%2 : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32> loc("conv1")
    %4 = tensor.empty() : tensor<1x112x112x64xi32>
    %5 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %conv1_bias : tensor<1x112x112x64xi32>, tensor<64xi32>) outs(%4 : tensor<1x112x112x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x112x112x64xi32>
    %6 = tensor.empty() : tensor<1x112x112x64xi8>
    %7 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x112x112x64xi32>) outs(%6 : tensor<1x112x112x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c2 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x112x112x64xi8>
    %8 = tensor.empty() : tensor<1x112x112x64xi8>
    %9 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x112x112x64xi8>) outs(%8 : tensor<1x112x112x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x112x112x64xi8>
    %10 = tensor.pad %9 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c5 : i8
    } : tensor<1x112x112x64xi8> to tensor<1x114x114x64xi8>
    %11 = tensor.empty() : tensor<3x3xi8>
    %12 = tensor.empty() : tensor<1x56x56x64xi8>
    %13 = linalg.fill ins(%c5 : i8) outs(%12 : tensor<1x56x56x64xi8>) -> tensor<1x56x56x64xi8>
    %14 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%10, %11 : tensor<1x114x114x64xi8>, tensor<3x3xi8>) outs(%13 : tensor<1x56x56x64xi8>) -> tensor<1x56x56x64xi8>
    %15 = tensor.pad %14 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x64xi8> to tensor<1x58x58x64xi8>
    %16 = tensor.empty() : tensor<1x56x56x64xi32>
    %17 = linalg.fill ins(%c1 : i32) outs(%16 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32>
    %18 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%15, %layer1_0_conv1_weight : tensor<1x58x58x64xi8>, tensor<3x3x64x64xi8>) outs(%17 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32> loc("layer1.0.conv1")
    %19 = tensor.empty() : tensor<1x56x56x64xi32>
    %20 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %layer1_0_conv1_bias : tensor<1x56x56x64xi32>, tensor<64xi32>) outs(%19 : tensor<1x56x56x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x64xi32>
    %21 = tensor.empty() : tensor<1x56x56x64xi8>
    %22 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x56x56x64xi32>) outs(%21 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c6 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x64xi8>
    %23 = tensor.empty() : tensor<1x56x56x64xi8>
    %24 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x56x56x64xi8>) outs(%23 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x64xi8>
    %25 = tensor.pad %24 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x64xi8> to tensor<1x58x58x64xi8>
    %26 = tensor.empty() : tensor<1x56x56x64xi32>
    %27 = linalg.fill ins(%c1 : i32) outs(%26 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32>
    %28 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%25, %layer1_0_conv2_weight : tensor<1x58x58x64xi8>, tensor<3x3x64x64xi8>) outs(%27 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32> loc("layer1.0.conv2")
    %29 = tensor.empty() : tensor<1x56x56x64xi32>
    %30 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %layer1_0_conv2_bias : tensor<1x56x56x64xi32>, tensor<64xi32>) outs(%29 : tensor<1x56x56x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x64xi32>
    %31 = tensor.empty() : tensor<1x56x56x64xi8>
    %32 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x56x56x64xi32>) outs(%31 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c7 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x64xi8>
    %33 = tensor.empty() : tensor<1x56x56x64xi32>
    %34 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %14 : tensor<1x56x56x64xi8>, tensor<1x56x56x64xi8>) outs(%33 : tensor<1x56x56x64xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x64xi32>
    %35 = tensor.empty() : tensor<1x56x56x64xi8>
    %36 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x56x56x64xi32>) outs(%35 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
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
    %39 = tensor.pad %38 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x64xi8> to tensor<1x58x58x64xi8>
    %40 = tensor.empty() : tensor<1x56x56x64xi32>
    %41 = linalg.fill ins(%c1 : i32) outs(%40 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32>
    %42 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%39, %layer1_1_conv1_weight : tensor<1x58x58x64xi8>, tensor<3x3x64x64xi8>) outs(%41 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32> loc("layer1.1.conv1")
    %43 = tensor.empty() : tensor<1x56x56x64xi32>
    %44 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %layer1_1_conv1_bias : tensor<1x56x56x64xi32>, tensor<64xi32>) outs(%43 : tensor<1x56x56x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x64xi32>
    %45 = tensor.empty() : tensor<1x56x56x64xi8>
    %46 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x56x56x64xi32>) outs(%45 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c9 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x64xi8>
    %47 = tensor.empty() : tensor<1x56x56x64xi8>
    %48 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x56x56x64xi8>) outs(%47 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x64xi8>
    %49 = tensor.pad %48 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x64xi8> to tensor<1x58x58x64xi8>
    %50 = tensor.empty() : tensor<1x56x56x64xi32>
    %51 = linalg.fill ins(%c1 : i32) outs(%50 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32>
    %52 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%49, %layer1_1_conv2_weight : tensor<1x58x58x64xi8>, tensor<3x3x64x64xi8>) outs(%51 : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32> loc("layer1.1.conv2")
    %53 = tensor.empty() : tensor<1x56x56x64xi32>
    %54 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %layer1_1_conv2_bias : tensor<1x56x56x64xi32>, tensor<64xi32>) outs(%53 : tensor<1x56x56x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x64xi32>
    %55 = tensor.empty() : tensor<1x56x56x64xi8>
    %56 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x56x56x64xi32>) outs(%55 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c7 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x64xi8>
    %57 = tensor.empty() : tensor<1x56x56x64xi32>
    %58 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %38 : tensor<1x56x56x64xi8>, tensor<1x56x56x64xi8>) outs(%57 : tensor<1x56x56x64xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x64xi32>
    %59 = tensor.empty() : tensor<1x56x56x64xi8>
    %60 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x56x56x64xi32>) outs(%59 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x64xi8>
    %61 = tensor.empty() : tensor<1x56x56x64xi8>
    %62 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x56x56x64xi8>) outs(%61 : tensor<1x56x56x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x64xi8>
    %63 = tensor.pad %62 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x64xi8> to tensor<1x58x58x64xi8>
    %64 = tensor.empty() : tensor<1x28x28x128xi32>
    %65 = linalg.fill ins(%c1 : i32) outs(%64 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32>
    %66 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%63, %layer2_0_conv1_weight : tensor<1x58x58x64xi8>, tensor<3x3x64x128xi8>) outs(%65 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32> loc("layer2.0.conv1")
    %67 = tensor.empty() : tensor<1x28x28x128xi32>
    %68 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %layer2_0_conv1_bias : tensor<1x28x28x128xi32>, tensor<128xi32>) outs(%67 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %69 = tensor.empty() : tensor<1x28x28x128xi8>
    %70 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<1x28x28x128xi32>) outs(%69 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c11 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %71 = tensor.empty() : tensor<1x28x28x128xi8>
    %72 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<1x28x28x128xi8>) outs(%71 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x128xi8>
    %73 = tensor.pad %72 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x128xi8> to tensor<1x30x30x128xi8>
    %74 = tensor.empty() : tensor<1x28x28x128xi32>
    %75 = linalg.fill ins(%c1 : i32) outs(%74 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32>
    %76 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%73, %layer2_0_conv2_weight : tensor<1x30x30x128xi8>, tensor<3x3x128x128xi8>) outs(%75 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32> loc("layer2.0.conv2")
    %77 = tensor.empty() : tensor<1x28x28x128xi32>
    %78 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %layer2_0_conv2_bias : tensor<1x28x28x128xi32>, tensor<128xi32>) outs(%77 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %79 = tensor.empty() : tensor<1x28x28x128xi8>
    %80 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x28x28x128xi32>) outs(%79 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %81 = tensor.empty() : tensor<1x28x28x128xi32>
    %82 = linalg.fill ins(%c1 : i32) outs(%81 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32>
    %83 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%62, %layer2_0_downsample_weight : tensor<1x56x56x64xi8>, tensor<1x1x64x128xi8>) outs(%82 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32> loc("layer2.0.downsample")
    %84 = tensor.empty() : tensor<1x28x28x128xi32>
    %85 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %layer2_0_downsample_bias : tensor<1x28x28x128xi32>, tensor<128xi32>) outs(%84 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %86 = tensor.empty() : tensor<1x28x28x128xi8>
    %87 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<1x28x28x128xi32>) outs(%86 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c13 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %88 = tensor.empty() : tensor<1x28x28x128xi32>
    %89 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %87 : tensor<1x28x28x128xi8>, tensor<1x28x28x128xi8>) outs(%88 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %90 = tensor.empty() : tensor<1x28x28x128xi8>
    %91 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<1x28x28x128xi32>) outs(%90 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c14 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %92 = tensor.empty() : tensor<1x28x28x128xi8>
    %93 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x28x28x128xi8>) outs(%92 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x128xi8>
    %94 = tensor.pad %93 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x128xi8> to tensor<1x30x30x128xi8>
    %95 = tensor.empty() : tensor<1x28x28x128xi32>
    %96 = linalg.fill ins(%c1 : i32) outs(%95 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32>
    %97 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%94, %layer2_1_conv1_weight : tensor<1x30x30x128xi8>, tensor<3x3x128x128xi8>) outs(%96 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32> loc("layer2.1.conv1")
    %98 = tensor.empty() : tensor<1x28x28x128xi32>
    %99 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %layer2_1_conv1_bias : tensor<1x28x28x128xi32>, tensor<128xi32>) outs(%98 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %100 = tensor.empty() : tensor<1x28x28x128xi8>
    %101 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<1x28x28x128xi32>) outs(%100 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %102 = tensor.empty() : tensor<1x28x28x128xi8>
    %103 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<1x28x28x128xi8>) outs(%102 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x128xi8>
    %104 = tensor.pad %103 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x128xi8> to tensor<1x30x30x128xi8>
    %105 = tensor.empty() : tensor<1x28x28x128xi32>
    %106 = linalg.fill ins(%c1 : i32) outs(%105 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32>
    %107 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%104, %layer2_1_conv2_weight : tensor<1x30x30x128xi8>, tensor<3x3x128x128xi8>) outs(%106 : tensor<1x28x28x128xi32>) -> tensor<1x28x28x128xi32> loc("layer2.1.conv2")
    %108 = tensor.empty() : tensor<1x28x28x128xi32>
    %109 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %layer2_1_conv2_bias : tensor<1x28x28x128xi32>, tensor<128xi32>) outs(%108 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %110 = tensor.empty() : tensor<1x28x28x128xi8>
    %111 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109 : tensor<1x28x28x128xi32>) outs(%110 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %112 = tensor.empty() : tensor<1x28x28x128xi32>
    %113 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111, %93 : tensor<1x28x28x128xi8>, tensor<1x28x28x128xi8>) outs(%112 : tensor<1x28x28x128xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x128xi32>
    %114 = tensor.empty() : tensor<1x28x28x128xi8>
    %115 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113 : tensor<1x28x28x128xi32>) outs(%114 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x128xi8>
    %116 = tensor.empty() : tensor<1x28x28x128xi8>
    %117 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115 : tensor<1x28x28x128xi8>) outs(%116 : tensor<1x28x28x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x128xi8>
    %118 = tensor.pad %117 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x128xi8> to tensor<1x30x30x128xi8>
    %119 = tensor.empty() : tensor<1x14x14x256xi32>
    %120 = linalg.fill ins(%c1 : i32) outs(%119 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32>
    %121 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%118, %layer3_0_conv1_weight : tensor<1x30x30x128xi8>, tensor<3x3x128x256xi8>) outs(%120 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32> loc("layer3.0.conv1")
    %122 = tensor.empty() : tensor<1x14x14x256xi32>
    %123 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121, %layer3_0_conv1_bias : tensor<1x14x14x256xi32>, tensor<256xi32>) outs(%122 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %124 = tensor.empty() : tensor<1x14x14x256xi8>
    %125 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123 : tensor<1x14x14x256xi32>) outs(%124 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c16 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %126 = tensor.empty() : tensor<1x14x14x256xi8>
    %127 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125 : tensor<1x14x14x256xi8>) outs(%126 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x256xi8>
    %128 = tensor.pad %127 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x256xi8> to tensor<1x16x16x256xi8>
    %129 = tensor.empty() : tensor<1x14x14x256xi32>
    %130 = linalg.fill ins(%c1 : i32) outs(%129 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32>
    %131 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%128, %layer3_0_conv2_weight : tensor<1x16x16x256xi8>, tensor<3x3x256x256xi8>) outs(%130 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32> loc("layer3.0.conv2")
    %132 = tensor.empty() : tensor<1x14x14x256xi32>
    %133 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131, %layer3_0_conv2_bias : tensor<1x14x14x256xi32>, tensor<256xi32>) outs(%132 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %134 = tensor.empty() : tensor<1x14x14x256xi8>
    %135 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%133 : tensor<1x14x14x256xi32>) outs(%134 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c17 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %136 = tensor.empty() : tensor<1x14x14x256xi32>
    %137 = linalg.fill ins(%c1 : i32) outs(%136 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32>
    %138 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%117, %layer3_0_downsample_weight : tensor<1x28x28x128xi8>, tensor<1x1x128x256xi8>) outs(%137 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32> loc("layer3.0.downsample")
    %139 = tensor.empty() : tensor<1x14x14x256xi32>
    %140 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138, %layer3_0_downsample_bias : tensor<1x14x14x256xi32>, tensor<256xi32>) outs(%139 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %141 = tensor.empty() : tensor<1x14x14x256xi8>
    %142 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<1x14x14x256xi32>) outs(%141 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c18 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %143 = tensor.empty() : tensor<1x14x14x256xi32>
    %144 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %142 : tensor<1x14x14x256xi8>, tensor<1x14x14x256xi8>) outs(%143 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %145 = tensor.empty() : tensor<1x14x14x256xi8>
    %146 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144 : tensor<1x14x14x256xi32>) outs(%145 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c14 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %147 = tensor.empty() : tensor<1x14x14x256xi8>
    %148 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146 : tensor<1x14x14x256xi8>) outs(%147 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x256xi8>
    %149 = tensor.pad %148 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x256xi8> to tensor<1x16x16x256xi8>
    %150 = tensor.empty() : tensor<1x14x14x256xi32>
    %151 = linalg.fill ins(%c1 : i32) outs(%150 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32>
    %152 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%149, %layer3_1_conv1_weight : tensor<1x16x16x256xi8>, tensor<3x3x256x256xi8>) outs(%151 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32> loc("layer3.1.conv1")
    %153 = tensor.empty() : tensor<1x14x14x256xi32>
    %154 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152, %layer3_1_conv1_bias : tensor<1x14x14x256xi32>, tensor<256xi32>) outs(%153 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %155 = tensor.empty() : tensor<1x14x14x256xi8>
    %156 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154 : tensor<1x14x14x256xi32>) outs(%155 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c17 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %157 = tensor.empty() : tensor<1x14x14x256xi8>
    %158 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156 : tensor<1x14x14x256xi8>) outs(%157 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x256xi8>
    %159 = tensor.pad %158 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x256xi8> to tensor<1x16x16x256xi8>
    %160 = tensor.empty() : tensor<1x14x14x256xi32>
    %161 = linalg.fill ins(%c1 : i32) outs(%160 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32>
    %162 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%159, %layer3_1_conv2_weight : tensor<1x16x16x256xi8>, tensor<3x3x256x256xi8>) outs(%161 : tensor<1x14x14x256xi32>) -> tensor<1x14x14x256xi32> loc("layer3.1.conv2")
    %163 = tensor.empty() : tensor<1x14x14x256xi32>
    %164 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%162, %layer3_1_conv2_bias : tensor<1x14x14x256xi32>, tensor<256xi32>) outs(%163 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %165 = tensor.empty() : tensor<1x14x14x256xi8>
    %166 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%164 : tensor<1x14x14x256xi32>) outs(%165 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c17 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %167 = tensor.empty() : tensor<1x14x14x256xi32>
    %168 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166, %148 : tensor<1x14x14x256xi8>, tensor<1x14x14x256xi8>) outs(%167 : tensor<1x14x14x256xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x256xi32>
    %169 = tensor.empty() : tensor<1x14x14x256xi8>
    %170 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%168 : tensor<1x14x14x256xi32>) outs(%169 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x256xi8>
    %171 = tensor.empty() : tensor<1x14x14x256xi8>
    %172 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%170 : tensor<1x14x14x256xi8>) outs(%171 : tensor<1x14x14x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x256xi8>
    %173 = tensor.pad %172 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x256xi8> to tensor<1x16x16x256xi8>
    %174 = tensor.empty() : tensor<1x7x7x512xi32>
    %175 = linalg.fill ins(%c1 : i32) outs(%174 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32>
    %176 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%173, %layer4_0_conv1_weight : tensor<1x16x16x256xi8>, tensor<3x3x256x512xi8>) outs(%175 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32> loc("layer4.0.conv1")
    %177 = tensor.empty() : tensor<1x7x7x512xi32>
    %178 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%176, %layer4_0_conv1_bias : tensor<1x7x7x512xi32>, tensor<512xi32>) outs(%177 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %179 = tensor.empty() : tensor<1x7x7x512xi8>
    %180 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%178 : tensor<1x7x7x512xi32>) outs(%179 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c19 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %181 = tensor.empty() : tensor<1x7x7x512xi8>
    %182 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%180 : tensor<1x7x7x512xi8>) outs(%181 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x512xi8>
    %183 = tensor.pad %182 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x7x7x512xi8> to tensor<1x9x9x512xi8>
    %184 = tensor.empty() : tensor<1x7x7x512xi32>
    %185 = linalg.fill ins(%c1 : i32) outs(%184 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32>
    %186 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%183, %layer4_0_conv2_weight : tensor<1x9x9x512xi8>, tensor<3x3x512x512xi8>) outs(%185 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32> loc("layer4.0.conv2")
    %187 = tensor.empty() : tensor<1x7x7x512xi32>
    %188 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%186, %layer4_0_conv2_bias : tensor<1x7x7x512xi32>, tensor<512xi32>) outs(%187 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %189 = tensor.empty() : tensor<1x7x7x512xi8>
    %190 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%188 : tensor<1x7x7x512xi32>) outs(%189 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c20 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %191 = tensor.empty() : tensor<1x7x7x512xi32>
    %192 = linalg.fill ins(%c1 : i32) outs(%191 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32>
    %193 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%172, %layer4_0_downsample_weight : tensor<1x14x14x256xi8>, tensor<1x1x256x512xi8>) outs(%192 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32> loc("layer4.0.downsample")
    %194 = tensor.empty() : tensor<1x7x7x512xi32>
    %195 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%193, %layer4_0_downsample_bias : tensor<1x7x7x512xi32>, tensor<512xi32>) outs(%194 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %196 = tensor.empty() : tensor<1x7x7x512xi8>
    %197 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%195 : tensor<1x7x7x512xi32>) outs(%196 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c21 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %198 = tensor.empty() : tensor<1x7x7x512xi32>
    %199 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%190, %197 : tensor<1x7x7x512xi8>, tensor<1x7x7x512xi8>) outs(%198 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %200 = tensor.empty() : tensor<1x7x7x512xi8>
    %201 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%199 : tensor<1x7x7x512xi32>) outs(%200 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c14 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %202 = tensor.empty() : tensor<1x7x7x512xi8>
    %203 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%201 : tensor<1x7x7x512xi8>) outs(%202 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x512xi8>
    %204 = tensor.pad %203 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x7x7x512xi8> to tensor<1x9x9x512xi8>
    %205 = tensor.empty() : tensor<1x7x7x512xi32>
    %206 = linalg.fill ins(%c1 : i32) outs(%205 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32>
    %207 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%204, %layer4_1_conv1_weight : tensor<1x9x9x512xi8>, tensor<3x3x512x512xi8>) outs(%206 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32> loc("layer4.1.conv1")
    %208 = tensor.empty() : tensor<1x7x7x512xi32>
    %209 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%207, %layer4_1_conv1_bias : tensor<1x7x7x512xi32>, tensor<512xi32>) outs(%208 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %210 = tensor.empty() : tensor<1x7x7x512xi8>
    %211 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%209 : tensor<1x7x7x512xi32>) outs(%210 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c20 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %212 = tensor.empty() : tensor<1x7x7x512xi8>
    %213 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%211 : tensor<1x7x7x512xi8>) outs(%212 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x512xi8>
    %214 = tensor.pad %213 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x7x7x512xi8> to tensor<1x9x9x512xi8>
    %215 = tensor.empty() : tensor<1x7x7x512xi32>
    %216 = linalg.fill ins(%c1 : i32) outs(%215 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32>
    %217 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%214, %layer4_1_conv2_weight : tensor<1x9x9x512xi8>, tensor<3x3x512x512xi8>) outs(%216 : tensor<1x7x7x512xi32>) -> tensor<1x7x7x512xi32> loc("layer4.1.conv2")
    %218 = tensor.empty() : tensor<1x7x7x512xi32>
    %219 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%217, %layer4_1_conv2_bias : tensor<1x7x7x512xi32>, tensor<512xi32>) outs(%218 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %220 = tensor.empty() : tensor<1x7x7x512xi8>
    %221 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%219 : tensor<1x7x7x512xi32>) outs(%220 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c20 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %222 = tensor.empty() : tensor<1x7x7x512xi32>
    %223 = linalg.generic {indexing_maps = [#map0, #map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%221, %203 : tensor<1x7x7x512xi8>, tensor<1x7x7x512xi8>) outs(%222 : tensor<1x7x7x512xi32>) {
    ^bb0(%in_0: i8, %in_1: i8, %out: i32):
      %a = arith.extsi %in_0 : i8 to i32
      %b = arith.extsi %in_1 : i8 to i32
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    } -> tensor<1x7x7x512xi32>
    %224 = tensor.empty() : tensor<1x7x7x512xi8>
    %225 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%223 : tensor<1x7x7x512xi32>) outs(%224 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x7x7x512xi8>
    %226 = tensor.empty() : tensor<1x7x7x512xi8>
    %227 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%225 : tensor<1x7x7x512xi8>) outs(%226 : tensor<1x7x7x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x7x7x512xi8>
    %228 = tensor.empty() : tensor<7x7xi8>
    %229 = tensor.empty() : tensor<1x1x1x512xi32>
    %230 = linalg.fill ins(%c1 : i32) outs(%229 : tensor<1x1x1x512xi32>) -> tensor<1x1x1x512xi32>
    %231 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%227, %228 : tensor<1x7x7x512xi8>, tensor<7x7xi8>) outs(%230 : tensor<1x1x1x512xi32>) -> tensor<1x1x1x512xi32>
    %232 = tensor.empty() : tensor<1x1x1x512xi8>
    %233 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%231 : tensor<1x1x1x512xi32>) outs(%232 : tensor<1x1x1x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c22 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x1x1x512xi8>
    %234 = tensor.collapse_shape %233 [[0], [1, 2, 3]] : tensor<1x1x1x512xi8> into tensor<1x512xi8>
    %235 = tensor.empty() : tensor<1x1000xi32>
    %236 = linalg.fill ins(%c1 : i32) outs(%235 : tensor<1x1000xi32>) -> tensor<1x1000xi32>
    %237 = linalg.matmul ins(%234, %fc_weight : tensor<1x512xi8>, tensor<512x1000xi8>) outs(%236 : tensor<1x1000xi32>) -> tensor<1x1000xi32> loc("fc")
    %238 = tensor.empty() : tensor<1x1000xi32>
    %239 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%237, %fc_bias : tensor<1x1000xi32>, tensor<1000xi32>) outs(%238 : tensor<1x1000xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x1000xi32>
    %240 = tensor.empty() : tensor<1x1000xi8>
    %241 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%239 : tensor<1x1000xi32>) outs(%240 : tensor<1x1000xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c23 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x1000xi8>
    return %241 : tensor<1x1000xi8>
  }
}
