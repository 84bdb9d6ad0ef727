// TOSA matmul with zero points on both operands, neither constant: sums of rows and
// columns are taken on the host, the products on the accelerator.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x6x12xi8>, %arg1: tensor<1x12x5xi8>) -> tensor<1x6x5xi8> {
  %c1 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c2 = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v3 = tosa.matmul %arg0, %arg1, %c1, %c2 : (tensor<1x6x12xi8>, tensor<1x12x5xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x5xi32>
  %c4 = "tosa.const"() <{values = dense<[1449058013]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c5 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c6 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v8 = tosa.rescale %v3, %c4, %c5, %c6, %c7 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x5xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x5xi8>
  return %v8 : tensor<1x6x5xi8>
}
