// torch through TOSA: TOSA wants windows that end where the image does, so a projection with a
// stride gets a slice of it. The layer reads the whole image. Concatenation, in pieces by then,
// is one operation in the layout of the layers.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 | FileCheck %s --check-prefix=RAN
// CHECK-NOT: tensor.extract_slice
// CHECK: fadiff.layer
// CHECK: fadiff.layer
// CHECK: fadiff.layer
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.concat dim(3)
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.transpose
// RAN: as predicted
// RAN: {{output identical|largest difference of floats}}

module {
  func.func @main(%arg0: tensor<1x3x6x6xf32>) -> (tensor<1x8x3x3xf32>) {
    %1 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x6x6xf32>) -> tensor<1x6x6x3xf32>
    %2 = "tosa.const"() <{values = dense<"0x0AD7A33D5C8F823F5C8F42BF295C4F3F3D0A57BE3D0A57BE6666C63FB81E053E0AD723BD9A99193F1F856B3F8FC2F5BC"> : tensor<4x1x1x3xf32>}> : () -> tensor<4x1x1x3xf32>
    %3 = "tosa.const"() <{values = dense<"0x8FC2753DCDCCCCBD0AD723BD0AD723BD"> : tensor<4xf32>}> : () -> tensor<4xf32>
    %4 = "tosa.const"() <{values = dense<0.000000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.const"() <{values = dense<0.000000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %6 = tosa.conv2d %1, %2, %3, %4, %5 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x3xf32>, tensor<4x1x1x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x4xf32>
    %7 = tosa.transpose %6 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x6x6x4xf32>) -> tensor<1x4x6x6xf32>
    %8 = tosa.clamp %7 {max_val = 3.40282347E+38 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    %9 = tosa.transpose %8 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x4x6x6xf32>) -> tensor<1x6x6x4xf32>
    %10 = "tosa.const"() <{values = dense<"0x52B89EBEEC51B8BE5C8FC2BE8FC275BD0AD723BD0AD7A3BD0AD7A33C52B89EBE0AD7A3BC8FC2753DEC51383ECDCC4CBEEC51B8BDD7A3F0BE8FC2F5BDB81E05BFC3F5A8BEB81E853EB81E05BF5C8F423E0AD7A33D295C8FBDAE47E13D8FC2F53D0000803ECDCC4CBD295C0FBE295C0FBE1F856BBE0AD723BC5C8F42BE0000803EAE47E1BEB81E85BEAE4761BE48E1FABE6666E63E85EB11BF295C8FBD8FC2F5BD14AEC73ED7A3F0BE0000803E7B142EBE0AD723BD0AD723BE9A99193E713D8ABE0AD7A3BC0AD7A33DF628DC3E85EB11BFEC51B83EAE47613EAE47E1BD295C8F3DAE47E1BD14AEC73ECDCC4C3DCDCC4CBDCDCC4CBDCDCC4CBD0AD723BD3D0A57BE48E1FA3E6666E6BE9A9959BF8FC2F5BC8FC2F5BCEC51B83DCDCC4CBD8FC2F5BC0AD7A33D1F856B3EAE47E1BDEC51B8BD1F85EB3E8FC2F53D1F856BBECDCC0C3FEC51383E295C0FBE295C8FBE295C8F3DCDCC4CBE000080BE52B89EBE8FC2F5BDB81E853ECDCCCCBD7B14AEBE0AD7233E0AD7A33CCDCC4C3E295C8F3E0AD723BD8FC2F5BC0AD723BC713D8ABE0AD7233E0AD7A33E0AD7233D8FC275BD8FC275BDEC5138BE5C8F42BEEC51B8BDCDCC4CBECDCCCCBDA470BDBE0AD7A33D0AD7233C713D8ABE713D0ABF00000080B81E853E7B142EBEAE47E1BDB81E05BE9A99193EAE4761BE1F856B3E295C8FBDAE47613E0AD7233CCDCC4CBD3333B3BE0AD723BE8FC275BD0AD7233E8FC2753D0AD723BECDCCCC3D1F856B3E0AD723BDCDCCCCBDEC51B8BD5C8F423EB81E053EAE4761BEEC51B83DAE47E1BDEC5138BEE17A943E"> : tensor<4x3x3x4xf32>}> : () -> tensor<4x3x3x4xf32>
    %11 = "tosa.const"() <{values = dense<"0x0AD7A33D295C8FBD0AD7233CCDCC4C3D"> : tensor<4xf32>}> : () -> tensor<4xf32>
    %12 = "tosa.const"() <{values = dense<0.000000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %13 = "tosa.const"() <{values = dense<0.000000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %14 = tosa.conv2d %9, %10, %11, %12, %13 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x6x6x4xf32>, tensor<4x3x3x4xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x4xf32>
    %15 = tosa.transpose %14 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x3x3x4xf32>) -> tensor<1x4x3x3xf32>
    %16 = tosa.transpose %8 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x4x6x6xf32>) -> tensor<1x6x6x4xf32>
    %17 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %18 = tosa.const_shape {values = dense<[1, 5, 5, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %19 = tosa.slice %16, %17, %18 : (tensor<1x6x6x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x5x5x4xf32>
    %20 = "tosa.const"() <{values = dense<"0x6666E6BEEC51B8BDD7A3F03E5C8FA2BF1F856B3EB81E053FEC51B83E333373BF1F856B3EF6281CBFCDCCCC3EF628DC3E9A99193E713D0ABF3D0AD7BE9A99193F"> : tensor<4x1x1x4xf32>}> : () -> tensor<4x1x1x4xf32>
    %21 = "tosa.const"() <{values = dense<"0xEC51B8BDCDCC4C3DCDCC4C3D8FC2F5BC"> : tensor<4xf32>}> : () -> tensor<4xf32>
    %22 = "tosa.const"() <{values = dense<0.000000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %23 = "tosa.const"() <{values = dense<0.000000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %24 = tosa.conv2d %19, %20, %21, %22, %23 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x5x5x4xf32>, tensor<4x1x1x4xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x4xf32>
    %25 = tosa.transpose %24 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x3x3x4xf32>) -> tensor<1x4x3x3xf32>
    %26 = tosa.concat %25, %15 {axis = 1 : i32} : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x8x3x3xf32>
    return %26 : tensor<1x8x3x3xf32>
  }
}
