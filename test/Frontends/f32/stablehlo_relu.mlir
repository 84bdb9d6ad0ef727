// JAX through StableHLO: ReLU is a maximum with a tensor of zeros, and batch normalisation is written
// out over broadcasts of constants. Both are part of the layer, and the host is left with nothing.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 | FileCheck %s --check-prefix=RAN
// CHECK: fadiff.layer {{.*}}epilogue(<scale = 1.000000e+00 : f32, relu>)
// CHECK: return
// CHECK-NOT: linalg.
// RAN: on the host: 0 operations
// RAN: as predicted
// RAN: {{output identical|largest difference of floats}}

module {
  func.func @main(%arg0: tensor<1x5x5x2xf32>) -> (tensor<1x5x5x4xf32>) {
    %cst0 = arith.constant 0.000000e+00 : f32
    %1 = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %cst0 : f32
    } : tensor<1x5x5x2xf32> to tensor<1x7x7x2xf32>
    %2 = arith.constant dense<"0x8FC2F53C3D0AD73E52B89EBEC3F5A83EEC51B8BDEC51B8BDAE47213FCDCC4C3D0AD723BC8FC2753E5C8FC23E0AD723BCCDCC4C3E0AD7A3BE8FC2F5BD9A9919BEAE47E1BE000000BF713D0ABF0AD7A3BD8FC275BDAE47E1BD0AD7A33C6666E6BE8FC2F5BC0AD7A33D0000803E295C8FBEB81E05BE1F852BBF7B142EBE48E13ABFD7A3F0BEA470BD3E48E13ABF713D8A3EAE47E13DCDCCCCBD9A99193EEC51383E3333B33E0AD7A3BDCDCC4CBECDCC4CBEC3F5A8BE0AD723BCB81E85BEEC51B83E52B81EBFEC51B8BE0AD7A3BE333333BFAE47213FCDCC4CBFEC51B8BDEC5138BECDCC0C3FC3F528BFEC51B83E8FC275BECDCC4CBDAE4761BE3D0A573E5C8FC2BE8FC2F5BC8FC2F53DF6281C3FCDCC4CBF5C8F023F0AD7A33E0AD723BECDCCCC3D"> : tensor<3x3x2x4xf32>
    %3 = tensor.empty() : tensor<1x5x5x4xf32>
    %4 = linalg.fill ins(%cst0 : f32) outs(%3 : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
    %5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1, %2 : tensor<1x7x7x2xf32>, tensor<3x3x2x4xf32>) outs(%4 : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
    %6 = arith.constant dense<"0xCDCC4CBD0AD7233E0AD7A33C0AD7A3BC"> : tensor<4xf32>
    %7 = arith.constant dense<"0x48E17A3F48E17A3F48E17A3FC3F5683F"> : tensor<4xf32>
    %8 = arith.constant dense<"0x48E19A3F295C4F3F0AD7233FA4707D3F"> : tensor<4xf32>
    %9 = arith.constant dense<"0x0AD723BC0AD7233D0AD7A3BC0AD723BC"> : tensor<4xf32>
    %10 = tensor.empty() : tensor<1x5x5x4xf32>
    %11 = linalg.broadcast ins(%6 : tensor<4xf32>) outs(%10 : tensor<1x5x5x4xf32>) dimensions = [0, 1, 2]
    %12 = tensor.empty() : tensor<1x5x5x4xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %11 : tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) outs(%12 : tensor<1x5x5x4xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %a = arith.subf %in0, %in1 : f32
      linalg.yield %a : f32
    } -> tensor<1x5x5x4xf32>
    %14 = arith.constant dense<9.999999747e-06> : tensor<4xf32>
    %15 = tensor.empty() : tensor<4xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%7, %14 : tensor<4xf32>, tensor<4xf32>) outs(%15 : tensor<4xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %a = arith.addf %in0, %in1 : f32
      linalg.yield %a : f32
    } -> tensor<4xf32>
    %17 = tensor.empty() : tensor<4xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%16 : tensor<4xf32>) outs(%17 : tensor<4xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %a = math.rsqrt %in0 : f32
      linalg.yield %a : f32
    } -> tensor<4xf32>
    %19 = tensor.empty() : tensor<4xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18, %8 : tensor<4xf32>, tensor<4xf32>) outs(%19 : tensor<4xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %a = arith.mulf %in0, %in1 : f32
      linalg.yield %a : f32
    } -> tensor<4xf32>
    %21 = tensor.empty() : tensor<1x5x5x4xf32>
    %22 = linalg.broadcast ins(%20 : tensor<4xf32>) outs(%21 : tensor<1x5x5x4xf32>) dimensions = [0, 1, 2]
    %23 = tensor.empty() : tensor<1x5x5x4xf32>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %22 : tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) outs(%23 : tensor<1x5x5x4xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %a = arith.mulf %in0, %in1 : f32
      linalg.yield %a : f32
    } -> tensor<1x5x5x4xf32>
    %25 = tensor.empty() : tensor<1x5x5x4xf32>
    %26 = linalg.broadcast ins(%9 : tensor<4xf32>) outs(%25 : tensor<1x5x5x4xf32>) dimensions = [0, 1, 2]
    %27 = tensor.empty() : tensor<1x5x5x4xf32>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) outs(%27 : tensor<1x5x5x4xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %a = arith.addf %in0, %in1 : f32
      linalg.yield %a : f32
    } -> tensor<1x5x5x4xf32>
    %29 = arith.constant dense<0.000000000e+00> : tensor<1x5x5x4xf32>
    %30 = tensor.empty() : tensor<1x5x5x4xf32>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %29 : tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) outs(%30 : tensor<1x5x5x4xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %a = arith.maximumf %in0, %in1 : f32
      linalg.yield %a : f32
    } -> tensor<1x5x5x4xf32>
    return %31 : tensor<1x5x5x4xf32>
  }
}
