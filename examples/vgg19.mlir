// vgg19: written by scripts/generate_networks.py; do not edit.
#map0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(
      %input: tensor<1x224x224x3xi8>,
      %conv1_weight: tensor<3x3x3x64xi8>,
      %conv1_bias: tensor<64xi32>,
      %conv2_weight: tensor<3x3x64x64xi8>,
      %conv2_bias: tensor<64xi32>,
      %conv3_weight: tensor<3x3x64x128xi8>,
      %conv3_bias: tensor<128xi32>,
      %conv4_weight: tensor<3x3x128x128xi8>,
      %conv4_bias: tensor<128xi32>,
      %conv5_weight: tensor<3x3x128x256xi8>,
      %conv5_bias: tensor<256xi32>,
      %conv6_weight: tensor<3x3x256x256xi8>,
      %conv6_bias: tensor<256xi32>,
      %conv7_weight: tensor<3x3x256x256xi8>,
      %conv7_bias: tensor<256xi32>,
      %conv8_weight: tensor<3x3x256x256xi8>,
      %conv8_bias: tensor<256xi32>,
      %conv9_weight: tensor<3x3x256x512xi8>,
      %conv9_bias: tensor<512xi32>,
      %conv10_weight: tensor<3x3x512x512xi8>,
      %conv10_bias: tensor<512xi32>,
      %conv11_weight: tensor<3x3x512x512xi8>,
      %conv11_bias: tensor<512xi32>,
      %conv12_weight: tensor<3x3x512x512xi8>,
      %conv12_bias: tensor<512xi32>,
      %conv13_weight: tensor<3x3x512x512xi8>,
      %conv13_bias: tensor<512xi32>,
      %conv14_weight: tensor<3x3x512x512xi8>,
      %conv14_bias: tensor<512xi32>,
      %conv15_weight: tensor<3x3x512x512xi8>,
      %conv15_bias: tensor<512xi32>,
      %conv16_weight: tensor<3x3x512x512xi8>,
      %conv16_bias: tensor<512xi32>,
      %fc1_weight: tensor<25088x4096xi8>,
      %fc1_bias: tensor<4096xi32>,
      %fc2_weight: tensor<4096x4096xi8>,
      %fc2_bias: tensor<4096xi32>,
      %fc3_weight: tensor<4096x1000xi8>,
      %fc3_bias: tensor<1000xi32>)
      -> tensor<1x1000xi8> {
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 0 : i32
    %c2 = arith.constant 1.28405599e-03 : f32
    %c3 = arith.constant -1.280000e+02 : f32
    %c4 = arith.constant 1.270000e+02 : f32
    %c5 = arith.constant 8.02520895e-04 : f32
    %c6 = arith.constant -128 : i8
    %c7 = arith.constant 6.42338127e-04 : f32
    %c8 = arith.constant 5.67862648e-04 : f32
    %c9 = arith.constant 4.54403926e-04 : f32
    %c10 = arith.constant 4.01679281e-04 : f32
    %c11 = arith.constant 3.21383704e-04 : f32
    %c12 = arith.constant 2.84079579e-04 : f32
    %c13 = arith.constant 2.27277924e-04 : f32
    %c14 = arith.constant 9.74136856e-05 : f32
    %c15 = arith.constant 3.01305350e-04 : f32
    %0 = tensor.pad %input low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x224x224x3xi8> to tensor<1x226x226x3xi8>
    %1 = tensor.empty() : tensor<1x224x224x64xi32>
    %2 = linalg.fill ins(%c1 : i32) outs(%1 : tensor<1x224x224x64xi32>) -> tensor<1x224x224x64xi32>
    %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%0, %conv1_weight : tensor<1x226x226x3xi8>, tensor<3x3x3x64xi8>) outs(%2 : tensor<1x224x224x64xi32>) -> tensor<1x224x224x64xi32> loc("conv1")
    %4 = tensor.empty() : tensor<1x224x224x64xi32>
    %5 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %conv1_bias : tensor<1x224x224x64xi32>, tensor<64xi32>) outs(%4 : tensor<1x224x224x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x224x224x64xi32>
    %6 = tensor.empty() : tensor<1x224x224x64xi8>
    %7 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x224x224x64xi32>) outs(%6 : tensor<1x224x224x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c2 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x224x224x64xi8>
    %8 = tensor.empty() : tensor<1x224x224x64xi8>
    %9 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x224x224x64xi8>) outs(%8 : tensor<1x224x224x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x224x224x64xi8>
    %10 = tensor.pad %9 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x224x224x64xi8> to tensor<1x226x226x64xi8>
    %11 = tensor.empty() : tensor<1x224x224x64xi32>
    %12 = linalg.fill ins(%c1 : i32) outs(%11 : tensor<1x224x224x64xi32>) -> tensor<1x224x224x64xi32>
    %13 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%10, %conv2_weight : tensor<1x226x226x64xi8>, tensor<3x3x64x64xi8>) outs(%12 : tensor<1x224x224x64xi32>) -> tensor<1x224x224x64xi32> loc("conv2")
    %14 = tensor.empty() : tensor<1x224x224x64xi32>
    %15 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %conv2_bias : tensor<1x224x224x64xi32>, tensor<64xi32>) outs(%14 : tensor<1x224x224x64xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x224x224x64xi32>
    %16 = tensor.empty() : tensor<1x224x224x64xi8>
    %17 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x224x224x64xi32>) outs(%16 : tensor<1x224x224x64xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c5 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x224x224x64xi8>
    %18 = tensor.empty() : tensor<1x224x224x64xi8>
    %19 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x224x224x64xi8>) outs(%18 : tensor<1x224x224x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x224x224x64xi8>
    %20 = tensor.empty() : tensor<2x2xi8>
    %21 = tensor.empty() : tensor<1x112x112x64xi8>
    %22 = linalg.fill ins(%c6 : i8) outs(%21 : tensor<1x112x112x64xi8>) -> tensor<1x112x112x64xi8>
    %23 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%19, %20 : tensor<1x224x224x64xi8>, tensor<2x2xi8>) outs(%22 : tensor<1x112x112x64xi8>) -> tensor<1x112x112x64xi8>
    %24 = tensor.pad %23 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x112x112x64xi8> to tensor<1x114x114x64xi8>
    %25 = tensor.empty() : tensor<1x112x112x128xi32>
    %26 = linalg.fill ins(%c1 : i32) outs(%25 : tensor<1x112x112x128xi32>) -> tensor<1x112x112x128xi32>
    %27 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%24, %conv3_weight : tensor<1x114x114x64xi8>, tensor<3x3x64x128xi8>) outs(%26 : tensor<1x112x112x128xi32>) -> tensor<1x112x112x128xi32> loc("conv3")
    %28 = tensor.empty() : tensor<1x112x112x128xi32>
    %29 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %conv3_bias : tensor<1x112x112x128xi32>, tensor<128xi32>) outs(%28 : tensor<1x112x112x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x112x112x128xi32>
    %30 = tensor.empty() : tensor<1x112x112x128xi8>
    %31 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x112x112x128xi32>) outs(%30 : tensor<1x112x112x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c7 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x112x112x128xi8>
    %32 = tensor.empty() : tensor<1x112x112x128xi8>
    %33 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x112x112x128xi8>) outs(%32 : tensor<1x112x112x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x112x112x128xi8>
    %34 = tensor.pad %33 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x112x112x128xi8> to tensor<1x114x114x128xi8>
    %35 = tensor.empty() : tensor<1x112x112x128xi32>
    %36 = linalg.fill ins(%c1 : i32) outs(%35 : tensor<1x112x112x128xi32>) -> tensor<1x112x112x128xi32>
    %37 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%34, %conv4_weight : tensor<1x114x114x128xi8>, tensor<3x3x128x128xi8>) outs(%36 : tensor<1x112x112x128xi32>) -> tensor<1x112x112x128xi32> loc("conv4")
    %38 = tensor.empty() : tensor<1x112x112x128xi32>
    %39 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %conv4_bias : tensor<1x112x112x128xi32>, tensor<128xi32>) outs(%38 : tensor<1x112x112x128xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x112x112x128xi32>
    %40 = tensor.empty() : tensor<1x112x112x128xi8>
    %41 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x112x112x128xi32>) outs(%40 : tensor<1x112x112x128xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c8 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x112x112x128xi8>
    %42 = tensor.empty() : tensor<1x112x112x128xi8>
    %43 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x112x112x128xi8>) outs(%42 : tensor<1x112x112x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x112x112x128xi8>
    %44 = tensor.empty() : tensor<2x2xi8>
    %45 = tensor.empty() : tensor<1x56x56x128xi8>
    %46 = linalg.fill ins(%c6 : i8) outs(%45 : tensor<1x56x56x128xi8>) -> tensor<1x56x56x128xi8>
    %47 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%43, %44 : tensor<1x112x112x128xi8>, tensor<2x2xi8>) outs(%46 : tensor<1x56x56x128xi8>) -> tensor<1x56x56x128xi8>
    %48 = tensor.pad %47 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x128xi8> to tensor<1x58x58x128xi8>
    %49 = tensor.empty() : tensor<1x56x56x256xi32>
    %50 = linalg.fill ins(%c1 : i32) outs(%49 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32>
    %51 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%48, %conv5_weight : tensor<1x58x58x128xi8>, tensor<3x3x128x256xi8>) outs(%50 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32> loc("conv5")
    %52 = tensor.empty() : tensor<1x56x56x256xi32>
    %53 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %conv5_bias : tensor<1x56x56x256xi32>, tensor<256xi32>) outs(%52 : tensor<1x56x56x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x256xi32>
    %54 = tensor.empty() : tensor<1x56x56x256xi8>
    %55 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x56x56x256xi32>) outs(%54 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c9 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x256xi8>
    %56 = tensor.empty() : tensor<1x56x56x256xi8>
    %57 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x56x56x256xi8>) outs(%56 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x256xi8>
    %58 = tensor.pad %57 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x256xi8> to tensor<1x58x58x256xi8>
    %59 = tensor.empty() : tensor<1x56x56x256xi32>
    %60 = linalg.fill ins(%c1 : i32) outs(%59 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32>
    %61 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%58, %conv6_weight : tensor<1x58x58x256xi8>, tensor<3x3x256x256xi8>) outs(%60 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32> loc("conv6")
    %62 = tensor.empty() : tensor<1x56x56x256xi32>
    %63 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %conv6_bias : tensor<1x56x56x256xi32>, tensor<256xi32>) outs(%62 : tensor<1x56x56x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x256xi32>
    %64 = tensor.empty() : tensor<1x56x56x256xi8>
    %65 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x56x56x256xi32>) outs(%64 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x256xi8>
    %66 = tensor.empty() : tensor<1x56x56x256xi8>
    %67 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x56x56x256xi8>) outs(%66 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x256xi8>
    %68 = tensor.pad %67 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x256xi8> to tensor<1x58x58x256xi8>
    %69 = tensor.empty() : tensor<1x56x56x256xi32>
    %70 = linalg.fill ins(%c1 : i32) outs(%69 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32>
    %71 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%68, %conv7_weight : tensor<1x58x58x256xi8>, tensor<3x3x256x256xi8>) outs(%70 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32> loc("conv7")
    %72 = tensor.empty() : tensor<1x56x56x256xi32>
    %73 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %conv7_bias : tensor<1x56x56x256xi32>, tensor<256xi32>) outs(%72 : tensor<1x56x56x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x256xi32>
    %74 = tensor.empty() : tensor<1x56x56x256xi8>
    %75 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x56x56x256xi32>) outs(%74 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x256xi8>
    %76 = tensor.empty() : tensor<1x56x56x256xi8>
    %77 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x56x56x256xi8>) outs(%76 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x256xi8>
    %78 = tensor.pad %77 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x56x56x256xi8> to tensor<1x58x58x256xi8>
    %79 = tensor.empty() : tensor<1x56x56x256xi32>
    %80 = linalg.fill ins(%c1 : i32) outs(%79 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32>
    %81 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%78, %conv8_weight : tensor<1x58x58x256xi8>, tensor<3x3x256x256xi8>) outs(%80 : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32> loc("conv8")
    %82 = tensor.empty() : tensor<1x56x56x256xi32>
    %83 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %conv8_bias : tensor<1x56x56x256xi32>, tensor<256xi32>) outs(%82 : tensor<1x56x56x256xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x56x56x256xi32>
    %84 = tensor.empty() : tensor<1x56x56x256xi8>
    %85 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x56x56x256xi32>) outs(%84 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c10 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x56x56x256xi8>
    %86 = tensor.empty() : tensor<1x56x56x256xi8>
    %87 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<1x56x56x256xi8>) outs(%86 : tensor<1x56x56x256xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x56x56x256xi8>
    %88 = tensor.empty() : tensor<2x2xi8>
    %89 = tensor.empty() : tensor<1x28x28x256xi8>
    %90 = linalg.fill ins(%c6 : i8) outs(%89 : tensor<1x28x28x256xi8>) -> tensor<1x28x28x256xi8>
    %91 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%87, %88 : tensor<1x56x56x256xi8>, tensor<2x2xi8>) outs(%90 : tensor<1x28x28x256xi8>) -> tensor<1x28x28x256xi8>
    %92 = tensor.pad %91 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x256xi8> to tensor<1x30x30x256xi8>
    %93 = tensor.empty() : tensor<1x28x28x512xi32>
    %94 = linalg.fill ins(%c1 : i32) outs(%93 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32>
    %95 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%92, %conv9_weight : tensor<1x30x30x256xi8>, tensor<3x3x256x512xi8>) outs(%94 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32> loc("conv9")
    %96 = tensor.empty() : tensor<1x28x28x512xi32>
    %97 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95, %conv9_bias : tensor<1x28x28x512xi32>, tensor<512xi32>) outs(%96 : tensor<1x28x28x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x512xi32>
    %98 = tensor.empty() : tensor<1x28x28x512xi8>
    %99 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x28x28x512xi32>) outs(%98 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c11 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x512xi8>
    %100 = tensor.empty() : tensor<1x28x28x512xi8>
    %101 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<1x28x28x512xi8>) outs(%100 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x512xi8>
    %102 = tensor.pad %101 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x512xi8> to tensor<1x30x30x512xi8>
    %103 = tensor.empty() : tensor<1x28x28x512xi32>
    %104 = linalg.fill ins(%c1 : i32) outs(%103 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32>
    %105 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%102, %conv10_weight : tensor<1x30x30x512xi8>, tensor<3x3x512x512xi8>) outs(%104 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32> loc("conv10")
    %106 = tensor.empty() : tensor<1x28x28x512xi32>
    %107 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105, %conv10_bias : tensor<1x28x28x512xi32>, tensor<512xi32>) outs(%106 : tensor<1x28x28x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x512xi32>
    %108 = tensor.empty() : tensor<1x28x28x512xi8>
    %109 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107 : tensor<1x28x28x512xi32>) outs(%108 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x512xi8>
    %110 = tensor.empty() : tensor<1x28x28x512xi8>
    %111 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109 : tensor<1x28x28x512xi8>) outs(%110 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x512xi8>
    %112 = tensor.pad %111 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x512xi8> to tensor<1x30x30x512xi8>
    %113 = tensor.empty() : tensor<1x28x28x512xi32>
    %114 = linalg.fill ins(%c1 : i32) outs(%113 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32>
    %115 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%112, %conv11_weight : tensor<1x30x30x512xi8>, tensor<3x3x512x512xi8>) outs(%114 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32> loc("conv11")
    %116 = tensor.empty() : tensor<1x28x28x512xi32>
    %117 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %conv11_bias : tensor<1x28x28x512xi32>, tensor<512xi32>) outs(%116 : tensor<1x28x28x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x512xi32>
    %118 = tensor.empty() : tensor<1x28x28x512xi8>
    %119 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117 : tensor<1x28x28x512xi32>) outs(%118 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x512xi8>
    %120 = tensor.empty() : tensor<1x28x28x512xi8>
    %121 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<1x28x28x512xi8>) outs(%120 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x512xi8>
    %122 = tensor.pad %121 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x512xi8> to tensor<1x30x30x512xi8>
    %123 = tensor.empty() : tensor<1x28x28x512xi32>
    %124 = linalg.fill ins(%c1 : i32) outs(%123 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32>
    %125 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%122, %conv12_weight : tensor<1x30x30x512xi8>, tensor<3x3x512x512xi8>) outs(%124 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32> loc("conv12")
    %126 = tensor.empty() : tensor<1x28x28x512xi32>
    %127 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125, %conv12_bias : tensor<1x28x28x512xi32>, tensor<512xi32>) outs(%126 : tensor<1x28x28x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x512xi32>
    %128 = tensor.empty() : tensor<1x28x28x512xi8>
    %129 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127 : tensor<1x28x28x512xi32>) outs(%128 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x512xi8>
    %130 = tensor.empty() : tensor<1x28x28x512xi8>
    %131 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129 : tensor<1x28x28x512xi8>) outs(%130 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x512xi8>
    %132 = tensor.empty() : tensor<2x2xi8>
    %133 = tensor.empty() : tensor<1x14x14x512xi8>
    %134 = linalg.fill ins(%c6 : i8) outs(%133 : tensor<1x14x14x512xi8>) -> tensor<1x14x14x512xi8>
    %135 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%131, %132 : tensor<1x28x28x512xi8>, tensor<2x2xi8>) outs(%134 : tensor<1x14x14x512xi8>) -> tensor<1x14x14x512xi8>
    %136 = tensor.pad %135 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %137 = tensor.empty() : tensor<1x14x14x512xi32>
    %138 = linalg.fill ins(%c1 : i32) outs(%137 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %139 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%136, %conv13_weight : tensor<1x16x16x512xi8>, tensor<3x3x512x512xi8>) outs(%138 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("conv13")
    %140 = tensor.empty() : tensor<1x14x14x512xi32>
    %141 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139, %conv13_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%140 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %142 = tensor.empty() : tensor<1x14x14x512xi8>
    %143 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141 : tensor<1x14x14x512xi32>) outs(%142 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c13 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %144 = tensor.empty() : tensor<1x14x14x512xi8>
    %145 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143 : tensor<1x14x14x512xi8>) outs(%144 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %146 = tensor.pad %145 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %147 = tensor.empty() : tensor<1x14x14x512xi32>
    %148 = linalg.fill ins(%c1 : i32) outs(%147 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %149 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%146, %conv14_weight : tensor<1x16x16x512xi8>, tensor<3x3x512x512xi8>) outs(%148 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("conv14")
    %150 = tensor.empty() : tensor<1x14x14x512xi32>
    %151 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%149, %conv14_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%150 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %152 = tensor.empty() : tensor<1x14x14x512xi8>
    %153 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%151 : tensor<1x14x14x512xi32>) outs(%152 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %154 = tensor.empty() : tensor<1x14x14x512xi8>
    %155 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%153 : tensor<1x14x14x512xi8>) outs(%154 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %156 = tensor.pad %155 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %157 = tensor.empty() : tensor<1x14x14x512xi32>
    %158 = linalg.fill ins(%c1 : i32) outs(%157 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %159 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%156, %conv15_weight : tensor<1x16x16x512xi8>, tensor<3x3x512x512xi8>) outs(%158 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("conv15")
    %160 = tensor.empty() : tensor<1x14x14x512xi32>
    %161 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%159, %conv15_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%160 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %162 = tensor.empty() : tensor<1x14x14x512xi8>
    %163 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161 : tensor<1x14x14x512xi32>) outs(%162 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %164 = tensor.empty() : tensor<1x14x14x512xi8>
    %165 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%163 : tensor<1x14x14x512xi8>) outs(%164 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %166 = tensor.pad %165 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %167 = tensor.empty() : tensor<1x14x14x512xi32>
    %168 = linalg.fill ins(%c1 : i32) outs(%167 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %169 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%166, %conv16_weight : tensor<1x16x16x512xi8>, tensor<3x3x512x512xi8>) outs(%168 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("conv16")
    %170 = tensor.empty() : tensor<1x14x14x512xi32>
    %171 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%169, %conv16_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%170 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %172 = tensor.empty() : tensor<1x14x14x512xi8>
    %173 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%171 : tensor<1x14x14x512xi32>) outs(%172 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %174 = tensor.empty() : tensor<1x14x14x512xi8>
    %175 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%173 : tensor<1x14x14x512xi8>) outs(%174 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %176 = tensor.empty() : tensor<2x2xi8>
    %177 = tensor.empty() : tensor<1x7x7x512xi8>
    %178 = linalg.fill ins(%c6 : i8) outs(%177 : tensor<1x7x7x512xi8>) -> tensor<1x7x7x512xi8>
    %179 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%175, %176 : tensor<1x14x14x512xi8>, tensor<2x2xi8>) outs(%178 : tensor<1x7x7x512xi8>) -> tensor<1x7x7x512xi8>
    %180 = tensor.collapse_shape %179 [[0], [1, 2, 3]] : tensor<1x7x7x512xi8> into tensor<1x25088xi8>
    %181 = tensor.empty() : tensor<1x4096xi32>
    %182 = linalg.fill ins(%c1 : i32) outs(%181 : tensor<1x4096xi32>) -> tensor<1x4096xi32>
    %183 = linalg.matmul ins(%180, %fc1_weight : tensor<1x25088xi8>, tensor<25088x4096xi8>) outs(%182 : tensor<1x4096xi32>) -> tensor<1x4096xi32> loc("fc1")
    %184 = tensor.empty() : tensor<1x4096xi32>
    %185 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%183, %fc1_bias : tensor<1x4096xi32>, tensor<4096xi32>) outs(%184 : tensor<1x4096xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x4096xi32>
    %186 = tensor.empty() : tensor<1x4096xi8>
    %187 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%185 : tensor<1x4096xi32>) outs(%186 : tensor<1x4096xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c14 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x4096xi8>
    %188 = tensor.empty() : tensor<1x4096xi8>
    %189 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%187 : tensor<1x4096xi8>) outs(%188 : tensor<1x4096xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x4096xi8>
    %190 = tensor.empty() : tensor<1x4096xi32>
    %191 = linalg.fill ins(%c1 : i32) outs(%190 : tensor<1x4096xi32>) -> tensor<1x4096xi32>
    %192 = linalg.matmul ins(%189, %fc2_weight : tensor<1x4096xi8>, tensor<4096x4096xi8>) outs(%191 : tensor<1x4096xi32>) -> tensor<1x4096xi32> loc("fc2")
    %193 = tensor.empty() : tensor<1x4096xi32>
    %194 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%192, %fc2_bias : tensor<1x4096xi32>, tensor<4096xi32>) outs(%193 : tensor<1x4096xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x4096xi32>
    %195 = tensor.empty() : tensor<1x4096xi8>
    %196 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%194 : tensor<1x4096xi32>) outs(%195 : tensor<1x4096xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x4096xi8>
    %197 = tensor.empty() : tensor<1x4096xi8>
    %198 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%196 : tensor<1x4096xi8>) outs(%197 : tensor<1x4096xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x4096xi8>
    %199 = tensor.empty() : tensor<1x1000xi32>
    %200 = linalg.fill ins(%c1 : i32) outs(%199 : tensor<1x1000xi32>) -> tensor<1x1000xi32>
    %201 = linalg.matmul ins(%198, %fc3_weight : tensor<1x4096xi8>, tensor<4096x1000xi8>) outs(%200 : tensor<1x1000xi32>) -> tensor<1x1000xi32> loc("fc3")
    %202 = tensor.empty() : tensor<1x1000xi32>
    %203 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%201, %fc3_bias : tensor<1x1000xi32>, tensor<1000xi32>) outs(%202 : tensor<1x1000xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x1000xi32>
    %204 = tensor.empty() : tensor<1x1000xi8>
    %205 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%203 : tensor<1x1000xi32>) outs(%204 : tensor<1x1000xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x1000xi8>
    return %205 : tensor<1x1000xi8>
  }
}
