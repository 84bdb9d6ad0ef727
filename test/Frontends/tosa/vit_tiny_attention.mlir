// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: three heads of ViT-tiny:
// Q K^T, the exponential through a table, times V.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<3x17x16xi8>, %arg1: tensor<3x17x16xi8>, %arg2: tensor<3x17x16xi8>) -> tensor<3x17x16xi8> {
  %v1 = tosa.transpose %arg1 {perms = array<i32: 0, 2, 1>} : (tensor<3x17x16xi8>) -> tensor<3x16x17xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v4 = tosa.matmul %arg0, %v1, %c2, %c3 : (tensor<3x17x16xi8>, tensor<3x16x17xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x17x17xi32>
  %c5 = "tosa.const"() <{values = dense<[1254921051]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c6 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v9 = tosa.rescale %v4, %c5, %c6, %c7, %c8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<3x17x17xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3x17x17xi8>
  %c10 = "tosa.const"() <{values = dense<[-128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -127, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -126, -125, -125, -125, -125, -125, -125, -125, -125, -125, -125, -124, -124, -124, -124, -124, -124, -124, -124, -123, -123, -123, -123, -123, -123, -123, -122, -122, -122, -122, -122, -121, -121, -121, -121, -121, -120, -120, -120, -120, -119, -119, -119, -118, -118, -118, -117, -117, -117, -116, -116, -116, -115, -115, -114, -114, -114, -113, -113, -112, -112, -111, -111, -110, -110, -109, -108, -108, -107, -106, -106, -105, -104, -104, -103, -102, -101, -100, -99, -98, -98, -97, -96, -95, -93, -92, -91, -90, -89, -88, -86, -85, -84, -82, -81, -79, -78, -76, -75, -73, -71, -69, -67, -66, -64, -61, -59, -57, -55, -53, -50, -48, -45, -43, -40, -37, -34, -31, -28, -25, -22, -18, -15, -11, -8, -4, 0, 4, 8, 13, 17, 22, 27, 32, 37, 42, 47, 53, 59, 64, 71, 77, 83, 90, 97, 104, 112, 119, 127]> : tensor<256xi8>}> : () -> tensor<256xi8>
  %v11 = tosa.table %v9, %c10 : (tensor<3x17x17xi8>, tensor<256xi8>) -> tensor<3x17x17xi8>
  %c12 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c13 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v14 = tosa.matmul %v11, %arg2, %c12, %c13 : (tensor<3x17x17xi8>, tensor<3x17x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x17x16xi32>
  %c15 = "tosa.const"() <{values = dense<[1217452246]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c16 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c17 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v19 = tosa.rescale %v14, %c15, %c16, %c17, %c18 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<3x17x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3x17x16xi8>
  return %v19 : tensor<3x17x16xi8>
}
