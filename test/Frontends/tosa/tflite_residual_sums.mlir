// TFLite, int8, by the TFLite to TOSA legaliser: residual sums whose operands have
// scales and zero points of their own. In the first the layer's scale is the
// larger one, in the second the residual's, in the third they are the same.

// RUN: fadiff-run %s --target=gemmini --requantize=hardware --tolerance=2 2>&1 | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small --requantize=hardware --tolerance=2 --fuse=off 2>&1 | FileCheck %s
// CHECK: as predicted
// CHECK: largest difference from the reference: {{[0-2],}}

// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize=requantize=hardware --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer
// LAYERS: %[[W1:.*]] = arith.constant dense<1> : tensor<1x1x16xi8>
// LAYERS: fadiff.layer {{.*}}.add" ins({{.*}}, %[[W1]], %{{.*}} : {{.*}}, tensor<16xi32>) residual(%arg0 {{.*}} epilogue(<residual_scale = 0.{{[56][0-9]*}} : f32, scale =
// LAYERS: fadiff.layer
// LAYERS: fadiff.layer {{.*}}.add" {{.*}} epilogue(<residual_scale = 0.5{{[0-9]*}} : f32, residual_whole = 1, scale =
// LAYERS: fadiff.layer
// LAYERS: fadiff.layer {{.*}}.add" {{.*}} residual({{.*}} epilogue(<scale =
// LAYERS-NOT: linalg.generic {{.*}} fadiff.on_host

// Exact sums are what is wanted without the option: one line says what it would do.
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: remark: {{[0-9]}} layers are requantised on the host, because the accelerator's nearest requantisation differs by up to 1; requantize=hardware lets it do all, at most 1 apart
// EXACT-NOT: .add"

func.func @main(%x: tensor<1x6x7x16xi8>) -> tensor<1x6x7x16xi8> {
  %v1 = "tosa.const"() <{values = dense<3> : tensor<16x1x1x16xi8>}> : () -> tensor<16x1x1x16xi8>
  %v2 = "tosa.const"() <{values = dense<300> : tensor<16xi32>}> : () -> tensor<16xi32>
  %v3 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %x, %v1, %v2, %v3, %v4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x7x16xi8>, tensor<16x1x1x16xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x16xi32>
  %v6 = "tosa.const"() <{values = dense<1511828488> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v7 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v9 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %v6, %v7, %v8, %v9 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x16xi8>
  %v11 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v12 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v13 = "tosa.const"() <{values = dense<-4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v14 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v15 = tosa.rescale %v10, %v11, %v12, %v13, %v14 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x7x16xi32>
  %v16 = "tosa.const"() <{values = dense<1288490189> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v17 = "tosa.const"() <{values = dense<12> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v18 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v20 = tosa.rescale %x, %v16, %v17, %v18, %v19 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x7x16xi32>
  %v21 = tosa.add %v15, %v20 : (tensor<1x6x7x16xi32>, tensor<1x6x7x16xi32>) -> tensor<1x6x7x16xi32>
  %v22 = "tosa.const"() <{values = dense<1731841652> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v23 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v24 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v25 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v26 = tosa.rescale %v21, %v22, %v23, %v24, %v25 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x16xi8>
  %v27 = "tosa.const"() <{values = dense<-2> : tensor<16x1x1x16xi8>}> : () -> tensor<16x1x1x16xi8>
  %v28 = "tosa.const"() <{values = dense<300> : tensor<16xi32>}> : () -> tensor<16xi32>
  %v29 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v30 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v31 = tosa.conv2d %v26, %v27, %v28, %v29, %v30 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x7x16xi8>, tensor<16x1x1x16xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x16xi32>
  %v32 = "tosa.const"() <{values = dense<1786706395> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v33 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v34 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v35 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v36 = tosa.rescale %v31, %v32, %v33, %v34, %v35 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x16xi8>
  %v37 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v38 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v39 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v40 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v41 = tosa.rescale %v26, %v37, %v38, %v39, %v40 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x7x16xi32>
  %v42 = "tosa.const"() <{values = dense<1385473321> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v43 = "tosa.const"() <{values = dense<12> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v44 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v45 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v46 = tosa.rescale %v36, %v42, %v43, %v44, %v45 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x7x16xi32>
  %v47 = tosa.add %v41, %v46 : (tensor<1x6x7x16xi32>, tensor<1x6x7x16xi32>) -> tensor<1x6x7x16xi32>
  %v48 = "tosa.const"() <{values = dense<1664299827> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v49 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v50 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v51 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v52 = tosa.rescale %v47, %v48, %v49, %v50, %v51 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x16xi8>
  %v53 = "tosa.const"() <{values = dense<5> : tensor<16x1x1x16xi8>}> : () -> tensor<16x1x1x16xi8>
  %v54 = "tosa.const"() <{values = dense<300> : tensor<16xi32>}> : () -> tensor<16xi32>
  %v55 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v56 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v57 = tosa.conv2d %v52, %v53, %v54, %v55, %v56 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x7x16xi8>, tensor<16x1x1x16xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x16xi32>
  %v58 = "tosa.const"() <{values = dense<1236950581> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v59 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v60 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v61 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v62 = tosa.rescale %v57, %v58, %v59, %v60, %v61 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x16xi8>
  %v63 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v64 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v65 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v66 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v67 = tosa.rescale %v62, %v63, %v64, %v65, %v66 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x7x16xi32>
  %v68 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v69 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v70 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v71 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v72 = tosa.rescale %v52, %v68, %v69, %v70, %v71 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x7x16xi32>
  %v73 = tosa.add %v67, %v72 : (tensor<1x6x7x16xi32>, tensor<1x6x7x16xi32>) -> tensor<1x6x7x16xi32>
  %v74 = "tosa.const"() <{values = dense<1717986918> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v75 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v76 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %v77 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v78 = tosa.rescale %v73, %v74, %v75, %v76, %v77 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x7x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x7x16xi8>
  return %v78 : tensor<1x6x7x16xi8>
}
