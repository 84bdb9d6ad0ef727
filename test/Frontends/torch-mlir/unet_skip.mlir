// torch-mlir: a level of a U-Net, channels first: what one convolution made is resized to
// nearest neighbours and joined with what another one made. No transpose stays between
// the convolutions.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 | FileCheck %s --check-prefix=RAN
// CHECK: linalg.transpose ins(%arg0
// CHECK-NOT: linalg.transpose
// CHECK: fadiff.layer
// CHECK: fadiff.layer
// CHECK-NOT: linalg.transpose
// CHECK: tensor.extract {{.*}} tensor<1x3x3x4xf32>
// CHECK-NOT: linalg.transpose
// CHECK: tensor.concat dim(3)
// CHECK-NOT: linalg.transpose
// CHECK: fadiff.layer
// CHECK: linalg.transpose {{.*}} tensor<1x2x6x6xf32>
// RAN: as predicted
// RAN: {{output identical|largest difference of floats}}

module {
  func.func @main(%arg0: tensor<1x3x6x6xf32>) -> (tensor<1x2x6x6xf32>) {
    %cst1 = arith.constant 2 : index
    %cst0 = arith.constant 0.000000e+00 : f32
    %1 = arith.constant dense_resource<torch_tensor_4_0> : tensor<4xf32>
    %2 = tensor.empty() : tensor<1x4x6x6xf32>
    %3 = linalg.broadcast ins(%1 : tensor<4xf32>) outs(%2 : tensor<1x4x6x6xf32>) dimensions = [0, 2, 3]
    %4 = arith.constant dense_resource<torch_tensor_4_3_1_1_1> : tensor<4x3x1x1xf32>
    %5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %4 : tensor<1x3x6x6xf32>, tensor<4x3x1x1xf32>) outs(%3 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    %6 = tensor.empty() : tensor<1x4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x4x6x6xf32>) outs(%6 : tensor<1x4x6x6xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %a = arith.cmpf ugt, %in0, %cst0 : f32
      %b = arith.select %a, %in0, %cst0 : f32
      linalg.yield %b : f32
    } -> tensor<1x4x6x6xf32>
    %8 = tensor.pad %7 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %cst0 : f32
    } : tensor<1x4x6x6xf32> to tensor<1x4x8x8xf32>
    %9 = arith.constant dense_resource<torch_tensor_4_2> : tensor<4xf32>
    %10 = tensor.empty() : tensor<1x4x3x3xf32>
    %11 = linalg.broadcast ins(%9 : tensor<4xf32>) outs(%10 : tensor<1x4x3x3xf32>) dimensions = [0, 2, 3]
    %12 = arith.constant dense_resource<torch_tensor_4_4_3_3_3> : tensor<4x4x3x3xf32>
    %13 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%8, %12 : tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) outs(%11 : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %14 = tensor.empty() : tensor<1x4x3x3xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x4x3x3xf32>) outs(%14 : tensor<1x4x3x3xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %a = arith.cmpf ugt, %in0, %cst0 : f32
      %b = arith.select %a, %in0, %cst0 : f32
      linalg.yield %b : f32
    } -> tensor<1x4x3x3xf32>
    %16 = tensor.empty() : tensor<1x4x6x6xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%16 : tensor<1x4x6x6xf32>) {
    ^bb0(%out: f32):
      %n = linalg.index 0 : index
      %c = linalg.index 1 : index
      %i = linalg.index 2 : index
      %j = linalg.index 3 : index
      %h = arith.floordivsi %i, %cst1 : index
      %w = arith.floordivsi %j, %cst1 : index
      %v = tensor.extract %15[%n, %c, %h, %w] : tensor<1x4x3x3xf32>
      linalg.yield %v : f32
    } -> tensor<1x4x6x6xf32>
    %18 = tensor.concat dim(1) %17, %7 : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x8x6x6xf32>
    %19 = arith.constant dense_resource<torch_tensor_2_4> : tensor<2xf32>
    %20 = tensor.empty() : tensor<1x2x6x6xf32>
    %21 = linalg.broadcast ins(%19 : tensor<2xf32>) outs(%20 : tensor<1x2x6x6xf32>) dimensions = [0, 2, 3]
    %22 = arith.constant dense_resource<torch_tensor_2_8_1_1_5> : tensor<2x8x1x1xf32>
    %23 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%18, %22 : tensor<1x8x6x6xf32>, tensor<2x8x1x1xf32>) outs(%21 : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
    return %23 : tensor<1x2x6x6xf32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_0: "0x040000000AD7233CB81E053EEC51B8BDCDCCCC3D",
      torch_tensor_4_3_1_1_1: "0x040000003D0A57BE3D0A57BE6666C63FB81E053E0AD723BD9A99193F1F856B3F8FC2F5BC8FC2F53ECDCC4CBF9A9999BEEC51B8BE",
      torch_tensor_4_2: "0x04000000B81E05BE9A9919BE0AD723BE0AD7A3BC",
      torch_tensor_4_4_3_3_3: "0x040000000AD723BD0AD7A3BD0AD7A33C52B89EBE0AD7A3BC8FC2753DEC51383ECDCC4CBEEC51B8BDD7A3F0BE8FC2F5BDB81E05BFC3F5A8BEB81E853EB81E05BF5C8F423E0AD7A33D295C8FBDAE47E13D8FC2F53D0000803ECDCC4CBD295C0FBE295C0FBE1F856BBE0AD723BC5C8F42BE0000803EAE47E1BEB81E85BEAE4761BE48E1FABE6666E63E85EB11BF295C8FBD8FC2F5BD14AEC73ED7A3F0BE0000803E7B142EBE0AD723BD0AD723BE9A99193E713D8ABE0AD7A3BC0AD7A33DF628DC3E85EB11BFEC51B83EAE47613EAE47E1BD295C8F3DAE47E1BD14AEC73ECDCC4C3DCDCC4CBDCDCC4CBDCDCC4CBD0AD723BD3D0A57BE48E1FA3E6666E6BE9A9959BF8FC2F5BC8FC2F5BCEC51B83DCDCC4CBD8FC2F5BC0AD7A33D1F856B3EAE47E1BDEC51B8BD1F85EB3E8FC2F53D1F856BBECDCC0C3FEC51383E295C0FBE295C8FBE295C8F3DCDCC4CBE000080BE52B89EBE8FC2F5BDB81E853ECDCCCCBD7B14AEBE0AD7233E0AD7A33CCDCC4C3E295C8F3E0AD723BD8FC2F5BC0AD723BC713D8ABE0AD7233E0AD7A33E0AD7233D8FC275BD8FC275BDEC5138BE5C8F42BEEC51B8BDCDCC4CBECDCCCCBDA470BDBE0AD7A33D0AD7233C713D8ABE713D0ABF00000080B81E853E7B142EBEAE47E1BDB81E05BE9A99193EAE4761BE1F856B3E295C8FBDAE47613E0AD7233CCDCC4CBD3333B3BE0AD723BE8FC275BD0AD7233E8FC2753D0AD723BECDCCCC3D1F856B3E0AD723BDCDCCCCBDEC51B8BD5C8F423EB81E053EAE4761BEEC51B83DAE47E1BDEC5138BEE17A943E5C8F423E7B142EBE0AD7A33C8FC2F53D",
      torch_tensor_2_4: "0x040000008FC275BD0AD723BC",
      torch_tensor_2_8_1_1_5: "0x04000000C3F5A83E0AD763BF0AD7233EA470BD3E0000803E1F852BBF0AD7233EF628DCBE295C8F3E9A99993EAE47E13D5C8FC2BE9A9999BEF628DC3E6666E6BE0000803E"
    }
  }
#-}
