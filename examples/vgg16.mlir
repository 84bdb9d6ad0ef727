// vgg16: written by scripts/generate_networks.py; do not edit.
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
      %conv8_weight: tensor<3x3x256x512xi8>,
      %conv8_bias: tensor<512xi32>,
      %conv9_weight: tensor<3x3x512x512xi8>,
      %conv9_bias: tensor<512xi32>,
      %conv10_weight: tensor<3x3x512x512xi8>,
      %conv10_bias: tensor<512xi32>,
      %conv11_weight: tensor<3x3x512x512xi8>,
      %conv11_bias: tensor<512xi32>,
      %conv12_weight: tensor<3x3x512x512xi8>,
      %conv12_bias: tensor<512xi32>,
      %conv13_weight: tensor<3x3x512x512xi8>,
      %conv13_bias: tensor<512xi32>,
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
    %78 = tensor.empty() : tensor<2x2xi8>
    %79 = tensor.empty() : tensor<1x28x28x256xi8>
    %80 = linalg.fill ins(%c6 : i8) outs(%79 : tensor<1x28x28x256xi8>) -> tensor<1x28x28x256xi8>
    %81 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%77, %78 : tensor<1x56x56x256xi8>, tensor<2x2xi8>) outs(%80 : tensor<1x28x28x256xi8>) -> tensor<1x28x28x256xi8>
    %82 = tensor.pad %81 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x256xi8> to tensor<1x30x30x256xi8>
    %83 = tensor.empty() : tensor<1x28x28x512xi32>
    %84 = linalg.fill ins(%c1 : i32) outs(%83 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32>
    %85 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%82, %conv8_weight : tensor<1x30x30x256xi8>, tensor<3x3x256x512xi8>) outs(%84 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32> loc("conv8")
    %86 = tensor.empty() : tensor<1x28x28x512xi32>
    %87 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %conv8_bias : tensor<1x28x28x512xi32>, tensor<512xi32>) outs(%86 : tensor<1x28x28x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x28x28x512xi32>
    %88 = tensor.empty() : tensor<1x28x28x512xi8>
    %89 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<1x28x28x512xi32>) outs(%88 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c11 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x28x28x512xi8>
    %90 = tensor.empty() : tensor<1x28x28x512xi8>
    %91 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<1x28x28x512xi8>) outs(%90 : tensor<1x28x28x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x28x28x512xi8>
    %92 = tensor.pad %91 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x28x28x512xi8> to tensor<1x30x30x512xi8>
    %93 = tensor.empty() : tensor<1x28x28x512xi32>
    %94 = linalg.fill ins(%c1 : i32) outs(%93 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32>
    %95 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%92, %conv9_weight : tensor<1x30x30x512xi8>, tensor<3x3x512x512xi8>) outs(%94 : tensor<1x28x28x512xi32>) -> tensor<1x28x28x512xi32> loc("conv9")
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
      %scaled = arith.mulf %wide, %c12 : f32
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
    %112 = tensor.empty() : tensor<2x2xi8>
    %113 = tensor.empty() : tensor<1x14x14x512xi8>
    %114 = linalg.fill ins(%c6 : i8) outs(%113 : tensor<1x14x14x512xi8>) -> tensor<1x14x14x512xi8>
    %115 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%111, %112 : tensor<1x28x28x512xi8>, tensor<2x2xi8>) outs(%114 : tensor<1x14x14x512xi8>) -> tensor<1x14x14x512xi8>
    %116 = tensor.pad %115 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %117 = tensor.empty() : tensor<1x14x14x512xi32>
    %118 = linalg.fill ins(%c1 : i32) outs(%117 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %119 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%116, %conv11_weight : tensor<1x16x16x512xi8>, tensor<3x3x512x512xi8>) outs(%118 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("conv11")
    %120 = tensor.empty() : tensor<1x14x14x512xi32>
    %121 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %conv11_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%120 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %122 = tensor.empty() : tensor<1x14x14x512xi8>
    %123 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121 : tensor<1x14x14x512xi32>) outs(%122 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c13 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %124 = tensor.empty() : tensor<1x14x14x512xi8>
    %125 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123 : tensor<1x14x14x512xi8>) outs(%124 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
    %126 = tensor.pad %125 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %c0 : i8
    } : tensor<1x14x14x512xi8> to tensor<1x16x16x512xi8>
    %127 = tensor.empty() : tensor<1x14x14x512xi32>
    %128 = linalg.fill ins(%c1 : i32) outs(%127 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32>
    %129 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%126, %conv12_weight : tensor<1x16x16x512xi8>, tensor<3x3x512x512xi8>) outs(%128 : tensor<1x14x14x512xi32>) -> tensor<1x14x14x512xi32> loc("conv12")
    %130 = tensor.empty() : tensor<1x14x14x512xi32>
    %131 = linalg.generic {indexing_maps = [#map0, #map1, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129, %conv12_bias : tensor<1x14x14x512xi32>, tensor<512xi32>) outs(%130 : tensor<1x14x14x512xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x14x14x512xi32>
    %132 = tensor.empty() : tensor<1x14x14x512xi8>
    %133 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131 : tensor<1x14x14x512xi32>) outs(%132 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c12 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x14x14x512xi8>
    %134 = tensor.empty() : tensor<1x14x14x512xi8>
    %135 = linalg.generic {indexing_maps = [#map0, #map0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%133 : tensor<1x14x14x512xi8>) outs(%134 : tensor<1x14x14x512xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x14x14x512xi8>
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
      %scaled = arith.mulf %wide, %c12 : f32
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
    %146 = tensor.empty() : tensor<2x2xi8>
    %147 = tensor.empty() : tensor<1x7x7x512xi8>
    %148 = linalg.fill ins(%c6 : i8) outs(%147 : tensor<1x7x7x512xi8>) -> tensor<1x7x7x512xi8>
    %149 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%145, %146 : tensor<1x14x14x512xi8>, tensor<2x2xi8>) outs(%148 : tensor<1x7x7x512xi8>) -> tensor<1x7x7x512xi8>
    %150 = tensor.collapse_shape %149 [[0], [1, 2, 3]] : tensor<1x7x7x512xi8> into tensor<1x25088xi8>
    %151 = tensor.empty() : tensor<1x4096xi32>
    %152 = linalg.fill ins(%c1 : i32) outs(%151 : tensor<1x4096xi32>) -> tensor<1x4096xi32>
    %153 = linalg.matmul ins(%150, %fc1_weight : tensor<1x25088xi8>, tensor<25088x4096xi8>) outs(%152 : tensor<1x4096xi32>) -> tensor<1x4096xi32> loc("fc1")
    %154 = tensor.empty() : tensor<1x4096xi32>
    %155 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%153, %fc1_bias : tensor<1x4096xi32>, tensor<4096xi32>) outs(%154 : tensor<1x4096xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x4096xi32>
    %156 = tensor.empty() : tensor<1x4096xi8>
    %157 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%155 : tensor<1x4096xi32>) outs(%156 : tensor<1x4096xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c14 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x4096xi8>
    %158 = tensor.empty() : tensor<1x4096xi8>
    %159 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%157 : tensor<1x4096xi8>) outs(%158 : tensor<1x4096xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x4096xi8>
    %160 = tensor.empty() : tensor<1x4096xi32>
    %161 = linalg.fill ins(%c1 : i32) outs(%160 : tensor<1x4096xi32>) -> tensor<1x4096xi32>
    %162 = linalg.matmul ins(%159, %fc2_weight : tensor<1x4096xi8>, tensor<4096x4096xi8>) outs(%161 : tensor<1x4096xi32>) -> tensor<1x4096xi32> loc("fc2")
    %163 = tensor.empty() : tensor<1x4096xi32>
    %164 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%162, %fc2_bias : tensor<1x4096xi32>, tensor<4096xi32>) outs(%163 : tensor<1x4096xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x4096xi32>
    %165 = tensor.empty() : tensor<1x4096xi8>
    %166 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%164 : tensor<1x4096xi32>) outs(%165 : tensor<1x4096xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x4096xi8>
    %167 = tensor.empty() : tensor<1x4096xi8>
    %168 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%166 : tensor<1x4096xi8>) outs(%167 : tensor<1x4096xi8>) {
    ^bb0(%in: i8, %out: i8):
      %max = arith.maxsi %in, %c0 : i8
      linalg.yield %max : i8
    } -> tensor<1x4096xi8>
    %169 = tensor.empty() : tensor<1x1000xi32>
    %170 = linalg.fill ins(%c1 : i32) outs(%169 : tensor<1x1000xi32>) -> tensor<1x1000xi32>
    %171 = linalg.matmul ins(%168, %fc3_weight : tensor<1x4096xi8>, tensor<4096x1000xi8>) outs(%170 : tensor<1x1000xi32>) -> tensor<1x1000xi32> loc("fc3")
    %172 = tensor.empty() : tensor<1x1000xi32>
    %173 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%171, %fc3_bias : tensor<1x1000xi32>, tensor<1000xi32>) outs(%172 : tensor<1x1000xi32>) {
    ^bb0(%in_0: i32, %in_1: i32, %out: i32):
      %sum = arith.addi %in_0, %in_1 : i32
      linalg.yield %sum : i32
    } -> tensor<1x1000xi32>
    %174 = tensor.empty() : tensor<1x1000xi8>
    %175 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%173 : tensor<1x1000xi32>) outs(%174 : tensor<1x1000xi8>) {
    ^bb0(%in: i32, %out: i8):
      %wide = arith.sitofp %in : i32 to f32
      %scaled = arith.mulf %wide, %c15 : f32
      %rounded = math.roundeven %scaled : f32
      %above = arith.maximumf %rounded, %c3 : f32
      %clamped = arith.minimumf %above, %c4 : f32
      %narrow = arith.fptosi %clamped : f32 to i8
      linalg.yield %narrow : i8
    } -> tensor<1x1000xi8>
    return %175 : tensor<1x1000xi8>
  }
}
