// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: int8 matmuls around a float
// softmax.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x12x16xi8>, %arg1: tensor<1x16x8xi8>) -> tensor<1x12x8xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xFD632449CA835E39929AAA22D7EF441784C77F9F6DB6679D2C17A0D8638D1013428A992CF45DCB9CA2582210D279C158B430D1D2262105FCF99AB8872A4777370109F8206FA46102870DFF8AC0FE832652972F75E4E36E792F9A903682581B06BDA432A12CDC79EDA13661097DA76AE789287E62CFB3E9EEC66328B70AFADC669C37D33E3B8BB7ACE11B4DF8BA823226A9CF30D6C6A70F0FCAE73EEDDC994CF281C3B3A91692E171837C276E6FF6955D30CC23BBB5BB5CEB935070AF4789B335C98835DF2B49793B3459254B3926DE01AD92A00C79A9233CAC17E22CA54DFFFDBCF64AEF3D74D739C01A14A5063EB2BCE859F74BC80EA670FDA8813E4C9807EA"> : tensor<1x16x16xi8>}> : () -> tensor<1x16x16xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v4 = tosa.matmul %arg0, %c1, %c2, %c3 : (tensor<1x12x16xi8>, tensor<1x16x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x16xi32>
  %c5 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c6 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v9 = tosa.rescale %v4, %c5, %c6, %c7, %c8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x12x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x12x16xi8>
  %v10 = tosa.cast %v9 : (tensor<1x12x16xi8>) -> tensor<1x12x16xf32>
  %v11 = tosa.reduce_max %v10 {axis = 2 : i32} : (tensor<1x12x16xf32>) -> tensor<1x12x1xf32>
  %v12 = tosa.sub %v10, %v11 : (tensor<1x12x16xf32>, tensor<1x12x1xf32>) -> tensor<1x12x16xf32>
  %v13 = tosa.exp %v12 : (tensor<1x12x16xf32>) -> tensor<1x12x16xf32>
  %v14 = tosa.reduce_sum %v13 {axis = 2 : i32} : (tensor<1x12x16xf32>) -> tensor<1x12x1xf32>
  %v15 = tosa.reciprocal %v14 : (tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
  %c16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c17 = "tosa.const"() <{values = dense<127.0> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %v18 = tosa.mul %v13, %v15, %c16 : (tensor<1x12x16xf32>, tensor<1x12x1xf32>, tensor<1xi8>) -> tensor<1x12x16xf32>
  %v19 = tosa.mul %v18, %c17, %c16 : (tensor<1x12x16xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x16xf32>
  %v20 = tosa.cast %v19 : (tensor<1x12x16xf32>) -> tensor<1x12x16xi8>
  %c21 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v23 = tosa.matmul %v20, %arg1, %c21, %c22 : (tensor<1x12x16xi8>, tensor<1x16x8xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x8xi32>
  %c24 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c25 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c26 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c27 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v28 = tosa.rescale %v23, %c24, %c25, %c26, %c27 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x12x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x12x8xi8>
  return %v28 : tensor<1x12x8xi8>
}
